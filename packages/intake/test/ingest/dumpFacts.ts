/** All facts of a database as text, in terms of object ids and names, so that two databases can be compared. */
import type pg from 'pg';

export interface DumpOptions {
  /** Default true. Off, to compare runs at different times. */
  readonly times?: boolean;
}

export async function dumpFacts(pool: pg.Pool, { times = true }: DumpOptions = {}): Promise<string> {
  const when = (column: string) => (times ? column : 'null');
  const parts = [
    `select 'node', object_id, (select array_agg(name order by node_kind.id) from node_kind where node_kind.id = any(kinds)),
            (select object_id from object_id environment where environment.id = environment_id), properties, described,
            derived, deleted_at is not null, ${when('first_seen')}
     from node join object_id using (id) order by 2`,
    // When an object was last seen changes with each upload; its facts do not.
    `select 'sighting', object_id, source.name, ${times ? 'last_collected' : 'last_collected is not null'}, aspects
     from sighting join object_id on object_id.id = node_id join source on source.id = source_id order by 2, 3`,
    `select 'set', owner.object_id, aspect, source.name,
            (select array_agg(concat_ws(' ', s.object_id, k.name, e.object_id, flag, edge_set.properties -> (place - 1)::text)
                              order by s.object_id, k.name, e.object_id)
             from unnest(start_ids, kind_ids, end_ids, flags) with ordinality as edges (start_id, kind_id, end_id, flag, place)
             join object_id s on s.id = start_id join object_id e on e.id = end_id join edge_kind k on k.id = kind_id),
            ${when('edge_set.first_seen')}, ${when('collected_at')}
     from edge_set join object_id owner on owner.id = owner_id join source on source.id = source_id order by 2, 3, 4`,
    `select 'sample', s.object_id, k.name, e.object_id, source.name, owner.object_id, flags, properties,
            ${when('sample_edge.first_seen')}, ${when('last_seen')}
     from sample_edge join object_id s on s.id = start_id join object_id e on e.id = end_id
     join object_id owner on owner.id = owner_id join edge_kind k on k.id = kind_id join source on source.id = source_id
     order by 2, 3, 4, 5`,
  ];
  const lines: string[] = [];
  for (const text of parts) {
    const { rows } = await pool.query({ text, rowMode: 'array' });
    lines.push(...rows.map((row) => JSON.stringify(row)));
  }
  return lines.join('\n');
}
