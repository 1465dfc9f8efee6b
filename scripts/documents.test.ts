import { existsSync, globSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PARTS, readDocument, withPart } from './documents.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('the documentation', () => {
  it.each(PARTS)('has $name in $file as the code says ("npm run docs" writes it)', (part) => {
    const document = readDocument(part.file);
    expect(document).toBe(withPart(document, part));
  });

  it.each(PARTS)('notices a change of $name by hand', (part) => {
    const document = readDocument(part.file);
    const changed = document.replace(part.text().trim(), (text) => `${text.slice(0, -1)} by hand`);
    expect(changed).not.toBe(document);
    expect(withPart(changed, part)).toBe(document);
  });

  const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })];

  it.each(documents)('%s links only to files that exist', (file) => {
    const links = [...readDocument(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      (match) => match[1],
    );
    for (const link of links) expect(existsSync(join(ROOT, dirname(file), link as string)), link).toBe(true);
  });

  it.each(documents)('%s names only npm scripts that exist', (file) => {
    const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
    const named = [...readDocument(file).matchAll(/npm run (?:--silent )?([a-z]+)/g)].map(
      (match) => match[1] as string,
    );
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  it('says which marks are missing', () => {
    const part = { file: 'x.md', name: 'operations', text: () => '' };
    expect(() => withPart('no marks here', part)).toThrow('x.md lacks the marks of operations');
  });
});
