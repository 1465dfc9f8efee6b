import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CollectionFiles } from './collectionFiles.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clew-files-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('writes files that only their user may read, and renames them when they are complete', async () => {
  const directory = join(root, 'out');
  const files = new CollectionFiles(directory, { methods: 65, collector: 'clew 1.2.3' });
  for (let at = 0; at < 1000; at += 1) await files.write('users', { at, text: 'x'.repeat(100) });
  await files.write('groups', { name: 'a' });
  expect(readdirSync(directory).every((name) => name.endsWith('.part'))).toBe(true);
  expect(await files.finish()).toEqual([
    join(directory, 'clew_users.json'),
    join(directory, 'clew_groups.json'),
  ]);
  expect([
    statSync(directory).mode & 0o777,
    statSync(join(directory, 'clew_users.json')).mode & 0o777,
  ]).toEqual([0o700, 0o600]);
  const { data, meta } = JSON.parse(readFileSync(join(directory, 'clew_users.json'), 'utf8'));
  expect(data).toHaveLength(1000);
  expect(meta).toEqual({
    methods: 65,
    type: 'users',
    count: 1000,
    version: 6,
    collectorversion: 'clew 1.2.3',
  });
});

it('leaves no files of a run that ends early, and reports when it cannot write', async () => {
  const files = new CollectionFiles(root, { methods: 0, collector: 'clew' });
  await files.write('users', {});
  await files.discard();
  expect(readdirSync(root)).toEqual([]);
  const nowhere = new CollectionFiles('/dev/null/x', { methods: 0, collector: 'clew' });
  await expect(nowhere.write('users', {})).rejects.toThrow('ENOTDIR');
});

it('reports a file that failed after its last record', async () => {
  // The file cannot be opened, but this fails only after the record was accepted.
  mkdirSync(join(root, 'clew_users.json.part'));
  const files = new CollectionFiles(root, { methods: 0, collector: 'clew' });
  await files.write('users', {});
  await setTimeout(100);
  await expect(files.finish()).rejects.toThrow('EISDIR');
  expect(readdirSync(root)).toEqual(['clew_users.json.part']);
});
