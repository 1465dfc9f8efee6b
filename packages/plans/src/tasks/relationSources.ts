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

/** @returns the relationships that OpenGraph files report. The query finds each by its key. */
export async function samplesAmong<Relation extends Named>(
  db: Db,
  relations: readonly Relation[],
): Promise<Set<Relation>> {
  if (relations.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    with ${askedFor(relations)}
    select place::integer as place from asked join sample_edge using (start_id, kind_id, end_id)`.execute(db);
  return named(relations, rows);
}

/**
 * Reads all members of the sets of both ends.
 * @param reporters ids of objects other than the ends that can report them
 * @returns the relationships that a collector reports as a part of an object
 */
async function enumeratedAmong<Relation extends Named>(
  db: Db,
  relations: readonly Relation[],
  reporters: readonly string[],
): Promise<Set<Relation>> {
  if (relations.length === 0) return new Set();
  const { rows } = await sql<{ place: number }>`
    with ${askedFor(relations)}, owners as materialized (
      select start_id as id from asked union select end_id from asked
      union select id from object_id where object_id = any (${[...reporters]}::text[])
    )
    select distinct asked.place::integer as place from owners
    join edge_set on edge_set.owner_id = owners.id and aspect <> ${sql.lit(Aspect.derived)}
    cross join lateral unnest(start_ids, kind_ids, end_ids) as edge (start_id, kind_id, end_id)
    join asked using (start_id, kind_id, end_id)`.execute(db);
  return named(relations, rows);
}

/** The table `asked`: relationships of known objects and kinds, with their place in the list. */
function askedFor(relations: readonly Named[]) {
  const columns = (['start', 'kind', 'end'] as const).map((key) => relations.map((one) => one[key]));
  const [starts, kinds, ends] = columns;
  return sql`asked as materialized (
    select place, start_object.id as start_id, edge_kind.id as kind_id, end_object.id as end_id
    from unnest(${starts}::text[], ${kinds}::text[], ${ends}::text[])
      with ordinality as given (start_name, kind_name, end_name, place)
    join object_id start_object on start_object.object_id = start_name
    join object_id end_object on end_object.object_id = end_name
    join edge_kind on edge_kind.name = kind_name
  )`;
}

const named = <Relation>(
  relations: readonly Relation[],
  rows: readonly { readonly place: number }[],
): Set<Relation> => new Set(rows.map(({ place }) => relations[place - 1] as Relation));

/** Marks the relationships of a started plan that only OpenGraph files report. */
export async function withSources(db: Db, { packages, ...plan }: StartedPlan): Promise<StartedPlan> {
  const changes = packages.flatMap((one) => one.changes);
  const reporters = changes.flatMap((change) => change.reporters ?? []);
  const found = await samplesAmong(
    db,
    changes.flatMap(({ removed }) => removed),
  );
  const enumerated = await enumeratedAmong(db, [...found], reporters);
  const samples = new Set([...found].filter((relation) => !enumerated.has(relation)));
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
