/** Tests that no address in a source is lost in a bundle. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './places.ts';
import { bundledSource, UnknownAddressError, withRoot } from './sourceCode.ts';
import { threadsOf } from './threads.ts';

const FILE = '/repository/packages/one/src/start.ts';
const THREADS = new Map([['/repository/packages/one/src/thread.ts', 'threads/one-thread']]);

const bundled = (code: string): string => bundledSource(code, FILE, [], THREADS);

it('threads are found from any depth', () => {
  const code = bundled("new Worker(new URL('./thread.ts', import.meta.url))");
  expect(withRoot(code, 'clew.mjs')).toBe("new Worker(new URL('./threads/one-thread.mjs', import.meta.url))");
  expect(withRoot(code, 'chunks/a.mjs')).toContain("'../threads/one-thread.mjs'");
});

it.each([
  ['a file next to it', "readFileSync(new URL('./data.json', import.meta.url))"],
  ['a script that does not run in a thread', "new URL('./other.ts', import.meta.url)"],
  ['its directory', 'join(import.meta.dirname, name)'],
  ['its directory, as CommonJS says it', 'join(__dirname, name)'],
  ['another package', "import.meta.resolve('@clew/model')"],
  ['a module that a run names', 'await import(name)'],
])('%s is rejected', (_, code) => {
  expect(() => bundled(code)).toThrow(UnknownAddressError);
});

it.each([
  ['a module that a command loads when it needs it', "await import('./other.ts')"],
  ['a method of that name', 'this.#import(chunk)'],
  ['a comment', '/** As `import.meta.dirname` says. */'],
])('%s is not an address', (_, code) => {
  expect(bundled(code)).toBe(code);
});

it('a place is replaced, and rejected if the source no longer contains it', () => {
  const places = [{ file: 'one', source: "new URL('../dist', import.meta.url)", bundled: `'${ROOT}/web'` }];
  const code = "const web = new URL('../dist', import.meta.url);";
  expect(bundledSource(code, FILE, places, THREADS)).toBe(`const web = '${ROOT}/web';`);
  expect(() => bundledSource('const web = 1;', FILE, places, THREADS)).toThrow(UnknownAddressError);
});

it('a complete file may be replaced', () => {
  const code = 'export const digest = () => digestOf(import.meta.dirname);';
  const bundled = "export const digest = () => 'abc';";
  expect(bundledSource(code, FILE, [{ file: 'one', bundled }], THREADS)).toBe(bundled);
});

it('two threads of a package that would be the same file are rejected', () => {
  const root = mkdtempSync(join(tmpdir(), 'clew-threads-'));
  try {
    for (const folder of ['a', 'b']) {
      mkdirSync(join(root, 'packages/one/src', folder), { recursive: true });
      const source = "new Worker(new URL('./thread.ts', import.meta.url))";
      writeFileSync(join(root, 'packages/one/src', folder, 'start.ts'), source);
    }
    expect(() => threadsOf(root)).toThrow('threads/one-thread.mjs');
  } finally {
    rmSync(root, { recursive: true });
  }
});
