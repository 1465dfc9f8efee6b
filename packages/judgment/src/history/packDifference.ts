/**
 * Binary format of a difference: the byte length of its nodes as JSON, the JSON, then the columns of its edges; all compressed. Nodes and
 * edges are sorted, so an edge takes a few bytes.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ChangedEdge, GraphDifference, NodeState, TouchedNode } from '@clew/graph';

/** Flags value of an edge that does not exist. */
const ABSENT = 0xffff;
/** The state after is the same as the state before. */
const SAME = 1;

type PackedState = readonly [name: string, kinds: readonly number[], environment: string];
type PackedNode = readonly [
  objectId: string,
  before: PackedState | null,
  after: PackedState | null | typeof SAME,
];

const packState = (state: NodeState | undefined): PackedState | null =>
  state === undefined ? null : [state.name, state.kinds, state.environment];

const unpackState = (packed: PackedState | null): NodeState | undefined =>
  packed === null ? undefined : { name: packed[0], kinds: packed[1], environment: packed[2] };

function packNode({ objectId, before, after }: TouchedNode): PackedNode {
  const [from, to] = [packState(before), packState(after)];
  return [objectId, from, from !== null && JSON.stringify(from) === JSON.stringify(to) ? SAME : to];
}

function unpackNode([objectId, packedBefore, packedAfter]: PackedNode): TouchedNode {
  const before = unpackState(packedBefore);
  const after = packedAfter === SAME ? before : unpackState(packedAfter);
  return { objectId, ...(before && { before }), ...(after && { after }) };
}

export function packDifference({ nodes, edges }: GraphDifference): Buffer {
  const text = Buffer.from(JSON.stringify(nodes.map(packNode)));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(edges.length, 4);
  const bytesOf = ({ buffer }: Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>) => Buffer.from(buffer);
  const wide = (of: (edge: ChangedEdge) => number) => bytesOf(Uint32Array.from(edges, of));
  const narrow = (of: (edge: ChangedEdge) => number) => bytesOf(Uint16Array.from(edges, of));
  return zstdCompressSync(
    Buffer.concat([
      head,
      text,
      wide(({ start }) => start),
      wide(({ end }) => end),
      narrow(({ kind }) => kind),
      narrow(({ before = ABSENT }) => before),
      narrow(({ after = ABSENT }) => after),
    ]),
  );
}

export function unpackDifference(packed: Uint8Array): GraphDifference {
  const bytes = zstdDecompressSync(packed);
  const [textLength, edgeCount] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  let at = 8 + textLength;
  const nodes = (JSON.parse(bytes.toString('utf8', 8, at)) as PackedNode[]).map(unpackNode);
  const column = (width: 2 | 4): Uint32Array | Uint16Array => {
    // Copied, because columns are not aligned.
    const copy = Uint8Array.from(bytes.subarray(at, at + edgeCount * width)).buffer;
    at += edgeCount * width;
    return width === 4 ? new Uint32Array(copy) : new Uint16Array(copy);
  };
  const [starts, ends, kinds, befores, afters] = [column(4), column(4), column(2), column(2), column(2)];
  const edges = Array.from(
    starts,
    (start, edge): ChangedEdge => ({
      ...{ start, end: ends[edge], kind: kinds[edge] },
      ...(befores[edge] !== ABSENT && { before: befores[edge] }),
      ...(afters[edge] !== ABSENT && { after: afters[edge] }),
    }),
  );
  return { nodes, edges };
}
