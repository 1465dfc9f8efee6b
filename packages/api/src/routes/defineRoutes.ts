/** Keeps the exact type of every row, so that clients have the types of requests and answers by operation. */
import type { RouteContract } from '../route.ts';

export function defineRoutes<const R extends readonly RouteContract[]>(rows: R): R {
  return rows;
}
