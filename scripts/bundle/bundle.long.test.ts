/** Tests that the same sources give the same bundle; `bundle.slow.test.ts` tests its contents. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeBundle } from './makeBundle.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'clew-bundles-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

it('has the same bytes each time', async () => {
  const filesOf = async (name: string): Promise<ReadonlyMap<string, string>> => {
    const out = join(place, name);
    await makeBundle(ROOT, out);
    const files = globSync('**/*', { cwd: out, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      files
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file.slice(out.length + 1), readFileSync(file, 'base64')]),
    );
  };
  const [first, second] = [await filesOf('first'), await filesOf('second')];
  expect([...first.keys()]).toContain('clew.mjs');
  expect([...second.keys()].sort()).toEqual([...first.keys()].sort());
  for (const [file, bytes] of first) expect(second.get(file) === bytes, file).toBe(true);
});
