/** Large falls of relationships caused by jobs. Rule: `docs/reference/collections.md#what-a-run-collected`. */
import type { EnvironmentFall } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';
import type { RelationshipFall } from './merge/falls.ts';

export async function noteFalls(
  client: pg.ClientBase,
  jobId: number,
  falls: readonly RelationshipFall[],
): Promise<void> {
  for (const { environment, kind, removed, before, namesMethods } of falls)
    await client.query(
      `insert into relationship_fall (job_id, environment_id, kind_id, removed_count, before_count, names_methods)
       values ($1, $2, $3, $4, $5, $6)`,
      [jobId, environment, kind, removed, before, namesMethods],
    );
}

export interface JobFall extends EnvironmentFall {
  readonly job_id: number;
  readonly environment_id: string;
}

/** @returns large falls, sorted by job and environment */
export async function fallsOfJobs(db: Db, jobIds: readonly number[]): Promise<JobFall[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<JobFall>`
    select fall.job_id::integer as job_id, fall.environment_id, coalesce(max(node.name), fall.environment_id) as name,
           bool_and(names_methods) as names_methods,
           jsonb_agg(jsonb_build_object(
             'kind', edge_kind.name, 'removed_count', removed_count, 'before_count', before_count
           ) order by removed_count desc, edge_kind.name) as kinds
    from relationship_fall fall
    join edge_kind on edge_kind.id = fall.kind_id
    left join object_id on object_id.object_id = fall.environment_id
    left join node on node.id = object_id.id
    where fall.job_id = any (${jobIds}::bigint[])
    group by fall.job_id, fall.environment_id order by fall.job_id, fall.environment_id`.execute(db);
  return rows;
}
