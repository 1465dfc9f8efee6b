import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchNames, namesIn } from './benchNames.ts';

const ROOT = resolve(import.meta.dirname, '..');

describe('the names that a benchmark prints', () => {
  const { prints } = namesIn(
    `[{ name: \`\${size}: search\`, figures: { 'p50 (ms)': 1, rows, ms: 2 } }, { name: '10k' }]`,
  );

  it.each(['p50 (ms)', 'rows', 'ms', '10k', 'large: search'])('have %s', (name) => {
    expect(prints(name)).toBe(true);
  });

  it.each(['p99 (ms)', 'row', 'search by name', '10k: paths'])('do not have %s', (name) => {
    expect(prints(name)).toBe(false);
  });

  it('are known of every benchmark, with those of the files that it imports', () => {
    const names = benchNames(ROOT);
    expect(names.get('service: cypher in several forms')?.prints('relationships by type')).toBe(true);
    expect(names.get('service: plan')?.prints('all cards found, CPU (ms)')).toBe(true);
    expect(names.get('service: plan')?.prints('plan of five repairs')).toBe(false);
    expect(names.size).toBe(globSync('packages/*/bench/*.bench.ts', { cwd: ROOT }).length);
  });
});
