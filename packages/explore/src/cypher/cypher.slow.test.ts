/** Tests queries over HTTP, on a running service with a real collection. */
import { gzipSync } from 'node:zlib';
import { ace, collection, computerRecord, groupRecord, userRecord } from '@clew/intake/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

const [ONE, TWO] = ['S-1-5-21-1-1-1', 'S-1-5-21-2-2-2'];
const [ANN, BOB, EVE] = [`${ONE}-1101`, `${ONE}-1102`, `${TWO}-1101`];
const [ADMINS, STAFF] = [`${ONE}-512`, `${ONE}-1200`];
const HOST = `${ONE}-1300`;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  const properties = (name: string, domain: string, more: object = {}) => ({
    Properties: { name, domainsid: domain, ...more },
  });
  const domain = (id: string, name: string) => ({
    ObjectIdentifier: id,
    Properties: { name, domainsid: id, collected: true },
    Aces: [],
  });
  const files = [
    collection('domains', domain(ONE, 'ONE.EXAMPLE'), domain(TWO, 'TWO.EXAMPLE')),
    collection(
      'users',
      userRecord(
        ANN,
        properties('ANN@ONE.EXAMPLE', ONE, {
          hasspn: true,
          enabled: true,
          userpassword: 'secret word',
          lastlogon: 1_700_000_000,
          displayname: 'Ann Garçon',
          email: 'ann.garcon@mail.example',
          serviceprincipalnames: ['MSSQLSvc/ledger.one.example:1433'],
        }),
      ),
      userRecord(BOB, properties('BOB@ONE.EXAMPLE', ONE, { hasspn: false, enabled: true, lastlogon: -1 })),
      userRecord(EVE, properties('EVE@TWO.EXAMPLE', TWO)),
    ),
    collection(
      'groups',
      groupRecord(ADMINS, {
        ...properties('DOMAIN ADMINS@ONE.EXAMPLE', ONE),
        Members: [{ ObjectIdentifier: STAFF, ObjectType: 'Group' }],
      }),
      groupRecord(STAFF, {
        ...properties('STAFF@ONE.EXAMPLE', ONE),
        Members: [{ ObjectIdentifier: BOB, ObjectType: 'User' }],
        Aces: [ace(ANN, 'GenericAll'), ace(EVE, 'GenericWrite', true)],
      }),
    ),
    collection('computers', computerRecord(HOST, properties('HOST.ONE.EXAMPLE', ONE))),
  ];
  await service.upload(...files);
  await vi.waitUntil(async () => (await rowsOf('MATCH (n:Tag_Tier_Zero) RETURN count(n)'))[0]?.[0] > 0, {
    timeout: 100_000,
    interval: 100,
  });
});
afterAll(() => service.stop());

const ask = (query: string, more: object = {}) => service.call('POST', 'graphs/cypher', { query, ...more });

async function rowsOf(query: string, parameters = {}): Promise<Json[][]> {
  const { status, json } = await ask(query, { rows: true, parameters });
  expect([query, status, status === 200 ? '' : json]).toEqual([query, 200, '']);
  return json.data.rows;
}

async function faultOf(query: string, more: object = {}): Promise<[number, string]> {
  const { status, json } = await ask(query, more);
  return [status, json.errors[0].message];
}

