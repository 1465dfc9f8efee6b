import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { batchesOf } from './batches.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clew-batches-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const META = { methods: 8_913, type: 'users', count: 5, version: 6 };

/** A file in the collector's format, one object per line. */
function fileOf(objects: readonly object[]): string {
  const path = join(root, 'clew_users.json');
  const lines = objects.map((one, at) => `${at === 0 ? '' : ','}\n${JSON.stringify(one)}`);
  writeFileSync(path, `{"data":[${lines.join('')}\n],"meta":${JSON.stringify(META)}}\n`);
  return path;
}

async function batchesIn(path: string, limit?: number): Promise<readonly string[]> {
  const batches: string[] = [];
  for await (const batch of batchesOf(path, limit)) batches.push(batch);
  return batches;
}

it('splits a file into complete files, with the collection methods', async () => {
  const objects = [1, 2, 3, 4, 5].map((number) => ({ name: `ann ${number} ],"meta":{`, text: '{"data":[' }));
  const length = JSON.stringify(objects[0]).length;
  const batches = await batchesIn(fileOf(objects), length + 2);
  const read = batches.map((text) => JSON.parse(text));
  expect(read.map(({ meta }) => meta)).toEqual([2, 2, 1].map((count) => ({ ...META, count })));
  expect(read.flatMap(({ data }) => data)).toEqual(objects);
});

it('yields no batch for a file without objects, and refuses an incomplete one', async () => {
  expect(await batchesIn(fileOf([]))).toEqual([]);
  writeFileSync(join(root, 'half'), '{"data":[\n{"name":"ann"}');
  await expect(batchesIn(join(root, 'half'))).rejects.toThrow('not a complete collection file');
});
