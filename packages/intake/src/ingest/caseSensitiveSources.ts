/** Sources whose ids tell objects apart by their case, as installed definitions declare them. */
import type pg from 'pg';

/** @returns source kinds */
export async function caseSensitiveSources(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ source_kind: string }>(`
select distinct environment ->> 'source_kind' as source_kind
from extension cross join lateral jsonb_array_elements(definition -> 'environments') environment
where definition #> '{schema,case_sensitive_ids}' = 'true'`);
  return new Set(rows.map(({ source_kind }) => source_kind));
}
