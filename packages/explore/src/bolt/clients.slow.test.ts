/**
 * Unmodified Bolt clients in other languages, and published tools, against a running service. The answers of drivers are compared
 * with those of `POST /graphs/cypher`, and those of tools with the same question in other words.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sampledCases } from '@clew/common/testing';
import { BUILT_IN_QUERIES } from '@clew/cypher';
import { installedGo, installedPython, ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillForest, newToken, type Token } from '../../test/bolt/boltService.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of many shapes.
type Any = any;

const TIME_MS = 120_000;
const python = installedPython('python', 'neo4j==6.4.1');
const older = installedPython('python-4.4', 'neo4j==4.4.13');
const go = installedGo(join(import.meta.dirname, '../../test/bolt/go/main.go.txt'));
const tools = installedPython('tools', 'neo4j==5.28.2', 'bloodhound-cli==1.2.6', 'neo4j-backup==1.0.0');
const reports = installedPython('reports', 'neo4j==5.28.2', 'plumhound==1.7.8');

let service: ServiceUnderTest;
let token: Token;
let domain: string;

beforeAll(async () => {
  const variables = { CLEW_BOLT_PORT: '0', CLEW_CYPHER_MAX_ANSWER: '1000000' };
  service = await ServiceUnderTest.start(variables, { makesPlans: false });
  await fillForest(service, 50);
  token = await newToken(service);
  [[domain]] = await rows(
    'MATCH (u:User) RETURN u.domain AS domain, count(*) AS users ORDER BY users DESC LIMIT 1',
  );
}, 200_000);
afterAll(() => service.stop());

const url = (): string => service.service.boltUrl as string;

async function rows(query: string): Promise<Any[][]> {
  return (await service.data('POST', 'graphs/cypher', { query, rows: true })).rows;
}

/** The service runs in the process of the test, so a program must not block it. */
async function output(
  command: string,
  args: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<string> {
  const child = spawn(command, args, { timeout: TIME_MS, env: { ...process.env, ...env }, cwd });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect([status, status === 0 ? '' : stderr.slice(-2000)]).toEqual([0, '']);
  return stdout;
}

/** Drivers return labels in different orders. */
function withoutKinds(value: Any): Any {
  if (Array.isArray(value)) return value.map(withoutKinds);
  if (typeof value !== 'object' || value === null) return value;
  const { kind, ...rest } = value;
  const kept = value.type === 'node' ? rest : value;
  return Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, withoutKinds(inner)]));
}

/** A third of the queries; `drivers.slow.test.ts` compares all of them. @param shift other queries for another driver */
async function compareRows(command: string, args: readonly string[], shift: number): Promise<void> {
  const queries = [
    ...sampledCases(BUILT_IN_QUERIES, 3, shift).map(({ query }) => query),
    'MATCH p = (g:Group)<-[:MemberOf]-(u:User)-[:MemberOf]->(h:Group) RETURN p, u.name, {list: [1, 2.5, null]} AS map LIMIT 20',
  ];
  const input = JSON.stringify({ url: url(), id: token.id, key: token.key, queries });
  const { answers, refusal } = JSON.parse(await output(command, args, input));
  expect(refusal).toBe('Neo.ClientError.Statement.AccessMode');
  let count = 0;
  for (const [at, query] of queries.entries()) {
    const expected = withoutKinds(await rows(query));
    expect([query, withoutKinds(answers[at])]).toEqual([query, expected]);
    count += expected.length;
  }
  expect(count).toBeGreaterThan(50);
}

const named = (name: string, found: unknown): string =>
  `${name}${found === undefined ? ' (not installed)' : ''}`;
const ASK = join(import.meta.dirname, '../../test/bolt/ask.py');

describe('the official driver', () => {
  it.skipIf(python === undefined)(
    named('for Python gets the rows of graphs/cypher', python),
    async () => {
      await compareRows(join(python as string, 'python'), [ASK], 0);
    },
    200_000,
  );

  it.skipIf(python === undefined)(
    named('runs the report of the examples', python),
    async () => {
      const program = join(import.meta.dirname, '../../../../examples/bolt/kerberoastable.py');
      const env = { NEO4J_URI: url(), NEO4J_USER: token.id, NEO4J_PASSWORD: token.key };
      const [head, ...lines] = (await output(join(python as string, 'python'), [program], '', env))
        .trim()
        .split(/\r?\n/);
      expect(head).toBe('account,services,steps to Tier Zero');
      const accounts = await rows('MATCH (u:User {hasspn: true, enabled: true}) RETURN u.name');
      expect(lines.length).toBe(accounts.length);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.some((line) => /,\d+$/.test(line))).toBe(true);
    },
    200_000,
  );

  it.skipIf(older === undefined)(
    named('for Python of version 4.4 does, too', older),
    async () => {
      const script = `
import json, sys
from neo4j import GraphDatabase
asked = json.load(sys.stdin)
with GraphDatabase.driver(asked["url"], auth=(asked["id"], asked["key"])) as driver:
    with driver.session() as session:
        result = session.run(asked["query"])
        rows = [[value.id, sorted(value.labels), dict(value), str(moment)] for value, moment in result]
        version = result.consume().server.protocol_version
json.dump([list(version), rows], sys.stdout)`;
      const query =
        'MATCH (n:Domain) RETURN n, datetime("2024-06-01T12:00:00[Europe/Berlin]") AS moment ORDER BY n.objectid';
      const input = JSON.stringify({ url: url(), ...token, query });
      const [version, found] = JSON.parse(
        await output(join(older as string, 'python'), ['-c', script], input),
      );
      expect(version).toEqual([4, 4]);
      const expected = await rows('MATCH (n:Domain) RETURN id(n), n.objectid ORDER BY n.objectid');
      expect(found.map(([id, , properties]: Any) => [id, properties.objectid])).toEqual(expected);
      expect(found[0][1]).toEqual(['Base', 'Domain', 'Tag_Tier_Zero']);
      expect(found[0][3]).toContain('2024-06-01T12:00:00');
    },
    200_000,
  );

  it.skipIf(go === undefined)(
    named('for Go gets the rows of graphs/cypher', go),
    async () => {
      await compareRows(go as string, [], 1);
    },
    200_000,
  );
});

