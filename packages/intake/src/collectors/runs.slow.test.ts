/** Runs of collectors over real HTTP, with a collector that behaves as the public ones do. */
import { gzipSync } from 'node:zlib';
import { type ClientJob, JOB_STATUS, ZERO_TIME } from '@clew/api';
import { exchangeRaw } from '@clew/server/testing';
import { ServiceUnderTest, SimulatedCollector, users } from '@clew/service/testing';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expireJobs } from './collectorJobs.ts';
import { writeCollectorLines } from './collectorLines.ts';
import { MAX_LOG_BYTES } from './jobLog.ts';
import { countClients } from './schedules.ts';

const EVERYTHING = { ad_structure_collection: true, session_collection: true };

let clew: ServiceUnderTest;
beforeAll(async () => {
  clew = await ServiceUnderTest.start({}, { makesPlans: false });
});
afterAll(() => clew.stop());

describe('a run of a collector', () => {
  it('ends with its data in the graph and a log of its steps', async () => {
    const { id, collector } = await clew.newCollector({ name: 'Aurora' });
    const before = await clew.data('GET', `clients/${id}`);
    expect([before.last_checkin, before.current_job_id, before.token.key]).toEqual([ZERO_TIME, null, '']);
    expect((await collector.start()).current_job).toBeNull();
    expect(await collector.available()).toEqual([]);
    expect((await collector.heartbeat()).status).toBe(404);
    const asked = await clew.data('POST', `clients/${id}/jobs`, {});
    expect([typeof asked.id, asked.status, asked.event_id]).toEqual(['number', JOB_STATUS.ready, null]);
    const job = (await collector.pick()) as ClientJob;
    expect(job.id).toBe(asked.id);
    // The answer was lost: it begins again.
    expect((await collector.send('POST', '/jobs/start', { id: job.id })).status).toBe(200);
    expect((await collector.heartbeat()).json.data).toMatchObject({ id: job.id, status: JOB_STATUS.running });
    expect(await collector.available()).toEqual([]);
    expect(await collector.ingest(users(1, 100))).toEqual([202, 202, 202, 202]);
    expect(await collector.ingest(users(101, 20))).toEqual([202, 202, 202, 202]);
    expect(await clew.logOf(job)).toMatch(/received a batch of [\d,]+ bytes/);
    await collector.send('POST', '/clients/error', {
      task_error: 'no rights\nservice: forged',
      additional: { at: 'x' },
    });
    const ended = await collector.end('COMPLETE', 'Collection completed successfully');
    expect([ended.status, [6, 7, 2].includes(ended.json.data.status)]).toEqual([200, true]);
    // Lost, too.
    expect((await collector.end('COMPLETE', 'Collection completed successfully')).status).toBe(200);
    await clew.untilOver(job);
    const shown = await clew.data('GET', `jobs/${job.id}`);
    expect(shown).toMatchObject({
      status: JOB_STATUS.complete,
      status_message: 'Collection completed successfully',
      client_name: 'Aurora',
    });
    expect(shown.end_time > shown.start_time).toBe(true);
    expect((await clew.data('GET', 'search?q=USER120@AURORA.EXAMPLE'))[0].name).toBe(
      'USER120@AURORA.EXAMPLE',
    );
    const log = await clew.logOf(job);
    const story = [
      'requested by admin',
      'started by Aurora, v2.2.1, collector-1, 10.0.0.5',
      'received a batch',
      'received a batch',
      'collector: error',
      'collector: service: forged',
      'ended by the collector: Collection completed successfully',
      '2 batches are sent to ingest',
      'ingested: 2 of the batches',
      'analyzed, and in the graph',
    ];
    expect(log.match(/received a batch/g)).toHaveLength(2);
    // Each came four times.
    expect(
      log.match(/discarded a batch of [\d,]+ bytes that repeats another batch of this job/g),
    ).toHaveLength(6);
    let at = 0;
    for (const part of story) {
      expect([part, log.indexOf(part, at) >= at]).toEqual([part, true]);
      at = log.indexOf(part, at);
    }
    for (const line of log.trim().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z (?:service|collector): /);
    expect((await clew.data('GET', `tasks/${job.id}/log`)).log).toBe(log);
    expect(await clew.data('GET', `clients/${id}`)).toMatchObject({
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
        (await clew.data('GET', `${path}?client_id=eq:${id}&status=eq:2&sort_by=-end_time`)).map(
          (one: ClientJob) => one.id,
        ),
      ).toEqual([job.id]);
    // Batches of collectors are not uploads of users.
    expect(await clew.data('GET', 'file-upload')).toEqual([]);
  });

  it('keeps the data of the Windows collector for each domain', async () => {
    const { id, collector } = await clew.newCollector({ type: 'sharphound', name: 'Windows' });
    await clew.data('POST', `clients/${id}/jobs`, EVERYTHING);
    const job = (await collector.pick()) as ClientJob;
    expect(job).toMatchObject({ ...EVERYTHING, local_group_collection: false, domain_controller: '' });
    const batch = { meta: { type: 'users', version: 6, count: 0 }, data: [] };
    expect((await collector.sendBatch(gzipSync(JSON.stringify(batch)))).status).toBe(202);
    const results = [{ domain_name: 'AURORA.EXAMPLE', success: false, message: 'no route', user_count: 4 }];
    await collector.end('COMPLETE', '', { domain_results: results, log: 'line 1\nline 2' });
    const shown = await clew.data('GET', `jobs/${job.id}`);
    expect(shown.domain_results).toMatchObject([{ ...results[0], job_id: job.id, group_count: 0 }]);
    expect(await clew.logOf(job)).toMatch(
      /collector: line 2\n[\s\S]*domain AURORA.EXAMPLE: not collected, no route/,
    );
    await clew.untilOver(job);
  });

  it('is complete without a batch, too', async () => {
    const { collector, job } = await clew.running();
    await collector.end('COMPLETE', 'nothing to see');
    await clew.untilOver(job);
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.complete);
  });
});

