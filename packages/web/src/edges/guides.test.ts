import { EDGE_KINDS } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { guideOf, techniqueAddress } from './guides.ts';

describe('guides of relationships', () => {
  it.each(EDGE_KINDS.filter(({ traversable }) => traversable).map(({ name }) => name))(
    'say how %s is used, what it leaves, and where more is written',
    (kind) => {
      const { use, traces, techniques } = guideOf(kind);
      for (const text of [use, traces]) expect(text).toMatch(/^[A-Z].{20,}\.$/);
      expect(techniques.length).toBeGreaterThan(0);
      for (const technique of techniques)
        expect(techniqueAddress(technique)).toMatch(
          /^https:\/\/attack\.mitre\.org\/techniques\/T\d{4}(?:\/\d{3})?\/$/,
        );
    },
  );

  it('are those of the category where a kind has none of its own', () => {
    expect(guideOf('GenericAll').use).toBe(guideOf('WriteDacl').use);
    expect(guideOf('DCSync').use).not.toBe(guideOf('HasSession').use);
  });
});
