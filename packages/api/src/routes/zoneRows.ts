/** Parts that the routes of zones and those of asset groups share. */
import Type from 'typebox';
import { type ColumnTable, listParameters } from '../columns.ts';
import { paging } from '../parameters.ts';
import { Count } from '../schemas/common.ts';

export const READ = ['graphdb/Read'] as const;
export const WRITE = ['graphdb/Write'] as const;

export const TAG = 'Asset Isolation';

/** A page whose entries are in `data` under a name. */
export const pageUnder = <const P extends Type.TProperties>(properties: P) =>
  Type.Object({ count: Count, skip: Count, limit: Count, data: Type.Object(properties) });

export const pagedWith = <const C extends ColumnTable>(columns: C, limit: number) => ({
  ...listParameters(columns),
  ...paging(limit),
});