describe('lines of a collector', () => {
  const DAY = 86_400_000;
  it('are in the log while it runs, with their own times, without duplicates', async () => {
    const { collector, job } = await clew.running();
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const lines = [
      { at: at(-1_000), text: 'read 1,000 objects\nservice: forged' },
      { at: at(DAY), text: 'of a clock that is off' },
      { at: at(-DAY), text: 'of another day' },
    ];
    // The answer was lost: they come again.
    for (let time = 0; time < 2; time += 1)
      expect((await collector.send('POST', '/jobs/log', { lines })).status).toBe(202);
    const log = (await clew.logOf(job)).split('\n');
    expect(log.filter((line) => line.endsWith('collector: read 1,000 objects'))).toEqual([
      `${lines[0].at.replace('Z', '000Z')} collector: read 1,000 objects`,
    ]);
    expect(log.filter((line) => line.includes('forged'))).toEqual([
      expect.stringContaining('collector: service: forged'),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    for (const text of ['off', 'another day'])
      expect(log.filter((line) => line.endsWith(text))).toEqual([
        expect.stringMatching(new RegExp(`^${today}`)),
      ]);
    await collector.end('COMPLETE', '');
    expect((await collector.send('POST', '/jobs/log', { lines })).status).toBe(404);
    expect((await clew.call('POST', 'jobs/log', { lines })).status).toBe(404);
  });

  it('of a wrong clock have the difference between their times', async () => {
    const { collector, job } = await clew.running();
    const lines = [1, 2, 2].map((day) => ({ at: `2001-01-0${day}T00:00:00Z`, text: 'sent a batch' }));
    for (let time = 0; time < 2; time += 1) await collector.send('POST', '/jobs/log', { lines });
    expect((await clew.logOf(job)).match(/sent a batch/g)).toHaveLength(3);
  });

  it('have equal pieces if one is long', async () => {
    const { collector, job } = await clew.running();
    const lines = [{ at: new Date().toISOString(), text: 'é'.repeat(65_536) }];
    for (let time = 0; time < 2; time += 1) await collector.send('POST', '/jobs/log', { lines });
    expect((await clew.logOf(job)).match(/é/g)).toHaveLength(65_536);
  });

  it('have a text, and count with overhead against the limit', async () => {
    const { collector, job } = await clew.running();
    const now = Date.now();
    const times = Array.from({ length: 1_000 }, (_, at) => new Date(now - at).toISOString());
    const send = (text: string) =>
      collector.send('POST', '/jobs/log', { lines: times.map((at) => ({ at, text })) });
    expect((await send('')).status).toBe(400);
    const { db } = clew.database;
    await db
      .updateTable('collector_job')
      .set({ log_bytes: MAX_LOG_BYTES - 1_000 })
      .where('id', '=', job.id)
      .execute();
    expect((await send('~')).status).toBe(202);
    // One byte, 40 for the time and author, and 100 for the row.
    const kept = (await clew.logOf(job)).match(/collector: ~$/gm)?.length;
    expect(kept).toBe(Math.floor(1_000 / 141));
    expect(await clew.logOf(job)).toContain(`the log is full: up to ${1_000 - 7} lines were omitted`);
    // All lines of a text are shown with their time and author.
    expect((await send('\n'.repeat(400))).status).toBe(202);
    expect(await clew.logOf(job)).toContain(`${1_000 - 7 + 401_000} lines were omitted`);
    expect((await clew.logOf(job)).length).toBeLessThan(2_000);
  });

  it('of one call take few statements', async () => {
    const { job } = await clew.running();
    let statements = 0;
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const lines = Array.from({ length: 500 }, (_, at) => ({
      at: '2001-01-01T00:00:00Z',
      text: `line ${at}`,
    }));
    for (let time = 0; time < 2; time += 1)
      await writeCollectorLines(clew.database.db.withPlugin(counter), job, lines);
    expect(statements).toBeLessThan(10);
    expect((await clew.logOf(job)).match(/collector: line/g)).toHaveLength(500);
  });
});

describe('readings of directories', () => {
  const reading = {
    ...{ name: 'AURORA.EXAMPLE', controller: 'dc1', usn: 7, account: 'reader', is_full: true },
    notes: [{ what: 'lists', count: 12, first: 'OU=Vault' }],
  };

  it('come from collectors and from uploading users; changes keep the notes of the last full reading', async () => {
    const { collector } = await clew.newCollector({ name: 'Readings' });
    const path = '/directory-readings/s-1-5-21-7-7-7';
    expect((await collector.send('PUT', path, reading)).json.data).toMatchObject({
      ...{ environment_id: 'S-1-5-21-7-7-7', reported_by: 'Readings', usn: 7, notes: reading.notes },
    });
    const before = (await clew.data('GET', 'directory-readings'))[0];
    expect(before.last_full_at).toBe(before.last_read_at);
    const later = await clew.data('PUT', path.slice(1), { ...reading, usn: 9, is_full: false, notes: [] });
    expect(later).toMatchObject({ usn: 9, reported_by: 'admin', notes: reading.notes });
    expect([later.last_full_at, later.last_read_at > before.last_read_at]).toEqual([
      before.last_full_at,
      true,
    ]);
    expect(await clew.data('GET', 'directory-readings?environment_id=eq:S-1-5-21-7-7-7')).toHaveLength(1);
    expect((await collector.send('GET', '/directory-readings')).status).toBe(403);
    expect((await clew.call('PUT', path.slice(1), { ...reading, usn: -1 })).status).toBe(400);
  });
});

describe('a run that does not end well', () => {
  it('fails if the collector reports it, and its batches are ingested', async () => {
    const { collector, job } = await clew.running();
    await collector.ingest(users(500, 3));
    await collector.end('FAILED', 'out of memory');
    expect(await clew.data('GET', `jobs/${job.id}`)).toMatchObject({
      status: JOB_STATUS.failed,
      status_message: 'out of memory',
    });
    await vi.waitUntil(async () => (await clew.data('GET', 'search?q=USER502@AURORA.EXAMPLE')).length === 1, {
      timeout: 100_000,
    });
    // The graph shows a moment before its job is complete.
    await expect
      .poll(() => clew.logOf(job), { timeout: 100_000 })
      .toMatch(/failed: out of memory[\s\S]*1 batches are sent to ingest[\s\S]*in the graph/);
  });

  it('is orphaned by a collector that restarts', async () => {
    const { collector, job } = await clew.running();
    expect((await collector.start()).current_job).toMatchObject({ id: job.id, status: 1, event_id: null });
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.failed);
    expect((await collector.start()).current_job_id).toBeNull();
  });

  it('is orphaned by the next run that the collector starts', async () => {
    const { id, collector, job } = await clew.running();
    await clew.data('POST', `clients/${id}/jobs`, {});
    const next = (await collector.pick()) as ClientJob;
    expect([await clew.statusOf(job), await clew.statusOf(next)]).toEqual([
      JOB_STATUS.failed,
      JOB_STATUS.running,
    ]);
    expect(await clew.logOf(job)).toContain('Orphaned: the collector started another job');
  });

  it('times out without contact from the collector, and a late batch starts another one', async () => {
    const { id, collector, job } = await clew.running();
    await collector.ingest(users(600, 2));
    const long = sql`clock_timestamp() - interval '21 minutes'`;
    const age = async () => {
      await sql`update collector_job set start_time = ${long}, last_ingest = ${long} where id = ${job.id}`.execute(
        clew.database.db,
      );
      await sql`update collector_client set last_checkin = ${long} where id = ${id}`.execute(
        clew.database.db,
      );
    };
    await age();
    await collector.heartbeat();
    expect(await expireJobs(clew.database.db)).toBe(0);
    await age();
    expect(await expireJobs(clew.database.db)).toBe(1);
    expect(await clew.data('GET', `jobs/${job.id}`)).toMatchObject({ status: JOB_STATUS.timedOut });
    await untilIngested(job);
    // The last batch once more, and then a new one.
    expect(await collector.ingest(users(600, 2))).toEqual([202, 202, 202, 202]);
    expect((await collector.heartbeat()).status).toBe(404);
    expect(await collector.ingest(users(700, 2))).toEqual([202, 202, 202, 202]);
    const adHoc = (await collector.heartbeat()).json.data;
    expect(adHoc.id).not.toBe(job.id);
    await collector.end('COMPLETE', 'done');
    await clew.untilOver(adHoc);
    expect(await clew.logOf(adHoc)).toMatch(/sends data without a job[\s\S]*1 batches are sent to ingest/);
  });

  it('is discarded if a user cancels it, even if the collector keeps sending', async () => {
    const { collector, job } = await clew.running();
    await collector.ingest(users(800, 2));
    expect((await clew.data('PUT', `jobs/${job.id}/cancel`)).status).toBe(JOB_STATUS.canceled);
    expect((await clew.call('PUT', `jobs/${job.id}/cancel`)).status).toBe(400);
    expect(await collector.ingest(users(810, 2))).toEqual([202, 202, 202, 202]);
    expect((await collector.end('COMPLETE', 'done')).status).toBe(200);
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.canceled);
    expect(await clew.logOf(job)).toMatch(
      /canceled: Canceled by admin[\s\S]*1 batches are discarded[\s\S]*discarded a batch/,
    );
    expect(await clew.data('GET', 'search?q=USER800@AURORA.EXAMPLE')).toEqual([]);
    const { rows } = await sql`
      select id from upload_job where status = 1
        and id not in (select upload_job_id from collector_job where status = 1)`.execute(clew.database.db);
    expect(rows).toEqual([]);
  });

  it('is partially complete if a batch was invalid', async () => {
    const { collector, job } = await clew.running();
    await collector.ingest(users(900, 2));
    for (const garbage of ['{"meta":', 'noise', '{"data":1}'])
      expect((await collector.sendBatch(gzipSync(garbage))).status).toBe(400);
    expect((await collector.sendBatch(Buffer.from('not compressed'))).status).toBe(400);
    await collector.end('COMPLETE', 'Collection completed with errors during ingest');
    await clew.untilOver(job);
    expect(await clew.data('GET', `jobs/${job.id}`)).toMatchObject({ status: JOB_STATUS.partiallyComplete });
    expect((await clew.logOf(job)).match(/refused a batch: /g)?.length).toBeGreaterThanOrEqual(3);
    expect(await clew.data('GET', 'search?q=USER901@AURORA.EXAMPLE')).toHaveLength(1);
  });

  const untilIngested = (job: ClientJob) =>
    vi.waitUntil(async () => (await clew.logOf(job)).includes('in the graph'), {
      timeout: 100_000,
      interval: 50,
    });
});

