/**
 * All relationships of an object by kind and direction. Each kind has a count and a separate request for rows, so that large
 * kinds do not hide others.
 */
import type { CypherResult } from '@clew/api';
import { TRAVERSABLE_KINDS } from '../../edges/edgeKinds.ts';
import { fromUnified, type Graph, type GraphNode } from '../../graph/model.ts';
import { call } from '../../service/client.ts';

export type Side = 'in' | 'out';

export interface NearKind {
  readonly side: Side;
  readonly kind: string;
  readonly count: number;
  readonly tierZeroCount: number;
}

export interface Neighborhood {
  readonly center: GraphNode;
  readonly kinds: readonly NearKind[];
  /** First rows by {@link nearKey}. */
  readonly rows: ReadonlyMap<string, readonly GraphNode[]>;
  readonly graph: Graph;
  readonly total: number;
}

export const nearKey = ({ side, kind }: Pick<NearKind, 'side' | 'kind'>): string => `${side} ${kind}`;

export const FIRST_ROWS = 3;
export const MORE_ROWS = 20;
/** Maximum number of kinds in one query, which has a part per kind. */
const MAX_PARTS = 20;

const quoted = (kind: string): string => `\`${kind.replaceAll('`', '``')}\``;
const patternOf = (side: Side, kind = ''): string => {
  const type = kind === '' ? 'r' : `r:${quoted(kind)}`;
  return side === 'in' ? `(n)<-[${type}]-(m)` : `(n)-[${type}]->(m)`;
};
const ORDER = `ORDER BY CASE WHEN 'Tag_Tier_Zero' IN labels(m) THEN 0 ELSE 1 END, m.name`;

export const rowsQuery = ({ side, kind }: Pick<NearKind, 'side' | 'kind'>): string =>
  `MATCH p = ${patternOf(side, kind)} WHERE n.objectid = $id RETURN p ${ORDER}`;

/** A query for the same objects that users can edit. */
export const tableQuery = (objectId: string, near: Pick<NearKind, 'side' | 'kind'>): string =>
  `MATCH ${patternOf(near.side, near.kind)}\nWHERE n.objectid = "${objectId.replace(/["\\]/g, '\\$&')}"\nRETURN m ${ORDER}`;

const ask = async (query: string, id: string, signal: AbortSignal): Promise<CypherResult> =>
  (await call('RunCypherQuery', { body: { query, parameters: { id }, rows: true } }, { signal })).data;

async function countKinds(objectId: string, side: Side, signal: AbortSignal): Promise<NearKind[]> {
  const query = `MATCH ${patternOf(side)} WHERE n.objectid = $id RETURN type(r) AS kind, count(r) AS count, sum(CASE WHEN 'Tag_Tier_Zero' IN labels(m) THEN 1 ELSE 0 END) AS marked`;
  const { rows = [] } = await ask(query, objectId, signal);
  return rows.map(([kind, count, marked]) => ({
    side,
    kind: String(kind),
    count: Number(count),
    tierZeroCount: Number(marked),
  }));
}

const isTraversable = new Set([...TRAVERSABLE_KINDS.values()].flat());

/** Sorts kinds that reach Tier Zero first, then traversable kinds, then by number. */
const rank = ({ kind, tierZeroCount }: NearKind): number =>
  (isTraversable.has(kind) ? 2 : 0) + (tierZeroCount > 0 ? 1 : 0);

/** @returns `undefined` for an object that is not in the newest results */
export async function readNeighborhood(
  objectId: string,
  signal: AbortSignal,
  rowsOfEach: (kinds: number) => number = () => FIRST_ROWS,
): Promise<Neighborhood | undefined> {
  const [incoming, outgoing, found] = await Promise.all([
    countKinds(objectId, 'in', signal),
    countKinds(objectId, 'out', signal),
    ask('MATCH (n) WHERE n.objectid = $id RETURN n LIMIT 1', objectId, signal),
  ]);
  const kinds = [...incoming, ...outgoing].sort(
    (a, b) => rank(b) - rank(a) || b.count - a.count || a.kind.localeCompare(b.kind),
  );
  const center = fromUnified({ nodes: found.nodes, edges: [] }).nodes.get(objectId);
  if (center === undefined) return undefined;
  const rows = new Map<string, readonly GraphNode[]>();
  const graphs: Graph[] = [{ nodes: new Map([[objectId, center]]), edges: [] }];
  for (let from = 0; from < kinds.length; from += MAX_PARTS) {
    const part = kinds.slice(from, from + MAX_PARTS);
    const query = part
      .map((near) => `${rowsQuery(near)} LIMIT ${rowsOfEach(kinds.length)}`)
      .join(' UNION ALL ');
    const graph = fromUnified(await ask(query, objectId, signal));
    graphs.push(graph);
    for (const near of part) rows.set(nearKey(near), rowsIn(graph, objectId, near));
  }
  return {
    ...{ center, kinds, rows },
    graph: {
      nodes: new Map(graphs.flatMap(({ nodes }) => [...nodes])),
      edges: graphs.flatMap(({ edges }) => edges),
    },
    total: kinds.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Reads more rows of one kind. */
export async function readMore(
  objectId: string,
  near: Pick<NearKind, 'side' | 'kind'>,
  skip: number,
  signal?: AbortSignal,
): Promise<readonly GraphNode[]> {
  const query = `${rowsQuery(near)} SKIP ${skip} LIMIT ${MORE_ROWS}`;
  return rowsIn(
    fromUnified(await ask(query, objectId, signal ?? new AbortController().signal)),
    objectId,
    near,
  );
}

function rowsIn(
  { nodes, edges }: Graph,
  objectId: string,
  { side, kind }: Pick<NearKind, 'side' | 'kind'>,
): readonly GraphNode[] {
  return edges
    .filter((edge) => edge.kind === kind && (side === 'in' ? edge.target : edge.source) === objectId)
    .map((edge) => nodes.get(side === 'in' ? edge.source : edge.target))
    .filter((node) => node !== undefined)
    .sort((a, b) => Number(b.isTierZero) - Number(a.isTierZero) || a.name.localeCompare(b.name));
}
