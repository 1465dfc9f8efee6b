/**
 * Number arrays for algorithms over a whole graph. Large arrays use shared memory even within one thread, because
 * other memory counts as pressure on the garbage collector, which then marks all objects of its thread. With a
 * million objects, marking took half of the time of a plan.
 */

/** Minimum number of elements of a large array. */
const MIN_LARGE = 1 << 14;

/** @param length number of elements, initially 0 */
export const uint32s = (length: number): Uint32Array =>
  length < MIN_LARGE ? new Uint32Array(length) : new Uint32Array(new SharedArrayBuffer(length * 4));

/** @param length number of elements, initially 0 */
export const int32s = (length: number): Int32Array =>
  length < MIN_LARGE ? new Int32Array(length) : new Int32Array(new SharedArrayBuffer(length * 4));

/** @param length number of elements, initially 0 */
export const uint8s = (length: number): Uint8Array =>
  length < MIN_LARGE ? new Uint8Array(length) : new Uint8Array(new SharedArrayBuffer(length));

/** @param length number of elements, initially 0 */
export const float64s = (length: number): Float64Array =>
  length < MIN_LARGE ? new Float64Array(length) : new Float64Array(new SharedArrayBuffer(length * 8));

/** @returns a copy of the elements from `first` (inclusive) to `end` (exclusive) */
export function copyOf(array: Uint32Array, end = array.length, first = 0): Uint32Array {
  const copy = uint32s(Math.max(0, end - first));
  copy.set(array.subarray(first, end));
  return copy;
}

/** @returns a copy in shared memory, whatever its size */
export function sharedBytes<Bytes extends Int8Array | Uint8Array>(bytes: Bytes): Bytes {
  const memory = new SharedArrayBuffer(bytes.length);
  const copy = bytes instanceof Int8Array ? new Int8Array(memory) : new Uint8Array(memory);
  copy.set(bytes);
  return copy as Bytes;
}
