/**
 * Kits of generated organizations: every change of each card has a script or steps and complete facts, and it declares the same
 * relationships and values as the simulation.
 */
import { text } from 'node:stream/consumers';
import { attackSteps, findingTypesOf, remedyOf } from '@clew/analysis';
import { archiveFromReader, sourceFromBytes } from '@clew/collections';
import type { Generation } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import { effortTable } from '@clew/model';
import { evidenceOf, findingsOf, kitFacts, leavesTierZero, remedyTypeOf, tierZeroOf } from '@clew/planning';
import { analyzedWorld, COLLECTED_AT, collectedWorld } from '@clew/planning/testing';
import { edgeKindName } from '@clew/queries';
import { type Db, TIER_ZERO } from '@clew/store';
import { fileText, generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { changeKitRecord, kitOfRepairs } from './changeKits.ts';
import { detectionRules } from './detectionRules.ts';
import { findingKit } from './findingKit.ts';
import { pathRepairs } from './pathRepairs.ts';
import type { PlanState } from './planState.ts';
import { repairCosts } from './repairCosts.ts';
import { repairsOf } from './requestedChange.ts';

async function stateOf(seed: number): Promise<PlanState> {
  const { files } = generateForest({ users: 60, seed, collectedAt: COLLECTED_AT });
  const collected = await collectedWorld(
    files.map((file, at) => sourceFromBytes(`${at}.json`, Buffer.from([...fileText(file)].join('')))),
  );
  const world = analyzedWorld(collected);
  const generation = {
    ...{
      id: 1,
      publishedAt: '2026-06-01T00:00:00.000000Z',
      graph: collected.graph,
      zones: [],
      environments: [],
    },
    customNodeKinds: new Map(),
    customEdgeKinds: new Map(),
  } as unknown as Generation;
  const none = { db: undefined as unknown as Db, database: undefined as unknown as PlanState['database'] };
  return {
    generation,
    world,
    costs: {},
    efforts: effortTable({}),
    ...none,
    before: () => ({ exposures: [], findings: new Map() }),
  };
}

type Reference = Parameters<typeof changeKitRecord>[1]['repairs'][number];

/** Maximum number of changes per kind. */
const OF_KIND = 8;

/** Two relationships of each kind. */
function someSteps(state: PlanState): { source_id: string; target_id: string }[] {
  const { graph } = state.generation;
  const { allows } = attackSteps(graph);
  const { offsets, neighbors, kinds } = state.world.context.attackGraph.out;
  const counts = new Map<number, number>();
  const steps: { source_id: string; target_id: string }[] = [];
  for (let start = 0; start < graph.nodeCount; start++)
    for (let at = offsets[start]!; at < offsets[start + 1]!; at++) {
      const count = counts.get(kinds[at]!) ?? 0;
      if (count >= 2 || allows[kinds[at]!] !== 1) continue;
      counts.set(kinds[at]!, count + 1);
      steps.push({ source_id: objectIdOf(graph, start), target_id: objectIdOf(graph, neighbors[at]!) });
    }
  return steps;
}

/** Repairs of two relationships of each kind, and some repairs of each type. */
function someRepairs(state: PlanState): Reference[] {
  const found = pathRepairs(state, { steps: someSteps(state), constraints: [], seen: null });
  const all = found.steps.flatMap(({ repairs }) => repairs.map(({ repair }) => repair));
  const distinct = [...new Map(all.map((repair) => [JSON.stringify(repair), repair])).values()];
  return Object.values(Object.groupBy(distinct, ({ kind }) => kind)).flatMap((some) =>
    (some ?? []).slice(0, OF_KIND),
  );
}

/** A kit has at most 100 changes. */
const chunksOf = <One>(all: readonly One[]): One[][] =>
  Array.from({ length: Math.ceil(all.length / 100) }, (_, at) => all.slice(at * 100, at * 100 + 100));

async function filesIn(archive: string): Promise<{ name: string; text: string }[]> {
  const bytes = Buffer.from(archive, 'base64');
  await using opened = await archiveFromReader(bytes.length, async (offset, length) =>
    bytes.subarray(offset, offset + length),
  );
  const files: { name: string; text: string }[] = [];
  for (const { name, source } of opened.members) files.push({ name, text: await text(source!.open()) });
  return files;
}

it('have rules or a reason for each step of attack paths, only with objects that the user may see', async () => {
  const state = await stateOf(3);
  const steps = someSteps(state);
  expect(steps.length).toBeGreaterThan(20);
  const found = await detectionRules(state, { steps: steps.slice(0, 100), seen: null });
  for (const { rules, unwatched } of found.steps) expect(rules.length + unwatched.length).toBeGreaterThan(0);
  expect(found.steps.some(({ rules }) => rules.length > 0)).toBe(true);
  expect(await filesIn(found.archive)).toEqual(found.files);
  // A user without environments sees none of these objects.
  const hidden = await detectionRules(state, { steps: steps.slice(0, 100), seen: [] });
  for (const { rules, unwatched } of hidden.steps)
    expect([rules, unwatched]).toEqual([
      [],
      ['Relationships with objects that you cannot see have no rules here.'],
    ]);
  expect(hidden.files.map(({ name }) => name)).toEqual(['README.md', 'SHA256SUMS']);
}, 120_000);

it('of a finding is that of the first repair of which the user sees every object', async () => {
  const state = await stateOf(3);
  const { context, zones, environments } = state.world;
  const { graph } = context;
  const idOf = (node: number): string => objectIdOf(graph, node);
  const costOf = repairCosts(state, TIER_ZERO, []);
  const counts = { first: 0, later: 0, none: 0 };
  const { offsets, neighbors, kinds } = context.attackGraph.out;
  const kindOf = (type: number, source: number, target: number): number | undefined => {
    const traits = findingTypesOf(graph)[type]!;
    const names: readonly string[] = traits.kind === 'relationship' ? traits.edges : [];
    for (let at = offsets[source]!; at < offsets[source + 1]!; at++)
      if (neighbors[at] === target && names.includes(edgeKindName(state.generation, kinds[at]!)))
        return kinds[at];
    return undefined;
  };
  for (const { type, source, target } of findingsOf(state.world).values()) {
    const edgeKind = source === undefined ? undefined : kindOf(type, source, target);
    const question = {
      ...{ type, target },
      ...(source !== undefined && { source }),
      ...(edgeKind !== undefined && { edgeKind }),
    };
    const { repairs, closing } = evidenceOf(context, question, tierZeroOf(zones), {
      ...{ costOf, leaves: (node, removed) => leavesTierZero(state.world, node, removed) },
    });
    if (repairs.length < 2) continue;
    const finding = {
      ...{ finding: findingTypesOf(graph)[type]!.id, source_id: source === undefined ? '' : idOf(source) },
      ...{ target_id: idOf(target), edge_kind: edgeKind ?? null },
    };
    const remedied = remedyTypeOf(context, finding.finding, target);
    const { steps, care } = remedyOf(findingTypesOf(graph).find(({ id }) => id === remedied)!);
    const advice = { steps, care };
    for (const environment of environments) {
      const seen = [idOf(environment)];
      const kits = await Promise.all(
        repairs.map((repair) =>
          kitOfRepairs(state, [repair], { zone: TIER_ZERO, constraints: [], seen, advice }),
        ),
      );
      const at = kits.findIndex((kit) => kit !== undefined);
      const which = at < 0 ? 'none' : at === 0 ? 'first' : 'later';
      if (counts[which] >= 5) continue;
      counts[which]++;
      const kit = await findingKit(state, { ...finding, zone: TIER_ZERO, constraints: [], seen });
      const first = repairs[at];
      if (first === undefined || closing.has(first)) expect(kit).toEqual(kits[at]);
      // Several repairs close it together, or the first one leaves it open.
      else if (kit?.note?.startsWith('This change alone')) expect(kit.changes).toEqual(kits[at]?.changes);
      else expect(kit?.changes.length === 1 || kit?.note?.startsWith('None of these')).toBe(true);
    }
    if (Object.values(counts).every((count) => count >= 5)) break;
  }
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(0);
}, 120_000);

it.each([3, 7])(
  'declare what the simulation removes: seed %i',
  async (seed) => {
    const state = await stateOf(seed);
    const all = someRepairs(state);
    expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThan(8);
    const { context, zones } = state.world;
    const { graph } = context;
    let scripts = 0;
    for (const repairs of chunksOf(all)) {
      const kit = (await changeKitRecord(state, { repairs, constraints: [], seen: null }))!;
      const declared = JSON.parse(kit.files.find(({ name }) => name === 'changes.json')!.text);
      expect(declared).toHaveLength(repairs.length);
      expect(kit.changes).toHaveLength(repairs.length);
      for (const [at, repair] of repairsOf(state.generation, state.world, repairs).entries()) {
        const { removed, values } = declared[at];
        expect(
          removed.map(({ source, target }: Record<string, { object_id: string }>) => [
            ...[source!.object_id, target!.object_id],
          ]),
        ).toEqual(
          repair.change.removed.map(({ start, end }) => [objectIdOf(graph, start), objectIdOf(graph, end)]),
        );
        expect(values).toHaveLength(repair.change.properties.length);
        const { facts } = kitFacts({ context, tierZero: tierZeroOf(zones) }, repair);
        for (const fact of Object.values(facts))
          expect('value' in fact || fact.missing.length > 20).toBe(true);
        const { script, why } = kit.changes[at]!;
        if (script === null) expect(why).toMatch(/^[A-Z].{15,}\.$/);
        else {
          expect(script).toMatch(/^[\n -~]*$/);
          scripts++;
        }
      }
      expect(await filesIn(kit.archive)).toEqual(kit.files);
      expect(await changeKitRecord(state, { repairs, constraints: [], seen: null })).toEqual(kit);
    }
    expect(scripts / all.length).toBeGreaterThan(0.6);
  },
  300_000,
);
