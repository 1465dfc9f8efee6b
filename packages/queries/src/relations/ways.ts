/**
 * Ways packed in one column of numbers: receiving a hundred thousand small objects from a thread would take the event loop a tenth of a
 * second, while a column is transferred.
 */
import type { Way } from './relationGraph.ts';

/** Per way: start, end, number of kinds, number of intermediate nodes, then the kinds, then the nodes. */
export function packWays(ways: readonly Way[]): Uint32Array {
  const size = ways.reduce((sum, { kinds, through }) => sum + 4 + kinds.length + through.length, 0);
  const packed = new Uint32Array(size);
  let at = 0;
  for (const { start, end, kinds, through } of ways) {
    packed.set([start, end, kinds.length, through.length, ...kinds, ...through], at);
    at += 4 + kinds.length + through.length;
  }
  return packed;
}

/** @returns the ways in order, created on demand */
export function* unpackWays(packed: Uint32Array): Generator<Way> {
  for (let at = 0; at < packed.length; ) {
    const [start, end, kindCount, throughCount] = packed.subarray(at, at + 4);
    const firstNode = at + 4 + kindCount;
    const next = firstNode + throughCount;
    yield {
      start,
      end,
      kinds: [...packed.subarray(at + 4, firstNode)],
      through: [...packed.subarray(firstNode, next)],
    };
    at = next;
  }
}
