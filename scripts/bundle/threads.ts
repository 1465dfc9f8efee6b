/** Scripts of worker threads, which are separate files in a bundle. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The form in which sources refer to a script: `new URL('./thread.ts', import.meta.url)`. */
export const THREAD_ADDRESS = /new URL\('(\.\/[^']+\.ts)',\s*import\.meta\.url\)/g;

/** @param root of the repository @returns names of scripts in the bundle, without their extension, by the paths of their sources */
export function threadsOf(root: string): ReadonlyMap<string, string> {
  const exclude = ['**/*.test.ts', 'packages/web/**'];
  const threads = new Map<string, string>();
  for (const file of globSync('packages/*/src/**/*.ts', { cwd: root, exclude }).sort()) {
    for (const [, script] of readFileSync(join(root, file), 'utf8').matchAll(THREAD_ADDRESS)) {
      const [, inPackage] = file.split('/');
      threads.set(resolve(root, dirname(file), script), `threads/${inPackage}-${basename(script, '.ts')}`);
    }
  }
  const names = [...threads.values()];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two threads would be the file ${twice}.mjs: rename one`);
  return threads;
}
