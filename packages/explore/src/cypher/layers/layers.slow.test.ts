/** Layers over HTTP: what their owner sees, and that nothing else changes. */
import { hash } from 'node:crypto';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

const [NORTH, SOUTH] = [sidOf('NORTH'), sidOf('SOUTH')];
const [ONE, TWO, THREE, ADMINS] = [`${NORTH}-1101`, `${NORTH}-1102`, `${NORTH}-1103`, `${NORTH}-512`];
const FILES = twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1101, 1102, 1103]);

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await service.upload(...FILES);
  await service.settled();
  await service.addUser('north', 'Read-Only', [NORTH]);
  await service.addUser('other', 'Administrator');
  await vi.waitUntil(async () => (await rows('', 'MATCH (n:Tag_Tier_Zero) RETURN count(n)'))[0][0] > 0, {
    timeout: 100_000,
    interval: 200,
  });
}, 200_000);
afterAll(() => service.stop());

/** @param layer an empty text for none @param user name of the caller; default: the administrator of the test */
function ask(layer: string, query: string, { user, ...body }: Json = {}) {
  const prefer = layer === '' ? undefined : `layer=${layer}`;
  const asked = ['POST', 'graphs/cypher', { query, ...body }, prefer] as const;
  return user === undefined ? service.call(...asked) : service.as(user, ...asked);
}

async function answer(layer: string, query: string, more: Json = {}): Promise<Json> {
  const { status, json } = await ask(layer, query, { rows: true, ...more });
  expect([query, status, json.errors?.[0].message]).toEqual([query, 200, undefined]);
  return json.data;
}

const rows = async (layer: string, query: string, more: Json = {}): Promise<Json[][]> =>
  (await answer(layer, query, more)).rows;

const changes = async (layer: string, query: string, more: Json = {}): Promise<Json> => {
  const counts = Object.entries((await answer(layer, query, more)).changes);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
};

async function faultOf(layer: string, query: string, more: Json = {}): Promise<[number, string]> {
  const { status, json } = await ask(layer, query, more);
  return [status, json.errors[0].message];
}

const endLayer = (name: string) => service.call('DELETE', `graphs/cypher/layers/${name}`);
const listed = async () => (await service.data('GET', 'graphs/cypher/layers')).map(({ name }: Json) => name);

const OWNED = 'MATCH (u:User {owned: true}) RETURN u.objectid ORDER BY u.objectid';
const setOwned = (id: string) => `MATCH (n) WHERE n.objectid = '${id}' SET n.owned = true`;

