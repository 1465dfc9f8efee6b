/** Scheduled collection over real HTTP, with a collector that behaves as the public ones do. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ClientJob, JOB_STATUS, ZERO_TIME } from '@clew/api';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { exchangeRaw } from '../http/testing/rawClient.ts';
import { type RunningService, startService } from '../main.ts';
import { expireJobs, pruneJobs } from './collectorJobs.ts';
import { countClients, makeDueJobs } from './schedules.ts';
import { type Reply, SimulatedCollector } from './testing/simulatedCollector.ts';

const PASSWORD = 'Correct-Horse-1';
const TENANT = '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145';
const EVERYTHING = { ad_structure_collection: true, session_collection: true };

let directory: string;
let service: RunningService;
let database: Database;
let bearer: string;

async function start(variables: Readonly<Record<string, string>> = {}): Promise<RunningService> {
  const { host = '', port, user, password, database: name } = database.connection;
  const config = readConfig({
    CLEW_DATABASE_URL: `postgres://${user}:${password}@${encodeURIComponent(host)}:${port ?? 5432}/${name}`,
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_LOG_LEVEL: 'silent',
    CLEW_ADMIN_PASSWORD: PASSWORD,
    CLEW_RATE_LIMIT: '0',
    ...variables,
  });
  return startService(config, { log: pino({ level: 'silent' }), checkAnswers: true });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-collectors-'));
  database = await startTestDatabase();
  service = await start();
  bearer = await login();
}, 120_000);

afterAll(async () => {
  await service.stop();
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function login(): Promise<string> {
  const body = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  return (await call('POST', 'login', body)).json.data.session_token;
}

async function call(method: string, path: string, body?: object): Promise<Reply> {
  const answer = await fetch(`${service.url}/api/v2/${path}`, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
}

/** Of a 200. */
async function data(method: string, path: string, body?: object) {
  const { status, json } = await call(method, path, body);
  expect([path, status, status === 200 ? '' : json]).toEqual([path, 200, '']);
  return json.data;
}

async function newCollector(more: object = {}): Promise<{ id: string; collector: SimulatedCollector }> {
  const client = await data('POST', 'clients', { name: 'Berlin', type: 'azurehound', ...more });
  return { id: client.id, collector: new SimulatedCollector(service.url, client.token) };
}

async function running(): Promise<{ id: string; collector: SimulatedCollector; job: ClientJob }> {
  const { id, collector } = await newCollector();
  await collector.start();
  await data('POST', `clients/${id}/jobs`, {});
  const job = await collector.pick();
  expect(job).toBeDefined();
  return { id, collector, job: job as ClientJob };
}

const statusOf = async (job: { readonly id: number }): Promise<number> =>
  (await data('GET', `jobs/${job.id}`)).status;
const logOf = async (job: { readonly id: number }): Promise<string> =>
  (await data('GET', `jobs/${job.id}/log`)).log;

const untilOver = (job: { readonly id: number }) =>
  vi.waitUntil(async () => [2, 5, 8].includes(await statusOf(job)), { timeout: 30_000, interval: 50 });

/** Entries of the Azure collector. */
const users = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'AZUser',
    data: {
      id: `00000000-0000-0000-0000-${String(from + at).padStart(12, '0')}`,
      displayName: `User ${from + at}`,
      userPrincipalName: `user${from + at}@aurora.example`,
      tenantId: TENANT,
      tenantName: 'Aurora',
    },
  }));

