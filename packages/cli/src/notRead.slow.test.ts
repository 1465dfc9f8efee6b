/**
 * Unread data may hide findings: for a domain without repairs whose certificate services were not collected, no command and no connector
 * run reports that nothing remains without naming the unread parts.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { TOOLS } from '@clew/mcp';
import { ADMIN_PASSWORD, type ServiceHere, serveHere } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../test/runCommand.ts';
import { readSession } from './session.ts';

const DOMAIN = 'S-1-5-21-4-4-4';
const [ADMIN, CLERK] = [`${DOMAIN}-1101`, `${DOMAIN}-1102`];
const SAYS_SO = /Not collected from CORP\.LOCAL: [^.]*AD CS|Of CORP\.LOCAL, [^.]*AD CS/;

let directory: string;
let service: ServiceHere;
let client: ClewClient;

const run = (...args: string[]) => runCommand({ url: service.url, home: directory, directory }, args);

/** A protected domain administrator, and a clerk without rights. */
function collection(): string[] {
  const record = (id: string, name: string, properties: object, more: object = {}) => ({
    ...{ ObjectIdentifier: id, Aces: [], ...more },
    Properties: { name: `${name}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, ...properties },
  });
  const now = Math.floor(Date.now() / 1000);
  const user = (id: string, name: string, rid: number) =>
    record(
      id,
      name,
      {
        enabled: true,
        sensitive: true,
        pwdlastset: now,
        lastlogon: now,
        lastlogontimestamp: now,
        hasspn: false,
      },
      { PrimaryGroupSID: `${DOMAIN}-${rid}`, AllowedToDelegate: [], SPNTargets: [], HasSIDHistory: [] },
    );
  const group = (rid: number, name: string, member: string) =>
    record(`${DOMAIN}-${rid}`, name, {}, { Members: [{ ObjectIdentifier: member, ObjectType: 'User' }] });
  const domain = record(DOMAIN, '', { collected: true, functionallevel: '2016' });
  const file = (type: string, ...data: object[]) =>
    JSON.stringify({ data, meta: { methods: 0x7ffff, type, count: data.length, version: 6 } });
  return [
    file('domains', {
      ...{ ...domain, ChildObjects: [], Trusts: [], Links: [] },
      Properties: { ...domain.Properties, name: 'CORP.LOCAL' },
    }),
    file('users', user(ADMIN, 'ADMIN', 512), user(CLERK, 'CLERK', 513)),
    file('groups', group(512, 'DOMAIN ADMINS', ADMIN), group(513, 'DOMAIN USERS', CLERK)),
  ];
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-not-read-'));
  service = await serveHere(directory);
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const paths = collection().map((_, at) => join(directory, `${at}.json`));
  await Promise.all(collection().map((text, at) => writeFile(paths[at], text)));
  expect((await run('login')).code).toBe(0);
  expect(await run('ingest', ...paths)).toMatchObject({ code: 0 });
}, 120_000);
afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
});

it('has nothing to repair in the collected data', async () => {
  const { data } = await client.call('GetPlan', {}, { wait: 60 });
  expect(data).toMatchObject({ cards: [], before: expect.anything() });
}, 90_000);

it.each([
  ['status'],
  ['findings'],
  ['posture'],
  ['plan'],
  ['plan', '--format', 'markdown'],
  ['plan', '--json'],
])(
  'clew %s reports it',
  async (...args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([args, code]).toEqual([args, 0]);
    expect(`${stdout}${stderr}`.replaceAll('\\', '')).toMatch(SAYS_SO);
  },
  90_000,
);

it('clew report contains it', async () => {
  expect((await run('report', '--out', 'report.html')).code).toBe(0);
  expect(await readFile(join(directory, 'report.html'), 'utf8')).toMatch(SAYS_SO);
}, 90_000);

it('a connector run reports it', async () => {
  const self = (await client.call('GetSelf')).data;
  const token = (
    await client.call('CreateAuthToken', { body: { user_id: self.id, token_name: 'connector' } })
  ).data as { readonly id: string; readonly key: string };
  const settings = {
    ...{ server: `${service.url}/`, tokenId: token.id, tokenKey: token.key, selectedZones: 'All' },
    ...{ state: { directory: 'state' }, platform: { type: 'jsonl', directory: 'out' } },
  };
  await writeFile(join(directory, 'connector.json'), JSON.stringify(settings));
  const { code, stdout, stderr } = await run('connector', 'run', '--config', 'connector.json');
  expect(code).toBe(0);
  expect(stdout + stderr).toMatch(SAYS_SO);
}, 90_000);

it('tools for language models report it', async () => {
  const session = await readSession({ HOME: directory });
  const asked = new ClewClient({ url: service.url, credentials: { session: session?.session as string } });
  for (const name of ['get_plan', 'get_posture', 'list_findings']) {
    const tool = TOOLS.find((one) => one.name === name);
    expect([name, tool !== undefined]).toEqual([name, true]);
    const answer = await tool?.run(asked, {} as never, new AbortController().signal);
    expect([name, JSON.stringify(answer)]).toEqual([
      name,
      expect.stringMatching(/certificate.services|AD CS/),
    ]);
  }
}, 90_000);
