/**
 * Causes of derived relationships of every kind: each relationship whose removal ends the derived one is named by a repair in the evidence,
 * or the evidence says why it is permanent. And every repair changes facts, not derived edges.
 */

import { AnalysisContext, analyze, type EdgeRef, FEATURES, FINDING_TYPES, RULES } from '@clew/analysis';
import { infrastructureOf, randomInfrastructures, randomTenants, tenantOf } from '@clew/analysis/testing';
import { type AttackGraph, EdgeList, findEdge, NO_EDGE, nameOf, objectIdOf, withEdges } from '@clew/graph';
import type { TestGraph } from '@clew/graph/testing';
import { EdgeFlag, type EdgeKindName, edgeKindById } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { directoryOf, randomDirectories } from '../../test/randomDirectories.ts';
import { aboutPermanent, isPermanent } from '../repairs/permanent.ts';
import { applyChange } from '../simulation/applyChange.ts';
import { evidenceOf, standsOn } from './evidence.ts';

const SPECS = fc.oneof(
  fc.record({ directory: randomDirectories }),
  fc.record({ infrastructure: randomInfrastructures }),
  fc.record({ tenant: randomTenants }),
);
type Spec = typeof SPECS extends fc.Arbitrary<infer Value> ? Value : never;

function worldOf(spec: Spec): TestGraph {
  if ('directory' in spec) return directoryOf(spec.directory);
  if ('tenant' in spec) return tenantOf(spec.tenant);
  return infrastructureOf(spec.infrastructure)
    .facts(...PRIMARY)
    .fixed(...GIVEN)
    .build();
}
/** Groups whose members Windows determines. */
const GIVEN = ['AU', 'EV', 'DU', 'DC', 'AU2'];
const PRIMARY = ['u1 in DU', 'u2 in DU', 'm in DU', 'c1 in DC', 'c2 in DC', 'H in DC'];
/** Set `CLEW_TEST_ORGANIZATIONS=1000` to test more. Every kind of relationship occurs in these. */
const COUNT = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 140);
const SEED = process.env.CLEW_TEST_ORGANIZATIONS === undefined ? { seed: 35 } : {};
const SECONDS_EACH = 2;
/** Maximum number of relationships per kind and world. */
const MAX_OF_KIND = 2;

/** Repairs that name an object to protect and remove no directory entry. */
const OF_THE_ZONE = new Set(['protect-host']);

/** All features are on, so that every rule runs. */
const OPTIONS = { rules: 'clean' as const, features: new Set(FEATURES.map(({ name }) => name)) };

const typeOf = (name: EdgeKindName): number =>
  FINDING_TYPES.findIndex((one) => one.kind === 'relationship' && one.edges.includes(name));

/** Kinds that rules derive and findings report; a test of the catalog ensures that they include all attack path kinds. */
const DERIVED = RULES.flatMap(({ produces }) => produces).filter(
  // The latter replaces ADCSESC15 if a user has answered, which is not a directory fact.
  (name) => typeOf(name) >= 0 && name !== 'ADCSESC15Updated',
);

it('name the facts without which a derived relationship of any kind disappears, or say why they stay', {
  timeout: COUNT * SECONDS_EACH * 1000,
}, () => {
  const looked = new Map<EdgeKindName, number>();
  const [named, stays] = [new Set<number>(), new Set<number>()];
  fc.assert(
    fc.property(SPECS, (spec) => {
      const context = published(worldOf(spec));
      const without = cachedChanges(context);
      for (const [name, edges] of derivedOf(context)) {
        looked.set(name, (looked.get(name) ?? 0) + edges.length);
        for (const edge of edges) {
          const { repairs, advice } = evidenceFor(context, edge);
          const sentences = advice.join(' ');
          const isNamed = (cause: EdgeRef) =>
            repairs.some(({ change }) => change.removed.some((one) => isSame(one, cause)));
          const shownOnes = standsOn(context, edge);
          for (const cause of rawCauses(context, edge)) {
            const text = `${textOf(context, cause)} behind ${textOf(context, edge)}`;
            if (isPermanent(context, cause)) {
              stays.add(cause.kind);
              // Deeper relationships are not shown, so the evidence need not mention them.
              if (!shownOnes.some((one) => isSame(one, cause))) continue;
              // Some causes are never named, because no one would change a local group or an identity.
              if (aboutPermanent(context, [cause]).length === 0) continue;
              const names = [cause.start, cause.end].map((node) => shown(context, node));
              expect([text, names.some((name) => sentences.includes(name))]).toEqual([text, true]);
              continue;
            }
            if (!isSame(cause, edge) && !closes(without(cause), edge)) continue;
            named.add(cause.kind);
            // Repairs of settings close relationships that depend only on settings.
            expect([text, isDerived(context, cause) ? repairs.length > 0 : isNamed(cause)]).toEqual([
              text,
              true,
            ]);
          }
          for (const { id, kind, change } of repairs) {
            const isOfFacts =
              change.properties.length > 0 || change.removed.some((one) => !isDerived(context, one));
            expect([id, isOfFacts || OF_THE_ZONE.has(kind)]).toEqual([id, true]);
          }
        }
      }
    }),
    { ...SEED, numRuns: COUNT, endOnFailure: true },
  );
  expect(DERIVED.filter((name) => !looked.has(name))).toEqual([]);
  expect(named.size).toBeGreaterThan(10);
  expect(stays.size).toBeGreaterThan(5);
});

