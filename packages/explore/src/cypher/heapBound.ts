/**
 * Ends a query before its thread runs out of memory: reporting this would take long, and the thread would lose its loaded data. The engine
 * counts search columns (`searchBytes`).
 */
import { getHeapStatistics } from 'node:v8';
import { CypherError } from '@clew/cypher';

/** The garbage collector keeps unused values in up to half of the remaining memory: above this share, most values are in use. */
const MAX_SHARE = 0.8;
const LOOK_EVERY_MS = 5;
let lookAt = 0;

/** @param bytes size of rows outside the heap @throws CypherError if values use almost all memory of the thread */
export function expectMemory(bytes: number): void {
  const now = performance.now();
  if (now < lookAt) return;
  lookAt = now + LOOK_EVERY_MS;
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  if (used + bytes > limit * MAX_SHARE)
    throw new CypherError(
      'limit',
      `its values need more than the ${Math.round(limit / 2 ** 20)} MiB that a query can use (CLEW_CYPHER_MEMORY)`,
    );
}