describe('a layer', () => {
  it('is what its owner sees, and no one else, and no other layer', async () => {
    expect(await changes('mark', setOwned(ONE))).toEqual({ properties_set: 1 });
    expect(await rows('mark', OWNED)).toEqual([[ONE]]);
    expect(await rows('', OWNED)).toEqual([]);
    expect(await rows('another', OWNED)).toEqual([]);
    for (const user of ['other', 'north']) expect(await rows('mark', OWNED, { user })).toEqual([]);
    const { data } = (await service.as('other', 'GET', 'graphs/cypher/layers')).json;
    expect(data).toEqual([]);
    expect((await service.as('other', 'DELETE', 'graphs/cypher/layers/mark')).status).toBe(404);
    expect(await rows('mark', OWNED)).toEqual([[ONE]]);
  });

  it('shows changed properties and labels of an object, as a graph and as a row', async () => {
    await changes(
      'shown',
      `MATCH (n {objectid: '${ONE}'}) SET n:Suspect, n.seen = date('2026-11-30'), n.rank = 7`,
    );
    const query = `MATCH (n:Suspect) RETURN n, n.rank, labels(n), n.seen`;
    const { nodes, rows: found } = await answer('shown', query, { include_properties: true });
    const [node] = Object.values<Json>(nodes);
    expect(node.kinds).toContain('Suspect');
    expect(node.properties).toMatchObject({ rank: 7, seen: '2026-11-30', objectid: ONE });
    expect(found).toEqual([
      [
        expect.objectContaining({ objectid: ONE }),
        7,
        expect.arrayContaining(['User', 'Suspect']),
        '2026-11-30',
      ],
    ]);
    const removed = await changes('shown', 'MATCH (n:Suspect) REMOVE n:Suspect, n.rank');
    expect(removed).toEqual({ labels_removed: 1, properties_set: 1 });
    expect(
      await rows('shown', `MATCH (n {objectid: '${ONE}'}) RETURN n.rank, 'Suspect' IN labels(n)`),
    ).toEqual([[null, false]]);
    expect(await faultOf('', 'MATCH (n:Suspect) RETURN n')).toEqual([
      404,
      expect.stringContaining('Suspect'),
    ]);
  });

  it('has nodes and relationships of its own, which paths follow', async () => {
    const made = await changes(
      'made',
      `MATCH (u {objectid: '${TWO}'}), (g {objectid: '${ADMINS}'})
       CREATE (u)-[:Knows {cost: 2}]->(p:Password {name: 'WINTER'})-[:Opens {cost: 3}]->(g)`,
    );
    expect(made).toEqual({
      ...{ nodes_created: 1, relationships_created: 2, labels_added: 1, properties_set: 3 },
    });
    const query = `MATCH p = shortestPath((u {objectid: '${TWO}'})-[*1..]->(g {objectid: '${ADMINS}'})) RETURN p`;
    const { nodes, edges, rows: found } = await answer('made', query, { include_properties: true });
    expect(edges.map(({ kind, properties }: Json) => [kind, properties.cost])).toEqual([
      ['Knows', 2],
      ['Opens', 3],
    ]);
    for (const { source, target } of edges) expect([nodes[source], nodes[target]]).not.toContain(undefined);
    expect(found[0][0].nodes.map(({ name }: Json) => name)).toContain('WINTER');
    expect(
      await rows(
        'made',
        `MATCH p = EASIEST BY cost (u {objectid: '${TWO}'})-[*]->(g {objectid: '${ADMINS}'})
      RETURN reduce(sum = 0, r IN relationships(p) | sum + r.cost)`,
      ),
    ).toEqual([[5]]);
    expect(await rows('', query)).toEqual([]);
    expect(await changes('made', 'MATCH (p:Password) DETACH DELETE p')).toEqual({
      ...{ nodes_deleted: 1, relationships_deleted: 2 },
    });
    expect(await rows('made', query)).toEqual([]);
  });

  it('has relationships of one type, not of a name that stands for several', async () => {
    for (const type of ['ALL_ATTACK_PATHS', 'AZ_ATTACK_PATHS'])
      expect(await faultOf('made', `MATCH (u {objectid: '${TWO}'}) CREATE (u)-[:${type}]->(u)`)).toEqual([
        400,
        expect.stringContaining(`${type} stands for several types`),
      ]);
    // Two numbers in the graph have this name.
    const synced = `MATCH (u {objectid: '${TWO}'}) CREATE (u)-[r:Contains]->(u) RETURN type(r)`;
    expect(await rows('made', synced)).toEqual([['Contains']]);
  });

  it('hides what it removes', async () => {
    const direct = `MATCH (u {objectid: '${ONE}'})-[r:GenericAll]->(g) RETURN g.objectid`;
    expect(await rows('removed', direct)).toEqual([[ADMINS]]);
    expect(await changes('removed', direct.replace('RETURN g.objectid', 'DELETE r'))).toEqual({
      relationships_deleted: 1,
    });
    expect(await rows('removed', direct)).toEqual([]);
    await changes(
      'removed',
      `MATCH (a {objectid: '${TWO}'}), (b {objectid: '${ADMINS}'}) CREATE (a)-[:Knows]->(b)`,
    );
    expect(await faultOf('removed', `MATCH (n {objectid: '${ADMINS}'}) DELETE n`)).toEqual([
      400,
      expect.stringContaining('use DETACH DELETE'),
    ]);
    const [[near]] = await rows('removed', `MATCH ({objectid: '${ADMINS}'})-[r]-() RETURN count(DISTINCT r)`);
    expect(near).toBeGreaterThan(0);
    expect(await changes('removed', `MATCH (n {objectid: '${ADMINS}'}) DETACH DELETE n`)).toEqual({
      ...{ nodes_deleted: 1, relationships_deleted: near },
    });
    expect(await rows('removed', `MATCH (n {objectid: '${ADMINS}'}) RETURN n`)).toEqual([]);
    expect(await rows('', direct)).toEqual([[ADMINS]]);
  });

  it('ends by request, and says so', async () => {
    await changes('over', setOwned(ONE));
    expect(await listed()).toContain('over');
    expect((await endLayer('over')).status).toBe(204);
    expect((await endLayer('over')).status).toBe(404);
    const { rows: found, warnings } = await answer('over', OWNED);
    expect([found, warnings[0]]).toEqual([[], expect.stringContaining('the layer over has no changes')]);
  });

  it('ends a day after its first change', async () => {
    await changes('old', setOwned(ONE));
    const { ends_at, created_at } = (await service.data('GET', 'graphs/cypher/layers')).find(
      ({ name }: Json) => name === 'old',
    );
    expect(Date.parse(ends_at) - Date.parse(created_at)).toBe(86_400_000);
    await sql`update query_layer set ends_at = now() where name = 'old'`.execute(service.database.db);
    expect(await rows('old', OWNED)).toEqual([]);
    expect(await listed()).not.toContain('old');
    expect(await changes('old', setOwned(TWO))).toEqual({ properties_set: 1 });
    expect(await rows('old', OWNED)).toEqual([[TWO]]);
    await endLayer('old');
  });

  it('keeps a change whose answer fails, in a way that no client repeats', async () => {
    const { db } = service.database;
    await sql`create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'full' using errcode = '53100'; end $$`.execute(db);
    await sql`create trigger refuse_row before insert on audit_log for each row execute function refuse_row()`.execute(
      db,
    );
    try {
      const read = await ask('kept-once', OWNED);
      const changed = await ask('kept-once', 'MERGE (c:Count) SET c.of = coalesce(c.of, 0) + 1');
      expect([read.status, changed.status, changed.json.errors[0].message]).toEqual([
        507,
        500,
        expect.stringContaining('do not repeat the query'),
      ]);
    } finally {
      await sql`drop function refuse_row() cascade`.execute(db);
    }
    expect(await rows('kept-once', 'MATCH (c:Count) RETURN c.of')).toEqual([[1]]);
    await endLayer('kept-once');
  });

  it('reports a change after which the time limit expires', async () => {
    const { db } = service.database;
    await sql`create function delay_row() returns trigger language plpgsql as
      $$ begin perform pg_sleep(12); return new; end $$`.execute(db);
    await sql`create trigger delay_row before insert on audit_log for each row execute function delay_row()`.execute(
      db,
    );
    try {
      const read = await ask('late, wait=4', OWNED);
      const changed = await ask('late, wait=4', 'MERGE (c:Count) SET c.of = coalesce(c.of, 0) + 1');
      expect([read.status, read.json.errors[0].message]).toEqual([500, expect.stringContaining('timed out')]);
      expect([changed.status, changed.json.errors[0].message]).toEqual([
        500,
        expect.stringContaining('the layer keeps the change, so do not repeat the query'),
      ]);
    } finally {
      await sql`drop function delay_row() cascade`.execute(db);
    }
    expect(await rows('late', 'MATCH (c:Count) RETURN c.of')).toEqual([[1]]);
    await endLayer('late');
  }, 60_000);

  it('is not to be changed again after its database confirmed no change', async () => {
    const { db } = service.database;
    await sql`create function end_session() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()), pg_sleep(5); return new; end $$`.execute(db);
    // It runs at COMMIT.
    await sql`create constraint trigger end_session after insert or update on query_layer deferrable initially deferred
      for each row execute function end_session()`.execute(db);
    try {
      const { status, json } = await ask('lost', setOwned(ONE));
      expect([status, json.errors[0].message]).toEqual([
        500,
        expect.stringContaining('the layer may have changed: do not repeat the query'),
      ]);
    } finally {
      await sql`drop function end_session() cascade`.execute(db);
    }
    // The service reports an unreachable database until its next check.
    await vi.waitUntil(async () => (await ask('lost', OWNED, { rows: true })).status === 200, {
      timeout: 30_000,
      interval: 100,
    });
    expect(await rows('lost', OWNED)).toEqual([]);
    expect(await changes('lost', setOwned(ONE))).toEqual({ properties_set: 1 });
    await endLayer('lost');
  });

  it('takes the changes of simultaneous queries one after the other', async () => {
    await changes('count', `MATCH (n {objectid: '${ONE}'}) SET n.count = 0`);
    const add = () => changes('count', `MATCH (n {objectid: '${ONE}'}) SET n.count = n.count + 1`);
    await Promise.all([add(), add(), add(), add()]);
    expect(await rows('count', `MATCH (n {objectid: '${ONE}'}) RETURN n.count`)).toEqual([[4]]);
    await endLayer('count');
  });

  it('lets a limited user change and see nothing of other environments', async () => {
    const user = 'north';
    await changes('own', 'MATCH (n) SET n.mine = true', { user });
    const found = await rows('own', 'MATCH (n {mine: true}) RETURN DISTINCT n.domainsid', { user });
    expect(found.flat().filter((sid) => sid !== null)).toEqual([NORTH]);
    expect(await rows('own', `MATCH (n) WHERE n.domainsid = '${SOUTH}' RETURN n`, { user })).toEqual([]);
    await changes('own', `CREATE (:User {objectid: '${SOUTH}-1102'})`, { user });
    expect(await rows('own', `MATCH (n {objectid: '${SOUTH}-1102'}) RETURN n.name`, { user })).toEqual([
      [null],
    ]);
    await service.as(user, 'DELETE', 'graphs/cypher/layers/own');
  });

  it('ends when the environments of its user change', async () => {
    const user = 'narrowed';
    const id = await service.addUser(user, 'Read-Only');
    await changes('wide', 'MATCH (n:User) CREATE (:Copy {of: n.name})', { user });
    expect((await rows('wide', 'MATCH (c:Copy) RETURN count(c)', { user }))[0][0]).toBeGreaterThan(1);
    const narrowed = await service.call('PATCH', `bloodhound-users/${id}`, {
      all_environments: false,
      environment_targeted_access_control: { environments: [{ environment_id: NORTH }] },
    });
    expect([narrowed.status, narrowed.json?.errors]).toEqual([200, undefined]);
    expect(await rows('wide', 'MATCH (c:Copy) RETURN count(c)', { user })).toEqual([[0]]);
  });

  it('has types of its own that differ from those of the graph', async () => {
    await changes(
      'types',
      `MATCH (u {objectid: '${TWO}'}), (g {objectid: '${ADMINS}'}) CREATE (u)-[:Knows]->(g), (u)-[:Likes]->(g)`,
    );
    const between = (type: string) =>
      rows('types', `MATCH ({objectid: '${TWO}'})-[r:${type}]->({objectid: '${ADMINS}'}) RETURN type(r)`);
    expect(await between('Knows')).toEqual([['Knows']]);
    for (const type of ['Contains', 'GPLink']) expect(await between(type)).toEqual([]);
    await service.call('DELETE', 'graphs/cypher/layers/types');
  });
});

