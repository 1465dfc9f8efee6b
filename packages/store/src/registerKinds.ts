/**
 * Registers the names of the built-in kinds, for joins and for the view `edge`. OpenGraph data may have used a name before a release made
 * it built in: the kind then becomes the built-in one.
 */
import { EDGE_KINDS, NODE_KINDS } from '@clew/model';
import type pg from 'pg';

interface BuiltIn {
  readonly id: number;
  readonly name: string;
}

/** @param client outside a transaction, holding the migration lock */
export async function registerKinds(
  client: pg.ClientBase,
  kinds: { readonly node: readonly BuiltIn[]; readonly edge: readonly BuiltIn[] } = {
    node: NODE_KINDS,
    edge: EDGE_KINDS,
  },
): Promise<void> {
  await client.query('begin');
  try {
    const renumbered = [
      ...(await register(client, 'node_kind', kinds.node, RENUMBER_NODE_KIND)),
      ...(await register(client, 'edge_kind', kinds.edge, RENUMBER_EDGE_KIND)),
    ];
    if (renumbered.length > 0) await client.query('update facts_state set version = version + 1');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Parameters: the old and the new number of a kind. */
const RENUMBER_NODE_KIND: readonly string[] = ['kinds', 'derived_kinds'].map(
  (column) => `
    update node set ${column} = array(
      select distinct case kind when $1 then $2 else kind end from unnest(${column}) as kind order by 1
    )
    where ${column} && array[$1]::smallint[]`,
);
const RENUMBER_EDGE_KIND: readonly string[] = [
  'update edge_set set kind_ids = array_replace(kind_ids, $1::smallint, $2::smallint) where kind_ids && array[$1]::smallint[]',
  'update sample_edge set kind_id = $2 where kind_id = $1',
  'update finding set edge_kind = $2 where edge_kind = $1',
];

/** @returns names that were custom until now */
async function register(
  client: pg.ClientBase,
  table: 'node_kind' | 'edge_kind',
  kinds: readonly BuiltIn[],
  renumber: readonly string[],
): Promise<string[]> {
  const [ids, names] = [kinds.map(({ id }) => id), kinds.map(({ name }) => name)];
  const { rows: custom } = await client.query<{ old: number; id: number; name: string }>(
    `delete from ${table} known using unnest($1::smallint[], $2::text[]) as built_in (id, name)
     where known.name = built_in.name and known.id <> built_in.id
     returning known.id as old, built_in.id, built_in.name`,
    [ids, names],
  );
  await client.query(
    `insert into ${table} (id, name) select * from unnest($1::smallint[], $2::text[]) as built_in (id, name)
     where not exists (select from ${table} known where known.id = built_in.id)`,
    [ids, names],
  );
  for (const { old, id } of custom)
    for (const statement of renumber) await client.query(statement, [old, id]);
  return custom.map(({ name }) => name);
}
