import { findEdge, NO_EDGE, nameOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { exposuresOf } from '../src/simulation/simulate.ts';
import { handForest } from './handForest.ts';

it('has the forest that was made by hand, with the doors that an expert knows', async () => {
  const world = await handForest();
  const { graph } = world.context;
  const nodes = new Map(Array.from({ length: graph.nodeCount }, (_, node) => [nameOf(graph, node), node]));
  const exists = (start: string, kind: number, end: string): boolean =>
    findEdge(graph, nodes.get(start) as number, kind, nodes.get(end) as number) !== NO_EDGE;
  const [exposure] = exposuresOf(world);
  expect(exposure?.exposed).toBeGreaterThan(300);
  expect(exists('DOMAIN USERS@HAND.TEST', EdgeKind.MemberOf, 'T0_SERVER_ADMINS@HAND.TEST')).toBe(true);
});
