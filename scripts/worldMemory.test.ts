/** Tests that plans store computed data of a world in its memory (`WorldMemory`), which ends with the world. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = dirname(import.meta.dirname);

/** A map from objects to structures, or a collection in a module that starts empty and is written to. */
const KEEPING = [
  /new WeakMap\b/,
  /^(?:export )?const \w+(?:: (?:Map|Set)<.*>)? = new (?:Map|Set)(?:<.*>)?\(\);/m,
];

const keeps = (text: string): boolean => KEEPING.some((keeping) => keeping.test(text));

it('is the only place where planning and plans store structures of a world', () => {
  const files = globSync('packages/{planning,plans}/src/**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const sources = files.filter((file) => !file.endsWith('.test.ts'));
  expect(sources.filter((file) => keeps(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

it.each([
  ['const KNOWN = new WeakMap<AnalyzedWorld, number>();', true],
  ['  readonly #places = new WeakMap<readonly number[], number>();', true],
  ['export const known = new Map<number, string>();', true],
  ['const seen: Set<string> = new Set();', true],
  ['const NONE: ReadonlySet<number> = new Set();', false],
  ["const NAMES = new Map([['a', 1]]);", false],
  ['  const found = new Map<number, string>();', false],
])('%s', (text, isKeeping) => {
  expect(keeps(text)).toBe(isKeeping);
});