describe('a published tool, unmodified,', () => {
  /** Its option `--user` also belongs to a subcommand: the password names the token. */
  const legacy = async (...args: readonly string[]): Promise<string[]> => {
    const connection = ['--edition', 'legacy', '--uri', url(), '--password', `${token.id}:${token.key}`];
    const lines = await output(join(tools as string, 'bloodhound-cli'), [...connection, ...args]);
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .sort();
  };
  const column = async (query: string): Promise<string[]> => (await rows(query)).flat().sort();

  it.skipIf(tools === undefined)(
    named('lists users, computers and administrators: bloodhound-cli 1.2.6', tools),
    async () => {
      const ofDomain = `toLower(n.domain) = '${domain.toLowerCase()}' AND n.enabled = true`;
      const users = await column(`MATCH (n:User) WHERE ${ofDomain} RETURN n.samaccountname`);
      expect(users.length).toBeGreaterThan(20);
      expect(await legacy('user', '-d', domain)).toEqual(users);
      expect(await legacy('computer', '-d', domain)).toEqual(
        await column(`MATCH (n:Computer) WHERE ${ofDomain} RETURN toLower(n.name)`),
      );
      const powerful = await column(
        `MATCH (n:User) WHERE ${ofDomain} AND (n.highvalue OR (n)-[:MemberOf*1..]->(:Group {highvalue: true})-->()) RETURN DISTINCT n.samaccountname`,
      );
      expect(powerful.length).toBeGreaterThan(0);
      expect(await legacy('user', '-d', domain, '--high-value')).toEqual(powerful);
    },
    200_000,
  );

  it.skipIf(tools === undefined)(
    named('copies the whole graph: neo4j-backup 1.0.0', tools),
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'clew-bolt-copy-'));
      const script = `
import json, sys
from neo4j import GraphDatabase
from neo4j_backup import Extractor
asked = json.load(sys.stdin)
with GraphDatabase.driver(asked["url"], auth=(asked["id"], asked["key"])) as driver:
    Extractor(project_dir=asked["to"] + "/copy", driver=driver, compress=False, input_yes=True).extract_data()`;
      const input = JSON.stringify({ url: url(), ...token, to: directory });
      await output(join(tools as string, 'python'), ['-c', script], input);
      const data = join(directory, 'copy/data');
      const sizes = { nodes: 0, relationships: 0 };
      for (const file of await readdir(data))
        sizes[file.startsWith('nodes') ? 'nodes' : 'relationships'] += JSON.parse(
          await readFile(join(data, file), 'utf8'),
        ).length;
      const [[nodes]] = await rows('MATCH (n) RETURN count(n)');
      const [[relationships]] = await rows('MATCH ()-[r]->() RETURN count(r)');
      expect(sizes).toEqual({ nodes, relationships });
      await rm(directory, { recursive: true });
    },
    300_000,
  );

  it.skipIf(reports === undefined)(
    named('writes its default reports with the rows of graphs/cypher: PlumHound 1.7.8', reports),
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'clew-bolt-reports-'));
      const shared = join(reports as string, '../share/plumhound');
      const template = (name: string): string => join(shared, 'template', name);
      const tasks = join(shared, 'tasks/default.tasks');
      // It writes its log into a folder that has to exist.
      await mkdir(join(directory, 'log'));
      const args = [
        ...['-s', url(), '-u', token.id, '-p', token.key, '-x', tasks, '--op', `${directory}//`],
        ...['--HTMLHeader', template('head.html'), '--HTMLFooter', template('tail.html')],
        ...['--HTMLCSS', template('html.css')],
      ];
      await output(join(reports as string, 'plumhound'), args, '', {}, directory);
      const unlike: unknown[] = [];
      const refused: string[] = [];
      let counted = 0;
      for (const [name, query] of reportsIn(await readFile(tasks, 'utf8'))) {
        const { status, json } = await service.call('POST', 'graphs/cypher', { query, rows: true });
        if (status !== 200 && status !== 404) refused.push(`${name}: ${json.errors[0].message}`);
        const html = await readFile(join(directory, name), 'utf8').catch(() => '');
        const found = [...html.matchAll(/<tr><td/g)].length;
        const expected = status === 200 ? json.data.rows.length : 0;
        if (found !== expected) unlike.push([name, found, expected]);
        counted += found;
      }
      expect(unlike).toEqual([]);
      // Some of its queries are wrong for Neo4j, too, and have no report.
      expect(refused.length < MAX_WRONG_REPORTS ? [] : refused).toEqual([]);
      expect(counted).toBeGreaterThan(1_000);
      await rm(directory, { recursive: true });
    },
    300_000,
  );
});

const MAX_WRONG_REPORTS = 10;

/** The file and the query of each report: lists in the syntax of Python. Of several for one file, the last stays. */
function reportsIn(tasks: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of tasks.split(/\r?\n/)) {
    const texts = /^\["[^"]*",\s*"(HTML|HTMLCSV)",\s*"([^"]*)",\s*"(.*)"\s*\]$/.exec(line.trim());
    if (texts === null || texts[3] === 'REPORT-INDEX') continue;
    const [, format, name = '', query = ''] = texts;
    found.set(format === 'HTML' ? name : `${name}.html`, query.replaceAll(/\\(['"])/g, '$1'));
  }
  return found;
}
