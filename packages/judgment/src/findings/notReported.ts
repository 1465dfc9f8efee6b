/**
 * Large drops in the number of relationships, with the exposure that they may have lowered. Rule:
 * `docs/reference/collections.md#what-a-run-collected`.
 */
import type { PostureSummary } from '@clew/api';
import { type EnvironmentFall, exposureSentence, removedBy } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { TimeWindow } from './posture.ts';

interface Row extends EnvironmentFall {
  readonly at: string;
  readonly environment_id: string;
  readonly job_id: number;
  readonly before: number | null;
  readonly after: number | null;
}

/** @returns drops whose generation was published after the start of the window, up to its end; oldest first */
export async function notReportedAgain(
  db: Db,
  {
    from,
    to,
    visible,
    zone,
  }: TimeWindow & { readonly visible: readonly string[] | null; readonly zone: number },
): Promise<PostureSummary['not_reported']> {
  const { rows } = await sql<Row>`
    select run.published_at as at, fall.*, before.exposure_index as before, after.exposure_index as after
    from (
      select job.generation, fall.job_id::integer as job_id, fall.environment_id,
             coalesce(max(node.name), fall.environment_id) as name, bool_and(names_methods) as names_methods,
             jsonb_agg(jsonb_build_object(
               'kind', edge_kind.name, 'removed_count', removed_count, 'before_count', before_count
             ) order by removed_count desc, edge_kind.name) as kinds
      from relationship_fall fall
      join upload_job job on job.id = fall.job_id
      join edge_kind on edge_kind.id = fall.kind_id
      left join object_id on object_id.object_id = fall.environment_id
      left join node on node.id = object_id.id
      where ${visible}::text[] is null or fall.environment_id = any (${visible}::text[])
      group by job.generation, fall.job_id, fall.environment_id
    ) fall
    join lateral (
      select id, published_at from finding_run where generation_id = fall.generation order by id limit 1
    ) run on true
    left join lateral (
      select exposure_index from posture_stat
      where environment_id = fall.environment_id and tag_id = ${zone} and run_id = run.id
    ) after on true
    left join lateral (
      select exposure_index from posture_stat
      where environment_id = fall.environment_id and tag_id = ${zone} and run_id < run.id order by run_id desc limit 1
    ) before on true
    where run.published_at > ${from} and run.published_at <= ${to}
    order by run.published_at, fall.job_id, fall.environment_id`.execute(db);
  return rows.map(({ before, after, ...fall }) => ({
    ...{ at: fall.at, environment_id: fall.environment_id, job_id: fall.job_id },
    ...{ removed_count: removedBy(fall), names_methods: fall.names_methods, kinds: [...fall.kinds] },
    text: `${exposureSentence(fall, before === null || after === null ? undefined : { before, after })}.`,
  }));
}
