import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MIGRATIONS } from './index.ts';

const released = JSON.parse(readFileSync(join(import.meta.dirname, 'released.json'), 'utf8')) as Record<
  string,
  string
>;

/** Existing databases have already applied these migrations, so a change would not reach them. `npm run release` adds new ones. */
it('released migrations are unchanged', () => {
  const files = globSync('[0-9]*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] });
  const digests = files.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(import.meta.dirname, name)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(digests)).toMatchObject(released);
  expect(Object.keys(released).length).toBeGreaterThan(30);
});

it('every migration is in the list', () => {
  const files = globSync('[0-9]*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] });
  const listed = MIGRATIONS.map(({ name }) => `${name}.ts`);
  expect(listed.toSorted()).toEqual(files.toSorted());
});
