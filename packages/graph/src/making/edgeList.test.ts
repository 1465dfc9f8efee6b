import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EdgeChunk, EdgeList } from './edgeList.ts';

type Edge = [start: number, kind: number, end: number, flags: number];

const edge: fc.Arbitrary<Edge> = fc.tuple(fc.nat(), fc.nat(65_535), fc.nat(), fc.nat(255));

function chunkOf(edges: readonly Edge[]): EdgeChunk {
  return {
    starts: Uint32Array.from(edges, ([start]) => start),
    kinds: Uint16Array.from(edges, ([, kind]) => kind),
    ends: Uint32Array.from(edges, ([, , end]) => end),
    flags: Uint8Array.from(edges, ([, , , flags]) => flags),
  };
}

function edgesOf(list: EdgeList): Edge[] {
  return list
    .chunks()
    .flatMap(({ starts, kinds, ends, flags }) =>
      Array.from(starts, (start, at): Edge => [start, kinds[at], ends[at], flags[at]]),
    );
}

describe('EdgeList', () => {
  it('keeps edges in insertion order, added one by one or in chunks', () => {
    const parts = fc.array(fc.oneof(edge, fc.array(edge, { maxLength: 200, size: 'max' })), {
      maxLength: 20,
      size: 'max',
    });
    fc.assert(
      fc.property(parts, (appended) => {
        const list = new EdgeList();
        const expected: Edge[] = [];
        for (const part of appended) {
          if (typeof part[0] === 'number') {
            list.append(...(part as Edge));
            expected.push(part as Edge);
          } else {
            list.appendChunk(chunkOf(part as Edge[]));
            expected.push(...(part as Edge[]));
          }
          expect(list.length).toBe(expected.length);
        }
        expect(edgesOf(list)).toEqual(expected);
      }),
    );
  });

  it('keeps a hundred thousand single edges', () => {
    const list = new EdgeList();
    for (let at = 0; at < 100_000; at++) list.append(at, at & 0xffff, at + 1);
    const edges = edgesOf(list);
    expect(edges).toHaveLength(100_000);
    expect(edges[99_999]).toEqual([99_999, 99_999 & 0xffff, 100_000, 0]);
  });

  it('is independent of a list whose edges it copied', () => {
    const [a, b] = [new EdgeList(), new EdgeList()];
    a.append(1, 1, 1);
    b.appendAll(a);
    a.append(2, 2, 2);
    b.append(3, 3, 3);
    expect(edgesOf(b).map(([start]) => start)).toEqual([1, 3]);
    expect(edgesOf(a).map(([start]) => start)).toEqual([1, 2]);
  });

  it('rejects a chunk of columns that differ in length', () => {
    const chunk = { ...chunkOf([[1, 1, 1, 1]]), flags: new Uint8Array(2) };
    expect(() => new EdgeList().appendChunk(chunk)).toThrow(RangeError);
  });
});
