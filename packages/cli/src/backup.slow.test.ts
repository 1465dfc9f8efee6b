/** Tests backups of a running service, also during an ingest, restored to other directories and compared by their answers. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FINAL_JOB_STATUSES, JOB_STATUS } from '@clew/api';
import { ClewClient } from '@clew/client';
import { readConfig } from '@clew/common';
import {
  ADMIN_PASSWORD,
  type FinishedProcess,
  runClew,
  type ServeProcess,
  startServe,
  startTested,
} from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { holdIngest } from '../test/heldIngest.ts';
import { runCommand } from '../test/runCommand.ts';

const PASSPHRASE = 'seven words that no one guesses';
const SEALED = { CLEW_BACKUP_PASSPHRASE: PASSPHRASE };
let directory: string;
let service: ServeProcess;
let client: ClewClient;
/** Number of an attached file. */
let file: number;
/** A token of the first service. */
let credentials: { tokenId: string; tokenKey: string };

async function signedIn(url: string): Promise<ClewClient> {
  const one = new ClewClient({ url });
  await one.login('admin', ADMIN_PASSWORD);
  return one;
}

/** Runs a command on the machine of the service with this data directory. */
const clew = (
  data: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  secret?: readonly string[],
): Promise<FinishedProcess> => {
  const variables = { CLEW_DATA_DIR: join(directory, data), ...more };
  return runCommand({ url: service.url, home: directory, directory, variables, secret }, args);
};

const OPERATIONS = [
  ...['ListUsers', 'ListAuthTokens', 'ListWebhooks', 'ListSavedQueries', 'ListFileUploadJobs'],
  ...['GetGraphStatistics', 'ListAttackPathFindings', 'ListAttackPathFindingGroups', 'GetAssetGroupTags'],
  ...['ListReports', 'ListExtensions', 'ListAssetGroups', 'ListAcceptanceTemplates'],
];

/** Answers that clients see, without sign-in times. */
async function answersOf(one: ClewClient): Promise<Record<string, string>> {
  const call = one.call.bind(one) as (operation: string) => Promise<unknown>;
  const answers: Record<string, string> = {};
  for (const operation of OPERATIONS) {
    const text = JSON.stringify(await call(operation));
    answers[operation] = text.replaceAll(/"(last_login|updated_at|last_access)":"[^"]*"/g, '');
  }
  return answers;
}

/** Runs a service during `use`. */
async function serving(
  starting: Promise<{ readonly url: string; stop(): Promise<unknown> }>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const other = await starting;
  try {
    await use(other.url);
  } finally {
    await other.stop();
  }
}

/** The service of this data directory, with its own database. */
const configOf = (data: string) =>
  readConfig({ CLEW_DATA_DIR: join(directory, data), CLEW_PORT: '0', CLEW_LOG_LEVEL: 'silent' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-backup-'));
  await writeForestZip(generateForest({ users: 30, seed: 5 }), join(directory, 'forest.zip'));
  service = await startServe(join(directory, 'data'));
  client = await signedIn(service.url);
  const { jobId } = await client.uploadFiles([join(directory, 'forest.zip')]);
  await client.waitForJob(jobId);
  // Cards of the whole plan are assigned to findings.
  await vi.waitUntil(async () => (await client.plan({ limit: 1 })).computing === null, {
    timeout: 100_000,
  });
  const self = (await client.call('GetSelf')).data;
  const { data: token } = await client.call('CreateAuthToken', {
    body: { user_id: self.id, token_name: 'kept' },
  });
  credentials = { tokenId: token.id, tokenKey: token.key as string };
  const attached = { name: 'policy.txt', content: Buffer.from('Policy 7').toString('base64') };
  file = (await client.call('UploadAttachment', { body: attached })).data.id;
  await client.call('CreateAcceptanceTemplate', {
    body: { name: 'kept', reason: 'It goes', attachments: [file] },
  });
  await client.call('CreateSavedQuery', { body: { name: 'kept', query: 'MATCH (u:User) RETURN u' } });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 });
});

it('a backup of a running service with its key restores the same service elsewhere', async () => {
  const made = await clew('data', ['admin', 'backup', 'one.backup', '--with-key'], SEALED);
  expect(made).toMatchObject({ code: 0, stdout: `${join(directory, 'one.backup')}\n` });
  expect((await stat(join(directory, 'one.backup'))).mode & 0o777).toBe(0o600);
  const restoring = ['admin', 'restore', 'one.backup'];
  const wrong = await clew('again', restoring, { CLEW_BACKUP_PASSPHRASE: 'other words than those' });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('passphrase')]);
  expect(await readdir(directory)).not.toContain('again');
  const done = await clew('again', restoring, {}, [PASSPHRASE]);
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('Restored the backup of') });
  const key = (data: string): Promise<string> => readFile(join(directory, data, 'secret.key'), 'utf8');
  expect(await key('again')).toBe(await key('data'));
  expect((await stat(join(directory, 'again/secret.key'))).mode & 0o777).toBe(0o600);
  await serving(startTested(configOf('again')), async (url) => {
    const restored = await signedIn(url);
    // The plan is stored a moment before its cards are assigned to findings, in both services.
    const both = async () => [await answersOf(restored), await answersOf(client)] as const;
    await expect.poll(both).toSatisfy(([one, other]) => isDeepStrictEqual(one, other));
    const attached = { method: 'GET', target: `/api/v2/attachments/${file}` };
    expect(await restored.transport.send(attached, (answer) => answer.text())).toBe('Policy 7');
    // The key of a token is encrypted with the secret key.
    const self = await new ClewClient({ url, credentials }).call('GetSelf');
    expect(self.data).toMatchObject({ principal_name: 'admin' });
    const running = await clew('again', restoring, SEALED);
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('another Clew is using')]);
  });
  const used = await clew('again', restoring, SEALED);
  expect([used.code, used.stderr]).toEqual([
    1,
    expect.stringContaining('the database already contains data'),
  ]);
});

