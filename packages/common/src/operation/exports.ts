/** Answers as long as the store: they have connections of their own, so that no slow reader holds those of requests. */
import type { Database } from '@clew/store';
import { StreamSlots } from './jsonStream.ts';

export interface Exports {
  readonly source: Pick<Database, 'db' | 'pool'>;
  readonly slots: StreamSlots;
}

/** Exports at once. Further ones are refused and may retry. */
export const MAX_EXPORTS = 4;
/** Each may hold a cursor, and run another query meanwhile. */
export const EXPORT_CONNECTIONS = 2 * MAX_EXPORTS;

export function createExports(source: Exports['source'], most = MAX_EXPORTS): Exports {
  return { source, slots: new StreamSlots(most) };
}
