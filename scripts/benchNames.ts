/**
 * Names of rows and figures that benchmarks print, as their sources have them. So figures that were measured once, and that no
 * benchmark prints today, are not shown in docs/performance.md.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface BenchNames {
  /** Whether the benchmark can print a row or a figure of this name. */
  readonly prints: (name: string) => boolean;
}

/** @returns the names of each benchmark, by the name of the benchmark */
export function benchNames(root: string): ReadonlyMap<string, BenchNames> {
  const files = globSync('packages/*/bench/*.bench.ts', { cwd: root }).map((file) => join(root, file));
  return new Map(
    files.flatMap((file): [string, BenchNames][] => {
      const name = /^ {2}name: '([^']+)',$/m.exec(readFileSync(file, 'utf8'))?.[1];
      return name === undefined ? [] : [[name, namesIn(withImports(file, new Set()))]];
    }),
  );
}

/** The text of the file with those of its folder that it imports. */
function withImports(file: string, seen: Set<string>): string {
  if (seen.has(file) || !existsSync(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/ from '(\.{1,2}\/[^']+)'/g)].map(([, path]) =>
    withImports(join(dirname(file), path as string), seen),
  );
  return [text, ...imported].join('\n');
}

export function namesIn(source: string): BenchNames {
  const texts = [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'|`([^`]+)`/g)];
  const patterns = texts.map(([, plain, template]) => patternOf((plain ?? template) as string));
  const isWritten = (name: string): boolean =>
    /^\w+$/.test(name)
      ? new RegExp(`\\b${name}\\b`).test(source)
      : patterns.some((pattern) => pattern.test(name));
  // A name may be put together: "10k objects: search by name".
  return { prints: (name) => isWritten(name) || name.split(': ').every(isWritten) };
}

/** A text in the source, where each `${…}` may be anything. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
