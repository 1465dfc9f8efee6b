/** Tests an answering process next to a worker: the data of a complete job is visible to clients that request it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FINAL_JOB_STATUSES } from '@clew/api';
import { collection, userRecord } from '@clew/intake/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ClewProcess } from '../../test/processes/clewProcess.ts';
import { PostgresServer, urlOf } from '../../test/processes/replicatedPostgres.ts';

const PASSWORD = 'Correct-Horse-1';
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const directory = mkdtempSync(join(tmpdir(), 'clew-shown-'));
let database: PostgresServer;
const processes: ClewProcess[] = [];
let url: string;

beforeAll(async () => {
  database = await PostgresServer.makePrimary(join(directory, 'database'));
  for (const role of ['worker', 'api'])
    processes.push(
      await ClewProcess.start({
        ...{
          CLEW_DATABASE_URL: urlOf([database]),
          CLEW_SECRET_KEY: 'a secret that both of the processes share',
        },
        ...{ CLEW_ADMIN_PASSWORD: PASSWORD, CLEW_DATA_DIR: join(directory, role), CLEW_ROLE: role },
        CLEW_RATE_LIMIT: '0',
      }),
    );
  url = processes[1].url;
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end('SIGKILL')));
  await database?.stop();
  rmSync(directory, { recursive: true, force: true });
});

it('shows the data of a complete job to reads that name its generation', async () => {
  let token = '';
  const ask = async (method: string, path: string, body?: object, prefer = 'wait=30') => {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        prefer,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text).data;
  };
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  token = (await ask('POST', 'login', login)).session_token;
  const generations: number[] = [];
  for (const rid of [1101, 1102, 1103]) {
    const id = `S-1-5-21-1-2-3-${rid}`;
    const { id: job } = await ask('POST', 'file-upload/start');
    await ask('POST', `file-upload/${job}`, collection('users', userRecord(id)));
    await ask('POST', `file-upload/${job}/end`);
    const read = async () => (await ask('GET', `file-upload?id=eq:${job}`))[0];
    await vi.waitUntil(async () => FINAL_JOB_STATUSES.includes((await read()).status), {
      ...{ timeout: 100_000, interval: 20 },
    });
    const { generation } = await read();
    generations.push(generation);
    const found = await ask('GET', `search?q=${id}`, undefined, `wait=30, generation=${generation}`);
    expect(found.map(({ objectid }: { objectid: string }) => objectid)).toEqual([id]);
  }
  expect(generations).toEqual([...new Set(generations)].sort((a, b) => a - b));
});
