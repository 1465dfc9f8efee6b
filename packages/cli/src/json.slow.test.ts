/**
 * Runs every command with `--json` on a running service: its output is one JSON document, and created things can be used or read back with
 * the printed id and secret. A new command with `--json` needs a row here.
 */
import { createHmac } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServiceHere, SimulatedCollector, serveHere } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { jsonCommands } from '../test/jsonCommands.ts';
import { runCommand } from '../test/runCommand.ts';

const EXAMPLES = new URL('../../../examples/extensions/', import.meta.url).pathname;
const TICKETS = join(EXAMPLES, 'tickets');
const TICKET_DATA = join(EXAMPLES, 'tickets-data.json');
const PATIENCE = 300_000;

const forest = generateForest({ users: 60, seed: 11, domains: 1 });
const OBJECTS = forest.files.flatMap((file) => [...file.objects()]).length;

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let directory: string;
let service: ServiceHere;
let client: ClewClient;
let receiver: Server;
const deliveries: Delivery[] = [];

/** Parsed JSON, whose shape the rows below check. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, held to their contracts over HTTP elsewhere.
type Json = any;

/** Answers by command name, for later rows. */
const printed = new Map<string, Json>();

interface Row {
  /** Words after the command name. */
  readonly args?: () => readonly string[] | Promise<readonly string[]>;
  /** Checks the parsed answer, and uses or reads back what was created. */
  readonly use?: (json: Json) => unknown;
  /** Allowed exit codes; default: only 0. */
  readonly codes?: readonly number[];
}

const idsOf = (all: readonly { readonly id: unknown }[]): unknown[] => all.map(({ id }) => id);
const made = (command: string, at = 'id'): string => String(printed.get(command)[at]);
const webhookAddress = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

/** Signs in with the password. @returns whether it is correct */
async function isPassword(username: string, secret: string): Promise<boolean> {
  const answer = await fetch(`${service.url}/api/v2/login`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ login_method: 'secret', username, secret }),
  });
  return answer.status === 200;
}

/** The transcript that the script of a repair writes. */
async function transcriptOf(repair: Json): Promise<string> {
  const { data } = await client.call('GetChangeKit', { body: { repairs: [repair] } });
  const declared = JSON.parse(data.files.find(({ name }) => name === 'changes.json')?.text ?? '[]');
  const facts = declared[0].digests.map((fact: string) => `fact ${fact}`);
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const lines = [
    'change change-01',
    'mode Apply',
    `time ${time}`,
    ...facts,
    'before other',
    'after wanted',
    'code 0',
  ];
  return lines.map((line) => `Clew-record: ${line}\n`).join('');
}

const isAlive = async (token: { id: string; key: string }): Promise<boolean> => {
  const answer = await new SimulatedCollector(service.url, token).start();
  return answer.id !== undefined;
};