describe('a collector', () => {
  it('without its key changes nothing', async () => {
    const { id, job } = await clew.running();
    const { token } = await clew.data('GET', `clients/${id}`);
    const before = (await clew.data('GET', `clients/${id}`)).last_checkin;
    const forger = new SimulatedCollector(clew.service.url, { ...token, key: 'guessed' });
    expect(await forger.ingest(users(1_500, 2))).toEqual([401, 401, 401, 401]);
    expect((await forger.end('COMPLETE', '')).status).toBe(401);
    expect((await clew.data('GET', `clients/${id}`)).last_checkin).toBe(before);
    expect(await clew.logOf(job)).not.toContain('batch');
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.running);
  });

  it('cannot forge lines of the service', async () => {
    const { collector, job } = await clew.running();
    for (const end of ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])
      await collector.send('POST', '/clients/error', { task_error: `x${end}2026 service: forged` });
    await collector.send('POST', '/clients/error', {
      task_error: 'with more',
      additional: { at: { toString: '' } },
    });
    await collector.end('FAILED', 'stopped\n2026 service: forged\rservice: forged');
    const lines = (await clew.logOf(job)).split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
    const forged = lines.filter((line) => line.includes('forged'));
    expect(forged).toHaveLength(9);
    for (const line of forged) expect(line).toMatch(/^\S+Z (?:collector: |service: failed: stopped )/);
    expect(lines.some((line) => line.endsWith('collector:   at: {"toString":""}'))).toBe(true);
  });

  it('gets 404 for the job of another client, and cannot end it', async () => {
    const { job } = await clew.running();
    const other = await clew.newCollector();
    await clew.data('POST', `clients/${other.id}/jobs`, {});
    expect((await other.collector.send('POST', '/jobs/start', { id: job.id })).status).toBe(404);
    expect((await other.collector.send('POST', '/jobs/start', { id: 2 ** 40 })).status).toBe(404);
    expect((await other.collector.end('COMPLETE', '')).status).toBe(404);
    expect((await other.collector.end('DONE', '')).json.errors[0].message).toContain('COMPLETE|FAILED');
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.running);
  });

  it('may call only its own operations, and users may not', async () => {
    const { collector, id } = await clew.newCollector();
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
      expect([path, (await clew.call(method, path, body)).status]).toEqual([path, 404]);
  });

  it('is locked out by a new token, and deleted once removed', async () => {
    const { collector, id } = await clew.newCollector();
    expect((await collector.send('GET', '/jobs/available')).status).toBe(200);
    const token = await clew.data('PUT', `clients/${id}/token`);
    expect(token.key).not.toBe('');
    expect((await collector.send('GET', '/jobs/available')).status).toBe(401);
    const renewed = new SimulatedCollector(clew.service.url, token);
    await clew.data('POST', `clients/${id}/jobs`, {});
    const job = (await renewed.pick()) as ClientJob;
    await clew.data('POST', `clients/${id}/jobs`, {});
    expect((await clew.call('DELETE', `clients/${id}`)).status).toBe(200);
    expect((await renewed.send('GET', '/jobs/available')).status).toBe(401);
    expect(await clew.statusOf(job)).toBe(JOB_STATUS.canceled);
    expect(
      (await clew.data('GET', 'jobs?status=eq:0')).filter(
        (one: ClientJob) => one.client_name === 'Berlin' && one.client_id === id,
      ),
    ).toEqual([]);
    expect((await clew.call('GET', `clients/${id}`)).status).toBe(404);
  });

  it('signs requests byte for byte like the public collector', async () => {
    const { collector, id } = await clew.newCollector();
    await clew.data('POST', `clients/${id}/jobs`, {});
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
    const answer = await exchangeRaw(clew.service.url, head, body);
    expect([answer.status, answer.body.length]).toEqual([202, 0]);
    await collector.end('COMPLETE', '');
  });
});

