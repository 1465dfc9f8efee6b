/**
 * Backs up a running service with `clew admin backup`, restores the file into an empty directory with `clew admin restore`, and starts a
 * service on it. Its counts must be those of the original.
 */

import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, runClew, startClew, startServe } from '@clew/service/testing';
import { MemoryWatch } from './memoryWatch.ts';

const SIZES = { small: 25_000, large: 250_000 } as const;
const PARTS = ['--only', 'ad', 'entra', 'opengraph'];
const PASSPHRASE = { CLEW_BACKUP_PASSPHRASE: 'a passphrase of the benchmark' };

/** A million objects take minutes on a busy machine. */
const FIRST_START_MS = 600_000;

type Figures = Readonly<Record<string, number>>;

export default {
  name: 'backup and restore',
  async run({ scale }: { readonly scale: keyof typeof SIZES }) {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    try {
      return await measure(directory, SIZES[scale]);
    } finally {
      // A database that was killed with its service ends a moment later.
      await rm(directory, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 });
    }
  },
};

async function measure(
  directory: string,
  users: number,
): Promise<{ readonly name: string; readonly figures: Figures }[]> {
  const place = { CLEW_DATA_DIR: join(directory, 'data') };
  const service = await startServe(place.CLEW_DATA_DIR);
  try {
    const objects = await fill(directory, service.url, users);
    const before = await countsOf(service.url);
    const file = join(directory, 'one.backup');
    const backup = await run(['admin', 'backup', file, '--with-key'], { ...place, ...PASSPHRASE });
    const megabytes = round((await stat(file)).size / 1e6);
    await service.stop();
    const other = { CLEW_DATA_DIR: join(directory, 'restored') };
    const restore = await run(['admin', 'restore', file], { ...other, ...PASSPHRASE });
    const began = performance.now();
    const restored = await startServe(other.CLEW_DATA_DIR, {}, { startTimeout: FIRST_START_MS });
    const start = seconds(began);
    try {
      if (!isDeepStrictEqual(await countsOf(restored.url), before))
        throw new Error('the restored service has other counts');
    } finally {
      await restored.stop();
    }
    return [
      { name: 'backup, encrypted', figures: { objects, ...backup, 'file (MB)': megabytes } },
      { name: 'restore', figures: { ...restore, 'first start (s)': start } },
    ];
  } finally {
    await service.stop();
  }
}

/** @returns the number of objects */
async function fill(directory: string, url: string, users: number): Promise<number> {
  const configuration = join(directory, 'configuration');
  await mkdir(configuration);
  const variables = { CLEW_URL: url, XDG_CONFIG_HOME: configuration };
  for (const [args, input] of [
    [['login'], `${ADMIN_PASSWORD}\n`],
    [['generate', '--out', 'forest', '--users', `${users}`, ...PARTS], ''],
    [['ingest', 'forest'], ''],
  ] as const) {
    const { code, stderr } = await runClew(args, { variables, input, directory });
    if (code !== 0) throw new Error(`clew ${args[0]} ended with ${code}: ${stderr.slice(-500)}`);
  }
  await rm(join(directory, 'forest'), { recursive: true });
  return (await countsOf(url)).collected.total_nodes;
}

async function countsOf(url: string) {
  const client = new ClewClient({ url });
  await client.login('admin', ADMIN_PASSWORD);
  const { published_at: _, ...counts } = (await client.call('GetGraphStatistics')).data;
  return counts;
}

/** Runs a command, and watches its memory and that of the database that it starts. */
async function run(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<Figures> {
  const began = performance.now();
  const { child, ended } = startClew(args, { variables });
  const watch = new MemoryWatch(child.pid as number);
  const { code, stderr } = await ended;
  const took = seconds(began);
  const { service, database } = watch.take();
  watch.stop();
  if (code !== 0) throw new Error(`clew ${args.join(' ')} ended with ${code}: ${stderr.slice(-500)}`);
  return { s: took, 'command (MB)': service, 'database of the command (MB)': database };
}

const seconds = (began: number): number => round((performance.now() - began) / 1000);
const round = (value: number): number => Math.round(value * 100) / 100;
