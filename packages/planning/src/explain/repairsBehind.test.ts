/** Applies the repairs that claim to remove a derived relationship, and derives it again. */
import { archiveFromFile, type CollectionSource } from '@clew/collections';
import { SAMPLE_FILE } from '@clew/collections/testing';
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { analyzedWorld } from '../../test/analyzedWorld.ts';
import { collectedWorld } from '../../test/collectedWorld.ts';
import { changeOf } from '../repairs/repair.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { changedWorld, tierZeroOf } from '../simulation/simulate.ts';
import { choicesOf } from './removal.ts';
import { repairsAbout } from './repairsBehind.ts';

/** Maximum number of tried relationships per kind. */
const MAX_TRIED = 2;

it('removes a relationship with several ways by one repair of all of them, or by one repair of each', async () => {
  await using archive = await archiveFromFile(SAMPLE_FILE);
  const sources = archive.members.flatMap(({ source }): CollectionSource[] => (source ? [source] : []));
  const world = analyzedWorld(await collectedWorld(sources));
  const { context } = world;
  const { graph } = context;
  const catalog = new RepairCatalog(context, ruleKinds(), tierZeroOf(world.zones));
  const isGone = (numbers: readonly number[], start: number, kind: number, end: number): boolean => {
    const after = changedWorld(world, changeOf(numbers.map((number) => catalog.repairs[number])));
    return findEdge(after.context.graph, start, kind, end) === NO_EDGE;
  };
  const tried = new Map<number, number>();
  const [bySingle, byEach] = [new Set<number>(), new Set<number>()];
  for (let start = 0; start < graph.nodeCount; start++) {
    const { offsets, neighbors, kinds, flags } = graph.out;
    for (let at = offsets[start]; at < offsets[start + 1]; at++) {
      const [kind, end] = [kinds[at], neighbors[at]];
      if ((flags[at] & EdgeFlag.Derived) === 0 || (tried.get(kind) ?? 0) >= MAX_TRIED) continue;
      const { removing, ofWays } = repairsAbout(context, catalog, { start, kind, end });
      const choices = ofWays.map(choicesOf);
      if (choices.some(({ length }) => length === 0)) continue;
      const isSplit = choices.length > 1 || choices[0].some((clauses) => clauses.length > 1);
      if (!isSplit) continue;
      tried.set(kind, (tried.get(kind) ?? 0) + 1);
      for (const number of [...removing].slice(0, MAX_TRIED)) {
        expect(isGone([number], start, kind, end)).toBe(true);
        bySingle.add(kind);
      }
      // The last choice has the most repairs, where a way has one.
      for (const at of [0, -1]) {
        const chosen = choices.flatMap((ofWay) => ofWay.at(at) ?? []);
        expect(isGone([...new Set(chosen.map((places) => [...places][0]))], start, kind, end)).toBe(true);
      }
      byEach.add(kind);
    }
  }
  expect(bySingle).toContain(EdgeKind.ADCSESC10a);
  expect(byEach.size).toBeGreaterThanOrEqual(3);
}, 120_000);