describe('bounds', () => {
  it('hold for the number of layers, of changes, and the size of values', async () => {
    for (const name of await listed()) await endLayer(name);
    for (let count = 1; count <= 5; count++) await changes(`layer-${count}`, setOwned(ONE));
    expect(await faultOf('layer-6', setOwned(ONE))).toEqual([
      400,
      expect.stringContaining('at most 5 layers'),
    ]);
    expect(await faultOf('layer-1', 'UNWIND range(1, 100001) AS n CREATE ({n: n})')).toEqual([
      400,
      expect.stringContaining('at most 100,000 objects and relationships'),
    ]);
    expect(
      await faultOf('layer-1', `MATCH (n {objectid: '${ONE}'}) SET n.text = $text`, {
        parameters: { text: 'x'.repeat(2_000_000) },
      }),
    ).toEqual([400, expect.stringContaining('too long for a layer')]);
    const filled = 'UNWIND range(1, 40) AS n CREATE ({text: $text + toString(n)})';
    expect(await faultOf('layer-1', filled, { parameters: { text: 'x'.repeat(500_000) } })).toEqual([
      400,
      expect.stringContaining('8 MiB'),
    ]);
    expect(await rows('layer-1', OWNED)).toEqual([[ONE]]);
    expect(await rows('layer-1', 'MATCH (n) WHERE n.text IS NOT NULL RETURN count(n)')).toEqual([[0]]);
    for (const name of await listed()) await endLayer(name);
  });

  test.each(['', 'two words', 'x'.repeat(65), '../x', 'ä'])('a layer is not named %j', async (name) => {
    const { status, json } = await service.call(
      'POST',
      'graphs/cypher',
      { query: OWNED },
      `layer=${encodeURI(name)}`,
    );
    expect([status, json.errors[0].message]).toEqual([
      400,
      expect.stringContaining('the name of a layer has'),
    ]);
  });
});

