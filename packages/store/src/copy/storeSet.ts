import { stagedTable } from './stagedTable.ts';

/** The permanent table of edge sets, for rows that bypass the merge: sets of new owners, and derived sets. */
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
