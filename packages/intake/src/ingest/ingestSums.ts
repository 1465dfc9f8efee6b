/**
 * Totals over all ingested jobs, stored across restarts. Metrics show them, regardless of which process did the
 * work.
 */
import type pg from 'pg';

interface Ingested {
  readonly objects: number;
  readonly seconds: number;
}

/** Must be called in the transaction of the job. */
export async function addToSums(client: pg.ClientBase, { objects, seconds }: Ingested): Promise<void> {
  await client.query(
    `insert into setting (key, value)
     values ('ingest.sums', jsonb_build_object('jobs', 1, 'objects', $1::bigint, 'seconds', $2::float8))
     on conflict (key) do update set value = jsonb_build_object(
       'jobs', (setting.value ->> 'jobs')::bigint + 1,
       'objects', (setting.value ->> 'objects')::bigint + $1::bigint,
       'seconds', (setting.value ->> 'seconds')::float8 + $2::float8)`,
    [objects, seconds],
  );
}
