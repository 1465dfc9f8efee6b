/**
 * Distinguishes new facts from facts that only appear because the code of the readers changed. After an update,
 * all stored data was read by earlier readers. This is noted by source, environment and kinds, and removed with
 * the first job that describes such objects again. If all files of that job were read before, byte for byte, its
 * changes are caused by the readers alone.
 */
import type { MergeSession } from './statement.ts';

const SETTING = 'readers';

/** Runs once after an update, when the code of the readers has changed. */
const NOTE_STALE = `
with noted as (
  insert into setting (key, value) values ('${SETTING}', to_jsonb($1::text))
  on conflict (key) do update set value = excluded.value where setting.value <> excluded.value
  returning key
)
insert into stale_reading (source_id, environment_id, kinds)
select distinct source_id, coalesce(environment_id, 0), kinds
from sighting join node on node.id = node_id
where deleted_at is null and described and exists (select from noted)
on conflict do nothing`;

const TAKE_STALE = `
delete from stale_reading using (
  select distinct stage_origin.source_id, coalesce(node.environment_id, 0) as environment_id, node.kinds
  from stage_described
  join stage_origin on stage_origin.origin = stage_described.origin
  join node on node.id = stage_described.id
) read
where stale_reading.source_id = read.source_id and stale_reading.environment_id = read.environment_id
  and stale_reading.kinds = read.kinds`;

/** Must be called before the job changes anything. @param readers digest of the code of the readers */
export async function noteReaders(session: MergeSession, readers: string): Promise<void> {
  await session.run(NOTE_STALE, [readers]);
}

/** @returns whether the job reread data that earlier readers had read */
export async function isReread(session: MergeSession): Promise<boolean> {
  const [{ stale }] = await session.query<{ stale: boolean }>(
    'select exists (select from stale_reading) as stale',
  );
  if (!stale) return false;
  return (await session.count(TAKE_STALE)) > 0;
}
