/** Everything that a limited user can ask over Bolt about the marked environments: queries, procedures, and a layer. */
import { RawBolt } from '@clew/server/testing';
import { MARKS, PLACES } from './markedEnvironments.ts';

export interface BoltAnswer {
  readonly query: string;
  /** The whole answer: columns, rows, and the summary or failure. */
  readonly text: string;
  readonly rows: readonly unknown[];
  readonly isFailure: boolean;
}

const words = PLACES.map((place) => `'ROOT@${MARKS[place].word}.EXAMPLE'`).join(', ');

const PROCEDURES = [
  ...['labels', 'relationshipTypes', 'propertyKeys', 'info', 'ping', 'indexes', 'constraints'].map(
    (name) => `CALL db.${name}()`,
  ),
  ...['CALL dbms.components()', 'CALL dbms.showCurrentUser()'],
  ...['DATABASES', 'CURRENT USER', 'INDEXES', 'CONSTRAINTS'].map((name) => `SHOW ${name}`),
];

/** Queries whose answers have no ids, times or generations. */
export const STABLE_QUERIES = [
  ...PROCEDURES.filter((query) => query.startsWith('CALL db.')),
  'MATCH (n) RETURN n.name AS name, labels(n) AS labels, COUNT { (n)--() } AS near ORDER BY name',
  'MATCH (a)-[r]->(b) RETURN a.name AS start, type(r) AS type, b.name AS end ORDER BY start, type, end',
  `MATCH (n) WHERE n.name IN [${words}] RETURN count(n) AS found`,
];

/**
 * @param own id of an object that the user sees @param ids those of all nodes in the store, also of hidden ones
 * @param ends those to which paths are asked for
 */
export const readingQueries = (
  own: number,
  ids: readonly number[],
  ends: readonly number[],
): readonly string[] => [
  ...STABLE_QUERIES,
  ...PROCEDURES,
  'EXPLAIN MATCH (n) RETURN n',
  'MATCH (n) RETURN n, keys(n) AS keys, properties(n) AS properties',
  'MATCH p = (a)-[r]->(b) RETURN p, r, properties(r) AS properties, startNode(r) AS start, endNode(r) AS end',
  'MATCH (a)-[r]-(b) RETURN collect(DISTINCT b.description) AS texts, type(r) AS type',
  'MATCH p = shortestPath((a)-[*1..]->(b)) WHERE a <> b RETURN p LIMIT 3000',
  'MATCH p = EASIEST 3 (a)-[:ALL_ATTACK_PATHS*]->(b:Tag_Tier_Zero) RETURN p LIMIT 3000',
  `MATCH (n) WHERE id(n) IN ${JSON.stringify(ids)} RETURN n`,
  `UNWIND ${JSON.stringify(ids)} AS one MATCH (n) WHERE elementId(n) = toString(one) RETURN n`,
  `MATCH (a), (b) WHERE id(a) = ${own} CALL apoc.algo.dijkstra(a, b, '', 'effort', 1.0) YIELD path, weight RETURN path, weight`,
  ...ends.map(
    (end) =>
      `CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: ${own}, targetNode: ${end}}) YIELD path, totalCost RETURN path, totalCost`,
  ),
];

/** Changes of an own layer, which copy all that the user can reach. */
export const changingQueries = (own: number, ids: readonly number[]): readonly string[] => [
  'MATCH (n) SET n.mine = true, n:Mine',
  'MATCH ()-[r]->() SET r.weight = 1',
  `MATCH (n) WHERE n.name IN [${words}] SET n.root = true`,
  'MATCH (n) CREATE (:Copy {of: n.name, about: n.description, keys: keys(n)})',
  `MATCH (a), (b) WHERE id(a) = ${own} AND NOT b:Copy CREATE (a)-[:Knows {whom: b.name}]->(b)`,
  `UNWIND ${JSON.stringify(ids)} AS one MATCH (n) WHERE id(n) = one MERGE (m:Seen {name: n.name}) SET m += properties(n)`,
];

/** Asks all queries on one connection. @param layer of the connection; an empty text for none */
export async function askBolt(
  url: string,
  { id, key }: { readonly id: string; readonly key: string },
  layer: string,
  queries: readonly string[],
): Promise<BoltAnswer[]> {
  const client =
    layer === ''
      ? await RawBolt.signedIn(url, id, key)
      : await RawBolt.signedIn(url, `layer.${layer}`, `${id}:${key}`);
  const answers: BoltAnswer[] = [];
  try {
    for (const query of queries) answers.push(await answerTo(client, query));
  } finally {
    client.socket.destroy();
  }
  return answers;
}

async function answerTo(client: RawBolt, query: string): Promise<BoltAnswer> {
  const parts: unknown[] = [];
  const rows: unknown[] = [];
  client.send(['RUN', query, {}, {}], ['PULL', { n: -1 }]);
  const answered = (isFailure: boolean): BoltAnswer => ({
    ...{ query, rows, isFailure },
    text: JSON.stringify([...parts, ...rows], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  });
  const [name, ...head] = await client.next();
  parts.push(head);
  if (name !== 'SUCCESS') {
    await client.next();
    client.send(['RESET']);
    await client.next();
    return answered(true);
  }
  for (;;) {
    const [type, value] = await client.next();
    if (type === 'RECORD') rows.push(value);
    else {
      parts.push(value);
      if (type === 'SUCCESS') return answered(false);
      client.send(['RESET']);
      await client.next();
      return answered(true);
    }
  }
}
