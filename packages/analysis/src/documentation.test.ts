import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEATURES } from './features.ts';
import { RULES } from './rules.ts';

const PAGE = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');

/** Text of the section below a third-level heading. */
const sectionOf = (heading: string) => PAGE.split(/^### /m).find((part) => part.startsWith(`${heading}\n`));

describe('docs/rules.md', () => {
  it.each(RULES.flatMap((rule) => rule.produces.map((kind) => ({ kind, rule }))))(
    'says of $kind when it exists and how it is removed',
    ({ kind, rule }) => {
      expect(sectionOf(kind)).toMatch(/\*Removed by:\*/);
      if (rule.feature !== undefined) expect(sectionOf(kind)).toContain(`\`${rule.feature}\``);
    },
  );

  it('marks experimental rules', () => {
    const off = new Set<string>(FEATURES.filter((feature) => !feature.default).map(({ name }) => name));
    for (const rule of RULES.filter(({ feature }) => feature !== undefined && off.has(feature))) {
      for (const kind of rule.produces) expect(sectionOf(kind)).toContain('experimental');
    }
  });
});