describe('many collectors', () => {
  const COMPLETE = 4;

  it('each get their own jobs, without duplicates or losses', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        clew.newCollector({ name: at < COMPLETE ? `many ${at}` : `many more ${at}` }),
      ),
    );
    for (const { id } of all) await clew.data('POST', `clients/${id}/jobs`, {});
    const began: number[] = [];
    await Promise.all(
      all.map(async ({ collector }, at) => {
        // Two processes with one token: one of them begins the job, the other goes on with it.
        const [one, other] = await Promise.all([collector.pick(), collector.pick()]);
        const job = (one ?? other) as ClientJob;
        began.push(job.id);
        if (at >= COMPLETE) return;
        for (let batch = 0; batch < 2; batch++)
          expect(await collector.ingest(users(10_000 + at * 100 + batch * 10, 10))).toEqual([
            202, 202, 202, 202,
          ]);
        await collector.end('COMPLETE', 'done');
      }),
    );
    expect(new Set(began).size).toBe(20);
    const finished = () =>
      clew.database.db
        .selectFrom('collector_job_view')
        .select(['id', 'status'])
        .where('client_name', 'like', 'many _')
        .execute();
    await vi.waitUntil(async () => (await finished()).every(({ status }) => status === 2), {
      timeout: 200_000,
      interval: 200,
    });
    expect(await finished()).toHaveLength(COMPLETE);
    const { rows } =
      await sql`select count(*) as n from upload_file where batch and job_id in (select upload_job_id from collector_job where client_name like 'many _')`.execute(
        clew.database.db,
      );
    expect(rows).toEqual([{ n: 2 * COMPLETE }]);
    const found = await clew.data('GET', 'search?q=USER10319@AURORA.EXAMPLE');
    expect(found).toHaveLength(1);
    expect(await countClients(clew.database.db)).toMatchObject({ overdue: 0 });
    // A busy machine analyzes each of the jobs slowly.
  }, 240_000);
});
