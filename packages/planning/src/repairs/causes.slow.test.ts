/** For each derived relationship, a repair names the facts on which it depends, or the evidence explains why it is permanent. */

import { RULES } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { findEdge, NO_EDGE, nameOf, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, edgeKindById } from '@clew/model';
import { generateForest, generateTenant } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { standsOn } from '../explain/evidence.ts';
import { repairsBehind } from '../explain/repairsBehind.ts';
import { changedWorld } from '../simulation/simulate.ts';
import { aboutPermanent, isPermanent } from './permanent.ts';
import { RepairCatalog, ruleKinds } from './repairs.ts';

/** Maximum number of pairs per kind of cause and kind of relationship. */
const MAX_PAIRS = 2;

/** Each has relationships of its own; every commit examines the first one. */
const SEEDS = [11, 4, 27].slice(0, Number(process.env.CLEW_TEST_RUNS ?? 1));

it.each(SEEDS)(
  'names every cause of a derived relationship, or says why it stays: seed %i',
  async (seed) => {
    const files = generateForest({ users: 40, seed, domains: 2, collectedAt: COLLECTED_AT }).files;
    const tenant = [...generateTenant({ users: 40, seed, collectedAt: COLLECTED_AT }).file.text(() => {})];
    const ofTenant = sourceFromBytes('tenant.json', Buffer.from(tenant.join('')));
    const world = analyzedWorld(await collectedWorld([...sourcesOf(files), ofTenant]));
    const { context } = world;
    const { graph } = context;
    const kinds = new Set(
      RULES.flatMap(({ ways, produces }) =>
        ways === undefined ? [] : produces.map((kind) => EdgeKind[kind]),
      ),
    );
    const pairs = [...Array(graph.nodeCount).keys()].flatMap((start) => {
      const derived = [];
      for (let at = graph.out.offsets[start] as number; at < (graph.out.offsets[start + 1] as number); at++) {
        const edge = { start, kind: graph.out.kinds[at] as number, end: graph.out.neighbors[at] as number };
        const isDerived = ((graph.out.flags[at] as number) & EdgeFlag.Derived) !== 0;
        if (kinds.has(edge.kind) && isDerived) derived.push(edge);
      }
      return derived.flatMap((edge) => standsOn(context, edge).map((cause) => ({ edge, cause })));
    });
    const catalog = new RepairCatalog(context, ruleKinds());
    const [named, permanent] = [new Set<number>(), new Set<number>()];
    for (const { edge, cause } of spread(pairs)) {
      const number = findEdge(graph, cause.start, cause.kind, cause.end);
      const text = `${edgeKindById(cause.kind)?.name} behind ${edgeKindById(edge.kind)?.name}`;
      if (isPermanent(context, cause)) {
        const [sentence, ...others] = aboutPermanent(context, [cause]);
        const [start, end] = [cause.start, cause.end].map(
          (node) => nameOf(graph, node) || objectIdOf(graph, node),
        );
        const namesIt = [start, end].some((name) => sentence?.includes(name as string));
        // No one would change these; the repairs of the other causes cover them.
        const isQuiet = cause.kind === EdgeKind.LocalToComputer || cause.kind === EdgeKind.ContainsIdentity;
        expect([text, namesIt, others]).toEqual([text, !isQuiet, []]);
        permanent.add(cause.kind);
        continue;
      }
      expect([text, catalog.isFixed(cause.kind, cause.end, graph.out.flags[number] as number)]).toEqual([
        text,
        false,
      ]);
      if (((graph.out.flags[number] as number) & EdgeFlag.Derived) !== 0) {
        // The cause itself has causes, including settings.
        const repairs = repairsBehind(context, catalog, edge);
        expect([text, repairs.length > 0]).toEqual([text, true]);
        continue;
      }
      const without = changedWorld(world, { removed: [cause] }).context.graph;
      if (findEdge(without, edge.start, edge.kind, edge.end) !== NO_EDGE) continue;
      const removed = repairsBehind(context, catalog, edge).flatMap(
        (place) => (catalog.repairs[place] as (typeof catalog.repairs)[number]).change.removed,
      );
      const isNamed = removed.some(({ start, end }) => start === cause.start && end === cause.end);
      expect([text, isNamed]).toEqual([text, true]);
      named.add(cause.kind);
    }
    expect(named.size).toBeGreaterThan(3);
    expect(permanent.size).toBeGreaterThan(3);
  },
  60_000,
);

/** Samples each kind of cause behind each kind of relationship. */
function spread<
  Pair extends { readonly edge: { readonly kind: number }; readonly cause: { readonly kind: number } },
>(pairs: readonly Pair[]): Pair[] {
  const groups = Map.groupBy(pairs, ({ edge, cause }) => `${edge.kind} ${cause.kind}`);
  return [...groups.values()].flatMap((group) => {
    const step = Math.ceil(group.length / MAX_PAIRS);
    return group.filter((_, at) => at % step === 0);
  });
}
