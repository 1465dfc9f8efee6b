/**
 * Upgrades a database by a newer version while an API process and a worker of this version run on it, under load.
 * `olderVersion.long.test.ts` goes back to this version; `upgradeWatch.slow.test.ts` and `server/src/http/upgrades.test.ts` test the parts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { JOB_STATUS } from '@clew/api';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from '../../test/serveProcess.ts';
import { signedIn, variablesOf } from '../../test/upgrades/upgradedStore.ts';

const NEWER = fileURLToPath(new URL('../../../../scripts/testing/newerVersion.ts', import.meta.url));
const PATIENCE = { timeout: 60_000, interval: 20 };

let directory: string;
let database: Database;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clew-rolling-'));
  database = await startTestDatabase({ migrated: false });
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

const start = (role: string, script?: string): Promise<ServeProcess> =>
  startServe(
    join(directory, role),
    { ...variablesOf(database), CLEW_ROLE: role, CLEW_LOG_LEVEL: 'info' },
    script === undefined ? {} : { script },
  );

async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v2/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ login_method: 'secret', username: 'admin', secret: ADMIN_PASSWORD }),
  });
  const { data } = (await answer.json()) as { data: { session_token: string } };
  return data.session_token;
}

interface Reply {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Requests of one client to one process. */
function clientOf(url: string, token: string) {
  const ask = async (method: string, path: string, body?: unknown, prefer?: string): Promise<Reply> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(prefer !== undefined && { Prefer: prefer }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers } = answer;
    return {
      what: `${method} ${path}`,
      status,
      retryAfter: headers.get('retry-after'),
      text: await answer.text(),
    };
  };
  return {
    ask,
    reads: () =>
      Promise.all([
        ask('GET', '/api/v2/saved-queries'),
        ask('GET', '/api/v2/graphs/statistics'),
        ask('GET', '/api/v2/attack-paths/findings?limit=5'),
        ask('POST', '/api/v2/graphs/cypher', { query: 'MATCH (u:User) RETURN u LIMIT 3' }),
      ]),
    /** Counts on an object of a layer. */
    count: () =>
      ask(
        'POST',
        '/api/v2/graphs/cypher',
        { query: 'MERGE (c:Count) SET c.of = coalesce(c.of, 0) + 1', rows: true },
        'layer=counted',
      ),
    counted: () =>
      ask(
        'POST',
        '/api/v2/graphs/cypher',
        { query: 'MATCH (c:Count) RETURN c.of', rows: true },
        'layer=counted',
      ),
    write: (name: string) => ask('POST', '/api/v2/saved-queries', { name, query: 'MATCH (u:User) RETURN u' }),
  };
}

it('both versions answer reads during an upgrade, writes of the old one are refused, and a job is finished by the new one', async () => {
  const old = { api: await start('api'), worker: await start('worker') };
  const oldClient = await signedIn(old.api);
  const token = await tokenOf(old.api.url);
  const client = clientOf(old.api.url, token);
  for (const [name, seed] of [
    ['first', 5],
    ['second', 6],
  ] as const)
    await writeForestZip(generateForest({ users: 4, seed, domains: 1 }), join(directory, `${name}.zip`));
  const { jobId } = await oldClient.uploadFiles([join(directory, 'first.zip')]);
  await oldClient.waitForJob(jobId);

  // The worker of the old version is in the middle of an ingest.
  const blocker = new pg.Client({ ...database.connection, application_name: 'test' });
  await blocker.connect();
  await blocker.query('begin; lock table node in exclusive mode');
  const { jobId: interrupted } = await oldClient.uploadFiles([join(directory, 'second.zip')]);
  const statusOf = async () =>
    (await oldClient.call('ListFileUploadJobs', { query: { id: `eq:${interrupted}` } })).data[0].status;
  await vi.waitUntil(async () => (await statusOf()) === JOB_STATUS.ingesting, PATIENCE);

  const replies: Record<'reads' | 'writes' | 'counts', Reply[]> = { reads: [], writes: [], counts: [] };
  let isLoaded = true;
  const load = (async () => {
    for (let at = 0; isLoaded; at++) {
      replies.reads.push(...(await client.reads()));
      replies.writes.push(await client.write(`query ${at}`));
      replies.counts.push(await client.count());
      await sleep(50);
    }
  })();
  // The upgrade refuses writes soon after its process started.
  await vi.waitUntil(() => replies.counts.length > 0, PATIENCE);
  const starting = start('api', NEWER);
  await vi.waitUntil(() => old.worker.output().includes('this process pauses its work'), PATIENCE);
  await blocker.query('rollback');
  await blocker.end();
  const newer = { api: await starting, worker: await start('worker', NEWER) };
  await vi.waitUntil(() => old.api.output().includes('has upgraded the database'), PATIENCE);
  isLoaded = false;
  await load;
  try {
    expect(replies.reads.filter(({ status }) => status !== 200)).toEqual([]);
    const [done, refused] = [201, 503].map((status) => replies.writes.filter((one) => one.status === status));
    expect(done.length + refused.length).toBe(replies.writes.length);
    expect([done.length > 0, refused.length > 0]).toEqual([true, true]);
    expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['5']));
    expect(refused[0].text).toContain('a newer version is upgrading the database');
    expect(refused.at(-1)?.text).toContain('until it is restarted with that version');

    // Queries on a layer are declared as reads, and change tables.
    const [counted, late] = [200, 503].map((status) => replies.counts.filter((one) => one.status === status));
    expect(counted.length + late.length).toBe(replies.counts.length);
    expect([counted.length > 0, late.length > 0]).toEqual([true, true]);
    expect(late.map(({ retryAfter }) => retryAfter)).not.toContain(null);
    expect((await client.count()).status).toBe(503);
    for (const one of [old.api, newer.api]) {
      const { status, text } = await clientOf(one.url, token).counted();
      expect([status, JSON.parse(text).data.rows]).toEqual([200, [[counted.length]]]);
    }

    const newClient = await signedIn(newer.api);
    expect((await newClient.waitForJob(interrupted)).status).toBe(JOB_STATUS.complete);
    for (const one of [old.api, newer.api])
      expect((await clientOf(one.url, token).reads()).map(({ status }) => status)).toEqual([
        200, 200, 200, 200,
      ]);
    expect((await clientOf(newer.api.url, token).write('by the new version')).status).toBe(201);
    // No acknowledged write is lost.
    expect((await newClient.call('ListSavedQueries', { query: { limit: 1000 } })).count).toBe(
      done.length + 1,
    );
    // The newer version dropped this table.
    const drawings = await client.ask('GET', '/api/v2/drawings');
    expect([drawings.status, drawings.retryAfter]).toEqual([503, '5']);
    const readiness = await client.ask('GET', '/readyz');
    expect([readiness.status, JSON.parse(readiness.text)]).toEqual([
      200,
      { status: 'degraded', reason: expect.stringContaining('a newer version has upgraded the database') },
    ]);
    for (const one of [old.worker, old.api]) expect(await one.stop()).toBe(0);
  } finally {
    for (const one of [old.api, old.worker, newer.api, newer.worker]) await one.stop();
  }
  await expect(start('api')).rejects.toThrow(
    /a newer Clew has changed this database \(998-newer, 999-newer\): start that version, or restore the backup from before/,
  );
});
