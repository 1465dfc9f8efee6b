import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webDirectory } from './index.ts';

/** Compressed bytes. */
const FIRST_LOAD = 265_000;
const STYLES = 20_000;

const assets = join(webDirectory, 'assets');

describe.skipIf(!existsSync(assets))('what browsers load', () => {
  const size = (name: string): number => statSync(join(assets, name)).size;
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));

  it('is small: all pages together, without the editor of queries', () => {
    const all = scripts.filter((name) => !name.startsWith('QueryEditor'));
    expect(all.reduce((sum, name) => sum + size(`${name}.gz`), 0)).toBeLessThan(FIRST_LOAD);
    const styles = readdirSync(assets).filter((name) => name.endsWith('.css.gz'));
    expect(styles.reduce((sum, name) => sum + size(name), 0)).toBeLessThan(STYLES);
  });

  it('is nothing of elsewhere', () => {
    const page = readFileSync(join(webDirectory, 'index.html'), 'utf8');
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/ style=| on\w+=|<style/);
  });
});
