/** Tests a disk that becomes full during operation: accepted uploads wait, and continue automatically. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MIB = 1024 * 1024;

let root: string;
let disk: string;
let service: ServeProcess;
let bearer: string;

/** Only root may create a small disk, if the system allows it. */
function makeDisk(path: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=700m,mode=0755', 'clew-test', path]).status === 0;
}

const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'probe', '/mnt']).status === 0;
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && probe;

async function call(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
) {
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
}

describe.skipIf(!canMount)('a disk that fills up', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'clew-full-'));
    disk = root;
    expect(makeDisk(disk)).toBe(true);
    service = await startServe(join(disk, 'data'), { CLEW_MIN_FREE_SPACE: '8MiB' });
    const login = JSON.stringify({ login_method: 'secret', username: 'admin', secret: ADMIN_PASSWORD });
    bearer = (await call('POST', '/api/v2/login', login)).json.data.session_token;
  });
  afterAll(async () => {
    await service?.stop();
    spawnSync('umount', ['-l', disk]);
    await rm(root, { recursive: true, force: true });
  });

  const free = async () => {
    const { bavail, bsize } = await statfs(disk);
    return bavail * bsize;
  };
  const job = async (id: number) => (await call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data[0];

  it('keeps accepted uploads, reports the obstacle, refuses more, and continues when space is free', async () => {
    const path = join(tmpdir(), `clew-full-${process.pid}.zip`);
    await writeForestZip(generateForest({ users: 300, seed: 9 }), path);
    const archive = new Uint8Array(await readFile(path));
    await rm(path);
    const { id } = (await call('POST', '/api/v2/file-upload/start')).json.data;
    expect((await call('POST', `/api/v2/file-upload/${id}`, archive, 'application/zip')).status).toBe(202);
    // All of the disk except the space that the end of the job needs.
    const ballast = join(disk, 'ballast');
    const bytes = (await free()) - 3 * MIB;
    expect(spawnSync('fallocate', ['-l', String(bytes), ballast]).status).toBe(0);
    await call('POST', `/api/v2/file-upload/${id}/end`);

    const refused = await call('POST', `/api/v2/file-upload/${id}`, '{}').catch(() => ({ status: 0 }));
    expect([400, 503, 507, 0]).toContain(refused.status);
    const another = await call('POST', '/api/v2/file-upload/start').catch(() => undefined);
    if (another?.status === 201) {
      const full = await call(
        'POST',
        `/api/v2/file-upload/${another.json.data.id}`,
        archive,
        'application/zip',
      );
      expect([503, 507]).toContain(full.status);
    }
    // Longer than three attempts took in an earlier version.
    await expect
      .poll(async () => (await fetch(`${service.url}/readyz`)).text(), { timeout: 100_000, interval: 250 })
      .toMatch(/waits|database/);
    await new Promise((resolve) => setTimeout(resolve, 8_000));

    await rm(ballast);
    await expect
      .poll(async () => (await job(id).catch(() => undefined))?.status, { timeout: 150_000, interval: 500 })
      .toBe(2);
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ status: 'ok' });
  });
});