it('a backup during an ingest continues the job after it is restored', async () => {
  await writeForestZip(generateForest({ users: 30, seed: 6 }), join(directory, 'second.zip'));
  await using lock = new AsyncDisposableStack();
  await holdIngest(join(directory, 'data'), lock);
  const { jobId } = await client.uploadFiles([join(directory, 'second.zip')]);
  const statusOf = async (): Promise<number> => {
    const { data } = await client.call('ListFileUploadJobs', { query: { id: `eq:${jobId}` } });
    return data[0].status;
  };
  const final: readonly number[] = FINAL_JOB_STATUSES;
  for (let status = await statusOf(); status !== JOB_STATUS.ingesting; status = await statusOf()) {
    expect(final).not.toContain(status);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const made = await clew('data', ['admin', 'backup', 'two.backup', '--with-key'], SEALED);
  // The ingest was running before and after the backup.
  expect(final).not.toContain(await statusOf());
  await lock.disposeAsync();
  expect(made).toMatchObject({ code: 0 });
  expect(await clew('middle', ['admin', 'restore', 'two.backup'], SEALED)).toMatchObject({ code: 0 });
  const job = await client.waitForJob(jobId);
  const counts = async (one: ClewClient) => {
    const { published_at: _, ...statistics } = (await one.call('GetGraphStatistics')).data;
    return { statistics, findings: (await one.call('ListAttackPathFindings')).count };
  };
  // A plan of all users would take longer than the ingest.
  await serving(startTested(configOf('middle'), { makesPlans: false }), async (url) => {
    const other = await signedIn(url);
    expect((await other.waitForJob(jobId)).status).toBe(job.status);
    expect(await counts(other)).toEqual(await counts(client));
  });
});

it('in a directory, the requested number of backups of the installation is kept', async () => {
  const folder = await mkdtemp(join(directory, 'kept-'));
  await writeFile(join(folder, 'clew-20200101T000000Z.backup'), '');
  await writeFile(join(folder, 'notes.txt'), '');
  for (const name of ['clew-20210101T000000Z.backup', 'clew-20220101T000000Z.backup'])
    expect(await clew('data', ['admin', 'backup', join(folder, name)])).toMatchObject({ code: 0 });
  const made = await clew('data', ['admin', 'backup', folder, '--keep', '2']);
  expect(made.stderr).toContain(`Deleted ${join(folder, 'clew-20210101T000000Z.backup')}.`);
  expect((await readdir(folder)).sort()).toEqual([
    'clew-20200101T000000Z.backup',
    'clew-20220101T000000Z.backup',
    made.stdout.trim().slice(folder.length + 1),
    'notes.txt',
  ]);
});

it('a piped passphrase is one line, and a directory that is named as one has to exist', async () => {
  const variables = { CLEW_DATA_DIR: join(directory, 'data') };
  const sealed = join(directory, 'piped.backup');
  const input = `${PASSPHRASE}\n`;
  const made = await runClew(['admin', 'backup', sealed, '--with-key'], { variables, input });
  expect(made).toMatchObject({ code: 0, stdout: `${sealed}\n` });
  const restored = await runClew(['admin', 'restore', sealed], {
    ...{ variables: { CLEW_DATA_DIR: join(directory, 'piped') }, input },
  });
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('Restored the backup of') });
  const missing = join(directory, 'missing/');
  expect(await clew('data', ['admin', 'backup', missing])).toMatchObject({
    code: 1,
    stderr: `clew: there is no directory ${missing}: create it first\n`,
  });
  expect(await clew('data', ['admin', 'backup', 'piped.backup/'])).toMatchObject({ code: 1 });
  expect(await readdir(directory)).not.toContain('missing');
});

it('nothing is written if a backup cannot be made or kept secret', async () => {
  const backup = (data: string, more?: Record<string, string>, args: string[] = [], secret?: string[]) =>
    clew(data, ['admin', 'backup', 'three.backup', ...args], more, secret);
  expect(await backup('nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing to back up'),
  });
  expect(await backup('data', { CLEW_BACKUP_PASSPHRASE: 'short' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('12 characters'),
  });
  expect(await backup('data', {}, ['--encrypt'], [PASSPHRASE, `${PASSPHRASE}.`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the passphrases do not match'),
  });
  expect(await readdir(directory)).not.toContain('three.backup');
  await writeFile(join(directory, 'three.backup'), 'mine');
  expect(await backup('data')).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') });
  expect(await readFile(join(directory, 'three.backup'), 'utf8')).toBe('mine');
  const restoring = await clew('empty', ['admin', 'restore', 'three.backup']);
  expect(restoring).toMatchObject({ code: 1, stderr: expect.stringContaining('not a backup') });
  expect(await clew('empty', ['admin', 'restore', 'none.backup'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no'),
  });
  expect(await readdir(directory)).not.toContain('empty');
});
