/** The official driver for Node.js against a running service: its rows equal those of `POST /graphs/cypher`. */
import { createRequire } from 'node:module';
import { BUILT_IN_QUERIES } from '@clew/cypher';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fillForest, newToken, type Token } from '../../test/bolt/boltService.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows and records of many shapes.
type Any = any;

const neo4j: Any = createRequire(import.meta.url)('neo4j-driver');

let service: ServiceUnderTest;
let token: Token;
let driver: Any;
const drivers: Any[] = [];

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_BOLT_PORT: '0' }, { makesPlans: false });
  await fillForest(service, 300);
  token = await newToken(service);
  driver = connect(token);
}, 200_000);
afterAll(async () => {
  for (const one of drivers) await one.close();
  await service.stop();
});

const url = (): string => service.service.boltUrl as string;

function connect({ id, key }: Token, address = url(), options: object = {}): Any {
  const made = neo4j.driver(address, neo4j.auth.basic(id, key), {
    ...{ disableLosslessIntegers: true, maxTransactionRetryTime: 2000 },
    ...options,
  });
  drivers.push(made);
  return made;
}

async function over(query: string, parameters: object = {}, by = driver): Promise<Any> {
  const session = by.session();
  try {
    return await session.run(query, parameters);
  } finally {
    await session.close();
  }
}

const asked = async (query: string, parameters: object = {}): Promise<Any> =>
  service.data('POST', 'graphs/cypher', { query, parameters, rows: true });

/** A value of the driver as the table of `graphs/cypher` shows it. */
function shown(value: Any): unknown {
  if (neo4j.isNode(value)) {
    const [kind] = value.labels;
    const { name, objectid } = value.properties;
    return { type: 'node', id: value.identity, kind, name: name ?? objectid, objectid };
  }
  if (neo4j.isRelationship(value))
    return { type: 'relationship', kind: value.type, source: value.start, target: value.end };
  if (neo4j.isPath(value))
    return {
      type: 'path',
      nodes: [value.start, ...value.segments.map(({ end }: Any) => end)].map(shown),
      relationships: value.segments.map(({ relationship }: Any) => shown(relationship)),
    };
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]));
}

const failureOf = (work: Promise<unknown>): Promise<Any> =>
  work.then(
    () => undefined,
    (error) => error,
  );

