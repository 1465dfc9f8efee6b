/**
 * Returns unused memory to the system. V8 collects while a thread allocates; one that is idle after a large task would keep the garbage of
 * the task for as long as it lives.
 */
import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/** Less is not worth a pass over the whole heap. */
const MIN_GROWTH_BYTES = 16 * 2 ** 20;
/** Bytes that the thread held after the last pass. */
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
    // This frees memory as on a system that is low on it: free pages are returned, too.
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
  held = heldNow();
}
