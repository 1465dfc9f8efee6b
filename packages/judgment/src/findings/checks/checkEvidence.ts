/** Values that a check query returned for a found object. */
import type { JsonValue } from '@clew/graph';
import type { Db } from '@clew/store';

export interface CheckValue {
  readonly column: string;
  /** A list if several rows contain the object. */
  readonly value: JsonValue;
}

/** @param node store id @returns undefined for a finding of another kind */
export async function checkEvidence(db: Db, check: string, node: number): Promise<CheckValue[]> {
  const found = await db
    .selectFrom('custom_check')
    .innerJoin('custom_check_offender', 'check_id', 'id')
    .select(['found_columns', 'evidence'])
    .where('name', '=', check)
    .where('node_id', '=', node)
    .executeTakeFirst();
  if (found === undefined) return [];
  const { found_columns, evidence } = found;
  const rows = evidence as readonly (readonly JsonValue[])[];
  return found_columns.map((column, at) => ({
    column,
    value: rows.length === 1 ? rows[0][at] : rows.map((row) => row[at]),
  }));
}