describe('without a layer', () => {
  test.each([
    'CREATE (n)',
    'MATCH (n) SET n.owned = true',
    'MATCH (n) REMOVE n.name RETURN n',
    'MATCH (n) DETACH DELETE n',
    'MERGE (n:User)',
  ])('%s is refused', async (query) => {
    expect(await faultOf('', query)).toEqual([
      400,
      expect.stringContaining('updating clauses are not supported'),
    ]);
  });

  it('everything has the same bytes before, during and after', async () => {
    const digests = async (): Promise<Record<string, string>> => {
      const found: Record<string, string> = {};
      const paths = ['attack-paths/findings', 'plan', 'graphs/kinds', 'asset-group-tags', 'posture/summary'];
      for (const path of paths) found[path] = await bytesOf(path);
      found.export = await bytesOf('graphs/export');
      for (const query of ['MATCH (n) RETURN n', 'MATCH p = ()-[]->() RETURN p']) {
        const { status, json } = await ask('', query, { user: 'other', include_properties: true });
        found[query] = `${status} ${hash('sha256', JSON.stringify({ ...json.data, milliseconds: 0 }))}`;
      }
      const { rows: columns } = await sql<{ sum: string }>`
        select md5(string_agg(t::text, ',' order by id)) as sum from node t`.execute(service.database.db);
      found.nodes = columns[0].sum;
      return found;
    };
    const bytesOf = async (path: string): Promise<string> => {
      const { status, json } = await service.call('GET', path, undefined, 'wait=60');
      return `${status} ${hash('sha256', JSON.stringify(json))}`;
    };
    await vi.waitUntil(async () => (await service.call('GET', 'plan', undefined, 'wait=60')).status === 200, {
      timeout: 150_000,
      interval: 500,
    });
    const before = await digests();
    await changes('busy', 'MATCH (n) SET n.owned = true, n.highvalue = true, n:Tag_Tier_Zero');
    await changes('busy', 'MATCH ()-[r]->() SET r.effort = 1');
    await changes(
      'busy',
      "MATCH (a:User), (g:Group) MERGE (a)-[:GenericAll]->(g) MERGE (:User {name: 'NEW'})",
    );
    await changes('busy', 'MATCH (d:Domain) DETACH DELETE d');
    expect((await rows('busy', OWNED)).length).toBeGreaterThan(3);
    expect(await digests()).toEqual(before);
    await endLayer('busy');
    expect(await digests()).toEqual(before);
    // The comparison would also hold for refusals.
    expect(Object.entries(before).filter(([, digest]) => /^[45]\d\d /.test(digest))).toEqual([]);
  }, 200_000);
});

