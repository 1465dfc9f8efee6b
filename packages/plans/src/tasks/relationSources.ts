/**
 * Which relationships OpenGraph files report. Their edges are samples, also those of kinds that collectors enumerate: an access list
 * neither contains nor removes them. Rule: `docs/plan.md#evidence`.
 */
import { Aspect } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { StartedPlan } from './startedFacts.ts';

interface Named {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
}

export interface RelationSources {
  /** An OpenGraph file reports it. */
  readonly isSample: boolean;
  /** A collector reports it as a part of an object. */
  readonly isEnumerated: boolean;
}

const NONE: RelationSources = { isSample: false, isEnumerated: false };

/**
 * @param reporters ids of objects other than the ends that can report them
 * @returns the sources of each relationship, in order
 */
export async function relationSources(
  db: Db,
  relations: readonly Named[],
  reporters: readonly string[] = [],
): Promise<RelationSources[]> {
  if (relations.length === 0) return [];
  const columns = (['start', 'kind', 'end'] as const).map((key) => relations.map((one) => one[key]));
  const [starts, kinds, ends] = columns;
  const { rows } = await sql<{ place: number; samples: boolean; enumerated: boolean }>`
    with asked as materialized (
      select place, start_object.id as start_id, edge_kind.id as kind_id, end_object.id as end_id
      from unnest(${starts}::text[], ${kinds}::text[], ${ends}::text[])
        with ordinality as given (start_name, kind_name, end_name, place)
      join object_id start_object on start_object.object_id = start_name
      join object_id end_object on end_object.object_id = end_name
      join edge_kind on edge_kind.name = kind_name
    ), owners as materialized (
      select start_id as id from asked union select end_id from asked
      union select id from object_id where object_id = any (${[...reporters]}::text[])
    )
    select asked.place::integer as place,
      exists (
        select from sample_edge
        where (sample_edge.start_id, sample_edge.kind_id, sample_edge.end_id) = (asked.start_id, asked.kind_id, asked.end_id)
      ) as samples,
      enumerated.place is not null as enumerated
    from asked left join (
      select distinct asked.place from owners
      join edge_set on edge_set.owner_id = owners.id and aspect <> ${sql.lit(Aspect.derived)}
      cross join lateral unnest(start_ids, kind_ids, end_ids) as edge (start_id, kind_id, end_id)
      join asked using (start_id, kind_id, end_id)
    ) enumerated using (place)`.execute(db);
  const found = new Map(rows.map((row) => [row.place, row]));
  return relations.map((_, at) => {
    const row = found.get(at + 1);
    return row === undefined ? NONE : { isSample: row.samples, isEnumerated: row.enumerated };
  });
}

/** Marks the relationships of a started plan that only OpenGraph files report. */
export async function withSources(db: Db, { packages, ...plan }: StartedPlan): Promise<StartedPlan> {
  const changes = packages.flatMap((one) => one.changes);
  const relations = changes.flatMap(({ removed }) => removed);
  const reporters = changes.flatMap((change) => change.reporters ?? []);
  const sources = await relationSources(db, relations, reporters);
  const samples = new Set(
    relations.filter((_, at) => sources[at]?.isSample === true && !sources[at].isEnumerated),
  );
  const marked = packages.map((one) => ({
    ...one,
    changes: one.changes.map((change) => ({
      ...change,
      removed: change.removed.map((relation) =>
        samples.has(relation) ? { ...relation, is_sample: true as const } : relation,
      ),
    })),
  }));
  return { ...plan, packages: marked };
}
