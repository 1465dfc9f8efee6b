/** Checks that another thread gives the same results as this one. */
import { type FindingZone, findReach, reachQuestion } from '@clew/analysis';
import { GraphBuilder, NodeSet } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { findReachBeside } from './reachBeside.ts';

const NODES = 300;

/** Some of its nodes reach each other, and two zones are between them. */
function question() {
  const builder = new GraphBuilder();
  for (let node = 0; node < NODES; node++) {
    const objectId = `N${String(node).padStart(4, '0')}`;
    builder.addNode({ storeId: node + 1, objectId, name: '', kinds: [NodeKind.Base] });
  }
  for (let at = 0; at < NODES * 2; at++)
    builder.addEdge(
      (at * 7) % NODES,
      at % 3 === 0 ? EdgeKind.GenericAll : EdgeKind.MemberOf,
      (at * at) % NODES,
      0,
    );
  const zone = (position: number, analyzed: boolean): FindingZone => ({
    ...{ id: position, position, analyzed },
    members: NodeSet.of(NODES, [position * 20, position * 20 + 1]),
    pending: NodeSet.empty(NODES),
  });
  const zones = [zone(1, true), zone(2, false), zone(3, true)];
  return reachQuestion(builder.build(), zones, NodeSet.of(NODES, [1, 2, 3]));
}

it('answers as findReach does', async () => {
  const asked = question();
  const answer = await findReachBeside(asked);
  const expected = findReach(asked);
  expect(answer).toEqual(expected);
  expect([...answer.upstream.keys()]).toEqual([1, 3]);
  expect(expected.forward.count).toBeLessThan(NODES);
});

it('ends with its signal, and fails with the requests that it was given', async () => {
  const end = new AbortController();
  const running = findReachBeside(question(), end.signal);
  end.abort(new Error('enough'));
  await expect(running).rejects.toThrow(/abort/i);
  const { graph, ...rest } = question();
  await expect(findReachBeside({ ...rest, graph: { ...graph, nodeCount: NODES - 1 } })).rejects.toThrow(
    /column/,
  );
});
