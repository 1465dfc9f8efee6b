import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { bodyBytesOf, type RouteContract, routes } from '@clew/api';
import { BUILT_IN_QUERIES } from '@clew/cypher';
import { DEFAULT_COSTS } from '@clew/planning';
import { describe, expect, it } from 'vitest';
import { PARTS, readDocument, withPart } from './documents.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** @returns the path, and its suffixes that begin at a folder */
function endsOf(path: string): readonly string[] {
  const next = path.indexOf('/', 1);
  return next < 0 ? [path] : [path, ...endsOf(path.slice(next))];
}

describe('the documentation', () => {
  it.each(PARTS)('has $name in $file as generated ("npm run docs" writes it)', (part) => {
    const document = readDocument(part.file);
    expect(document).toBe(withPart(document, part));
  });

  it.each(PARTS)('detects a manual change of $name', (part) => {
    const document = readDocument(part.file);
    const changed = document.replace(part.text().trim(), (text) => `${text.slice(0, -1)} by hand`);
    expect(changed).not.toBe(document);
    expect(withPart(changed, part)).toBe(document);
  });

  const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

  it.each(documents)('%s links only to existing files', (file) => {
    const links = [...readDocument(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      (match) => match[1],
    );
    for (const link of links) expect(existsSync(join(ROOT, dirname(file), link as string)), link).toBe(true);
  });

  const sources = globSync(
    ['packages/*/{src,test,bench,bundling}/**', 'scripts/**', 'deploy/**', 'examples/**', '*.*'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  );
  // `worker/thread.ts` abbreviates `packages/worker/src/thread.ts`.
  const shortened = (path: string): string =>
    `/${path}`
      .replace(/^\/packages\//, '/')
      .replace('/src/', '/')
      .replace(/\/$/, '');
  const places = new Set(sources.flatMap((path) => endsOf(shortened(path))));

  it.each(documents)('%s refers only to existing code', (file) => {
    const named = [...readDocument(file).matchAll(/`([\w@./-]+\.(?:ts|tsx|mjs)|\w+\/src\/[\w./-]+)`/g)];
    const missing = named
      .map(([, path]) => path as string)
      .filter((path) => !/^x\./.test(path) && !places.has(shortened(path)));
    expect(missing).toEqual([]);
  });

  it('does not accept a moved file as an existing one', () => {
    expect(places.has(shortened('worker/src/thread.ts'))).toBe(true);
    expect(places.has(shortened('generations/buildMemory.ts'))).toBe(true);
    expect(places.has(shortened('build/buildMemory.ts'))).toBe(false);
  });

  it.each(documents)('%s refers only to existing npm scripts', (file) => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
    const named = [...readDocument(file).matchAll(/npm run (?:--silent )?([a-z]+)/g)].map(
      (match) => match[1] as string,
    );
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  const hasBody = ({ body, maxBodyBytes }: RouteContract): boolean =>
    body !== undefined || maxBodyBytes !== undefined;

  it('lists every body size in docs/operations.md', () => {
    const row = /^\| JSON bodies and forms \|.*$/m.exec(readDocument('docs/operations.md'))?.[0] ?? '';
    const sizes = new Set(routes.filter(hasBody).map(bodyBytesOf));
    const written = [...sizes].map((bytes) =>
      bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`,
    );
    expect(row.match(/\d+ [KM]iB/g)?.toSorted()).toEqual(written.toSorted());
  });

  it('counts the questions of defenders in docs/cypher.md', () => {
    expect(new Set(BUILT_IN_QUERIES.map(({ category }) => category)).size).toBe(12);
    expect(readDocument('docs/cypher.md')).toContain(
      `\`clew questions\` lists ${BUILT_IN_QUERIES.length} questions of defenders in twelve categories`,
    );
  });

  it('has the cost of every kind of repair in docs/plan.md', () => {
    const rows = readDocument('docs/plan.md').matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|.*\| (\d+) \|$/gm);
    const written = [...rows].flatMap(([, kinds, cost]) =>
      [...(kinds as string).matchAll(/`([\w-]+)`/g)].map(([, kind]) => [kind, Number(cost)]),
    );
    expect(Object.fromEntries(written)).toEqual(DEFAULT_COSTS);
  });

  it('has the steps of a generation in docs/architecture.md', () => {
    const folder = 'packages/worker/src/generations/steps';
    const steps = globSync(`${folder}/*Step.ts`, { cwd: ROOT }).flatMap(
      (file) => /^ {2}name: '(\w+)',$/m.exec(readDocument(file))?.[1] ?? [],
    );
    const [, table = ''] = readDocument('docs/architecture.md').split('| Step | Work | Publishes |');
    const written = [...table.split('\n\n')[0].matchAll(/^\| (\w+) \|/gm)].map(([, step]) => step);
    expect(written.toSorted()).toEqual(steps.toSorted());
  });

  it('reports missing marks', () => {
    const part = { file: 'x.md', name: 'operations', text: () => '' };
    expect(() => withPart('no marks here', part)).toThrow('x.md lacks the marks of operations');
  });
});
