import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const THIS_FILE = 'scripts/citations.test.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The joined lines of a comment. */
const joined = (file: string) => read(file).replaceAll(/\n\s*(?:\*|\/\/) /g, ' ');

/** Headings in the form of links: lower case, without punctuation, hyphens for spaces. */
const anchorsOf = (page: string) =>
  new Set(
    [...read(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] as string)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

const pages = new Map(globSync('docs/**/*.md', { cwd: ROOT }).map((page) => [page, anchorsOf(page)]));
const sources = globSync('{packages/*/{src,test,bench},scripts}/**/*.ts', { cwd: ROOT }).filter(
  (file) => file !== THIS_FILE,
);

/** Every mention of a page. */
const mentions = sources.flatMap((file) =>
  [...joined(file).matchAll(/([\w./-]*\b[\w-]+\.md)(?:#([\w-]+))?/g)].map((match) => ({
    file,
    page: match[1] as string,
    anchor: match[2],
  })),
);

describe('citations in sources', () => {
  it('is in this repository', () => {
    const unknown = mentions.filter(
      ({ page }) => /^(?:docs|shared|\.\.\/shared)\//.test(page) && !pages.has(page),
    );
    expect(unknown).toEqual([]);
    for (const file of sources) expect(joined(file), file).not.toMatch(/shared references?\b/i);
  });

  it('refers to existing headings', () => {
    const cited = mentions.filter(({ page, anchor }) => pages.has(page) && anchor !== undefined);
    expect(cited.length).toBeGreaterThan(150);
    expect(cited.filter(({ page, anchor }) => !pages.get(page)?.has(anchor as string))).toEqual([]);
  });

  it('does not end in section numbers', () => {
    for (const file of sources) expect(joined(file), file).not.toMatch(/\.md`?,? (?:and )?\d+\.\d/);
  });
});
