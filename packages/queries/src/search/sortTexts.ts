/**
 * Sorts texts by bytes: three-way radix quicksort, which reads each byte of a common prefix once. 1 M names take about a third of the time
 * of a comparison sort.
 */
import type { TextHeap } from './gramIndex.ts';

interface Range {
  readonly from: number;
  readonly to: number;
  /** Number of bytes that all texts in the range have in common. */
  readonly depth: number;
}

const FEW = 12;
const END_OF_TEXT = -1;

/** Sorts the numbers of texts in place; equal texts by number. */
export function sortTexts(heap: TextHeap, texts: Uint32Array): void {
  const open: Range[] = [{ from: 0, to: texts.length, depth: 0 }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const { from, to, depth } = range;
    if (to - from <= FEW) {
      insertionSort(heap, texts, range);
      continue;
    }
    const pivot = medianByte(heap, texts, range);
    let low = from;
    let high = to;
    for (let at = from; at < high; ) {
      const byte = byteAt(heap, texts[at], depth);
      if (byte < pivot) swap(texts, low++, at++);
      else if (byte > pivot) swap(texts, at, --high);
      else at++;
    }
    open.push({ from, to: low, depth }, { from: high, to, depth });
    if (pivot === END_OF_TEXT) texts.subarray(low, high).sort();
    else open.push({ from: low, to: high, depth: depth + 1 });
  }
}

function byteAt({ bytes, offsets }: TextHeap, text: number, depth: number): number {
  const at = offsets[text] + depth;
  return at < offsets[text + 1] ? bytes[at] : END_OF_TEXT;
}

function medianByte(heap: TextHeap, texts: Uint32Array, { from, to, depth }: Range): number {
  const a = byteAt(heap, texts[from], depth);
  const b = byteAt(heap, texts[(from + to) >>> 1], depth);
  const c = byteAt(heap, texts[to - 1], depth);
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function insertionSort(heap: TextHeap, texts: Uint32Array, { from, to, depth }: Range): void {
  for (let at = from + 1; at < to; at++) {
    const text = texts[at];
    let place = at;
    while (place > from && compareFrom(heap, text, texts[place - 1], depth) < 0) {
      texts[place] = texts[place - 1];
      place--;
    }
    texts[place] = text;
  }
}

function compareFrom(heap: TextHeap, a: number, b: number, depth: number): number {
  for (let at = depth; ; at++) {
    const byteA = byteAt(heap, a, at);
    const byteB = byteAt(heap, b, at);
    if (byteA !== byteB) return byteA - byteB;
    if (byteA === END_OF_TEXT) return a - b;
  }
}

function swap(texts: Uint32Array, a: number, b: number): void {
  const text = texts[a];
  texts[a] = texts[b];
  texts[b] = text;
}
