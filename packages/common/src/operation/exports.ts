/** Answers as long as the store: they have connections of their own, so that no slow reader holds those of requests. */
import type { Database } from '@clew/store';
import { StreamSlots } from './jsonStream.ts';

export interface Exports {
  readonly source: Pick<Database, 'db' | 'pool'>;
  readonly slots: StreamSlots;
}

/** Exports at once. More are told to come back. */
export const MAX_EXPORTS = 4;
/** Each may hold a cursor, and ask for more beside it. */
export const EXPORT_CONNECTIONS = 2 * MAX_EXPORTS;

export function createExports(source: Exports['source'], most = MAX_EXPORTS): Exports {
  return { source, slots: new StreamSlots(most) };
}
