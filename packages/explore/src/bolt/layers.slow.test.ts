/** Layers over Bolt: by the user name or the database, and with published tools that mark objects before they ask. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { RawBolt } from '@clew/server/testing';
import { installedPython, ServiceUnderTest } from '@clew/service/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillForest, newToken, type Token } from '../../test/bolt/boltService.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of many shapes.
type Any = any;

const tools = installedPython('layer-tools', 'neo4j==5.28.2', 'sprayhound==0.0.4', 'autobloody==1.1.0');
const named = (name: string): string => `${name}${tools === undefined ? ' (not installed)' : ''}`;

let service: ServiceUnderTest;
let token: Token;
let plain: RawBolt;

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_BOLT_PORT: '0' }, { makesPlans: false });
  await fillForest(service, 60);
  token = await newToken(service);
  plain = await RawBolt.signedIn(url(), token.id, token.key);
}, 200_000);
afterAll(async () => {
  plain.socket.destroy();
  await service.stop();
});

const url = (): string => service.service.boltUrl as string;
const inLayer = (name: string) => RawBolt.signedIn(url(), `layer.${name}`, `${token.id}:${token.key}`);
const OWNED = 'MATCH (n {owned: true}) RETURN n.name ORDER BY n.name';

async function rows(layer: string, query: string): Promise<Any[][]> {
  const body = { query, rows: true };
  return (await service.call('POST', 'graphs/cypher', body, `layer=${layer}`)).json.data.rows;
}

/** The answer to a query that changes a layer, while the database does some work at an event. */
async function failing(
  name: string,
  kind: string,
  event: string,
  work: string,
  limitSeconds: number,
): Promise<Any[]> {
  const { db } = service.database;
  const client = await inLayer('transaction');
  await sql`create function fail_${sql.raw(name)}() returns trigger language plpgsql as
    $$ begin perform ${sql.raw(work)}; return new; end $$`.execute(db);
  await sql`create ${sql.raw(kind)} trigger fail ${sql.raw(event)} for each row execute function fail_${sql.raw(name)}()`.execute(
    db,
  );
  try {
    client.send(['RUN', 'CREATE (:Lost)', {}, { tx_timeout: limitSeconds * 1000 }]);
    return await client.next();
  } finally {
    await sql`drop function fail_${sql.raw(name)}() cascade`.execute(db);
    client.socket.destroy();
  }
}

const firstUser = async (): Promise<string> =>
  (await rows('none', 'MATCH (u:User) WHERE u.name IS NOT NULL RETURN u.name ORDER BY u.name LIMIT 1'))[0][0];

