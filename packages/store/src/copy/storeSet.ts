import { stagedTable } from './stagedTable.ts';

/** The store's own table of edge sets, for rows that are written past the merge: of new owners, and derived ones. */
export const STORE_SET = stagedTable('edge_set', [
  ['owner_id', 'int4'],
  ['aspect', 'int2'],
  ['source_id', 'int2'],
  ['start_ids', 'int4Array'],
  ['kind_ids', 'int2Array'],
  ['end_ids', 'int4Array'],
  ['flags', 'int2Array'],
  ['properties', 'jsonb', 'nullable'],
  ['first_seen', 'timestamptz'],
  ['collected_at', 'timestamptz'],
  ['by_schedule', 'bool'],
]);
