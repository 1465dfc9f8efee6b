/**
 * Large falls: kinds of relationships of which a job removed more than a fifth from an environment. The cause is
 * either a large repair or an incomplete run.
 *
 * Rule: `docs/reference/collections.md#what-a-run-collected`.
 */
import type { MergeSession } from './statement.ts';

/** Smaller numbers do not count, whatever their share. */
export const MIN_FALL = 20;
/** A fall counts if it is more than one in this many relationships. */
export const FALL_SHARE = 5;

export interface RelationshipFall {
  /** Object id of the environment. */
  readonly environment: string;
  readonly kind: number;
  readonly removed: number;
  /** Number before the job. */
  readonly before: number;
  /** False if most of them were removed by files without their methods. */
  readonly namesMethods: boolean;
}

interface Removed extends Omit<RelationshipFall, 'before'> {
  /** Number in the newest generation; null if it has none of the kind. */
  readonly published: number | null;
}

export async function findFalls(session: MergeSession): Promise<RelationshipFall[]> {
  const removed = await session.query<Removed & Record<string, unknown>>(REMOVED);
  // The newest generation may lack some jobs. If its number is much larger, an exact count cannot change the
  // result.
  const near = removed.filter(
    (one) => one.published === null || one.removed * FALL_SHARE * 2 > one.published,
  );
  if (near.length === 0) return [];
  const left = await session.query<{ environment: string; kind: number; count: number }>(LEFT, [
    near.map(({ environment }) => environment),
    near.map(({ kind }) => kind),
  ]);
  return near.flatMap(({ published, ...fall }) => {
    const rest = left.find(({ environment, kind }) => environment === fall.environment && kind === fall.kind);
    const before = fall.removed + (rest?.count ?? 0);
    return fall.removed * FALL_SHARE > before ? [{ ...fall, before }] : [];
  });
}

/** Objects that belong to a computer have no environment: their id contains the computer's environment. */
const ENVIRONMENT = `
coalesce(named.object_id, substring(own.object_id from '^S-1-5-21-[0-9]+-[0-9]+-[0-9]+'))`;

const OWNER = `
join node on node.id = owner_id
join object_id own on own.id = node.id
left join object_id named on named.id = node.environment_id`;

const REMOVED = `
select environment, kind_id as kind, removed, names_methods as "namesMethods",
       (quality.edge_counts ->> kind_id::text)::integer as published
from (
  select ${ENVIRONMENT} as environment, kind_id, sum(fewer)::integer as removed,
         coalesce(sum(fewer) filter (where not names_methods), 0) * 2 <= sum(fewer) as names_methods
  from (
    select owner_id, kind_id, sum(fewer) as fewer, bool_and(names_methods) as names_methods
    from stage_fewer group by owner_id, aspect, source_id, kind_id having sum(fewer) > 0
  ) sets ${OWNER}
  group by 1, 2 having sum(fewer) >= ${MIN_FALL}
) fallen
left join data_quality quality on quality.environment_id = environment
  and quality.generation_id = (select max(generation_id) from data_quality)
where environment is not null
order by environment, kind_id`;

const LEFT = `
select environment, kind, count(*)::integer as count
from (
  select ${ENVIRONMENT} as environment, kind_id as kind
  from edge_set ${OWNER} cross join lateral unnest(kind_ids) as kind_id
  where kind_ids && $2::smallint[] and kind_id = any ($2::smallint[])
) edges
where environment = any ($1::text[])
group by environment, kind`;
