/**
 * Ends a query before its thread has no memory left: a thread that runs out of it needs long to say so, and takes what it
 * has loaded with it. Columns of searches are counted by the engine (`searchBytes`).
 */
import { getHeapStatistics } from 'node:v8';
import { CypherError } from '@clew/cypher';

/** The collector lets values that are used no more pile up to half of what is left: above this, most are in use. */
const MAX_SHARE = 0.8;
const LOOK_EVERY_MS = 5;
let lookAt = 0;

/** @param bytes of rows beside the heap @throws CypherError when values take nearly all that the thread may have */
export function expectMemory(bytes: number): void {
  const now = performance.now();
  if (now < lookAt) return;
  lookAt = now + LOOK_EVERY_MS;
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used + bytes > limit * MAX_SHARE)
    throw new CypherError(
      'limit',
      `its values need more than the ${Math.round(limit / 2 ** 20)} MiB that a query may take (CLEW_CYPHER_MEMORY)`,
    );
}
