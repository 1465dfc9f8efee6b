/**
 * Finds objects of OpenGraph files whose `environmentid` no object of the graph has as its id: they belong to no
 * environment until a file contains it. Rule: `docs/reference/collections.md#opengraph-nodes`.
 */
import type { MergeSession } from './statement.ts';

/** Objects of one file that name the same unknown environment. */
export interface UnknownEnvironment {
  readonly origin: number;
  /** The id that they name. */
  readonly environment: string;
  readonly count: number;
}

/** Call this when the objects of the job are merged. */
export const findUnknownEnvironments = (session: MergeSession): Promise<UnknownEnvironment[]> =>
  session.query<UnknownEnvironment & Record<string, unknown>>(FIND);

export const unknownEnvironmentReason = (environment: string, count: number): string =>
  `objects have no environment yet, because no object has the id that their environmentid names, ${JSON.stringify(environment.slice(0, 128))}: ${count}`;

/** Properties are read only of objects whose environment is missing. */
const FIND = `
with missing as materialized (
  select named.id, object_id.object_id as environment
  from (select distinct environment_id as id from stage_hint where environment_id is not null) named
  join object_id on object_id.id = named.id
  where not exists (select from node where node.id = named.id and deleted_at is null)
)
select hint.origin, missing.environment, count(distinct hint.id)::integer as count
from stage_hint hint join missing on missing.id = hint.environment_id
where hint.properties ? 'environmentid'
group by hint.origin, missing.environment order by hint.origin, missing.environment
limit 100`;