describe('a connection', () => {
  it('whose user is named layer.NAME reads and changes the layer, which HTTP has, too', async () => {
    const client = await inLayer('bolt');
    const name = await firstUser();
    client.send([
      'RUN',
      'MATCH (n {name: $name}) SET n.owned = true, n.seen = $seen RETURN n',
      { name, seen: 3 },
      {},
    ]);
    client.send(['PULL', { n: -1 }]);
    const [ran, record, end] = [await client.next(), await client.next(), await client.next()];
    expect([ran[0], record[0], end[0]]).toEqual(['SUCCESS', 'RECORD', 'SUCCESS']);
    expect(JSON.stringify(record)).toContain('"seen":3');
    expect(end[1]).toMatchObject({ type: 'rw', stats: { 'properties-set': 2, 'contains-updates': true } });
    expect(await client.rows(OWNED)).toEqual([[name]]);
    expect(await rows('bolt', OWNED)).toEqual([[name]]);
    expect(await plain.rows(OWNED)).toEqual([]);
    client.socket.destroy();
  });

  it('can name the layer of each query as its database', async () => {
    const create =
      'CREATE (p:Password {name: "WINTER"})-[r:Opens]->(q:Safe {at: date("2026-01-02")}) RETURN p, r, q';
    plain.send(['RUN', create, {}, { db: 'layer.safe' }], ['PULL', { n: -1 }]);
    const [, [, record], [, end]] = [await plain.next(), await plain.next(), await plain.next()];
    expect(JSON.stringify(record)).toMatch(/Password.*WINTER.*Opens.*Safe/s);
    expect(end).toMatchObject({ stats: { 'nodes-created': 2, 'relationships-created': 1 } });
    plain.send(
      ['RUN', 'MATCH p = (:Password)-->(:Safe) RETURN p', {}, { db: 'layer.safe' }],
      ['PULL', { n: -1 }],
    );
    expect([await plain.next(), await plain.next(), await plain.next()].map(([name]) => name)).toEqual([
      'SUCCESS',
      'RECORD',
      'SUCCESS',
    ]);
    expect(await plain.rows('MATCH (p:Password) RETURN p')).toEqual([]);
  });

  it('keeps what a query of a transaction changed, and says so at ROLLBACK', async () => {
    const client = await inLayer('transaction');
    client.send(['BEGIN', {}], ['RUN', 'CREATE (:Kept)', {}, {}], ['DISCARD', { n: -1 }], ['ROLLBACK']);
    expect(await client.names(4)).toEqual([
      ...['SUCCESS', 'SUCCESS', 'SUCCESS', 'FAILURE Neo.ClientError.Transaction.TransactionRollbackFailed'],
    ]);
    client.send(['RESET']);
    expect(await client.names(1)).toEqual(['SUCCESS']);
    client.send(
      ['BEGIN', {}],
      ['RUN', 'MATCH (n:Kept) RETURN n', {}, {}],
      ['DISCARD', { n: -1 }],
      ['ROLLBACK'],
    );
    expect(await client.names(4)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect(await client.rows('MATCH (n:Kept) RETURN count(n)')).toEqual([[1]]);
    client.socket.destroy();
  });

  it.each<readonly [string, string, string, string, string, readonly [number, number][]]>([
    // It runs at COMMIT, so that the database does not confirm the change.
    [
      'query_layer',
      'constraint',
      'after insert or update on query_layer deferrable initially deferred',
      'pg_terminate_backend(pg_backend_pid()), ',
      'the layer may have changed: do not repeat the query',
      [[30, 5]],
    ],
    // The time limit expires while the change is recorded. On a busy machine a short one expires before it, and shows nothing.
    [
      'audit_log',
      '',
      'before insert on audit_log',
      '',
      'the layer keeps the change, so do not repeat the query',
      [
        [8, 12],
        [40, 44],
      ],
    ],
  ])(
    'gets no error that drivers repeat after a change: %s',
    async (name, kind, event, work, message, attempts) => {
      let answer: Any[] = [];
      for (const [limitSeconds, sleepSeconds] of attempts) {
        answer = await failing(name, kind, event, `${work}pg_sleep(${sleepSeconds})`, limitSeconds);
        if (answer[1].code !== 'Neo.ClientError.Transaction.TransactionTimedOut') break;
      }
      expect(answer).toEqual([
        'FAILURE',
        { code: 'Neo.DatabaseError.General.UnknownError', message: expect.stringContaining(message) },
      ]);
    },
    180_000,
  );

  it('is read only without a layer, and with a name that no layer has', async () => {
    for (const db of [undefined, 'layer.', 'layer.no such name']) {
      plain.send(['RUN', 'CREATE (n)', {}, db === undefined ? {} : { db }]);
      expect(await plain.names(1)).toEqual(['FAILURE Neo.ClientError.Statement.AccessMode']);
      plain.send(['RESET']);
      expect(await plain.names(1)).toEqual(['SUCCESS']);
    }
  });
});

/** The service runs in the process of the test, so a program must not block it. */
async function ran(script: string, input: object): Promise<Any> {
  const child = spawn(join(tools as string, 'python'), ['-c', script], { timeout: 120_000 });
  child.stdin.end(JSON.stringify(input));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect([status, status === 0 ? '' : stderr.slice(-2000)]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('a published tool, unmodified,', () => {
  it.skipIf(tools === undefined)(
    named('marks users as owned, and asks for paths from them: sprayhound 0.0.4'),
    async () => {
      const script = `
import json, sys, logging
from sprayhound.modules.neo4jconnection import Neo4jConnection
asked = json.load(sys.stdin)
options = Neo4jConnection.Options(asked["host"], asked["user"], asked["password"], asked["port"], logging.getLogger())
graph = Neo4jConnection(options)
found = [[graph.set_as_owned(*name.split("@")), graph.bloodhound_analysis(*name.split("@"))] for name in asked["names"]]
graph.clean()
json.dump(found, sys.stdout)`;
      const users = (
        await rows('none', 'MATCH (u:User) WHERE u.name CONTAINS "@" RETURN u.name ORDER BY u.name')
      )
        .flat()
        .slice(0, 30);
      const names = [...users, 'NO.ONE@AURORA.EXAMPLE'];
      const { hostname: host, port } = new URL(url());
      const password = `${token.id}:${token.key}`;
      const found = await ran(script, { host, port: Number(port), user: 'layer.spray', password, names });
      const [ok] = [0];
      expect(found.map(([marked]: Any[]) => marked[0] === ok)).toEqual(
        names.map((name) => users.includes(name)),
      );
      expect(await rows('spray', OWNED)).toEqual(users.map((name) => [name]));
      expect(await plain.rows(OWNED)).toEqual([]);
      const kinds =
        'MemberOf|HasSession|AdminTo|AllExtendedRights|AddMember|ForceChangePassword|GenericAll|GenericWrite|Owns|WriteDacl|WriteOwner|CanRDP|ExecuteDCOM|AllowedToDelegate|ReadLAPSPassword|Contains|AddAllowedToAct|AllowedToAct|SQLAdmin';
      const withPath = await rows(
        'none',
        `MATCH p = shortestPath((u:User)-[:${kinds}*1..]->(g:Group)) WHERE g.objectid ENDS WITH '-512' RETURN DISTINCT u.name`,
      );
      const expected = users.map((name) => withPath.flat().includes(name));
      expect(found.slice(0, users.length).map(([, path]: Any[]) => path[0] === ok)).toEqual(expected);
      expect(new Set(expected).size).toBe(2);
    },
    200_000,
  );

  it.skipIf(tools === undefined)(
    named('writes weights to relationships, and asks for a path by them: autobloody 1.1.0'),
    async () => {
      const script = `
import json, sys
from autobloody.database import Database
asked = json.load(sys.stdin)
graph = Database(asked["url"], asked["user"], asked["password"])
path = graph.getPrivescPath(asked["source"], asked["target"])
json.dump([[one.type, one["bloodycost"], one.start_node["name"], one.end_node["name"]] for one in path], sys.stdout)
graph.close()`;
      const pairs = await rows(
        'none',
        `MATCH p = shortestPath((u:User)-[:MemberOf|GenericAll|WriteDacl|Owns*1..]->(g:Group)) WHERE g.objectid ENDS WITH '-512'
         RETURN u.name, g.name ORDER BY length(p) DESC, u.name LIMIT 1`,
      );
      const [[source, target]] = pairs;
      const asked = {
        url: url(),
        user: 'layer.bloody',
        password: `${token.id}:${token.key}`,
        source,
        target,
      };
      const path = await ran(script, asked);
      expect(path.length).toBeGreaterThan(0);
      expect([path[0][2], path.at(-1)[3]]).toEqual([source, target]);
      for (const [, cost] of path) expect(cost).toBeTypeOf('number');
      const [[weighted]] = await rows(
        'bloody',
        'MATCH ()-[r]->() WHERE r.bloodycost IS NOT NULL RETURN count(r)',
      );
      expect(weighted).toBeGreaterThan(100);
      expect(await plain.rows('MATCH ()-[r]->() WHERE r.bloodycost IS NOT NULL RETURN count(r)')).toEqual([
        [0],
      ]);
      // The easiest path by the weights of the tool.
      const easiest = await rows(
        'bloody',
        `MATCH p = EASIEST BY bloodycost ({name: '${source}'})-[*]->({name: '${target}'})
         RETURN reduce(sum = 0, r IN relationships(p) | sum + r.bloodycost)`,
      );
      expect(easiest[0][0]).toBeLessThanOrEqual(path.reduce((sum: number, [, cost]: Any[]) => sum + cost, 0));
    },
    200_000,
  );
});
