import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledScripts } from './bundledScripts.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clew-bundle-'));
  write('package-lock.json', '{}');
  write('packages/one/src/start.ts', START);
  write('packages/one/src/said.txt', 'hello');
  write('packages/one/src/word.ts', "export const word: string = 'world';");
  write(
    'packages/one/src/thread.ts',
    `import { readFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     import { word } from './word.ts';
     const said = readFileSync(new URL('said.txt', import.meta.url), 'utf8');
     parentPort?.postMessage([said, word, import.meta.dirname, import.meta.filename]);`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const START = `// A comment.
export const thread = new Worker(new URL('./thread.ts', import.meta.url));
export const missing = new URL('./missing.ts', import.meta.url);`;
const start = (): string => join(root, 'packages/one/src/start.ts');

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const transformed = async () =>
  (await bundledScripts(root, join(root, 'cache')).transform(START, start()))?.code;

async function scriptOf(code: string | undefined): Promise<URL> {
  const [, address] = /new Worker\(new URL\('(file:[^']+\.mjs)'\)\)/.exec(code ?? '') ?? [];
  expect(address).toBeDefined();
  return new URL(address as string);
}

async function messageOf(script: URL): Promise<unknown> {
  const thread = new Worker(script);
  return new Promise((resolve, reject) => thread.once('message', resolve).once('error', reject));
}

describe('the bundle of scripts', () => {
  it('replaces the script that a module starts, with the same behavior', async () => {
    const source = join(root, 'packages/one/src');
    const said = ['hello', 'world', source, join(source, 'thread.ts')];
    expect(await messageOf(await scriptOf(await transformed()))).toEqual(said);
  });

  it('excludes modules whose exports it does not use', async () => {
    write('packages/one/src/word.ts', "export const word = 'moon'; export { far } from './far.ts';");
    write('packages/one/src/far.ts', "export const far = ['a long contract'].map((one) => one);");
    const script = await scriptOf(await transformed());
    expect(((await messageOf(script)) as string[])[1]).toBe('moon');
    expect(readFileSync(script, 'utf8')).not.toContain('contract');
  });

  it('changes no other line, and no address without a script', async () => {
    const [first, , last] = START.split('\n');
    const code = (await transformed())?.split('\n');
    expect([code?.[0], code?.[2], code?.length]).toEqual([first, last, 3]);
    expect(await bundledScripts(root, join(root, 'cache')).transform('export {};', start())).toBeUndefined();
  });

  it('is built once, and again when a source changes', async () => {
    const first = await scriptOf(await transformed());
    expect(await scriptOf(await transformed())).toEqual(first);
    write('packages/one/src/word.ts', "export const word: string = 'moon, too';");
    const second = await scriptOf(await transformed());
    expect(((await messageOf(second)) as string[])[1]).toBe('moon, too');
    expect(readdirSync(join(root, 'cache'))).toHaveLength(2);
  });
});