describe('a run of a collector', () => {
  it('ends with its data in the graph and a log that tells its story', async () => {
    const { id, collector } = await newCollector({ name: 'Aurora' });
    const before = await data('GET', `clients/${id}`);
    expect([before.last_checkin, before.current_job_id, before.token.key]).toEqual([ZERO_TIME, null, '']);
    expect((await collector.start()).current_job).toBeNull();
    expect(await collector.available()).toEqual([]);
    expect((await collector.heartbeat()).status).toBe(404);
    const asked = await data('POST', `clients/${id}/jobs`, {});
    expect([typeof asked.id, asked.status, asked.event_id]).toEqual(['number', JOB_STATUS.ready, null]);
    const job = (await collector.pick()) as ClientJob;
    expect(job.id).toBe(asked.id);
    // The answer was lost: it begins again.
    expect((await collector.send('POST', '/jobs/start', { id: job.id })).status).toBe(200);
    expect((await collector.heartbeat()).json.data).toMatchObject({ id: job.id, status: JOB_STATUS.running });
    expect(await collector.available()).toEqual([]);
    expect(await collector.ingest(users(1, 100))).toEqual([202, 202, 202, 202]);
    expect(await collector.ingest(users(101, 20))).toEqual([202, 202, 202, 202]);
    expect(await logOf(job)).toMatch(/received a batch of \d+ bytes/);
    await collector.send('POST', '/clients/error', {
      task_error: 'no rights\nservice: forged',
      additional: { at: 'x' },
    });
    const ended = await collector.end('COMPLETE', 'Collection completed successfully');
    expect([ended.status, [6, 7, 2].includes(ended.json.data.status)]).toEqual([200, true]);
    // Lost, too.
    expect((await collector.end('COMPLETE', 'Collection completed successfully')).status).toBe(200);
    await untilOver(job);
    const shown = await data('GET', `jobs/${job.id}`);
    expect(shown).toMatchObject({
      status: JOB_STATUS.complete,
      status_message: 'Collection completed successfully',
      client_name: 'Aurora',
    });
    expect(shown.end_time > shown.start_time).toBe(true);
    expect((await data('GET', 'search?q=USER120@AURORA.EXAMPLE'))[0].name).toBe('USER120@AURORA.EXAMPLE');
    const log = await logOf(job);
    const story = [
      'asked for by admin',
      'started by Aurora, v2.2.1, collector-1, 10.0.0.5',
      'received a batch',
      'received a batch',
      'collector: error',
      'collector: service: forged',
      'ended by the collector: Collection completed successfully',
      '2 batches go to ingest',
      'ingested: 2 of the batches',
      'analysed, and part of the graph',
    ];
    expect(log.match(/received a batch/g)).toHaveLength(2);
    let at = 0;
    for (const part of story) {
      expect([part, log.indexOf(part, at) >= at]).toEqual([part, true]);
      at = log.indexOf(part, at);
    }
    for (const line of log.trim().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z (?:service|collector): /);
    expect((await data('GET', `tasks/${job.id}/log`)).log).toBe(log);
    expect(await data('GET', `clients/${id}`)).toMatchObject({
      version: 'v2.2.1',
      hostname: 'collector-1',
      current_job_id: null,
      completed_job_count: 1,
      completed_task_count: 1,
    });
    for (const path of [
      'jobs/finished',
      'tasks/finished',
      `clients/${id}/completed-jobs`,
      `clients/${id}/completed-tasks`,
    ])
      expect(
        (await data('GET', `${path}?client_id=eq:${id}&status=eq:2&sort_by=-end_time`)).map(
          (one: ClientJob) => one.id,
        ),
      ).toEqual([job.id]);
    // Batches of collectors are no uploads of users.
    expect(await data('GET', 'file-upload')).toEqual([]);
  }, 60_000);

  it('carries what the Windows collector says of each domain', async () => {
    const { id, collector } = await newCollector({ type: 'sharphound', name: 'Windows' });
    await data('POST', `clients/${id}/jobs`, EVERYTHING);
    const job = (await collector.pick()) as ClientJob;
    expect(job).toMatchObject({ ...EVERYTHING, local_group_collection: false, domain_controller: '' });
    const batch = { meta: { type: 'users', version: 6, count: 0 }, data: [] };
    expect((await collector.sendBatch(gzipSync(JSON.stringify(batch)))).status).toBe(202);
    const results = [{ domain_name: 'AURORA.EXAMPLE', success: false, message: 'no route', user_count: 4 }];
    await collector.end('COMPLETE', '', { domain_results: results, log: 'line 1\nline 2' });
    const shown = await data('GET', `jobs/${job.id}`);
    expect(shown.domain_results).toMatchObject([{ ...results[0], job_id: job.id, group_count: 0 }]);
    expect(await logOf(job)).toMatch(
      /collector: line 2\n[\s\S]*domain AURORA.EXAMPLE: not collected, no route/,
    );
    await untilOver(job);
  });

  it('without a batch is complete, too', async () => {
    const { collector, job } = await running();
    await collector.end('COMPLETE', 'nothing to see');
    await untilOver(job);
    expect(await statusOf(job)).toBe(JOB_STATUS.complete);
  });
});

