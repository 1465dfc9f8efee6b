/** Parts of collectors that users see and change: schedules, logs, releases. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JOB_STATUS } from '@clew/api';
import { PASSWORD, ServiceUnderTest, TENANT, users } from '@clew/service/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneJobs } from './collectorJobs.ts';
import { makeDueJobs } from './schedules.ts';

const EVERYTHING = { ad_structure_collection: true, session_collection: true };

let clew: ServiceUnderTest;
beforeAll(async () => {
  clew = await ServiceUnderTest.start({}, { makesPlans: false });
});
afterAll(() => clew.stop());

describe('bodies', () => {
  it('store the same for keys as models of the public service write them', async () => {
    const { id, collector } = await clew.newCollector({ type: 'sharphound', name: 'Capitals' });
    const body = { Address: '10.0.0.1', Hostname: 'box', Version: '1.2.3', No_Such_Key: 1 };
    expect((await collector.send('PUT', '/clients/update', body)).status).toBe(200);
    const client = await clew.data('GET', `clients/${id}`);
    expect(client).toMatchObject({ ip_address: '10.0.0.1', hostname: 'box', version: '1.2.3' });
    const { name } = await clew.data('POST', 'tokens', { Token_Name: 'pipeline' });
    expect(name).toBe('pipeline');
  });
});

describe('a collector', () => {
  it('gets its own record as the caller, as users see it', async () => {
    const { id, collector } = await clew.newCollector({ type: 'sharphound', name: 'Self' });
    const { status, json } = await collector.send('GET', '/self');
    const { last_access: _, ...token } = json.data.token;
    const { token: shown, ...record } = await clew.data('GET', `clients/${id}`);
    expect([status, json.data]).toEqual([200, { ...record, token: json.data.token }]);
    expect(shown).toMatchObject(token);
    expect(token.key).toBe('');
    expect(json.data).not.toHaveProperty('roles');
  });
});

it.each([
  ['GET', 'jobs/abc/log'],
  ['GET', 'jobs/99999999999999999999/log'],
  ['GET', 'tasks/abc/log'],
  ['DELETE', 'clients/abc'],
  ['PUT', 'clients/abc/token'],
  ['GET', 'asset-group-tags/abc/members/counts'],
])('%s %s answers 404, because 400 is not documented', async (method, path) => {
  const { status, json } = await clew.call(method, path);
  expect([status, json.errors[0].message]).toEqual([404, 'resource not found']);
});

describe('schedules', () => {
  it('create a job when a run is due, one at a time', async () => {
    const { id, collector } = await clew.newCollector({ events: [{ rrule: 'FREQ=DAILY' }] });
    const [event] = (await clew.data('GET', `events?client_id=eq:${id}`)) as {
      id: number;
      rrule: string;
      next_scheduled_at: string;
    }[];
    expect(event.rrule).toMatch(/^DTSTART:\d{8}T\d{4}00Z\nRRULE:FREQ=DAILY$/);
    expect(Date.parse(event.next_scheduled_at)).toBeGreaterThan(Date.now());
    const due = async () => {
      await sql`update collection_event set next_scheduled_at = now() - interval '1 second' where id = ${event.id}`.execute(
        clew.database.db,
      );
    };
    await due();
    const [job] = await collector.available();
    expect(job).toMatchObject({ event_id: event.id, status: 0 });
    await due();
    expect(await makeDueJobs(clew.database.db, new Date())).toBe(0);
    expect(await collector.available()).toHaveLength(1);
    expect(await clew.logOf(job)).toContain('was skipped: this job is still waiting');
    // A change takes effect at once, also for the job that waits.
    const changed = await clew.data('PUT', `events/${event.id}`, {
      rrule: 'DTSTART:20300101T000000Z\nRRULE:FREQ=WEEKLY',
      all_trusted_domains: true,
    });
    expect((await collector.available())[0]).toMatchObject({ id: job.id, all_trusted_domains: true });
    expect(changed.next_scheduled_at).toBe('2030-01-01T00:00:00.000000Z');
    expect((await clew.call('DELETE', `events/${event.id}`)).status).toBe(200);
    expect(await collector.available()).toEqual([]);
    expect((await clew.call('GET', `events/${event.id}`)).status).toBe(404);
  });

  it('accept objects of the graph, by id or distinguished name, and report a missing one', async () => {
    const { id } = await clew.newCollector({ type: 'sharphound', name: 'Scopes' });
    const refused = async (body: object) => {
      const { status, json } = await clew.call('POST', `clients/${id}/jobs`, body);
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
    const azure = await clew.running();
    await azure.collector.ingest([
      { kind: 'AZTenant', data: { tenantId: TENANT, displayName: 'Aurora' } },
      ...users(2_000, 1),
    ]);
    await azure.collector.end('COMPLETE', '');
    await clew.untilOver(azure.job);
    const job = await clew.data('POST', `clients/${azure.id}/jobs`, { domains: [TENANT.toLowerCase()] });
    expect((await clew.data('GET', `jobs/${job.id}`)).domains).toMatchObject([
      { objectid: TENANT, exists: true, type: 'azure' },
    ]);
  });

  it.each([
    ['no rule', 'sometimes'],
    ['too often', 'FREQ=MINUTELY'],
    ['never', 'DTSTART:20240501T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['two rules', 'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY'],
    ['a part that is not known', 'FREQ=DAILY;BYMOON=1'],
    ['an unknown zone', 'DTSTART;TZID=Nowhere/City:20240501T080000\nRRULE:FREQ=DAILY'],
  ])('reject %s', async (_, rrule) => {
    const { id } = await clew.newCollector();
    const { status, json } = await clew.call('POST', 'events', { client_id: id, rrule });
    expect([status, json.errors[0].message]).toEqual([400, expect.stringMatching(/^rrule is invalid: /)]);
    expect(await clew.data('GET', `events?client_id=eq:${id}`)).toEqual([]);
  });
});

describe('retention', () => {
  it('deletes records after the configured days, and keeps jobs that have not ended', async () => {
    const { job, collector } = await clew.running();
    await collector.end('COMPLETE', '');
    await clew.untilOver(job);
    const waiting = await clew.running();
    await sql`update upload_job set end_time = now() - interval '91 days' where id = (select upload_job_id from collector_job where id = ${job.id})`.execute(
      clew.database.db,
    );
    await sql`update collector_job set start_time = now() - interval '91 days' where id = ${waiting.job.id}`.execute(
      clew.database.db,
    );
    expect(await pruneJobs(clew.database.db, 0)).toBe(0);
    expect(await pruneJobs(clew.database.db, 90)).toBe(1);
    expect((await clew.call('GET', `jobs/${job.id}/log`)).status).toBe(404);
    expect(await clew.statusOf(waiting.job)).toBe(JOB_STATUS.running);
  });

  it('includes all of a long log', async () => {
    const { job, collector } = await clew.running();
    const said = Array.from({ length: 20_000 }, (_, at) => `line ${at} ${'é'.repeat(10)}`);
    await collector.end('COMPLETE', 'done', { log: said.join('\n') });
    const log = await clew.logOf(job);
    const shown = log.split('\n').flatMap((line) => / collector: (line .*)$/.exec(line)?.[1] ?? []);
    expect(shown.length).toBe(said.length);
    expect(shown.every((line, at) => line === said[at])).toBe(true);
  });

  it('limits the size of a log, and reports omissions', async () => {
    const { job, collector } = await clew.running();
    const line = 'x'.repeat(800_000);
    for (let at = 0; at < 15; at++)
      await collector.send('POST', '/clients/error', { task_error: `${at} ${line}` });
    await collector.end('COMPLETE', 'done');
    const log = await clew.logOf(job);
    expect(log.length).toBeLessThan(4.3 * 1024 * 1024);
    expect(log).toMatch(/the log is full: up to \d+ lines were omitted/);
    expect(log).toContain('ended by the collector: done');
  });
});

describe('the log of a job', () => {
  it('answers as specified: 401, 403, 404', async () => {
    const { job } = await clew.running();
    expect((await fetch(`${clew.service.url}/api/v2/jobs/${job.id}/log`)).status).toBe(401);
    expect((await clew.call('GET', 'jobs/9007199254740991/log')).status).toBe(404);
    expect((await clew.call('GET', 'jobs/999999/log')).status).toBe(404);
    const user = await clew.data('POST', 'bloodhound-users', {
      principal: 'reader',
      roles: [4],
      secret: PASSWORD,
    });
    expect(user.id).toBeDefined();
    await clew.login('reader');
    expect((await clew.call('GET', `jobs/${job.id}/log`)).status).toBe(403);
    await clew.login('admin');
  });

  it('does not exist in the community edition', async () => {
    const community = await clew.startAnother({ CLEW_EDITION: 'community' });
    const answer = await fetch(`${community.url}/api/v2/jobs/1/log`, {
      headers: { authorization: clew.authorization },
    });
    expect(answer.status).toBe(404);
    await community.stop();
  });
});

describe('releases of collectors', () => {
  const path = () => join(clew.directory, 'data', 'collectors');

  it('are not found until an administrator adds one', async () => {
    for (const where of [
      'collectors/sharphound',
      'collectors/azurehound/latest',
      'kennel/manifest',
      'kennel/enterprise-manifest',
    ]) {
      const { status, json } = await clew.call('GET', where);
      expect([where, status, json.errors[0].message]).toEqual([
        where,
        404,
        expect.stringContaining('an administrator has to add'),
      ]);
    }
    expect((await clew.call('GET', 'collectors/bloodhound')).status).toBe(404);
  });

  it('are listed, downloaded and checked', async () => {
    await mkdir(path(), { recursive: true });
    const [windows, linux] = [randomBytes(300_000), randomBytes(1_000)];
    await writeFile(join(path(), 'sharphound-v2.6.0.zip'), windows);
    await writeFile(join(path(), 'azurehound-v2.2.1-linux-amd64.zip'), linux);
    await writeFile(join(clew.directory, 'data', 'secret.zip'), 'secret');
    const sum = createHash('sha256').update(windows).digest('hex');
    expect(await clew.data('GET', 'collectors/sharphound')).toEqual({
      latest: 'v2.6.0',
      versions: [{ version: 'v2.6.0', sha256sum: sum, deprecated: false }],
    });
    for (const tag of ['latest', 'v2.6.0', '2.6.0']) {
      const answer = await fetch(`${clew.service.url}/api/v2/collectors/sharphound/${tag}`, {
        headers: { authorization: clew.authorization },
      });
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
        200,
        'attachment; filename="sharphound-v2.6.0.zip"',
      ]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(windows)).toBe(true);
    }
    expect((await clew.call('GET', 'collectors/sharphound/latest/checksum')).json).toBe(
      `${sum}  sharphound-v2.6.0.zip\n`,
    );
    expect((await clew.call('GET', 'collectors/sharphound/v9.9.9')).json.errors[0].message).toBe(
      'release v9.9.9 does not exist; available releases: v2.6.0',
    );
    const manifest = await clew.data('GET', 'kennel/manifest');
    expect(manifest.azurehound[0].release_assets).toMatchObject([
      {
        os: 'linux',
        arch: 'amd64',
        download_url: '/api/v2/kennel/download/azurehound-v2.2.1-linux-amd64.zip',
      },
    ]);
    expect((await clew.call('GET', 'kennel/download/azurehound-v2.2.1-linux-amd64.zip')).status).toBe(200);
    for (const name of ['..%2Fsecret.zip', 'secret.zip', '..%2F..%2Fetc%2Fpasswd', '.'])
      expect([name, (await clew.call('GET', `kennel/download/${name}`)).status]).toEqual([name, 404]);
  });
});