function published({ graph, properties, edgeProperties }: TestGraph): AnalysisContext {
  const input = { graph, properties, edgeProperties, options: OPTIONS };
  const { edges, perRule } = analyze(new AnalysisContext(input), RULES);
  const failed = perRule.find(({ status }) => status === 'failed');
  if (failed !== undefined) throw failed.error;
  const list = new EdgeList();
  list.appendChunk(edges);
  return new AnalysisContext({ ...input, graph: withEdges(graph, list) });
}

/** Samples of each kind. */
function derivedOf({ graph }: AnalysisContext): Map<EdgeKindName, EdgeRef[]> {
  const found = new Map<EdgeKindName, EdgeRef[]>();
  const { offsets, kinds, neighbors, flags } = graph.out;
  for (let start = 0; start < graph.nodeCount; start++)
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const name = edgeKindById(kinds[at])?.name as EdgeKindName;
      if ((flags[at] & EdgeFlag.Derived) === 0 || !DERIVED.includes(name)) continue;
      const known = found.get(name) ?? [];
      if (known.length < MAX_OF_KIND) known.push({ start, kind: kinds[at], end: neighbors[at] });
      found.set(name, known);
    }
  return found;
}

function evidenceFor(context: AnalysisContext, { start, kind, end }: EdgeRef) {
  const name = edgeKindById(kind)?.name as EdgeKindName;
  const type = typeOf(name);
  return evidenceOf(context, { type, source: start, target: end, edgeKind: kind });
}

/** Collected relations behind a relation, and derived ones without other causes. */
function rawCauses(context: AnalysisContext, edge: EdgeRef, above: readonly EdgeRef[] = []): EdgeRef[] {
  if (!isDerived(context, edge) || above.some((one) => isSame(one, edge))) return [edge];
  return standsOn(context, edge).flatMap((cause) =>
    isSame(cause, edge) ? [edge] : rawCauses(context, cause, [...above, edge]),
  );
}

function isDerived({ graph }: AnalysisContext, { start, kind, end }: EdgeRef): boolean {
  const number = findEdge(graph, start, kind, end);
  return number !== NO_EDGE && (graph.out.flags[number] & EdgeFlag.Derived) !== 0;
}

/** @returns a function that returns the graph without a relation */
function cachedChanges(context: AnalysisContext): (cause: EdgeRef) => AttackGraph {
  const known = new Map<string, AttackGraph>();
  return (cause) => {
    const key = `${cause.start} ${cause.kind} ${cause.end}`;
    const graph = known.get(key) ?? applyChange(context, { removed: [cause] }).context.graph;
    known.set(key, graph);
    return graph;
  };
}

const closes = (graph: AttackGraph, { start, kind, end }: EdgeRef): boolean =>
  findEdge(graph, start, kind, end) === NO_EDGE;

const isSame = (a: EdgeRef, b: EdgeRef): boolean =>
  a.start === b.start && a.kind === b.kind && a.end === b.end;

const shown = ({ graph }: AnalysisContext, node: number): string =>
  nameOf(graph, node) || objectIdOf(graph, node);

const textOf = (context: AnalysisContext, { start, kind, end }: EdgeRef): string =>
  `${shown(context, start)} ${edgeKindById(kind)?.name} ${shown(context, end)}`;
