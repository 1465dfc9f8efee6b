/** Answers as large as the store. They use separate connections, so that slow readers do not block those of requests. */
import type { Database } from '@clew/store';
import { StreamSlots } from './jsonStream.ts';

export interface Exports {
  readonly source: Pick<Database, 'db' | 'pool'>;
  readonly slots: StreamSlots;
}

/** Maximum number of simultaneous exports; one owner may have one fewer. Further ones are rejected, and clients may retry. */
export const MAX_EXPORTS = 4;
/** Each may use a cursor and run another query at the same time. */
export const EXPORT_CONNECTIONS = 2 * MAX_EXPORTS;

export function createExports(source: Exports['source'], most = MAX_EXPORTS): Exports {
  return { source, slots: new StreamSlots(most) };
}
