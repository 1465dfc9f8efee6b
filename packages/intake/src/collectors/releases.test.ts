import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareVersions, Releases } from './releases.ts';

let directory: string;
const warnings: unknown[] = [];
const log = { warn: (fields: unknown) => void warnings.push(fields) };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-releases-'));
  const place = (name: string, text = name) => writeFile(join(directory, name), text);
  await place('sharphound-v2.6.0.zip');
  await place('sharphound-v2.10.0-rc2.zip');
  await place('SharpHound-v2.10.0.zip');
  await place('azurehound-v2.2.1-linux-amd64.zip');
  await place('azurehound-v2.2.1-windows-amd64.zip');
  await place('azurehound-v2.2.1-windows-amd64.zip.sha256', `${sha256('other')}  azurehound.zip\n`);
  await place(
    'azurehound-v2.2.1-linux-amd64.zip.sha256',
    sha256('azurehound-v2.2.1-linux-amd64.zip').toUpperCase(),
  );
  await place('mimic-v1.0.0.zip');
  await place('sharphound-v2.zip');
  await mkdir(join(directory, 'sharphound-v3.0.0.zip'));
  await symlink('/nowhere', join(directory, 'sharphound-v4.0.0.zip'));
});
afterAll(() => rm(directory, { recursive: true }));

test('releases are found by their file names, the newest first', async () => {
  const found = await new Releases(directory, log).list();
  expect(found.map(({ collector, version, os, arch }) => [collector, version, os, arch])).toEqual([
    ['sharphound', 'v2.10.0', '', ''],
    ['sharphound', 'v2.10.0-rc2', '', ''],
    ['sharphound', 'v2.6.0', '', ''],
    ['azurehound', 'v2.2.1', 'linux', 'amd64'],
  ]);
  expect(found[0].sha256).toBe(sha256('SharpHound-v2.10.0.zip'));
});

test('a file that does not match its digest file is not offered, and the log says so', () => {
  expect(warnings).toEqual([expect.objectContaining({ file: 'azurehound-v2.2.1-windows-amd64.zip' })]);
});

test('there are no releases without the directory', async () => {
  expect(await new Releases(join(directory, 'none'), log).list()).toEqual([]);
});

test('versions are sorted', () => {
  const ordered = ['v1.0.0', 'v2.6.0-rc1', 'v2.6.0-rc2', 'v2.6.0-rc10', 'v2.6.0', 'v2.10.0'];
  expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered);
});