describe('the official driver', () => {
  it('gets the rows of graphs/cypher for every question that comes with the product', async () => {
    let rows = 0;
    for (const { query } of BUILT_IN_QUERIES) {
      const expected = await asked(query);
      const { records } = await over(query);
      expect([
        query,
        records.map((record: Any) => record.keys.map((key: string) => shown(record.get(key)))),
      ]).toEqual([query, expected.rows]);
      rows += records.length;
    }
    expect(rows).toBeGreaterThan(100);
  }, 300_000);

  it('gets nodes with all labels, properties and the ids that queries use', async () => {
    const { records } = await over(
      'MATCH (n:Group) WHERE n.objectid ENDS WITH "-512" RETURN n, labels(n) AS labels, properties(n) AS all, id(n) AS id, elementId(n) AS element LIMIT 1',
    );
    const { n, labels, all, id, element } = records[0].toObject();
    expect({ ...n }).toMatchObject({ labels, identity: id, elementId: element });
    expect(n.properties).toMatchObject(all);
    const again = await over('MATCH (n) WHERE elementId(n) = $element RETURN n.objectid AS objectid', {
      element,
    });
    expect(again.records[0].get('objectid')).toBe(all.objectid);
  });

  it('gets relationships with the properties of queries', async () => {
    const { records } = await over('MATCH ()-[r]->() RETURN r, properties(r) AS all, id(r) AS id LIMIT 50');
    for (const record of records) {
      const { r, all, id } = record.toObject();
      expect([r.identity, r.elementId]).toEqual([id, String(id)]);
      expect(r.properties).toEqual(all);
    }
  });

  it('gets relationships that know their ends, also in paths against their direction', async () => {
    const { records } = await over(
      'MATCH p = (g:Group)<-[:MemberOf]-(u:User)-[:MemberOf]->(h:Group) RETURN p LIMIT 5',
    );
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) {
      const { segments } = record.get('p');
      expect(segments[0].relationship.endNodeElementId).toBe(segments[0].start.elementId);
      expect(segments[1].relationship.startNodeElementId).toBe(segments[1].start.elementId);
      expect(segments[0].end).toEqual(segments[1].start);
    }
  });

  it('gets values with their types, and passes them as parameters', async () => {
    const { records } = await over(
      'RETURN 1 AS whole, 1.0 AS float, 9007199254740993 AS large, date("2024-02-29") AS day, ' +
        'time("12:30:00+01:00") AS time, localtime("12:30:00.5") AS clock, localdatetime("2024-02-29T12:30:00") AS local, ' +
        'datetime("2024-06-01T12:00:00+02:00") AS moment, datetime("2024-06-01T12:00:00[Europe/Berlin]") AS zoned, ' +
        'duration("P1Y2M3DT4.5S") AS span, {a: [1, null, true]} AS map',
      {},
      connect(token, url(), { disableLosslessIntegers: false }),
    );
    const row = records[0].toObject();
    expect(neo4j.isInt(row.whole)).toBe(true);
    expect([row.float, String(row.large)]).toEqual([1, '9007199254740993']);
    const texts = ['day', 'time', 'clock', 'local', 'moment', 'zoned', 'span'].map((key) => String(row[key]));
    expect(texts).toEqual([
      '2024-02-29',
      '12:30:00+01:00',
      '12:30:00.500000000',
      '2024-02-29T12:30:00',
      '2024-06-01T12:00:00+02:00',
      '2024-06-01T12:00:00+02:00[Europe/Berlin]',
      'P1Y2M3DT4.500000000S',
    ]);
    const { day, time, clock, local, moment, zoned, span } = row;
    const parameters = { day, time, clock, local, moment, zoned, span, large: neo4j.int('9007199254740993') };
    const back = await over(
      'RETURN $day = date("2024-02-29") AND $time = time("12:30:00+01:00") AND $clock = localtime("12:30:00.5") ' +
        'AND $local = localdatetime("2024-02-29T12:30:00") AND $moment = datetime("2024-06-01T12:00:00+02:00") ' +
        'AND $zoned = datetime("2024-06-01T12:00:00[Europe/Berlin]") AND toString($zoned) ENDS WITH "[Europe/Berlin]" ' +
        'AND $span = duration("P1Y2M3DT4.5S") AND $large = 9007199254740993 AS same, 7 / $float AS half, toString($float) AS text, $map AS map',
      { ...parameters, float: 2.0, map: { $: 'x', __proto__: 1, list: [{ $$: 1 }] } },
    );
    expect(back.records[0].toObject()).toEqual({
      same: true,
      half: 3.5,
      text: '2.0',
      map: { $: 'x', list: [{ $$: 1 }] },
    });
  });

  it('reads a long result in parts, discards the rest, and runs several at once in a transaction', async () => {
    const session = driver.session({ fetchSize: 7 });
    const all = await session.run('MATCH (n) RETURN id(n) AS id ORDER BY id LIMIT 700');
    expect(all.records.map((record: Any) => record.get('id'))).toEqual(
      (await asked('MATCH (n) RETURN id(n) AS id ORDER BY id LIMIT 700')).rows.flat(),
    );
    const transaction = await session.beginTransaction();
    const [one, other] = [
      transaction.run('UNWIND range(1, 500) AS x RETURN x'),
      transaction.run('UNWIND range(1, 20) AS x RETURN -x AS x'),
    ];
    expect((await other).records.at(-1).get('x')).toBe(-20);
    expect((await one).records).toHaveLength(500);
    const left = transaction.run('UNWIND range(1, 100000) AS x RETURN x');
    for await (const record of left) if (record.get('x') === 20) break;
    await transaction.commit();
    await session.close();
  });

  it('is refused what writes, and can go on after that', async () => {
    const session = driver.session();
    const failure = await failureOf(session.run('MATCH (n) SET n.x = 1'));
    expect([failure?.code, failure?.message]).toEqual([
      'Neo.ClientError.Statement.AccessMode',
      expect.stringMatching(/^line 1:10 updating clauses are not supported here: a layer/),
    ]);
    const wrong = await failureOf(session.run('MATCH (n RETURN n'));
    expect(wrong.code).toBe('Neo.ClientError.Statement.SyntaxError');
    expect((await session.run('RETURN 1 AS x')).records[0].get('x')).toBe(1);
    await session.close();
  });

  it('asks for names, versions and databases as drivers and tools do', async () => {
    const column = async (query: string): Promise<unknown[]> =>
      (await over(query)).records.map((record: Any) => record.get(0));
    expect(await column('CALL db.labels()')).toContain('Group');
    expect(
      await column('CALL db.labels() YIELD label AS name WHERE name STARTS WITH "Us" RETURN name'),
    ).toEqual(['User']);
    expect(await column('CALL db.relationshipTypes()')).toContain('MemberOf');
    expect(
      await column('CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey ORDER BY propertyKey'),
    ).toContain('objectid');
    expect(await column('CALL dbms.components() YIELD name, versions, edition RETURN versions[0]')).toEqual([
      '5.4.0',
    ]);
    expect(await column('SHOW DATABASES YIELD name, currentStatus WHERE currentStatus = "online"')).toEqual([
      'neo4j',
    ]);
    expect(await column('SHOW INDEXES')).toEqual([]);
    const failure = await failureOf(over('CALL apoc.help("x")'));
    expect(failure.message).toContain('procedure invocation is not supported: CALL apoc.help');
  });

  it('connects by the address of a cluster, too, and says who serves', async () => {
    const routed = connect(token, url().replace('bolt:', 'neo4j:'));
    const info = await routed.getServerInfo();
    expect([info.agent.split('-')[0], { ...info.protocolVersion }]).toEqual([
      'Neo4j/5.4.0',
      { major: 5, minor: 4 },
    ]);
    const { records } = await routed.executeQuery('RETURN 1 AS x', {}, { routing: neo4j.routing.READ });
    expect(records[0].get('x')).toBe(1);
  });
});

