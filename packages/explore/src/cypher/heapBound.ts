/**
 * Ends a query before its thread has no memory left: a thread that runs out of it takes long to report so, and loses its loaded
 * data. Columns of searches are counted by the engine (`searchBytes`).
 */
import { getHeapStatistics } from 'node:v8';
import { CypherError } from '@clew/cypher';

/** The collector keeps unused values up to half of the remaining memory: above this, most are in use. */
const MAX_SHARE = 0.8;
const LOOK_EVERY_MS = 5;
let lookAt = 0;

/** @param bytes size of rows outside the heap @throws CypherError when values take nearly all that the thread may have */
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
