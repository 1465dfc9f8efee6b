import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGES, PROFILE, pageOf } from './pageRows.ts';

test('the documentation has a row for each page, with its title, question and address', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/web.md'), 'utf8');
  const rows = [
    ...text.matchAll(/^\| (?<title>[^|]+) \| (?<question>[^|]+\?) \| `\/ui(?<path>\/[a-z-]+)`/gm),
  ].map(({ groups }) => ({ ...groups }));
  expect(rows).toEqual([...PAGES, PROFILE].map(({ title, question, path }) => ({ title, question, path })));
});

test('pages have different addresses, letters and questions', () => {
  for (const of of [
    PAGES.map(({ path }) => path),
    PAGES.flatMap(({ letter }) => letter ?? []),
    PAGES.map(({ question }) => question),
  ])
    expect(new Set(of).size).toBe(of.length);
});

test('things of a page belong to it', () => {
  expect(pageOf('/finding/12')?.title).toBe('Findings');
  expect(pageOf('/type/DCSync')?.title).toBe('Findings');
  expect(pageOf('/fix/a%2Fb')?.title).toBe('Fix first');
  expect(pageOf('/profile')).toBeUndefined();
});
