/** Sources with case-sensitive ids, as declared by installed definitions. */
import type pg from 'pg';

/** @returns names of source kinds */
export async function caseSensitiveSources(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ source_kind: string }>(`
select distinct environment ->> 'source_kind' as source_kind
from extension cross join lateral jsonb_array_elements(definition -> 'environments') environment
where definition #> '{schema,case_sensitive_ids}' = 'true'`);
  return new Set(rows.map(({ source_kind }) => source_kind));
}
