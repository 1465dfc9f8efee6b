/**
 * Returns unused memory to the system. V8 collects garbage while a thread allocates; a thread that is idle after a large task would keep
 * the garbage of the task until it ends.
 */
import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/** Smaller amounts are not worth a pass over the complete heap. */
const MIN_GROWTH_BYTES = 16 * 2 ** 20;
/** Bytes in use after the last pass. */
let held = 0;

const heldNow = (): number => {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

/** Takes about ten milliseconds per 100 MB in use, so only idle threads should call it. */
export async function giveBackMemory(): Promise<void> {
  if (heldNow() < held + MIN_GROWTH_BYTES) return;
  const session = new Session();
  session.connect();
  try {
    // Frees memory as if the system were low on it, so free pages are also returned.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  held = heldNow();
}
