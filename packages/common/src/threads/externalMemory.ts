/**
 * How V8 counts the memory of arrays, which is outside its heap. By default it marks the whole heap of a thread after each few tens of
 * megabytes of them; in a thread with the facts of a million objects each marking takes most of a second, and a what-if makes hundreds of
 * megabytes. Here it counts them as it counts its heap: it marks once all together have grown by a part.
 */
import { setFlagsFromString } from 'node:v8';

export const ARRAYS_WITH_HEAP = '--external-memory-accounted-in-global-limit';

/** Holds for threads that are started afterward. */
export function countArraysWithHeap(): void {
  setFlagsFromString(ARRAYS_WITH_HEAP);
}
