/** Reads the stored properties of an edge besides its flags. */
import { mergedProperties } from '@clew/graph';
import type { Properties } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

export interface EdgeIdentity {
  /** Store ids. */
  readonly start: number;
  readonly end: number;
  readonly kind: number;
}

/**
 * An edge is stored with one of its ends, so its sets are found by owner.
 * @returns the properties from all sources; empty if it has none
 */
export async function readEdgeProperties(db: Db, { start, end, kind }: EdgeIdentity): Promise<Properties> {
  const { rows } = await sql<{ readonly properties: Properties }>`
    select edge_set.properties -> (edge.place - 1)::text as properties
    from edge_set
    cross join lateral unnest(start_ids, kind_ids, end_ids) with ordinality
      as edge (start_id, kind_id, end_id, place)
    where owner_id in (${start}, ${end}) and edge_set.properties is not null
      and edge.start_id = ${start} and edge.kind_id = ${kind} and edge.end_id = ${end}
      and edge_set.properties ? (edge.place - 1)::text`.execute(db);
  return rows.reduce<Properties>((found, { properties }) => mergedProperties(found, properties), {});
}