describe('a new generation', () => {
  it('has the layer, without the changes of missing objects', async () => {
    await changes('stays', setOwned(ONE));
    await changes('stays', setOwned(THREE));
    await changes(
      'stays',
      `MATCH (a {objectid: '${ONE}'}), (b {objectid: '${THREE}'}) CREATE (a)-[:Knows]->(b)`,
    );
    await changes(
      'stays',
      `MATCH (a {objectid: '${ONE}'}), (b {objectid: '${TWO}'}) CREATE (a)-[:Knows {since: 1}]->(b)`,
    );
    await changes('stays', `MATCH (:User {objectid: '${ONE}'})-[r:GenericAll]->() SET r.checked = true`);
    const generation = async () => (await answer('', 'RETURN 1')).generation;
    const first = await generation();
    expect(await rows('stays', OWNED)).toEqual([[ONE], [THREE]]);
    // Another user shifts the numbers of objects.
    const deleted = { ObjectIdentifier: THREE, IsDeleted: true, Properties: { domainsid: NORTH } };
    await service.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1050, 1101, 1102]), {
      meta: { type: 'users', version: 6, count: 1, methods: 0x7ffff },
      data: [deleted],
    });
    await service.settled();
    await vi.waitUntil(async () => (await generation()) > first, { timeout: 100_000, interval: 100 });
    expect(await rows('', `MATCH (n {objectid: '${THREE}'}) RETURN n`)).toEqual([]);
    const present = await answer('stays', OWNED);
    expect([present.rows, present.warnings]).toEqual([
      [[ONE]],
      ['2 changes of the layer stays are of objects or relationships that the graph no longer has'],
    ]);
    expect(await rows('stays', 'MATCH (a)-[r:Knows]->(b) RETURN a.objectid, r.since, b.objectid')).toEqual([
      [ONE, 1, TWO],
    ]);
    expect(
      await rows('stays', 'MATCH (a)-[r {checked: true}]->(b) RETURN a.objectid, type(r), b.objectid'),
    ).toEqual([[ONE, 'GenericAll', ADMINS]]);
    // The next change drops them.
    await changes('stays', `MATCH (n {objectid: '${ONE}'}) SET n.seen = true`);
    expect((await answer('stays', OWNED)).warnings ?? []).toEqual([]);
    expect(await rows('', 'MATCH (n:User) WHERE n.objectid ENDS WITH "-1050" RETURN count(n)')).toEqual([
      [2],
    ]);
  }, 200_000);
});