describe('an answer', () => {
  it('is a graph of the parts in the rows, each once, with both ends of each edge', async () => {
    const { json } = await ask(
      "MATCH p = (u:User)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' RETURN p, p AS again",
    );
    expect(
      Object.values<Json>(json.data.nodes)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(['BOB@ONE.EXAMPLE', 'DOMAIN ADMINS@ONE.EXAMPLE', 'STAFF@ONE.EXAMPLE']);
    expect(json.data.edges.map(({ kind }: Json) => kind)).toEqual(['MemberOf', 'MemberOf']);
    expect(json.data.literals).toEqual([]);
    const alone = (await ask(`MATCH ({name: 'ANN@ONE.EXAMPLE'})-[r:GenericAll]->() RETURN r`)).json.data;
    expect([Object.keys(alone.nodes).length, alone.edges.length]).toEqual([2, 1]);
    expect(alone.edges[0]).toMatchObject({ source: expect.any(String), kind: 'GenericAll' });
    expect(alone.nodes).toHaveProperty(alone.edges[0].source);
  });

  it('shows a map as a map, so that no one can name an object by its number', async () => {
    const query = 'RETURN {`$`: {type: "node", node: 0}, `$$`: [{`$`: null}]} AS map';
    const { status, json } = await ask(query, { rows: true });
    const map = { $: { type: 'node', node: 0 }, $$: [{ $: null }] };
    expect([status, json.data?.literals, json.data?.rows]).toEqual([
      200,
      [{ key: 'map', value: map }],
      [[map]],
    ]);
    expect(json.data.nodes).toEqual({});
  });

  it('is equal if it is long and written in pieces', async () => {
    const query = (rows: number) => `UNWIND range(1, ${rows}) AS x MATCH (u:User {hasspn: true}) RETURN x, u`;
    const table = { rows: true, include_properties: true };
    const [short, long] = [
      (await ask(query(700), table)).json.data,
      (await ask(query(1700), table)).json.data,
    ];
    const rows = Array.from({ length: 1700 }, (_, at) => at + 1);
    expect(long.literals).toEqual(rows.map((value) => ({ key: 'x', value })));
    expect(long.rows.map(([x]: Json) => x)).toEqual(rows);
    expect(long.rows.slice(0, 700)).toEqual(short.rows);
    for (const key of ['nodes', 'edges', 'node_keys', 'columns', 'generation'])
      expect(long[key]).toEqual(short[key]);
    expect(Object.keys(long).sort()).toEqual(Object.keys(short).sort());
  });

  it('has other values row by row, and properties on request', async () => {
    const { data } = (
      await ask('MATCH (u:User) WHERE u.enabled RETURN u.name AS name, u.hasspn ORDER BY name', {
        include_properties: true,
      })
    ).json;
    expect(data.literals).toEqual([
      { key: 'name', value: 'ANN@ONE.EXAMPLE' },
      { key: 'u.hasspn', value: true },
      { key: 'name', value: 'BOB@ONE.EXAMPLE' },
      { key: 'u.hasspn', value: false },
    ]);
    const one = (await ask('MATCH (u:User {hasspn: true}) RETURN u', { include_properties: true })).json.data;
    expect(Object.values<Json>(one.nodes)[0].properties).toMatchObject({ hasspn: true, enabled: true });
    expect(one.node_keys).toContain('hasspn');
    // Properties include values stored elsewhere, as clients of the public service expect.
    const [whole] = Object.values<Json>(one.nodes);
    expect(whole.properties).toMatchObject({ objectid: whole.objectId, lastseen: whole.lastSeen });
    const admins = "MATCH (g:Group) WHERE g.system_tags = 'admin_tier_0' RETURN g LIMIT 1";
    const tagged = (await ask(admins, { include_properties: true })).json.data;
    if (tagged !== undefined)
      expect(Object.values<Json>(tagged.nodes)[0].properties.system_tags).toBe('admin_tier_0');
  });

  it('counts distinct objects, even if they are in many rows', async () => {
    // A row for each combination of four objects, each of which is in the graph once; as a table there are too many.
    const query = 'MATCH (u:User), (a), (b), (c), (d) WITH u, a AS other RETURN u, other';
    const { status, json } = await ask(query);
    const all = (await rowsOf('MATCH (n) RETURN count(n)'))[0][0];
    expect([status, Object.keys(json.data.nodes).length]).toEqual([200, all]);
    expect(await faultOf(query, { rows: true })).toEqual([
      400,
      expect.stringContaining('more than 100000 values'),
    ]);
  });

  it('accepts thousands of ids', async () => {
    const ids = Array.from({ length: 60_000 }, (_, at) => `S-1-5-21-1782151533-1808037384-694406986-${at}`);
    const query = `MATCH (n) WHERE n.objectid IN ${JSON.stringify(ids)} RETURN count(n) AS count`;
    expect(query.length).toBeGreaterThan(2.5e6);
    const { status, json } = await ask(query);
    expect([status, json.data?.literals]).toEqual([200, [{ key: 'count', value: 0 }]]);
  });

  it('is 404 without results, and 200 for a client that requests rows', async () => {
    const query = "MATCH (n:User {name: 'NO ONE'}) RETURN n";
    expect((await ask(query)).status).toBe(404);
    expect(await rowsOf(query)).toEqual([]);
  });

  it('names unknown labels, types and properties', async () => {
    const { json } = await ask('MATCH (n:Usr)-[:MemberOff]->() RETURN n', { rows: true });
    expect(json.data.warnings.sort()).toEqual([
      'no node has the label Usr: did you mean User?',
      'no relationship has the type MemberOff: did you mean MemberOf?',
    ]);
  });

  it('explains why it is empty, also in the message of a 404', async () => {
    const query = "MATCH (u:User) WHERE u.hasspns = true AND u.name =~ 'an.*' RETURN u";
    const reasons = [
      'no object has the property hasspns: did you mean hasspn?',
      'of 3 (u:User), 0 are left after `u.hasspns = true`; none of them has the property hasspns',
    ];
    expect((await ask(query, { rows: true })).json.data.warnings).toEqual(reasons);
    const { status, json } = await ask(query);
    expect([status, json.errors[0].message]).toEqual([404, `resource not found: ${reasons.join('; ')}`]);
  });

  it('shows how a query would run, without running it', async () => {
    const { data } = (
      await ask("MATCH (g:Group)<-[:MemberOf*1..]-(u:User) WHERE g.objectid ENDS WITH '-512' RETURN u", {
        explain: true,
      })
    ).json;
    expect(data.plan[0]).toMatchObject({
      step: 'begin',
      detail: expect.stringContaining('by objectid'),
      rows: 0,
    });
    expect(data.rows).toEqual([]);
    expect(data.hints).toEqual([]);
  });

  it('shows how a product could be one pattern, with its plan', async () => {
    const query = 'MATCH (u:User), (g:Group) MATCH (u)-[:MemberOf*1..]->(g) RETURN u';
    const { data } = (await ask(query, { explain: true })).json;
    const better = 'MATCH (u:User)-[:MemberOf*1..]->(g:Group)\nRETURN u';
    expect(data.hints).toEqual([
      { message: expect.stringContaining('(u:User), (g:Group)'), query: better, plan: data.plan },
    ]);
  });

  it('contains the results up to a limit on request, and reports this', async () => {
    const query = 'MATCH (u:User) UNWIND range(1, 90000) AS x RETURN x';
    expect((await ask(query, { rows: true })).status).toBe(400);
    const { status, json } = await ask(query, { rows: true, partial: true });
    expect([status, json.data.rows.length > 90_000]).toEqual([200, true]);
    expect(json.data.warnings).toEqual([
      expect.stringMatching(
        /^the answer is partial, complete for 1 of \d+ starts \(u:User\): the answer has more/,
      ),
    ]);
  });
});

describe('a profile', () => {
  it('has rows and time of each step, in addition to the answer', async () => {
    const { data } = (await ask('MATCH (u:User)-[:MemberOf]->(g:Group) RETURN count(*)', { profile: true }))
      .json;
    expect(data.plan.length).toBeGreaterThan(1);
    for (const line of data.plan) {
      expect(line.rows).toBeGreaterThan(0);
      expect(line.milliseconds).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the graph', () => {
  it.each([
    ['one zone in three forms', 'MATCH (n:Tag_Tier_Zero) RETURN collect(n.name) = [x IN [] | x]', false],
    [
      'a label and the older names of it',
      "MATCH (n) WHERE (n:Tag_Tier_Zero) <> (coalesce(n.system_tags, '') CONTAINS 'admin_tier_0') OR (n:Tag_Tier_Zero) <> n.highvalue RETURN count(n)",
      0,
    ],
    [
      'labels, the shown one first',
      `MATCH (n {objectid: '${ADMINS}'}) RETURN labels(n)`,
      ['Group', 'Base', 'Tag_Tier_Zero'],
    ],
    ['rights by their flags', 'MATCH ()-[r {isacl: true}]->({name: "STAFF@ONE.EXAMPLE"}) RETURN count(r)', 2],
    [
      'inheritance',
      'MATCH (u)-[r {inherited: true}]->({name: "STAFF@ONE.EXAMPLE"}) RETURN u.name',
      'EVE@TWO.EXAMPLE',
    ],
    [
      'attack paths by one name',
      `MATCH p = shortestPath((u {objectid: '${ANN}'})-[:ALL_ATTACK_PATHS*1..]->(g {objectid: '${ADMINS}'})) RETURN length(p)`,
      2,
    ],
    ['parameters', 'MATCH (u:User) WHERE u.name = $name RETURN u.objectid', ANN],
    [
      'numbers that mean never',
      'MATCH (u:User) WHERE NOT u.lastlogon IN [-1.0, 0.0] RETURN u.name',
      'ANN@ONE.EXAMPLE',
    ],
    [
      'times as texts',
      'MATCH (u:User) WHERE u.lastseen < datetime() AND u.lastseen > datetime() - duration("P1D") RETURN count(u)',
      3,
    ],
    [
      'a password as set, never as it is',
      'MATCH (u:User) WHERE u.userpassword IS NOT NULL RETURN u.userpassword',
      '(set, value hidden)',
    ],
    ['all properties of an object', `MATCH (u {objectid: '${ANN}'}) RETURN 'hasspn' IN keys(u)`, true],
  ])('has %s', async (_, query, value) => {
    expect(await rowsOf(query, { name: 'ANN@ONE.EXAMPLE' })).toEqual([[value]]);
  });
});

describe('refusals', () => {
  it.each([
    ['MATCH (n\nRETURN n', 400, "line 2:0 mismatched input 'RETURN' expecting ')'"],
    ['', 400, 'invalid input'],
    ['MATCH (n) DETACH DELETE n', 400, 'line 1:10 updating clauses are not supported'],
    ['CALL db.labels()', 400, 'line 1:0 procedure invocation is not supported'],
    ['MATCH (n) RETURN m', 400, 'line 1:17 the variable `m` is not defined'],
    ['RETURN foo(1)', 400, 'line 1:7 unknown cypher function: foo'],
    ['RETURN 1 / 0', 400, 'division by zero'],
    ["MATCH (n) WHERE n.name =~ '(a+)+\\\\1' RETURN n", 400, 'the regular expression cannot be used'],
  ])('%s', async (query, status, message) => {
    const [given, text] = await faultOf(query);
    expect([given, text]).toEqual([status, expect.stringContaining(message)]);
  });

  it('a query that costs too much ends at its limit, while others are answered', async () => {
    // 10^14 rows.
    const costly = `UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH a, b WHERE a + b < 0 RETURN a`;
    const answer = fetch(`${service.service.url}/api/v2/graphs/cypher`, {
      method: 'POST',
      headers: { authorization: service.authorization, 'content-type': 'application/json', prefer: 'wait=5' },
      body: JSON.stringify({ query: costly }),
    });
    let hasEnded = false;
    void answer.then(() => {
      hasEnded = true;
    });
    for (let request = 0; request < 5; request++)
      expect((await service.call('GET', 'self')).status).toBe(200);
    expect(await rowsOf('RETURN 1')).toEqual([[1]]);
    expect(hasEnded).toBe(false);
    const { status } = await answer;
    expect([400, 500]).toContain(status);
    // Its thread is free again.
    await vi.waitUntil(async () => (await rowsOf('RETURN 2'))[0][0] === 2, { timeout: 100_000 });
  });

  it('a too long list or answer', async () => {
    expect(await faultOf('RETURN range(1, 1000000000)')).toEqual([
      400,
      expect.stringContaining('a list may have at most'),
    ]);
    expect(await faultOf('UNWIND range(1, 100001) AS x RETURN x')).toEqual([
      400,
      expect.stringContaining('the answer has more than 100000 values: use LIMIT'),
    ]);
    expect(await faultOf('UNWIND range(1, 4000000) AS x RETURN collect(x)')).toEqual([
      400,
      expect.stringContaining('needs more than 2000000 rows'),
    ]);
  });

  it('invalid bodies', async () => {
    const send = async (body: string | Buffer, headers = {}) => {
      const answer = await fetch(`${service.service.url}/api/v2/graphs/cypher`, {
        method: 'POST',
        headers: { authorization: service.authorization, 'content-type': 'application/json', ...headers },
        body,
      });
      return answer.status;
    };
    expect(await send('{"query":')).toBe(400);
    expect(await send('{"query": 1}')).toBe(400);
    expect(await send(gzipSync('{"query": "RETURN 1"}'), { 'content-encoding': 'gzip' })).toBe(200);
  });
});

describe('the search', () => {
  const namesOf = async (q: string) =>
    (await service.data('GET', `search?q=${encodeURIComponent(q)}`)).map(({ name }: Json) => name);

  it.each([
    ['Ann Garçon', ['ANN@ONE.EXAMPLE']],
    ['garcon ann', ['ANN@ONE.EXAMPLE']],
    ['ann.garcon@mail.example', ['ANN@ONE.EXAMPLE']],
    ['DOMAN ADMINS', ['DOMAIN ADMINS@ONE.EXAMPLE']],
    ['ledger.one.example', ['ANN@ONE.EXAMPLE']],
    ['NO ONE AT ALL', []],
  ])('finds %s', async (q, names) => {
    expect(await namesOf(q)).toEqual(names);
  });
});

describe('a selector of a zone', () => {
  const inTierZero = async (name: string) =>
    (await rowsOf(`MATCH (n:Tag_Tier_Zero {name: '${name}'}) RETURN count(n)`))[0][0] === 1;
  const PATIENCE = { timeout: 100_000, interval: 100 };

  it('runs queries with each generation; if one fails, this is reported, and the last selection stays', async () => {
    const seeds = [{ type: 2, value: 'MATCH (u:User) WHERE u.hasspn = true RETURN u' }];
    const { members } = await service.data('POST', 'asset-group-tags/preview-selectors', {
      seeds,
      expansion: 0,
    });
    expect(members.map(({ name }: Json) => name)).toEqual(['ANN@ONE.EXAMPLE']);
    const made = await service.call('POST', 'asset-group-tags/1/selectors', {
      name: 'Roastable',
      seeds,
      auto_certify: 1,
    });
    expect([made.status, made.status === 201 ? '' : made.json]).toEqual([201, '']);
    const { id } = made.json.data;
    await vi.waitUntil(() => inTierZero('ANN@ONE.EXAMPLE'), PATIENCE);
    expect(await inTierZero('EVE@TWO.EXAMPLE')).toBe(false);

    const path = `asset-group-tags/1/selectors/${id}`;
    const failing = [{ type: 2, value: 'UNWIND [1] AS x MATCH (n) WHERE 1 / (x - 1) = 1 RETURN n' }];
    expect((await service.call('PATCH', path, { seeds: failing })).status).toBe(200);
    const stateOf = async () => (await service.data('GET', path)).selector;
    await vi.waitUntil(async () => (await stateOf()).query_error?.endsWith('division by zero'), PATIENCE);
    expect((await stateOf()).query_error).toBe('line 1:32 division by zero');
    expect(await inTierZero('ANN@ONE.EXAMPLE')).toBe(true);

    await service.call('PATCH', path, {
      seeds: [{ type: 2, value: "MATCH p = (u {name: 'EVE@TWO.EXAMPLE'})-[:NoSuchType*0..]->() RETURN p" }],
    });
    await vi.waitUntil(async () => !(await inTierZero('ANN@ONE.EXAMPLE')), PATIENCE);
    expect(await inTierZero('EVE@TWO.EXAMPLE')).toBe(true);
    // The graph is published some moments before the transaction that writes it ends.
    await vi.waitUntil(async () => !('query_error' in (await stateOf())), PATIENCE);
    expect(await stateOf()).not.toHaveProperty('query_warnings');

    await service.call('PATCH', path, {
      seeds: [{ type: 2, value: "MATCH (u:User) WHERE u.hasspn = 'true' RETURN u" }],
    });
    await vi.waitUntil(async () => 'query_warnings' in (await stateOf()), PATIENCE);
    expect((await stateOf()).query_warnings).toEqual([
      "of 3 (u:User), 0 are left after `u.hasspn = 'true'`; 1 would match without quotes",
    ]);
    expect((await service.call('DELETE', path)).status).toBe(204);
  });

  it.each([
    [
      'no query',
      { type: 2, value: 'MATCH (n RETURN n' },
      "the query cannot be used: line 1:9 mismatched input 'RETURN'",
    ],
    ['a query that writes', { type: 2, value: 'MATCH (n) DELETE n' }, 'updating clauses are not supported'],
    ['a query that is too long', { type: 2, value: `RETURN '${'x'.repeat(3000)}'` }, 'at most 2000 bytes'],
  ])('refuses %s', async (_, seed, message) => {
    const { status, json } = await service.call('POST', 'asset-group-tags/1/selectors', {
      name: 'x',
      seeds: [seed],
    });
    expect([status, json.errors[0].message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('a query', () => {
  it('is audited without the searched values', async () => {
    await rowsOf("MATCH (u:User {name: 'ANN@ONE.EXAMPLE'}) WHERE u.lastlogon > 1699999999 RETURN u");
    const { logs } = await service.data('GET', 'audit?action=eq:RunCypherQuery&limit=1000');
    const texts = logs.map(({ fields }: Json) => JSON.stringify(fields));
    expect(texts.some((text: string) => text.includes('u.lastlogon'))).toBe(true);
    expect(texts.join()).not.toMatch(/ANN@|1699999999/);
  });
});