describe('a sign-in', () => {
  it('fails for another key, an unknown token and no credentials', async () => {
    for (const wrong of [
      { ...token, key: 'x' },
      { ...token, id: crypto.randomUUID() },
      { id: '', key: '' },
    ]) {
      const failure = await failureOf(connect(wrong).verifyConnectivity());
      expect(failure?.code).toBe('Neo.ClientError.Security.Unauthorized');
    }
  });

  it('takes any user name where the password has token and key, and the token of a session', async () => {
    const named = neo4j.driver(url(), neo4j.auth.basic('neo4j', `${token.id}:${token.key}`));
    drivers.push(named);
    expect((await over('RETURN 1 AS x', {}, named)).records).toHaveLength(1);
    const bearer = neo4j.driver(url(), neo4j.auth.bearer(service.authorization.slice('Bearer '.length)));
    drivers.push(bearer);
    expect((await over('RETURN 1 AS x', {}, bearer)).records).toHaveLength(1);
  });

  it('ends with the token: an open connection answers no more', async () => {
    const short = await newToken(service);
    const other = connect(short);
    expect((await over('RETURN 1 AS x', {}, other)).records).toHaveLength(1);
    expect((await service.call('DELETE', `tokens/${short.id}`)).status).toBe(200);
    const failure = await failureOf(over('RETURN 1 AS x', {}, other));
    expect(failure?.code).toBe('Neo.ClientError.Security.Unauthorized');
  });

  it('shows a user the environments that this user may see, and is in the audit log', async () => {
    await service.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1101, 1102]));
    await service.settled();
    const north = await service.addUser('north', 'Read-Only', [sidOf('NORTH')]);
    const limited = connect(await newToken(service, north));
    const query =
      "MATCH (u:User) WHERE u.objectid STARTS WITH 'S-1-5-21-6' RETURN u.objectid AS id ORDER BY id";
    await vi.waitUntil(async () => (await over(query)).records.length === 4, {
      timeout: 100_000,
      interval: 200,
    });
    const { records } = await over(query, {}, limited);
    expect(records.map((record: Any) => record.get('id'))).toEqual([
      `${sidOf('NORTH')}-1101`,
      `${sidOf('NORTH')}-1102`,
    ]);
    const { rows } = await service.database.pool.query(
      "select fields from audit_log where action = 'RunCypherQuery' and actor_name = 'north' order by id desc limit 1",
    );
    expect(rows[0].fields).toMatchObject({
      protocol: 'bolt',
      query: expect.stringContaining('MATCH (u:User)'),
    });
  });
});
