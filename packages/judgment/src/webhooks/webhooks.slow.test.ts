/** Webhooks and the change feed over real HTTP, with signatures checked by hand. */

import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { createLogger } from '@clew/common';
import { GenerationHolder } from '@clew/generation';
import { makeDue, PASSWORD, ServiceUnderTest, users } from '@clew/service/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PAUSES } from './deliveries.ts';

let clew: ServiceUnderTest;
let receiver: Server;
let address: string;
let answer: { status: number; headers?: Record<string, string> };
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];

beforeAll(async () => {
  clew = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' }, { makesPlans: false });
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(answer.status, answer.headers).end('said');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  receiver.close();
  await clew.stop();
});
beforeEach(() => {
  answer = { status: 204 };
  received.length = 0;
});

interface Event {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

const create = async (more: object = {}) => {
  const body = { name: 'siem', url: address, event_types: ['finding.opened'], ...more };
  const { status, json } = await clew.call('POST', 'webhooks', body);
  expect([status, status === 201 ? '' : json]).toEqual([201, '']);
  return json.data;
};
const remove = (id: string) => clew.call('DELETE', `webhooks/${id}`);
const until = (done: () => boolean | Promise<boolean>) =>
  vi.waitUntil(done, { timeout: 100_000, interval: 50 });
const events = (): Event[] => received.map(({ body }) => JSON.parse(body));

/** Standard Webhooks signature, checked by hand. */
function isSignedBy(secret: string, call: (typeof received)[number] | undefined): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = call?.headers ?? {};
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${at}.${call?.body}`).digest('base64');
  const isRecent = Math.abs(Number(at) - Date.now() / 1000) < 60;
  return isRecent && (signatures ?? '').split(' ').includes(`v1,${expected}`);
}

const DOMAIN = 'S-1-5-21-7-7-7';
const ADMINS = `${DOMAIN}-512`;

/** The same facts as a built-in type, a type of an extension, and a custom check. */
const TYPES = ['T0GenericAll', 'EX_Holders', 'Check_Holders'];
const EXTENSION = {
  schema: { name: 'ex', display_name: 'Ex', version: 'v1.0.0', namespace: 'EX' },
  node_kinds: [],
  relationship_findings: [
    { name: 'EX_Holders', environment_kind: 'Domain', relationship_kind: 'GenericAll' },
  ],
};
const CHECK = {
  ...{ name: 'Check_Holders', title: 'Holders', severity: 'high' },
  cypher: 'MATCH (u:User)-[:GenericAll]->(:Group) RETURN u',
};

/** A domain in which some users have full control of the administrators. */
async function collect(holders: readonly number[]): Promise<void> {
  const ace = (rid: number) => ({
    PrincipalSID: `${DOMAIN}-${rid}`,
    PrincipalType: 'User',
    RightName: 'GenericAll',
    IsInherited: false,
  });
  const object = (id: string, name: string, more: object) => ({
    ObjectIdentifier: id,
    Properties: { name, domain: 'WEB.LOCAL', domainsid: DOMAIN, enabled: true },
    Aces: [],
    ...more,
  });
  const file = (type: string, data: readonly object[]) => ({
    meta: { type, version: 6, count: data.length, methods: 0x7ffff },
    data,
  });
  const files = [
    file('domains', [
      object(DOMAIN, 'WEB.LOCAL', {
        ...{ Trusts: [], Links: [], ChildObjects: [] },
        Properties: { name: 'WEB.LOCAL', domain: 'WEB.LOCAL', domainsid: DOMAIN, collected: true },
      }),
    ]),
    file('groups', [object(ADMINS, 'DOMAIN ADMINS@WEB.LOCAL', { Members: [], Aces: holders.map(ace) })]),
    file(
      'users',
      [1101, 1102, 1103].map((rid) => object(`${DOMAIN}-${rid}`, `USER${rid}@WEB.LOCAL`, {})),
    ),
  ];
  await clew.upload(...files);
}

describe('the feed of changes', () => {
  it('reports changes of findings, each once, in order, by pages', async () => {
    expect((await clew.call('PUT', 'extensions', EXTENSION)).status).toBe(201);
    expect((await clew.call('PUT', 'checks/Check_Holders', CHECK)).status).toBe(201);
    const begin = await clew.call('GET', 'changes');
    expect([begin.status, begin.json.data, begin.json.has_more]).toEqual([200, [], false]);
    await collect([1101, 1102]);
    const follow = async (since: string, limit = 1) => {
      const changes: {
        type: string;
        at: string;
        finding: { id: number; finding: string; status: string };
      }[] = [];
      for (let next = since; ; ) {
        const { json } = await clew.call('GET', `changes?since=${next}&limit=${limit}`);
        changes.push(...json.data);
        next = json.next;
        if (!json.has_more) return { changes, next };
      }
    };
    const first = await follow(begin.json.next);
    const opened = first.changes.filter(({ finding }) => finding.finding === 'T0GenericAll');
    for (const name of TYPES) {
      const ofType = first.changes.filter(({ finding }) => finding.finding === name);
      expect([name, ofType.map(({ type }) => type)]).toEqual([name, ['finding.opened', 'finding.opened']]);
    }
    expect(new Set(first.changes.map(({ finding }) => finding.id)).size).toBe(first.changes.length);
    expect((await follow(begin.json.next, 1000)).changes).toEqual(first.changes);
    expect((await follow(first.next)).changes).toEqual([]);
    for (const risk_type of TYPES) {
      const accepted = first.changes.find(
        ({ finding }) => finding.finding === risk_type && JSON.stringify(finding).includes(`${DOMAIN}-1101`),
      );
      const target = `attack-paths/${accepted?.finding.id}/acceptance`;
      expect((await clew.call('PUT', target, { risk_type, accepted: true })).status).toBe(200);
    }
    await collect([1101]);
    const { changes } = await follow(first.next);
    for (const name of TYPES) {
      const ofBoth = changes.filter(({ finding }) => finding.finding === name);
      expect([name, ofBoth.map(({ type }) => type).sort()]).toEqual([
        ...[name, ['finding.accepted', 'finding.resolved']],
      ]);
    }
    expect(changes.map(({ at }) => at)).toEqual(changes.map(({ at }) => at).sort());
    // A time is also a valid position.
    const { json } = await clew.call(
      'GET',
      `changes?since=${encodeURIComponent(opened[0]?.at ?? '')}&limit=1000`,
    );
    expect(json.data).toEqual(changes);
  });

  it.each(['nonsense', '2026-99-99T00:00:00Z', Buffer.from('x/1').toString('base64url')])(
    'refuses %j',
    async (since) => {
      expect((await clew.call('GET', `changes?since=${since}`)).status).toBe(400);
    },
  );
});

describe('a webhook', () => {
  it('gets accepted risks that end within 14 days, once, with all that were accepted for 14 days or longer', async () => {
    const { rows } = await clew.database.pool.query(
      `select id, finding from finding where deleted_at is null and part_of = '' and finding = any ($1) order by id`,
      [TYPES],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    const day = 86_400_000;
    const endIn = (days: number): string =>
      new Date(Math.floor(Date.now() / day) * day + days * day + 3_600_000).toISOString();
    const accept = (at: number, days: number) =>
      clew.call('PUT', `attack-paths/${rows[at].id}/acceptance`, {
        ...{ risk_type: rows[at].finding, accepted: true, accept_until: endIn(days), reason: 'until spring' },
      });
    // The second one is the last that a late look reports.
    for (const [at, days] of [14, 11].entries()) expect((await accept(at, days)).status).toBe(200);
    const webhook = await create({ event_types: ['acceptance.ends'] });
    const other = await create({
      name: 'other',
      event_types: ['acceptance.ends'],
      environments: ['S-1-5-21-9-9-9'],
    });
    const count = async () => (await clew.call('GET', `webhooks/${webhook.id}/deliveries`)).json.count;
    await until(() => received.length > 0);
    expect(events()[0]).toMatchObject({
      type: 'acceptance.ends',
      data: {
        ...{
          environment_id: DOMAIN,
          environment_name: 'WEB.LOCAL',
          ends_on: endIn(11).slice(0, 10),
          count: 1,
        },
        findings: [{ id: rows[1].id, finding: rows[1].finding, accepted_by: 'admin' }],
      },
    });
    // Others can be accepted for 14 days until the day is over.
    expect(await count()).toBe(1);
    expect((await accept(2, 14)).status).toBe(200);
    await clew.database.pool.query(
      "update finding set accepted_until = accepted_until - interval '1 day' where accepted_until between $1 and $2",
      [endIn(13.5), endIn(14.5)],
    );
    await until(() => received.length > 1);
    expect(events()[1]?.data).toMatchObject({ ends_on: endIn(13).slice(0, 10), count: 2 });
    expect(await count()).toBe(2);
    await accept(1, 10);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await count()).toBe(2);
    expect((await clew.call('GET', `webhooks/${other.id}/deliveries`)).json.count).toBe(0);
    for (const at of [0, 1, 2])
      await clew.call('PUT', `attack-paths/${rows[at].id}/acceptance`, {
        ...{ risk_type: rows[at].finding, accepted: false },
      });
    await remove(webhook.id);
    await remove(other.id);
  });

  it('gets a signed request, once for each kind of change', async () => {
    const webhook = await create({ event_types: ['finding.opened', 'finding.resolved'] });
    expect(webhook.secret).toMatch(/^whsec_/);
    expect((await clew.data('GET', `webhooks/${webhook.id}`)).secret).toBe('');
    await collect([1102, 1103]);
    await until(() => received.length >= 2);
    for (const call of received) expect(isSignedBy(webhook.secret, call)).toBe(true);
    const opened = events().find(({ type }) => type === 'finding.opened');
    expect(opened?.data).toMatchObject({ environment_id: DOMAIN, environment_name: 'WEB.LOCAL' });
    expect(opened?.data.findings).toHaveLength(opened?.data.count as number);
    for (const told of events()) {
      const types = (told.data.findings as { readonly finding: string }[]).map(({ finding }) => finding);
      expect(TYPES.filter((name) => types.includes(name))).toEqual(TYPES);
    }
    const changes = await clew.call('GET', String(opened?.data.changes).replace('/api/v2/', ''));
    expect(changes.json.data.length).toBeGreaterThanOrEqual(opened?.data.count as number);
    expect(
      events()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['finding.opened', 'finding.resolved']);
    expect(await clew.data('GET', `webhooks/${webhook.id}`)).toMatchObject({
      waiting: 0,
      dead: 0,
      enabled: true,
    });
    await remove(webhook.id);
  });

  it('gets missed events when it is reachable again, with the same id, in order', async () => {
    const webhook = await create();
    answer = { status: 503, headers: { 'retry-after': '1' } };
    await clew.call('POST', `webhooks/${webhook.id}/test`);
    await clew.call('POST', `webhooks/${webhook.id}/test`);
    await until(() => received.length >= 1);
    const first = received[0]?.headers['webhook-id'];
    const waiting = async () =>
      (await clew.call('GET', `webhooks/${webhook.id}/deliveries?status=eq:waiting`)).json;
    // The attempt is recorded after the receiver has answered.
    await until(async () => (await waiting()).data.at(-1)?.attempts === 1);
    const listed = await waiting();
    expect(listed.count).toBe(2);
    expect(listed.data.at(-1)).toMatchObject({ attempts: 1, last_status: 503, last_error: '503 said' });
    answer = { status: 200 };
    await until(async () => (await clew.data('GET', `webhooks/${webhook.id}`)).waiting === 0);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(ids.filter((id) => id === first).length).toBeGreaterThan(1);
    expect(ids.lastIndexOf(first)).toBeLessThan(ids.length - 1);
    await remove(webhook.id);
  });

  it('is switched off by 410 and when it is given up, which is shown, and can be tried again', async () => {
    const webhook = await create();
    answer = { status: 410 };
    await clew.call('POST', `webhooks/${webhook.id}/test`);
    await until(async () => !(await clew.data('GET', `webhooks/${webhook.id}`)).enabled);
    expect(await clew.data('GET', `webhooks/${webhook.id}`)).toMatchObject({
      dead: 1,
      disabled_reason: expect.stringContaining('410'),
    });
    const metrics = await (await fetch(`${clew.service.url}/metrics`)).text();
    expect(metrics).toMatch(/^clew_webhooks\{state="disabled"\} [1-9]/m);
    expect(metrics).toMatch(/^clew_webhook_deliveries\{state="dead"\} [1-9]/m);
    const [dead] = (await clew.call('GET', `webhooks/${webhook.id}/deliveries?status=eq:dead`)).json.data;
    answer = { status: 500 };
    const body = { name: 'siem', url: address, event_types: ['finding.opened'] };
    expect(await clew.data('PUT', `webhooks/${webhook.id}`, body)).toMatchObject({
      enabled: true,
      disabled_reason: '',
    });
    const retried = await clew.call('POST', `webhooks/${webhook.id}/deliveries/${dead.id}/retry`);
    expect([retried.status, retried.json.data.attempts]).toEqual([202, 0]);
    // Changed only after the worker has recorded its own attempt.
    await until(async () => {
      const { json } = await clew.call('GET', `webhooks/${webhook.id}/deliveries`);
      return json.data.some(
        (one: { id: string; attempts: number }) => one.id === dead.id && one.attempts === 1,
      );
    });
    await sql`update webhook_delivery set attempts = ${PAUSES.length}, next_attempt_at = now() where id = ${dead.id}`.execute(
      clew.database.db,
    );
    await until(async () => !(await clew.data('GET', `webhooks/${webhook.id}`)).enabled);
    expect((await clew.data('GET', `webhooks/${webhook.id}`)).disabled_reason).toBe(
      'permanently failed: 500 said',
    );
    await remove(webhook.id);
  });

  it('signs with both secrets after a new one was made', async () => {
    const webhook = await create();
    const { secret } = await clew.data('PUT', `webhooks/${webhook.id}/secret`);
    expect(secret).not.toBe(webhook.secret);
    await clew.call('POST', `webhooks/${webhook.id}/test`);
    await until(() => received.length === 1);
    for (const each of [secret, webhook.secret]) expect(isSignedBy(each, received[0])).toBe(true);
    await remove(webhook.id);
  });

  it('hears of posture, late collections and failed jobs', async () => {
    const webhook = await create({
      event_types: ['posture.worsened', 'collection.late', 'job.failed'],
      exposure_threshold: 0.99,
    });
    const { job, collector, id } = await clew.running();
    await collector.ingest(users(9_000, 1));
    await collector.end('FAILED', 'no rights');
    const waiting = await clew.data('POST', `clients/${id}/jobs`, {});
    await sql`update collector_job set execution_time = now() - interval '2 hours' where id = ${waiting.id}`.execute(
      clew.database.db,
    );
    await until(() => received.length >= 2);
    expect(events().find(({ type }) => type === 'job.failed')?.data).toMatchObject({
      ...{ job_id: job.id, kind: 'collection', message: 'no rights' },
    });
    expect(events().find(({ type }) => type === 'collection.late')?.data).toMatchObject({
      job_id: waiting.id,
    });
    // Nothing is sent below the threshold; a value above it is sent once.
    const low = { name: 'siem', url: address, event_types: ['posture.worsened'], exposure_threshold: 0.01 };
    await clew.data('PUT', `webhooks/${webhook.id}`, low);
    await collect([]);
    await collect([1101, 1102, 1103]);
    await until(() => events().some(({ type }) => type === 'posture.worsened'));
    await collect([1101, 1102]);
    const worse = events().filter(
      ({ type, data }) => type === 'posture.worsened' && data.environment_id === DOMAIN,
    );
    expect(worse).toHaveLength(1);
    expect(worse[0]?.data).toMatchObject({ exposure_before: 0, threshold: 0.01 });
    await remove(webhook.id);
  });

  it('hears of reports that a schedule made, could not make, or makes no more, once each', async () => {
    const kept = async (name: string) =>
      (await clew.call('POST', 'reports', { name, schedule: 'weekly' })).json.data as { readonly id: number };
    const all = await create({ event_types: ['report.made', 'report.failed'] });
    const ofReports = { event_types: ['report.made', 'report.failed'] };
    const limited = await create({ ...ofReports, name: 'limited', environments: [DOMAIN] });
    const { pool } = clew.database;
    const setDue = (id: number) =>
      pool.query("update report set next_at = now() - interval '1 minute' where id = $1", [id]);
    const parts = { db: clew.database.db, generations: new GenerationHolder() };
    const makeNow = (more: object = {}) => makeDue({ ...parts, ...more }, createLogger('silent'));
    const board = await kept('Board');
    // A report made on request is not announced.
    await clew.call('POST', `reports/${board.id}/issues`);
    const broken = {
      generations: {
        ...{ onSwap: () => () => {}, beforeSwap: () => () => {} },
        current: () => {
          throw new Error('a secret of the service');
        },
      },
    };
    for (let tries = 0; tries < 2; tries++) {
      await setDue(board.id);
      await makeNow(broken);
    }
    await until(() => received.length > 0);
    await setDue(board.id);
    // Another process that has loaded the graph polls for due reports when it starts.
    const variables = { CLEW_ROLE: 'worker', CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' };
    const another = await clew.startAnother(variables);
    await until(() => received.length > 1).finally(() => another.stop());
    const lost = await kept('Lost');
    await pool.query('update report set zone = 99 where id = $1', [lost.id]);
    await setDue(lost.id);
    await makeNow();
    await until(() => received.length > 2);
    const [issue] = (await clew.data('GET', `reports/${board.id}`)).issues;
    const page = (id: number) => ({
      report_id: id,
      owner: 'admin',
      schedule: 'weekly',
      page: `/ui/reports/${id}`,
    });
    expect(events().map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'report.failed',
        data: {
          ...page(board.id),
          ...{ name: 'Board', has_ended: false, next_at: expect.any(String) },
          reason: 'An internal error occurred; see the log',
        },
      },
      {
        type: 'report.made',
        data: {
          ...page(board.id),
          ...{ name: 'Board', issue_id: issue.id, generation: issue.generation },
          issue: `/api/v2/reports/${board.id}/issues/${issue.id}`,
        },
      },
      {
        type: 'report.failed',
        data: {
          ...page(lost.id),
          name: 'Lost',
          has_ended: true,
          next_at: null,
          reason: 'Its zone was deleted',
        },
      },
    ]);
    expect(received.every((call) => isSignedBy(all.secret, call))).toBe(true);
    expect((await clew.call('GET', `webhooks/${limited.id}/deliveries`)).json.count).toBe(0);
    // The webhook also gets a report that is limited to its environment.
    await pool.query('update report_issue set environments = $1 where id = $2', [
      JSON.stringify([DOMAIN]),
      issue.id,
    ]);
    await until(async () => (await clew.call('GET', `webhooks/${limited.id}/deliveries`)).json.count === 1);
    for (const { id } of [all, limited]) await remove(id);
    for (const { id } of [board, lost]) await clew.call('DELETE', `reports/${id}`);
  });

  it('is called at addresses that are allowed only', async () => {
    for (const [url, reason] of [
      ['http://10.1.2.3/', 'it must use https'],
      ['https://169.254.169.254/latest/meta-data', 'not a public address: CLEW_WEBHOOK_NETWORKS'],
      ['https://[::1]/', 'not a public address'],
    ] as const) {
      const webhook = await create({ url });
      await clew.call('POST', `webhooks/${webhook.id}/test`);
      await until(
        async () => (await clew.call('GET', `webhooks/${webhook.id}/deliveries`)).json.data[0].attempts === 1,
      );
      const [tried] = (await clew.call('GET', `webhooks/${webhook.id}/deliveries`)).json.data;
      expect([tried.last_status, tried.last_error]).toEqual([null, expect.stringContaining(reason)]);
      await remove(webhook.id);
    }
    for (const url of ['ftp://x', 'nonsense', 'https://user:secret@example.com/'])
      expect(
        (await clew.call('POST', 'webhooks', { name: 'x', url, event_types: ['job.failed'] })).status,
      ).toBe(400);
    expect(
      (await clew.call('POST', 'webhooks', { name: 'x', url: address, event_types: ['posture.worsened'] }))
        .json.errors[0].message,
    ).toContain('exposure_threshold');
  });

  it('is not delayed by receivers that are silent or switch protocols', async () => {
    const silent = createServer(() => {});
    const upgrading = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      );
    });
    const addresses = await Promise.all(
      [silent, upgrading].map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      }),
    );
    const hostile: { readonly id: string }[] = [];
    for (let at = 0; at < 10; at++)
      hostile.push(await create({ name: `silent ${at}`, url: addresses[at % 2] }));
    for (const { id } of hostile) await clew.call('POST', `webhooks/${id}/test`);
    const webhook = await create();
    for (let at = 0; at < 3; at++) await clew.call('POST', `webhooks/${webhook.id}/test`);
    await until(() => received.length === 3);
    // Receivers that switch protocols were tried and are retried later; silent ones are still pending.
    const triedOf = async (at: number) =>
      (await clew.call('GET', `webhooks/${hostile[at]?.id}/deliveries`)).json.data[0];
    await until(async () => (await triedOf(1)).attempts > 0);
    expect((await triedOf(1)).last_error).toContain('101 Switching Protocols');
    expect((await triedOf(0)).attempts).toBe(0);
    for (const { id } of [webhook, ...hostile]) await remove(id);
    silent.closeAllConnections();
    for (const server of [silent, upgrading]) server.close();
  });

  it.each(['silence', 'an upgrade'])('does not hold up the end of the service by %s', async (way) => {
    const silent = createServer(() => {});
    if (way === 'an upgrade')
      silent.on('request', ({ socket }) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      );
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const own = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' }, { makesPlans: false });
    const body = { name: 'slow', url: `http://127.0.0.1:${port}/`, event_types: ['job.failed'] };
    const { id } = (await own.call('POST', 'webhooks', body)).json.data;
    const called = new Promise((resolve) => silent.once('request', resolve));
    await own.call('POST', `webhooks/${id}/test`);
    await called;
    const begun = Date.now();
    await own.service.stop();
    expect(Date.now() - begun).toBeLessThan(10_000);
    await own.stop();
    silent.closeAllConnections();
    silent.close();
  });

  it('is for administrators', async () => {
    await clew.data('POST', 'bloodhound-users', { principal: 'reader', roles: [3], secret: PASSWORD });
    await clew.login('reader');
    expect(
      (await clew.call('POST', 'webhooks', { name: 'x', url: address, event_types: ['job.failed'] })).status,
    ).toBe(403);
    expect((await clew.call('GET', 'changes')).status).toBe(200);
    await clew.login('admin');
  });
});
