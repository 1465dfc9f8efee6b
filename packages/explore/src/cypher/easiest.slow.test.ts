/** The easiest paths of queries over HTTP, compared with those of `graphs/alternative-paths`, which pages show. */
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillForest } from '../../test/bolt/boltService.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_ATTACK_EFFORTS: 'GenericAll=3' }, { makesPlans: false });
  await fillForest(service, 30);
}, 200_000);
afterAll(() => service.stop());

async function rows(query: string, parameters: object = {}): Promise<Json[][]> {
  const { status, json } = await service.call('POST', 'graphs/cypher', { query, rows: true, parameters });
  expect([status, json.errors]).toEqual([200, undefined]);
  return json.data.rows;
}

const EFFORT = 'reduce(sum = 0, r IN relationships(p) | sum + r.effort)';

it('has the efforts of the page for each of several paths', async () => {
  const pairs = await rows(
    `MATCH p = shortestPath((u:User)-[:ALL_ATTACK_PATHS*1..]->(g:Group)) WHERE g.objectid ENDS WITH '-512'
     RETURN u.objectid, g.objectid ORDER BY u.objectid LIMIT 12`,
  );
  expect(pairs.length).toBeGreaterThan(5);
  let compared = 0;
  for (const [start, end] of pairs) {
    const ends = `start_node=${start}&end_node=${end}&weight=effort&limit=4`;
    const { paths } = await service.data('GET', `graphs/alternative-paths?${ends}`);
    const found = await rows(
      `MATCH p = EASIEST 4 (a {objectid: $start})-[:ALL_ATTACK_PATHS*]->(b {objectid: $end})
       RETURN ${EFFORT} AS effort, [r IN relationships(p) | r.effort] AS efforts`,
      { start, end },
    );
    expect(found.map(([effort]) => effort)).toEqual(paths.map(({ effort }: Json) => effort));
    const { edges } = await service.data(
      'GET',
      `graphs/shortest-path?start_node=${start}&end_node=${end}&weight=effort`,
    );
    expect(edges).toHaveLength(found[0][1].length);
    compared += found.length;
  }
  expect(compared).toBeGreaterThan(10);
});

it('answers the two forms of APOC and that of GDS with the same effort', async () => {
  const [[start, end, effort]] = await rows(
    `MATCH p = EASIEST (u:User)-[:ALL_ATTACK_PATHS*]->(g:Group) WHERE g.objectid ENDS WITH '-512' AND length(p) > 2
     RETURN u.objectid, g.objectid, ${EFFORT} LIMIT 1`,
  );
  const kinds = await rows('MATCH ()-[r:ALL_ATTACK_PATHS]->() RETURN DISTINCT type(r)');
  const types = kinds.flat().map((kind) => `${kind}>`);
  const ends = 'MATCH (a {objectid: $start}), (b {objectid: $end})';
  const parameters = { start, end, types: types.join('|'), kinds: kinds.flat() };
  for (const call of [
    "apoc.algo.dijkstra(a, b, $types, 'effort') YIELD path, weight RETURN weight",
    "apoc.algo.dijkstraWithDefaultWeight(a, b, $types, 'effort', 50) YIELD path, weight RETURN weight",
    `gds.shortestPath.dijkstra.stream('g', {sourceNode: a, targetNode: b, relationshipTypes: $kinds,
       relationshipWeightProperty: 'effort'}) YIELD totalCost RETURN totalCost`,
  ])
    expect(await rows(`${ends} CALL ${call}`, parameters)).toEqual([[effort]]);
});

it('has the configured effort, and none for a relationship that passes on no control', async () => {
  const [[efforts]] = await rows('MATCH ()-[r:GenericAll]->() RETURN collect(DISTINCT r.effort)');
  expect(efforts).toContain(3);
  const others = await rows('MATCH ()-[r]->() WHERE NOT r.traversable RETURN DISTINCT r.effort');
  expect(others).toEqual([[null]]);
});

it('shows a limited user no path through hidden objects', async () => {
  const all = `MATCH p = EASIEST 3 (u:User)-[:ALL_ATTACK_PATHS*]->(g:Group) WHERE g.objectid ENDS WITH '-512'
    RETURN [n IN nodes(p) | n.domainsid] AS domains, ${EFFORT} AS effort`;
  const [[own]] = await rows('MATCH (d:Domain) RETURN d.objectid ORDER BY d.objectid LIMIT 1');
  await service.addUser('limited', 'Read-Only', [own]);
  const { json } = await service.as('limited', 'POST', 'graphs/cypher', { query: all, rows: true });
  const domains = new Set(
    json.data.rows.flatMap(([path]: Json[]) => path).filter((one: Json) => one !== null),
  );
  expect([...domains]).toEqual([own]);
  expect((await rows(all)).flatMap(([path]) => path).some((one) => one !== null && one !== own)).toBe(true);
});

it('is refused in a selector by name', async () => {
  const body = {
    seeds: [{ type: 2, value: 'MATCH p = EASIEST (u:User)-[:ALL_ATTACK_PATHS*]->(d:Domain) RETURN u' }],
  };
  const { status, json } = await service.call('POST', 'asset-group-tags/preview-selectors', body);
  expect([status, json.errors[0].message]).toEqual([
    400,
    expect.stringContaining('attack effort is not available'),
  ]);
});
