import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADDITIONS } from './additions.ts';
import { namedFiles } from './namedFiles.ts';

const TEXT = `
**A table**

1. \`packages/store/src/migrations/NNN-<name>.ts\`, at the end of \`migrations/index.ts\`.
2. \`packages/store/src/tables/<part>Tables.ts\`: its interface, and \`npm run docs\`.

**Another**

1. \`packages/x/\`
`;

describe('the files that a recipe lists', () => {
  const isNamed = (file: string, recipe = 'A table') =>
    namedFiles(TEXT, recipe).some((pattern) => pattern.test(file));

  it('are its paths, including placeholders and relative names', () => {
    expect(isNamed('packages/store/src/migrations/050-more-rows.ts')).toBe(true);
    expect(isNamed('packages/store/src/migrations/index.ts')).toBe(true);
    expect(isNamed('packages/store/src/tables/planTables.ts')).toBe(true);
    expect(isNamed('packages/store/src/schema.ts')).toBe(false);
    expect(isNamed('packages/x/src/a.ts')).toBe(false);
    expect(isNamed('packages/x/src/a.ts', 'Another')).toBe(true);
  });

  it('exist for each addition', () => {
    const contributing = readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8');
    for (const recipe of Object.keys(ADDITIONS))
      expect(namedFiles(contributing, recipe).length, recipe).toBeGreaterThan(3);
    expect(() => namedFiles(contributing, 'A castle')).toThrow('no recipe "A castle"');
  });

  it('are checked exactly for the recipes that CONTRIBUTING marks as followed', () => {
    const contributing = readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8');
    const line = /^npm run recipes .*$/m.exec(contributing)?.[0] ?? '';
    expect([...line.matchAll(/"([^"]+)"/g)].map(([, name]) => name)).toEqual(Object.keys(ADDITIONS));
  });
});