/** In execution order: earlier rows create what later ones read. */
const ROWS: Readonly<Record<string, Row>> = {
  'extension check': { args: () => [TICKETS], use: ({ faults }) => expect(faults).toEqual([]) },
  'extension test': {
    // Each set of data needs a service of its own.
    args: async () => {
      const changed = join(directory, 'changed');
      await cp(TICKETS, changed, { recursive: true });
      const wrong = {
        ...{ name: 'Wrong', data: 'samples/desk.json' },
        expect: { node_findings: { Tick_SharedAgents: 2, Tick_AutomationsWithoutOwner: 1 } },
      };
      await writeFile(join(changed, 'tests', 'wrong.json'), JSON.stringify(wrong));
      return [changed, '--only', 'wrong'];
    },
    codes: [1],
    use: ([only, ...more]) => {
      expect([only.passed, more]).toEqual([false, []]);
      const compared = { name: 'Tick_AutomationsWithoutOwner', found_count: 1, is_as_expected: true };
      expect(only.compared).toContainEqual(expect.objectContaining(compared));
    },
  },
  'extension install': {
    args: () => [TICKETS],
    use: async ({ id }) => {
      const { extensions } = (await client.call('ListExtensions')).data;
      expect(extensions.map((one) => one.id)).toContain(id);
    },
  },
  'extension list': { use: (all) => expect(all.length).toBeGreaterThan(0) },
  'extension show': { args: () => ['tickets'], use: ({ namespace }) => expect(namespace).toBe('Tick') },
  ingest: {
    args: () => ['forest.zip', TICKET_DATA],
    use: async ({ job }) => {
      const params = { file_upload_job_id: job };
      const tasks = await client.call('GetCompletedTasks', { params });
      expect(tasks.data.map(({ parent_file_name }) => parent_file_name)).toContain('forest.zip');
    },
  },
  'extension scaffold': {
    args: () => ['--from-data', 'TickBase'],
    use: ({ schema }) => expect(schema.namespace).toBe('Tick'),
  },
  // The result depends on the machine.
  doctor: {
    codes: [0, 1],
    use: (all) => expect(all.every(({ about, text }: Json) => about !== '' && text !== '')).toBe(true),
  },
  status: { use: ({ total_nodes }) => expect(total_nodes).toBeGreaterThan(OBJECTS) },
  search: { args: () => ['domain admins'], use: ([{ objectid }]) => expect(objectid).toMatch(/-512$/) },
  query: {
    args: () => ['MATCH (n:Domain) RETURN n.name'],
    use: ({ rows }) => expect(rows.length).toBeGreaterThan(0),
  },
  layers: { use: (all) => expect(all).toEqual([]) },
  questions: { use: (all) => expect(all.length).toBeGreaterThan(10) },
  'saved-query add': {
    args: () => ['Domains', 'MATCH (n:Domain) RETURN n'],
    use: async ({ id }) => {
      const { data } = await client.call('GetSavedQuery', { params: { saved_query_id: id } });
      expect(data).toMatchObject({ id, name: 'Domains' });
      await client.call('WatchSavedQuery', { params: { saved_query_id: id } } as never);
    },
  },
  'saved-queries': {
    use: (all) => expect(idsOf(all)).toContain(printed.get('saved-query add').id),
  },
  'saved-query changes': { args: () => ['Domains'] },
  path: { args: () => [forest.route.from, forest.route.to] },
  'who-can-reach': { args: () => [forest.route.to] },
  plan: {
    use: ({ cards }) => expect(cards.length).toBeGreaterThan(1),
  },
  'plan constraints add': {
    args: () => ['--card', '1', '--reason', 'the vendor needs it'],
    use: async ({ id }) => {
      const { data } = await client.call('ListPlanConstraints', { query: { limit: 10 } });
      expect(data).toMatchObject([{ id, reason: 'the vendor needs it' }]);
      await client.call('DeletePlanConstraint', { params: { constraint_id: id } });
    },
  },
  'plan constraints list': { use: (all) => expect(all).toEqual([]) },
  'plan answer': {
    args: async () => {
      const { rows } = await runJson(['query', 'MATCH (n:EnterpriseCA) RETURN n.name LIMIT 1']);
      return [rows[0][0], '--not-updated'];
    },
    use: async ({ authority_id }) => {
      const { data } = await client.call('ListAuthorityAnswers', { query: { limit: 10 } });
      expect(data).toMatchObject([{ authority_id, is_updated: false }]);
      const withdrawn = await runJson(['plan', 'answer', authority_id, '--withdraw']);
      expect(withdrawn).toEqual({ authority_id });
      expect((await client.call('ListAuthorityAnswers', { query: { limit: 10 } })).data).toEqual([]);
    },
  },
  'choke-points': {},
  simulate: {
    args: () => ['--repairs', '1', '--save', 'First card'],
    use: async ({ plan_id }) => {
      const { data } = await client.call('GetSavedPlan', { params: { plan_id } });
      expect(data).toMatchObject({ id: plan_id, name: 'First card' });
    },
  },
  'plans list': { use: (all) => expect(all).toMatchObject([{ id: printed.get('simulate').plan_id }]) },
  'plans show': { args: () => [made('simulate', 'plan_id')] },
  'plans adopt': {
    args: () => ['Autumn', '--cards', '1'],
    use: async ({ id }) => {
      const { data } = await client.call('GetSavedPlan', { params: { plan_id: id } });
      expect(data).toMatchObject({ id, name: 'Autumn' });
    },
  },
  'plans progress': {
    use: (all) => expect(all).toMatchObject([{ plan_id: printed.get('plans adopt').id }]),
  },
  'plans proof': {
    args: () => [made('plans adopt', 'id')],
    use: (proof) => expect(proof).toMatchObject({ plan_id: printed.get('plans adopt').id }),
  },
  'plans evidence': {
    args: async () => {
      const { cards } = (await client.call('GetPlan', { query: { limit: 1 } })).data as Json;
      await writeFile(
        join(directory, 'change-01.txt'),
        await transcriptOf(cards[0].packages[0].references[0]),
      );
      return [made('plans adopt'), 'change-01.txt'];
    },
    use: ([added, ...more]) => {
      expect([added.kind, more]).toEqual(['transcript', []]);
      expect(added.claims[0].verdict).toBe('waits');
    },
  },
  findings: { use: (all) => expect(all.length).toBeGreaterThan(10) },
  finding: { args: () => [String(printed.get('findings')[0].id)] },
  'findings undo': {
    args: async () => {
      expect(
        (await run(['findings', 'assign', String(printed.get('findings')[0].id), '--to', 'me'])).code,
      ).toBe(0);
      return [];
    },
    use: async () => {
      const query = { owner: 'me', limit: 10 };
      expect((await client.call('ListAttackPathFindings', { query } as never)).data).toEqual([]);
    },
  },
  acceptances: { args: () => ['--all'], use: (all) => expect(all).toEqual([]) },
  'acceptances templates': { args: () => [], use: (all) => expect(all).toEqual([]) },
  'service-levels': {
    args: async () => {
      const { code, stdout } = await run([
        'service-levels',
        'set',
        '--critical',
        '7',
        '--since',
        '2026-01-31',
      ]);
      expect([code, stdout]).toEqual([
        0,
        'critical  7 days\nhigh      no due day\nmoderate  no due day\nlow       no due day\nFindings that opened before 2026-01-31 count from that day.\n',
      ]);
      return [];
    },
    use: async (levels) => {
      expect(levels).toMatchObject({ critical: 7, high: 0, since: '2026-01-31' });
      expect((await run(['service-levels', 'set', '--critical', '0'])).code).toBe(0);
      expect((await run(['service-levels', 'set'])).code).toBe(2);
    },
  },
  posture: { use: (all) => expect(all.length).toBeGreaterThan(0) },
  diff: {},
  'reports create': {
    args: () => ['Monthly', '--for', 'management'],
    use: async ({ id }) => {
      const { data } = await client.call('GetReport', { params: { report_id: id } });
      expect(data).toMatchObject({ id, name: 'Monthly' });
    },
  },
  'reports list': { use: (all) => expect(all).toMatchObject([{ id: printed.get('reports create').id }]) },
  'reports make': {
    args: () => [made('reports create')],
    use: async (issue) => {
      const params = { report_id: printed.get('reports create').id, issue_id: issue.id };
      expect((await client.call('GetReportIssue', { params })).data).toEqual(issue);
    },
  },
  'reports show': {
    args: () => [made('reports create')],
    use: ({ issue }) => expect(issue.id).toBe(printed.get('reports make').id),
  },
  'check save': {
    args: async () => {
      const check = {
        ...{ name: 'Check_Domains', title: 'Domains', category: 'Domains', severity: 'low' },
        cypher: 'MATCH (n:Domain) RETURN n',
      };
      await writeFile(join(directory, 'check.json'), JSON.stringify(check));
      return ['check.json'];
    },
    use: async ([{ name }]) => {
      const { data } = await client.call('GetCheck', { params: { check_name: name } });
      expect(data).toMatchObject({ name: 'Check_Domains', enabled: true });
    },
  },
  checks: { use: (all) => expect(JSON.stringify(all)).toContain('Check_Domains') },
  'check test': { args: () => ['check.json'] },
  'user add': {
    // With few permissions: `access.slow.test.ts` asks everything that a user may read.
    args: () => ['ada', '--role', 'upload-only', '--generate'],
    use: async ({ id, generated_password }) => {
      expect(await isPassword('ada', generated_password)).toBe(true);
      expect((await client.call('GetUser', { params: { user_id: id } })).data.principal_name).toBe('ada');
    },
  },
  'access check': {
    args: () => ['ada'],
    use: ({ user_name, leaks, not_asked, failed, requests }) => {
      expect([user_name, leaks, not_asked, failed]).toEqual(['ada', [], 0, []]);
      expect(requests).toBeGreaterThan(0);
    },
  },
  users: { use: (all) => expect(all).toHaveLength(2) },
  'user reset-password': {
    args: () => ['ada', '--generate'],
    use: async ({ user_id, generated_password }) => {
      expect(user_id).toBe(made('user add'));
      expect(await isPassword('ada', generated_password)).toBe(true);
      expect(await isPassword('ada', made('user add', 'generated_password'))).toBe(false);
    },
  },
  'user sessions': {
    use: async ([{ id }]) => {
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(await runJson(['user', 'sessions', 'ada', '--end'])).not.toEqual([]);
    },
  },
  'token add': {
    args: () => ['siem', '--days', '30'],
    use: async ({ id, key }) => {
      const credentials = { tokenId: id, tokenKey: key };
      const self = await new ClewClient({ url: service.url, credentials }).call('GetSelf');
      expect(self.data).toMatchObject({ principal_name: 'admin' });
    },
  },
  tokens: { use: (all) => expect(all).toMatchObject([{ id: made('token add') }]) },
  'sso add': {
    args: () => ['Acme', '--issuer', 'http://127.0.0.1:9', '--client-id', 'clew'],
    use: async ({ id }) => {
      const { data } = await client.call('ListAuthProviders');
      expect(data).toMatchObject([{ id, name: 'Acme' }]);
    },
  },
  'sso list': { use: (all) => expect(all).toMatchObject([{ name: 'Acme' }]) },
  'client add': {
    args: () => ['Berlin', '--type', 'azurehound'],
    use: async ({ id, token }) => {
      expect(await isAlive(token)).toBe(true);
      expect((await client.call('GetClient', { params: { client_id: id } })).data.name).toBe('Berlin');
    },
  },
  clients: {
    use: (all) => expect(all).toMatchObject([{ id: made('client add'), hostname: 'collector-1' }]),
  },
  'client rotate': {
    args: () => ['Berlin'],
    use: async (token) => {
      expect(await isAlive(token)).toBe(true);
      await expect(isAlive(printed.get('client add').token)).rejects.toThrow('401');
    },
  },
  'client collect': {
    args: () => ['Berlin'],
    use: async ({ id }) => {
      const collector = new SimulatedCollector(service.url, printed.get('client rotate'));
      expect((await collector.available()).map((job) => job.id)).toEqual([id]);
    },
  },
  jobs: { use: (all) => expect(all).toMatchObject([{ id: printed.get('client collect').id }]) },
  'schedule add': {
    args: () => ['Berlin', 'daily'],
    use: async ({ id }) => {
      const { data } = await client.call('GetClientSchedule', { params: { event_id: id } });
      expect(data).toMatchObject({ id, client_id: made('client add') });
    },
  },
  'schedule list': { use: (all) => expect(all).toMatchObject([{ id: printed.get('schedule add').id }]) },
  'webhook add': {
    args: () => ['SIEM', webhookAddress()],
    use: async ({ id }) => {
      const { data } = await client.call('GetWebhook', { params: { webhook_id: id } });
      expect(data).toMatchObject({ id, name: 'SIEM' });
    },
  },
  webhooks: { use: (all) => expect(all).toMatchObject([{ id: made('webhook add') }]) },
  'webhook test': {
    args: () => ['SIEM'],
    use: async () => {
      await vi.waitUntil(() => deliveries.length > 0, { timeout: 60_000, interval: 100 });
      const [{ headers, body }] = deliveries as [Delivery];
      const key = Buffer.from(made('webhook add', 'secret').replace('whsec_', ''), 'base64');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const signature = createHmac('sha256', key).update(signed).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    },
  },
  'webhook deliveries': {
    args: () => ['SIEM'],
    use: (all) => expect(all).toMatchObject([{ id: made('webhook test') }]),
  },
  'action ping': { use: ({ status }) => expect(status).toBe('completed') },
  'action get-object-id': { args: () => [forest.route.toName] },
  'action does-path-exist': { args: () => [`${forest.route.from} -> ${forest.route.to}`] },
  'action fetch-assets': { args: () => [forest.route.to] },
  'connector test': {
    args: async () => {
      const { id, key } = printed.get('token add');
      const settings = {
        ...{ server: service.url, tokenId: id, tokenKey: key, selectedZones: 'All' },
        ...{ selectedFindingTypes: 'T0GenericAll, Kerberoasting', state: { directory: 'state' } },
        platform: { type: 'jsonl', directory: 'out' },
      };
      await writeFile(join(directory, 'connector.json'), JSON.stringify(settings));
      return CONNECTOR;
    },
    use: (alert) => writeFile(join(directory, 'alert.json'), JSON.stringify(alert)),
  },
  'connector run': { args: () => CONNECTOR },
  'connector status': { args: () => CONNECTOR },
  'connector watch': { args: () => CONNECTOR },
  investigate: { args: () => ['alert.json'] },
  'extension remove': {
    args: () => ['tickets'],
    use: ({ id }) => expect(id).toBe(printed.get('extension install').id),
  },
};

