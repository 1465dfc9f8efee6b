/** For each derived relationship: what it goes without is named by a repair, or is what no one can take away alone. */
import { changedWorld, compose, RepairCatalogue, RULES, repairsBehind, ruleKinds } from '@clew/analysis';
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag, EdgeKind, edgeKindById } from '@clew/model';
import { generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { analysedWorld, COLLECTED_AT } from '../testing/analysedWorld.ts';
import { collectedWorld, sourcesOf } from '../testing/collectedWorld.ts';

/** A CA that domains trust: retiring it is one act, and takes all of them away. */
const TRUST_IN_CA: ReadonlySet<number> = new Set([
  ...[EdgeKind.NTAuthStoreFor, EdgeKind.TrustedForNTAuth, EdgeKind.RootCAFor, EdgeKind.EnterpriseCAFor],
  ...[EdgeKind.IssuedSignedBy, EdgeKind.HostsCAService],
]);
/** Pairs of relationships that are looked at, spread over all. */
const MAX_PAIRS = 150;

it('names every cause of a derived relationship that can be changed', async () => {
  const files = generateForest({ users: 60, seed: 11, domains: 2, collectedAt: COLLECTED_AT }).files;
  const world = analysedWorld(await collectedWorld(sourcesOf(files)));
  const { context } = world;
  const { graph } = context;
  const kinds = new Set(
    RULES.flatMap(({ ways, produces }) => (ways === undefined ? [] : produces.map((kind) => EdgeKind[kind]))),
  );
  const pairs = [...Array(graph.nodeCount).keys()].flatMap((start) => {
    const derived = [];
    for (let at = graph.out.offsets[start] as number; at < (graph.out.offsets[start + 1] as number); at++) {
      const edge = { start, kind: graph.out.kinds[at] as number, end: graph.out.neighbours[at] as number };
      const isDerived = ((graph.out.flags[at] as number) & EdgeFlag.Derived) !== 0;
      if (kinds.has(edge.kind) && isDerived) derived.push(edge);
    }
    return derived.flatMap((edge) => compose(context, edge).edges.map((cause) => ({ edge, cause })));
  });
  const catalogue = new RepairCatalogue(context, ruleKinds());
  let named = 0;
  for (let at = 0; at < pairs.length; at += Math.ceil(pairs.length / MAX_PAIRS)) {
    const { edge, cause } = pairs[at] as (typeof pairs)[number];
    const number = findEdge(graph, cause.start, cause.kind, cause.end);
    if (TRUST_IN_CA.has(cause.kind) || catalogue.isFixed(cause.kind, graph.out.flags[number] as number))
      continue;
    const without = changedWorld(world, { removed: [cause] }).context.graph;
    if (findEdge(without, edge.start, edge.kind, edge.end) !== NO_EDGE) continue;
    const removed = repairsBehind(context, catalogue, edge).flatMap(
      (place) => (catalogue.repairs[place] as (typeof catalogue.repairs)[number]).change.removed,
    );
    const text = `${edgeKindById(cause.kind)?.name} behind ${edgeKindById(edge.kind)?.name}`;
    const isNamed = removed.some(({ start, end }) => start === cause.start && end === cause.end);
    expect([text, isNamed]).toEqual([text, true]);
    named++;
  }
  expect(named).toBeGreaterThan(10);
}, 60_000);
