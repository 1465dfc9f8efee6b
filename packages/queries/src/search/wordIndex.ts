/**
 * Texts of objects besides their names: display names, account names, addresses, hosts, services. Ordered by rank in the search index,
 * including names, without accents, so that words are found in any order. In shared memory.
 */
import { nameOf, objectIdOf, RowPlaces } from '@clew/graph';
import type { QueryData } from '../queryData.ts';
import { buildGramIndex, type GramIndex, type TextHeap } from './gramIndex.ts';
import type { SearchIndex } from './searchIndex.ts';

/** Texts of nodes; each node may have several. */
export interface NodeTexts {
  /** Ascending. */
  readonly nodes: Uint32Array;
  /** Texts by index in `nodes`, in UTF-8. */
  readonly texts: TextHeap;
}

export interface WordIndex {
  /** Texts by rank: the name and other texts of the node, each with a trailing NUL byte. */
  readonly texts: TextHeap;
  readonly grams: GramIndex;
}

/** Upper case without accents: `José` equals `JOSE`. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();

/** Maximum text length per node: a longer one is not a name. */
const MAX_TEXT = 1000;
const GROWTH = 2;

export function buildWordIndex({ graph }: QueryData, index: SearchIndex, more: NodeTexts): WordIndex {
  const moreOf = byNode(graph.nodeCount, more.nodes);
  const moreBytes = Buffer.from(more.texts.bytes.buffer as ArrayBuffer, more.texts.bytes.byteOffset);
  const offsets = new Uint32Array(new SharedArrayBuffer((index.count + 1) * 4));
  let bytes = Buffer.alloc(Math.max(1024, index.count * 32));
  let used = 0;
  for (let rank = 0; rank < index.count; rank++) {
    const node = index.nodeOfRank[rank];
    const parts = [folded(nameOf(graph, node) || objectIdOf(graph, node))];
    for (let place = moreOf.offsets[node]; place < moreOf.offsets[node + 1]; place++) {
      const [start, end] = [more.texts.offsets[place], more.texts.offsets[place + 1]];
      const text = folded(moreBytes.toString('utf8', start, Math.min(end, start + MAX_TEXT)));
      // Most account names are part of the address.
      if (!parts.some((part) => part.includes(text))) parts.push(text);
    }
    const text = `${parts.join(' ').replaceAll('\0', '')}\0`;
    while (used + text.length * 3 > bytes.length) bytes = Buffer.concat([bytes], bytes.length * GROWTH);
    used += bytes.write(text, used);
    offsets[rank + 1] = used;
  }
  const heap = new Uint8Array(new SharedArrayBuffer(used));
  heap.set(bytes.subarray(0, used));
  const texts = { bytes: heap, offsets };
  return { texts, grams: buildGramIndex(texts, index.count, () => false) };
}

/** Positions of texts by node; those of one node are adjacent. */
function byNode(nodeCount: number, nodes: Uint32Array): { readonly offsets: Uint32Array } {
  return { offsets: RowPlaces.of(nodeCount, nodes).offsets };
}
