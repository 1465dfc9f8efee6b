/** Properties that a query reads and no object has, each with the most similar existing name. */
import { didYouMean, type PropertyReads } from '@clew/cypher';
import type { QueryData } from '@clew/queries';
import type pg from 'pg';
import { isOfGraph, type PropertyColumns } from './propertyColumns.ts';

/** Number of sampled objects per set of kinds, because objects of one kind have the same properties. */
const LOOKED_AT = 200;
/** Maximum number of properties checked per query. */
const MAX_ASKED = 20;

/** @param isHidden nodes that the caller may not see @returns names of properties of objects */
export async function propertyNames(
  client: pg.ClientBase,
  { graph }: QueryData,
  isHidden: (node: number) => boolean = () => false,
): Promise<ReadonlySet<string>> {
  const seen = new Map<number, number>();
  const ids: number[] = [];
  for (let node = 0; node < graph.nodeCount; node++) {
    const kinds = graph.kindSetOf[node];
    const count = seen.get(kinds) ?? 0;
    if (count >= LOOKED_AT || isHidden(node)) continue;
    seen.set(kinds, count + 1);
    ids.push(graph.storeIds[node]);
  }
  const { rows } = await client.query<{ key: string }>(
    `select distinct key from node cross join lateral jsonb_object_keys(node.properties) as key
     where node.id = any($1::integer[]) order by key`,
    [ids],
  );
  return new Set([...rows.map(({ key }) => key), ...OF_GRAPH_SHOWN]);
}

const OF_GRAPH_SHOWN = ['objectid', 'name', 'system_tags', 'highvalue', 'owned', 'lastseen', 'lastcollected'];

/** The nodes of a caller who may not see all. */
interface SeenNodes {
  readonly data: QueryData;
  readonly columns: PropertyColumns;
  readonly isHidden: (node: number) => boolean;
}

/**
 * @param names known property names
 * @param seen absent for a caller who may see all nodes
 * @returns a warning for each unknown property
 */
export async function absentProperties(
  client: pg.ClientBase,
  { nodesForCertain }: PropertyReads,
  names: ReadonlySet<string>,
  seen?: SeenNodes,
): Promise<readonly string[]> {
  const doubtful = [...nodesForCertain]
    .filter((key) => !names.has(key) && !isOfGraph(key))
    .slice(0, MAX_ASKED);
  if (doubtful.length === 0) return [];
  const there =
    seen === undefined ? await storedKeys(client, doubtful) : await seenKeys(client, doubtful, seen);
  return doubtful
    .filter((key) => !there.has(key))
    .map((key) => `no object has the property ${key}${didYouMean(key, names)}`);
}

async function storedKeys(client: pg.ClientBase, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `select key from unnest($1::text[]) as key
     where exists (select from node where deleted_at is null and properties ? key)`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** A property that only hidden nodes have must look like one that no node has. */
async function seenKeys(
  client: pg.ClientBase,
  keys: readonly string[],
  { data, columns, isHidden }: SeenNodes,
): Promise<ReadonlySet<string>> {
  await columns.load(client, keys);
  const has = (key: string): boolean => {
    for (let node = 0; node < data.graph.nodeCount; node++)
      if (!isHidden(node) && columns.value(key, node) !== undefined) return true;
    return false;
  };
  return new Set(keys.filter(has));
}