const CONNECTOR = ['--config', 'connector.json'];
/** Milliseconds after which a continuous command is stopped. */
const STOP_AFTER: Readonly<Record<string, number>> = { 'connector watch': 5_000 };

const run = (args: readonly string[], stopAfter?: number) =>
  runCommand(
    {
      ...{ url: service.url, home: join(directory, 'home'), directory, secret: ADMIN_PASSWORD },
      variables: service.machine,
      ...(stopAfter !== undefined && { signal: AbortSignal.timeout(stopAfter) }),
    },
    args,
  );

async function runJson(args: readonly string[]): Promise<Json> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-json-'));
  receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  service = await serveHere(directory, { CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  await run(['login', '--user', 'admin']);
  await writeForestZip(forest, join(directory, 'forest.zip'));
}, PATIENCE);
afterAll(async () => {
  await service.stop();
  receiver.close();
  await rm(directory, { recursive: true, force: true });
});

it('every command with --json has a row', () => {
  expect(Object.keys(ROWS).sort()).toEqual(jsonCommands().withJson.sort());
});

it.each(Object.entries(ROWS))(
  '%s prints one JSON document',
  async (name, { args, use, codes = [0] }) => {
    const words = [...name.split(' '), ...((await args?.()) ?? []), '--json'];
    const ran = await run(words, STOP_AFTER[name]);
    expect([codes.includes(Number(ran.code)), ran.stderr]).toEqual([
      true,
      codes.includes(Number(ran.code)) ? ran.stderr : '',
    ]);
    const json = JSON.parse(ran.stdout);
    printed.set(name, json);
    await use?.(json);
  },
  PATIENCE,
);
