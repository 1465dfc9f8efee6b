/** The imports between files of the packages: values only, because a type is not a step of a journey. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const IMPORT = /^(?:import|export) (?!type\b)([\s\S]*?)? ?from '([^']+)';$/gm;
/** Threads are started by the address of their file. */
const STARTED = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g;

export function readImportGraph(root: string): ImportGraph {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = [
        ...[...text.matchAll(IMPORT)].map((match) => match[2]),
        ...[...text.matchAll(STARTED)].map((match) => match[1]),
      ];
      const targets = named
        .flatMap((name) => targetOf(file, name as string))
        .filter((target) => known.has(target));
      return [file, targets] as const;
    }),
  );
}

function targetOf(file: string, name: string): string[] {
  if (name.startsWith('.')) return [normalize(join(dirname(file), name))];
  const [, own, face = 'index'] = /^@clew\/([\w-]+)(?:\/([\w-]+))?$/.exec(name) ?? [];
  return own === undefined ? [] : [`packages/${own}/src/${face}.ts`];
}

/** @returns the files on a shortest path along imports; `undefined` if none exists */
export function filesBetween(graph: ImportGraph, from: string, to: string): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  // Grows during the traversal.
  const open = [from];
  for (const file of open) {
    if (file === to) break;
    for (const next of graph.get(file) ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      open.push(next);
    }
  }
  if (!cameFrom.has(to)) return undefined;
  const between: string[] = [];
  for (let file = cameFrom.get(to); file !== undefined && file !== from; file = cameFrom.get(file))
    between.unshift(file);
  return between;
}
