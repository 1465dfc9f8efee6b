import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileText, generateForest, writeForest, writeForestZip } from './index.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-synthetic-'));
});
afterAll(() => rm(directory, { recursive: true }));

const forest = generateForest({ users: 120, seed: 5 });

it('writes every file, and reports its objects and bytes', async () => {
  const target = join(directory, 'deep', 'files');
  const seen: number[] = [];
  const written = await writeForest(forest, target, (objects) => seen.push(objects));
  expect((await readdir(target)).sort()).toEqual(forest.files.map((file) => file.name).sort());
  for (const file of written) {
    const text = await readFile(join(target, file.name), 'utf8');
    expect(Buffer.byteLength(text)).toBe(file.bytes);
    expect(JSON.parse(text).data.length).toBe(file.objects);
  }
  const total = written.reduce((sum, file) => sum + file.objects, 0);
  expect(seen.at(-1)).toBe(total);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

it('generates groups that contain half of a large organization', () => {
  const large = generateForest({ users: 430_000, seed: 1 });
  let longest = 0;
  for (const file of large.files.filter(({ name }) => name.endsWith('groups.json')).slice(0, 1))
    for (const text of fileText(file, () => {})) longest = Math.max(longest, text.length);
  // A member is about 80 characters long.
  expect(longest).toBeGreaterThan(50_000 * 80);
});

it('writes the same archive for the same seed', async () => {
  const digest = async (name: string): Promise<string> => {
    await writeForestZip(forest, join(directory, name));
    return createHash('sha256')
      .update(await readFile(join(directory, name)))
      .digest('hex');
  };
  expect(await digest('one.zip')).toBe(await digest('two.zip'));
});

it('keeps only a piece of a file in memory', () => {
  const users = generateForest({ users: 4000, seed: 1 }).files.find((file) => file.type === 'users');
  for (const chunk of fileText(users as NonNullable<typeof users>)) expect(chunk.length).toBeLessThan(80_000);
});