describe('a run that does not end well', () => {
  it('is failed when the collector says so, and what it sent is ingested', async () => {
    const { collector, job } = await running();
    await collector.ingest(users(500, 3));
    await collector.end('FAILED', 'out of memory');
    expect(await data('GET', `jobs/${job.id}`)).toMatchObject({
      status: JOB_STATUS.failed,
      status_message: 'out of memory',
    });
    await vi.waitUntil(async () => (await data('GET', 'search?q=USER502@AURORA.EXAMPLE')).length === 1, {
      timeout: 30_000,
    });
    expect(await logOf(job)).toMatch(
      /failed: out of memory[\s\S]*1 batches go to ingest[\s\S]*part of the graph/,
    );
  });

  it('is orphaned by a collector that starts again', async () => {
    const { collector, job } = await running();
    expect((await collector.start()).current_job).toMatchObject({ id: job.id, status: 1, event_id: null });
    expect(await statusOf(job)).toBe(JOB_STATUS.failed);
    expect((await collector.start()).current_job_id).toBeNull();
  });

  it('is orphaned by the next one that the collector begins', async () => {
    const { id, collector, job } = await running();
    await data('POST', `clients/${id}/jobs`, {});
    const next = (await collector.pick()) as ClientJob;
    expect([await statusOf(job), await statusOf(next)]).toEqual([JOB_STATUS.failed, JOB_STATUS.running]);
    expect(await logOf(job)).toContain('Orphaned: the collector began another job');
  });

  it('times out without a sign of the collector, and a late batch begins another one', async () => {
    const { id, collector, job } = await running();
    await collector.ingest(users(600, 2));
    const long = sql`clock_timestamp() - interval '21 minutes'`;
    const age = async () => {
      await sql`update collector_job set start_time = ${long}, last_ingest = ${long} where id = ${job.id}`.execute(
        database.db,
      );
      await sql`update collector_client set last_checkin = ${long} where id = ${id}`.execute(database.db);
    };
    await age();
    await collector.heartbeat();
    expect(await expireJobs(database.db)).toBe(0);
    await age();
    expect(await expireJobs(database.db)).toBe(1);
    expect(await data('GET', `jobs/${job.id}`)).toMatchObject({ status: JOB_STATUS.timedOut });
    await untilIngested(job);
    // The last batch once more, and then a new one.
    expect(await collector.ingest(users(600, 2))).toEqual([202, 202, 202, 202]);
    expect((await collector.heartbeat()).status).toBe(404);
    expect(await collector.ingest(users(700, 2))).toEqual([202, 202, 202, 202]);
    const adHoc = (await collector.heartbeat()).json.data;
    expect(adHoc.id).not.toBe(job.id);
    await collector.end('COMPLETE', 'done');
    await untilOver(adHoc);
    expect(await logOf(adHoc)).toMatch(/sends data without a job[\s\S]*1 batches go to ingest/);
  }, 60_000);

  it('is discarded when a user cancels it, whatever the collector still sends', async () => {
    const { collector, job } = await running();
    await collector.ingest(users(800, 2));
    expect((await data('PUT', `jobs/${job.id}/cancel`)).status).toBe(JOB_STATUS.canceled);
    expect((await call('PUT', `jobs/${job.id}/cancel`)).status).toBe(400);
    expect(await collector.ingest(users(810, 2))).toEqual([202, 202, 202, 202]);
    expect((await collector.end('COMPLETE', 'done')).status).toBe(200);
    expect(await statusOf(job)).toBe(JOB_STATUS.canceled);
    expect(await logOf(job)).toMatch(
      /canceled: Canceled by admin[\s\S]*1 batches are discarded[\s\S]*discarded a batch/,
    );
    expect(await data('GET', 'search?q=USER800@AURORA.EXAMPLE')).toEqual([]);
    const { rows } = await sql`
      select id from upload_job where status = 1
        and id not in (select upload_job_id from collector_job where status = 1)`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it('is partially complete when a batch was garbage', async () => {
    const { collector, job } = await running();
    await collector.ingest(users(900, 2));
    for (const garbage of ['{"meta":', 'noise', '{"data":1}'])
      expect((await collector.sendBatch(gzipSync(garbage))).status).toBe(400);
    expect((await collector.sendBatch(Buffer.from('not compressed'))).status).toBe(400);
    await collector.end('COMPLETE', 'Collection completed with errors during ingest');
    await untilOver(job);
    expect(await data('GET', `jobs/${job.id}`)).toMatchObject({ status: JOB_STATUS.partiallyComplete });
    expect((await logOf(job)).match(/refused a batch: /g)?.length).toBeGreaterThanOrEqual(3);
    expect(await data('GET', 'search?q=USER901@AURORA.EXAMPLE')).toHaveLength(1);
  });

  const untilIngested = (job: ClientJob) =>
    vi.waitUntil(async () => (await logOf(job)).includes('part of the graph'), {
      timeout: 30_000,
      interval: 50,
    });
});

describe('a collector', () => {
  it('gets 404 for the job of another, and cannot end it', async () => {
    const { job } = await running();
    const other = await newCollector();
    await data('POST', `clients/${other.id}/jobs`, {});
    expect((await other.collector.send('POST', '/jobs/start', { id: job.id })).status).toBe(404);
    expect((await other.collector.send('POST', '/jobs/start', { id: 2 ** 40 })).status).toBe(404);
    expect((await other.collector.end('COMPLETE', '')).status).toBe(404);
    expect((await other.collector.end('DONE', '')).json.errors[0].message).toContain('COMPLETE|FAILED');
    expect(await statusOf(job)).toBe(JOB_STATUS.running);
  });

  it('may do its own work only, and users may not do it', async () => {
    const { collector, id } = await newCollector();
    for (const [method, path] of [
      ['GET', '/clients'],
      ['GET', '/jobs'],
      ['GET', '/search?q=x'],
      ['POST', '/file-upload/start'],
      ['PUT', '/analysis'],
      ['DELETE', `/clients/${id}`],
      ['GET', '/tokens'],
    ])
      expect([path, (await collector.send(method, path)).status]).toEqual([path, 403]);
    for (const [method, path, body] of [
      ['GET', 'jobs/available'],
      ['GET', 'jobs/current'],
      ['POST', 'jobs/start', { id: 1 }],
      ['POST', 'jobs/end', { status: 'COMPLETE' }],
      ['PUT', 'clients/update', {}],
      ['POST', 'clients/error', { task_error: '' }],
      ['GET', 'tasks/available'],
    ] as const)
      expect([path, (await call(method, path, body)).status]).toEqual([path, 404]);
  });

  it('is out at once when its token is replaced or it is removed', async () => {
    const { collector, id } = await newCollector();
    expect((await collector.send('GET', '/jobs/available')).status).toBe(200);
    const token = await data('PUT', `clients/${id}/token`);
    expect(token.key).not.toBe('');
    expect((await collector.send('GET', '/jobs/available')).status).toBe(401);
    const renewed = new SimulatedCollector(service.url, token);
    await data('POST', `clients/${id}/jobs`, {});
    const job = (await renewed.pick()) as ClientJob;
    await data('POST', `clients/${id}/jobs`, {});
    expect((await call('DELETE', `clients/${id}`)).status).toBe(200);
    expect((await renewed.send('GET', '/jobs/available')).status).toBe(401);
    expect(await statusOf(job)).toBe(JOB_STATUS.canceled);
    expect(
      (await data('GET', 'jobs?status=eq:0')).filter(
        (one: ClientJob) => one.client_name === 'Berlin' && one.client_id === id,
      ),
    ).toEqual([]);
    expect((await call('GET', `clients/${id}`)).status).toBe(404);
  });

  it('sends requests byte for byte as the public one does', async () => {
    const { collector, id } = await newCollector();
    await data('POST', `clients/${id}/jobs`, {});
    await collector.pick();
    const body = gzipSync(
      JSON.stringify({ meta: { type: 'azure', version: 0, count: 0 }, data: users(990, 1) }),
    );
    const headers = collector.headers('POST', '/api/v2/ingest', body);
    const head = [
      'POST /api/v2/ingest HTTP/1.1',
      `User-Agent: ${headers['user-agent']}`,
      `Content-Length: ${body.length}`,
      'Accept: application/json',
      `Authorization: ${headers.authorization}`,
      'Content-Encoding: gzip',
      'Prefer: wait=60',
      `Requestdate: ${headers.requestdate}`,
      `Signature: ${headers.signature}`,
      'Accept-Encoding: gzip',
    ].join('\r\n');
    const answer = await exchangeRaw(service.url, head, body);
    expect([answer.status, answer.body.length]).toEqual([202, 0]);
    await collector.end('COMPLETE', '');
  });
});

describe('schedules', () => {
  it('make a job when their time has come, one at a time', async () => {
    const { id, collector } = await newCollector({ events: [{ rrule: 'FREQ=DAILY' }] });
    const [event] = (await data('GET', `events?client_id=eq:${id}`)) as {
      id: number;
      rrule: string;
      next_scheduled_at: string;
    }[];
    expect(event.rrule).toMatch(/^DTSTART:\d{8}T\d{4}00Z\nRRULE:FREQ=DAILY$/);
    expect(Date.parse(event.next_scheduled_at)).toBeGreaterThan(Date.now());
    const due = async () => {
      await sql`update collection_event set next_scheduled_at = now() - interval '1 second' where id = ${event.id}`.execute(
        database.db,
      );
    };
    await due();
    const [job] = await collector.available();
    expect(job).toMatchObject({ event_id: event.id, status: 0 });
    await due();
    expect(await makeDueJobs(database.db, new Date())).toBe(0);
    expect(await collector.available()).toHaveLength(1);
    expect(await logOf(job)).toContain('was skipped: this one still waits');
    // A change takes effect at once.
    const changed = await data('PUT', `events/${event.id}`, {
      rrule: 'DTSTART:20300101T000000Z\nRRULE:FREQ=WEEKLY',
    });
    expect(changed.next_scheduled_at).toBe('2030-01-01T00:00:00.000000Z');
    expect((await call('DELETE', `events/${event.id}`)).status).toBe(200);
    expect(await collector.available()).toEqual([]);
    expect((await call('GET', `events/${event.id}`)).status).toBe(404);
  });

  it('name objects of the graph, by id or distinguished name, and say when there is none', async () => {
    const { id } = await newCollector({ type: 'sharphound', name: 'Scopes' });
    const refused = async (body: object) => {
      const { status, json } = await call('POST', `clients/${id}/jobs`, body);
      return [status, json.errors[0].message];
    };
    expect(await refused({})).toEqual([400, 'at least one data collection flag must be provided']);
    expect(await refused({ ...EVERYTHING, domains: ['S-1-5-21-1-2-3'] })).toEqual([
      400,
      'no record found for S-1-5-21-1-2-3',
    ]);
    expect(await refused({ ...EVERYTHING, domains: ['x'], all_trusted_domains: true })).toEqual([
      400,
      'may only scope collection by exactly one of OU, Domain, or All Trusted Domains',
    ]);
    expect((await refused({ ...EVERYTHING, ous: ['x'] }))[0]).toBe(400);
  });

  it.each([
    ['no rule', 'sometimes'],
    ['too often', 'FREQ=MINUTELY'],
    ['never', 'DTSTART:20240501T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['two rules', 'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY'],
    ['a part that is not known', 'FREQ=DAILY;BYMOON=1'],
    ['an unknown zone', 'DTSTART;TZID=Nowhere/City:20240501T080000\nRRULE:FREQ=DAILY'],
  ])('refuse %s', async (_, rrule) => {
    const { id } = await newCollector();
    const { status, json } = await call('POST', 'events', { client_id: id, rrule });
    expect([status, json.errors[0].message]).toEqual([400, expect.stringMatching(/^rrule is invalid: /)]);
    expect(await data('GET', `events?client_id=eq:${id}`)).toEqual([]);
  });
});

describe('many collectors', () => {
  it('each get their own jobs, none twice and none lost', async () => {
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, at) => newCollector({ name: `many ${at}` })),
    );
    for (const { id } of all) await data('POST', `clients/${id}/jobs`, {});
    const began: number[] = [];
    await Promise.all(
      all.map(async ({ collector }, at) => {
        // Two processes with one token: one of them begins the job, the other goes on with it.
        const [one, other] = await Promise.all([collector.pick(), collector.pick()]);
        const job = (one ?? other) as ClientJob;
        began.push(job.id);
        if (at >= 10) return;
        for (let batch = 0; batch < 5; batch++)
          expect(await collector.ingest(users(10_000 + at * 100 + batch * 10, 10))).toEqual([
            202, 202, 202, 202,
          ]);
        await collector.end('COMPLETE', 'done');
      }),
    );
    expect(new Set(began).size).toBe(100);
    const finished = () =>
      database.db
        .selectFrom('collector_job_view')
        .select(['id', 'status'])
        .where('client_name', 'like', 'many _')
        .execute();
    await vi.waitUntil(async () => (await finished()).every(({ status }) => status === 2), {
      timeout: 60_000,
      interval: 200,
    });
    expect(await finished()).toHaveLength(10);
    const { rows } =
      await sql`select count(*) as n from upload_file where batch and job_id in (select upload_job_id from collector_job where client_name like 'many _')`.execute(
        database.db,
      );
    expect(rows).toEqual([{ n: 50 }]);
    const found = await data('GET', 'search?q=USER10949@AURORA.EXAMPLE');
    expect(found).toHaveLength(1);
    expect(await countClients(database.db)).toMatchObject({ overdue: 0 });
  }, 120_000);
});

