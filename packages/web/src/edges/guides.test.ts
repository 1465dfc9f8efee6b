import { EDGE_KINDS, techniqueAddress, techniqueName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { guideOf } from './guides.ts';

describe('guides of relationships', () => {
  it.each(EDGE_KINDS.filter(({ traversable }) => traversable).map(({ name }) => name))(
    'say how %s is used, what it leaves, and where more is written',
    (kind) => {
      const { use, traces, techniques } = guideOf(kind);
      for (const text of [use, traces]) expect(text).toMatch(/^[A-Z].{20,}\.$/);
      expect(techniques.length).toBeGreaterThan(0);
      for (const technique of techniques) expect(techniqueName(technique), technique).toBeDefined();
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

  it('say that nothing needs to be done only where the first object has the rights of the second already', () => {
    const idle = EDGE_KINDS.filter(({ name }) => /does not have to do anything/.test(guideOf(name).use));
    expect(
      idle
        .filter(({ traversable }) => traversable)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      ...['AZAuthenticatesTo', 'AZContains', 'AZMemberOf', 'AZNodeResourceGroup', 'AZRunsAs'],
      ...['ClaimSpecialIdentity', 'HasSIDHistory', 'MemberOf'],
    ]);
  });

  it.each([
    ['AddSelf', '4728'],
    ['GenericAll', '4724'],
    ['GenericAll', '4728'],
    ['CanAddComputer', '4741'],
    ['CanApplyGPO', 'gPLink'],
    ['GPOAppliesTo', 'SYSVOL'],
    ['GoldenCert', 'CAPI2'],
  ])('name the event that the use of %s leaves: %s', (kind, trace) => {
    expect(guideOf(kind).traces).toContain(trace);
  });
});