describe('another process of the service', () => {
  it('has the same layers, before and after the first one stops', async () => {
    await changes('kept', setOwned(TWO));
    const second = await service.startAnother({ CLEW_ROLE: 'api' });
    const askSecond = async (query: string): Promise<Json> => {
      const answered = await fetch(`${second.url}/api/v2/graphs/cypher`, {
        method: 'POST',
        headers: {
          authorization: service.authorization,
          'content-type': 'application/json',
          prefer: 'wait=60, layer=kept',
        },
        body: JSON.stringify({ query, rows: true }),
      });
      expect(answered.status).toBe(200);
      return ((await answered.json()) as Json).data;
    };
    try {
      await vi.waitUntil(async () => (await askSecond('MATCH (n:User) RETURN count(n)')).rows[0][0] > 0, {
        timeout: 100_000,
        interval: 100,
      });
      expect((await askSecond(OWNED)).rows).toEqual([[TWO]]);
      await askSecond(setOwned(ONE));
      expect(await rows('kept', OWNED)).toEqual([[ONE], [TWO]]);
      await changes('kept', `MATCH (n {objectid: '${TWO}'}) SET n.owned = false`);
      expect((await askSecond(OWNED)).rows).toEqual([[ONE]]);
    } finally {
      await second.stop();
    }
    await endLayer('kept');
  }, 200_000);
});
