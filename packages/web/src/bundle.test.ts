import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webDirectory } from './index.ts';

/** Maximum compressed bytes of scripts, including all imports of a page. */
const MAX_FIRST_LOAD = 250_000;
const MAX_PAGE = 320_000;
const MAX_EXPLORE_WITH_EDITOR = 420_000;
const MAX_CHECKS_WITH_EDITOR = 310_000;
/** Loaded when an author's text is opened. */
const MAX_AUTHOR_TEXT = 110_000;
const MAX_STYLES = 20_000;
/** Maximum bytes of the font that every page loads; the other font is loaded for names that need it. */
const MAX_FONT = 50_000;

const assets = join(webDirectory, 'assets');

describe.skipIf(!existsSync(assets))('files that browsers load', () => {
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const scripts = names.filter((name) => name.endsWith('.js'));
  const size = (name: string): number => statSync(join(assets, name)).size;

  /** A script and its static imports. */
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    const text = readFileSync(join(assets, name), 'utf8');
    for (const [, imported] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      withImports(imported!, found);
    return found;
  };
  const weight = (...entries: readonly string[]): number => {
    const all = new Set<string>();
    for (const entry of entries) withImports(entry, all);
    return [...all].reduce((sum, name) => sum + size(`${name}.gz`), 0);
  };
  const chunk = (prefix: string): string => {
    const name = scripts.find((one) => one.startsWith(`${prefix}-`));
    if (name === undefined) throw new Error(`no script ${prefix}`);
    return name;
  };

  it('is small at first, and on every page', () => {
    const index = chunk('index');
    expect(weight(index, chunk('FixPage'))).toBeLessThan(MAX_FIRST_LOAD);
    const pages = scripts.filter((name) => /Page-/.test(name));
    expect(pages.length).toBeGreaterThan(8);
    for (const page of pages) expect([page, weight(index, page) < MAX_PAGE]).toEqual([page, true]);
    expect(weight(index, chunk('ExplorePage'), chunk('QueryEditor'))).toBeLessThan(MAX_EXPLORE_WITH_EDITOR);
    expect(weight(index, chunk('ChecksPage'), chunk('QueryEditor'))).toBeLessThan(MAX_CHECKS_WITH_EDITOR);
    expect(size(`${chunk('GithubMarkdown')}.gz`)).toBeLessThan(MAX_AUTHOR_TEXT);
    const styles = names.filter((name) => name.endsWith('.css.gz'));
    expect(styles.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(MAX_STYLES);
    expect(size(names.find((name) => /^inter-latin-wght.*\.woff2$/.test(name))!)).toBeLessThan(MAX_FONT);
  });

  it('has no library of schemas', () => {
    // TypeBox marks each of its schemas with this text.
    for (const name of scripts)
      expect([name, readFileSync(join(assets, name), 'utf8').includes('~kind')]).toEqual([name, false]);
  });

  it('contains no addresses of other servers', () => {
    const page = readFileSync(join(webDirectory, 'index.html'), 'utf8');
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/ style=| on\w+=|<style/);
  });
});