describe('what is kept', () => {
  it('goes after its days, what is not over stays', async () => {
    const { job, collector } = await running();
    await collector.end('COMPLETE', '');
    await untilOver(job);
    const waiting = await running();
    await sql`update upload_job set end_time = now() - interval '91 days' where id = (select upload_job_id from collector_job where id = ${job.id})`.execute(
      database.db,
    );
    await sql`update collector_job set start_time = now() - interval '91 days' where id = ${waiting.job.id}`.execute(
      database.db,
    );
    expect(await pruneJobs(database.db, 0)).toBe(0);
    expect(await pruneJobs(database.db, 90)).toBe(1);
    expect((await call('GET', `jobs/${job.id}/log`)).status).toBe(404);
    expect(await statusOf(waiting.job)).toBe(JOB_STATUS.running);
  });

  it('is a log of bounded size that says what it left out', async () => {
    const { job, collector } = await running();
    const line = 'x'.repeat(800_000);
    for (let at = 0; at < 70; at++)
      await collector.send('POST', '/clients/error', { task_error: `${at} ${line}` });
    await collector.end('COMPLETE', 'done');
    const log = await logOf(job);
    expect(log.length).toBeLessThan(4.3 * 1024 * 1024);
    expect(log).toMatch(/\[\d+ bytes left out\]/);
    expect(log).toMatch(/the log is full: \d+ lines were left out/);
    expect(log).toContain('ended by the collector: done');
  });
});

