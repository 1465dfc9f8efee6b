/** Cuts of paths at the end of a plan follow the rules of its packages: no one removes the rights of a synchronization, and constraints hold. */
import { nameOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { handForest } from '../../test/handForest.ts';
import { wholePlan } from '../plan.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { leftExposed } from './leftExposed.ts';
import { remainingPaths } from './remainingPaths.ts';

const costOf = ({ kind }: Repair): number => DEFAULT_COSTS[kind];

const isOfConnector =
  ({ context: { graph } }: AnalyzedWorld) =>
  ({ principal, edgeKinds }: Repair): boolean =>
    principal !== undefined &&
    nameOf(graph, principal).startsWith('MSOL_') &&
    edgeKinds.some((name) => name.startsWith('GetChanges'));

function nodeNamed({ context: { graph } }: AnalyzedWorld, name: string): number {
  for (let node = 0; node < graph.nodeCount; node++) if (nameOf(graph, node).startsWith(name)) return node;
  throw new Error(`${name} is not in the forest`);
}

describe('advice on the paths of an account of a synchronization', () => {
  it('never removes its right to replicate, and says that nothing closes the path', async () => {
    const world = await handForest();
    const left = leftExposed(world, 1, () => true, { costOf });
    const cuts = left?.holders.flatMap(({ cut }) => cut?.repairs ?? []) ?? [];
    expect(cuts.length).toBeGreaterThan(3);
    expect(cuts.filter(isOfConnector(world))).toEqual([]);
    const connector = nodeNamed(world, 'MSOL_');
    const found = remainingPaths(world, 1, {
      ...{ count: 30, costOf, isExcluded: () => false, kept: [world] },
      detailsOf: (path) => path,
    });
    const paths = found?.paths ?? [];
    expect(paths.flatMap(({ cut }) => cut?.repairs ?? []).filter(isOfConnector(world))).toEqual([]);
    const own = paths.find(({ steps }) => steps[0]?.start === connector);
    expect([own?.steps.map(({ kind }) => kind), own?.stays]).toEqual([[EdgeKind.DCSync], 'unknown']);
  });
});

it('names no cut at the end of a plan that constraints exclude', async () => {
  const world = await handForest();
  const cutsWith = (excluded: ReadonlySet<string>): string[] => {
    const plan = wholePlan(world, { zone: 1, isExcluded: ({ id }) => excluded.has(id) });
    return plan?.left?.holders.flatMap(({ cut }) => cut?.repairs ?? []).map(({ id }) => id) ?? [];
  };
  const first = cutsWith(new Set());
  expect(first.length).toBeGreaterThan(1);
  const excluded = new Set(first);
  expect(cutsWith(excluded).filter((id) => excluded.has(id))).toEqual([]);
});
