/** Reads edge properties from the store that sources report in addition to flags. */
import { mergedProperties } from '@clew/graph';
import type { Properties } from '@clew/model';
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Ids in the store. */
export interface StoredEdge {
  readonly start: number;
  readonly kind: number;
  readonly end: number;
}

export interface EdgePropertySource {
  /** @returns, in the order of the edges, the properties from all sources; `undefined` if no source reports any */
  read(edges: readonly StoredEdge[]): Promise<readonly (Properties | undefined)[]>;
}

/** Edges per statement. */
const BATCH = 2_000;

export function storedEdgeProperties(db: Db): EdgePropertySource {
  return {
    async read(edges) {
      const found: (Properties | undefined)[] = [];
      for (let at = 0; at < edges.length; at += BATCH)
        found.push(...(await readBatch(db, edges.slice(at, at + BATCH))));
      return found;
    },
  };
}

interface Row {
  /** Counted from 1. */
  readonly number: number;
  readonly properties: Properties;
}

/** An edge is stored with one of its ends, so its sets are found by owner. */
async function readBatch(db: Db, edges: readonly StoredEdge[]): Promise<(Properties | undefined)[]> {
  const starts = edges.map(({ start }) => start);
  const kinds = edges.map(({ kind }) => kind);
  const ends = edges.map(({ end }) => end);
  const owners = [...new Set([...starts, ...ends])];
  const { rows } = await sql<Row>`
    with wanted as materialized (
      select start_id, kind_id, end_id, number::integer
      from unnest(${starts}::integer[], ${kinds}::smallint[], ${ends}::integer[]) with ordinality
        as wanted (start_id, kind_id, end_id, number)
    )
    select wanted.number, property.value as properties
    from edge_set
    cross join lateral unnest(start_ids, kind_ids, end_ids) with ordinality as edge (start_id, kind_id, end_id, place)
    join wanted using (start_id, kind_id, end_id)
    join lateral jsonb_each(edge_set.properties) property on property.key = (edge.place - 1)::text
    where owner_id = any(${owners}::integer[]) and edge_set.properties <> '{}'
    union all
    select wanted.number, sample_edge.properties
    from wanted join sample_edge using (start_id, kind_id, end_id)
    where sample_edge.properties is not null`.execute(db);
  const found: (Properties | undefined)[] = edges.map(() => undefined);
  for (const { number, properties } of rows)
    found[number - 1] = mergedProperties(found[number - 1], properties);
  return found;
}