describe('the log of a job', () => {
  it('answers as specified: 401, 403, 404', async () => {
    const { job } = await running();
    expect((await fetch(`${service.url}/api/v2/jobs/${job.id}/log`)).status).toBe(401);
    expect((await call('GET', 'jobs/9007199254740991/log')).status).toBe(404);
    expect((await call('GET', 'jobs/999999/log')).status).toBe(404);
    const user = await data('POST', 'bloodhound-users', {
      principal: 'reader',
      roles: [4],
      secret: PASSWORD,
    });
    expect(user.id).toBeDefined();
    const admin = bearer;
    bearer = (await call('POST', 'login', { login_method: 'secret', username: 'reader', secret: PASSWORD }))
      .json.data.session_token;
    expect((await call('GET', `jobs/${job.id}/log`)).status).toBe(403);
    bearer = admin;
  });

  it('is not there in the community edition', async () => {
    const community = await start({ CLEW_EDITION: 'community' });
    const answer = await fetch(`${community.url}/api/v2/jobs/1/log`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(answer.status).toBe(404);
    await community.stop();
  });
});

describe('releases of collectors', () => {
  const path = () => join(directory, 'data', 'collectors');

  it('say that there are none until an administrator places one', async () => {
    for (const where of [
      'collectors/sharphound',
      'collectors/azurehound/latest',
      'kennel/manifest',
      'kennel/enterprise-manifest',
    ]) {
      const { status, json } = await call('GET', where);
      expect([where, status, json.errors[0].message]).toEqual([
        where,
        404,
        expect.stringContaining('an administrator puts'),
      ]);
    }
    expect((await call('GET', 'collectors/bloodhound')).status).toBe(404);
  });

  it('are listed, downloaded and checked', async () => {
    await mkdir(path(), { recursive: true });
    const [windows, linux] = [randomBytes(300_000), randomBytes(1_000)];
    await writeFile(join(path(), 'sharphound-v2.6.0.zip'), windows);
    await writeFile(join(path(), 'azurehound-v2.2.1-linux-amd64.zip'), linux);
    await writeFile(join(directory, 'data', 'secret.zip'), 'secret');
    const sum = createHash('sha256').update(windows).digest('hex');
    expect(await data('GET', 'collectors/sharphound')).toEqual({
      latest: 'v2.6.0',
      versions: [{ version: 'v2.6.0', sha256sum: sum, deprecated: false }],
    });
    for (const tag of ['latest', 'v2.6.0', '2.6.0']) {
      const answer = await fetch(`${service.url}/api/v2/collectors/sharphound/${tag}`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
        200,
        'attachment; filename="sharphound-v2.6.0.zip"',
      ]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(windows)).toBe(true);
    }
    expect((await call('GET', 'collectors/sharphound/latest/checksum')).json).toBe(
      `${sum}  sharphound-v2.6.0.zip\n`,
    );
    expect((await call('GET', 'collectors/sharphound/v9.9.9')).json.errors[0].message).toBe(
      'there is no release v9.9.9; there are v2.6.0',
    );
    const manifest = await data('GET', 'kennel/manifest');
    expect(manifest.azurehound[0].release_assets).toMatchObject([
      {
        os: 'linux',
        arch: 'amd64',
        download_url: '/api/v2/kennel/download/azurehound-v2.2.1-linux-amd64.zip',
      },
    ]);
    expect((await call('GET', 'kennel/download/azurehound-v2.2.1-linux-amd64.zip')).status).toBe(200);
    for (const name of ['..%2Fsecret.zip', 'secret.zip', '..%2F..%2Fetc%2Fpasswd', '.'])
      expect([name, (await call('GET', `kennel/download/${name}`)).status]).toEqual([name, 404]);
  });
});
