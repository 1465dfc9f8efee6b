import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyDocumentation, linksOf } from './documentation.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let out: string;
beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'clew-documentation-'));
  copyDocumentation(ROOT, out);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

const textOf = (root: string, page: string): string => readFileSync(join(root, page), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT });

describe('the documentation of a release', () => {
  it.each(pages)('has %s, and each file to which it links', (page) => {
    const links = linksOf(page, textOf(out, page));
    expect(links.filter((link) => !existsSync(join(out, link)))).toEqual([]);
  });

  it('keeps each link of README.md', () => {
    expect(textOf(out, 'README.md')).toBe(textOf(ROOT, 'README.md'));
    expect(linksOf('README.md', textOf(out, 'README.md')).length).toBeGreaterThan(20);
  });

  it('keeps the words of links to sources, and all other texts', () => {
    const changed = pages.filter((page) => textOf(out, page) !== textOf(ROOT, page));
    expect(changed).toEqual(['docs/tour.md']);
    expect(textOf(ROOT, 'docs/tour.md')).toContain(
      '[`createHttpServer`](../packages/server/src/http/server.ts)',
    );
    expect(textOf(out, 'docs/tour.md')).toContain('`createHttpServer` has');
    expect(textOf(out, 'docs/tour.md')).not.toContain('](../packages/');
  });

  it('has files for deployments, the policy of security, and the license', () => {
    for (const path of ['deploy/clew.service', 'deploy/compose/compose.yaml', 'SECURITY.md', 'LICENSE'])
      expect(textOf(out, path)).toBe(textOf(ROOT, path));
  });

  it('has only the pictures that a page shows', () => {
    const pictures = globSync('**/*.png', { cwd: out });
    expect(pictures).toContain('docs/web/fix-first-light.png');
    const bytes = pictures.reduce((sum, picture) => sum + statSync(join(out, picture)).size, 0);
    expect(bytes).toBeLessThan(1_500_000);
  });
});
