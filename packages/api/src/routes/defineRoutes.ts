/** Keeps the exact type of every row, so that clients get the types of a request and an answer by operation. */
import type { RouteContract } from '../route.ts';

export function defineRoutes<const R extends readonly RouteContract[]>(rows: R): R {
  return rows;
}
