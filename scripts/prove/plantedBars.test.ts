import { describe, expect, it } from 'vitest';
import { plantedFaults, storedBaseline } from './plantedBars.ts';
import { organizationNamed, plantedOrganization, plantedSeeds } from './plantedOrganizations.ts';
import type { Mark } from './plantedVerdicts.ts';
import type { PlantedResult } from './provePlanted.ts';

const result = (marks: string, more: Partial<PlantedResult> = {}): PlantedResult => ({
  ...{ name: 'one', principals: 1000, before: 500, afterFirst: 100, atEnd: 50 },
  ...{ cards: 1, packages: 1, rightPackages: 1, isFirstWrong: false, end: 'goal', seconds: 1 },
  changes: [...marks].map((mark) => ({ card: 1, title: 'x', mark: mark as Mark, reason: 'y' })),
  ...more,
});

const baseline = {
  ...{ commit: 'x', command: 'y' },
  organizations: { one: { before: 500, afterFirst: 100, atEnd: 50 } },
};

const right = 'a'.repeat(98);

describe('the requirements for planted changes', () => {
  it('are met by 98 % right changes and the stored exposures', () => {
    expect(plantedFaults([result(`${right}bd`)], baseline)).toEqual([]);
    expect(plantedFaults([result('a', { afterFirst: 125, atEnd: 57 })], baseline)).toEqual([]);
  });

  it.each(['b', 'c', 'd'])('are missed by three changes of %s in a hundred', (mark) => {
    const faults = plantedFaults([result(`${'a'.repeat(97)}${mark.repeat(3)}`)], baseline);
    expect(faults).toEqual(['97 of 100 changes undo what was planted, 98 % are needed']);
  });

  it('are missed by a first card that breaks something, and by plans without a change', () => {
    expect(plantedFaults([result('a', { isFirstWrong: true })], baseline)).toHaveLength(1);
    expect(plantedFaults([result('')], baseline)).toHaveLength(1);
  });

  it('are missed by exposure, summed over the organizations with stored figures', () => {
    expect(plantedFaults([result('a', { afterFirst: 126 })], baseline)).toHaveLength(1);
    expect(plantedFaults([result('a', { atEnd: 58 })], baseline)).toHaveLength(1);
    const other = result('a', { name: 'other', afterFirst: 900, atEnd: 900 });
    expect(plantedFaults([result('a'), other], baseline)).toEqual([]);
    expect(plantedFaults([other])).toEqual([]);
  });
});

describe('organizations with planted flaws', () => {
  it('have all shapes, one to twelve domains, with and without a tenant', () => {
    const all = plantedSeeds().map(plantedOrganization);
    expect(all).toHaveLength(36);
    expect([all[0]?.seed, all.at(-1)?.seed]).toEqual([601, 636]);
    expect(new Set(all.map(({ shape }) => shape))).toEqual(new Set([1, 2, 3]));
    expect(new Set(all.map(({ hasTenant }) => hasTenant)).size).toBe(2);
    const domains = all.map((one) => one.domains ?? 0);
    expect(Math.max(...domains)).toBeGreaterThan(7);
    expect(Math.max(...domains)).toBeLessThanOrEqual(12);
    expect(all.some((one) => one.domains === undefined)).toBe(true);
    for (const { users } of all) expect(users >= 400 && users <= 3000).toBe(true);
  });

  it('are different each day, and the same during a day', () => {
    const seeds = (text: string) => plantedSeeds(new Date(text));
    expect(seeds('2026-12-01T01:00Z')).toEqual(seeds('2026-12-01T23:00Z'));
    expect(seeds('2026-12-01').filter((seed) => seeds('2026-12-02').includes(seed))).toEqual([]);
  });

  it('have names by which they can be requested again', () => {
    for (const seed of plantedSeeds()) {
      const organization = plantedOrganization(seed);
      expect(organizationNamed(organization.name)).toEqual(organization);
    }
    for (const text of ['', '100', '100-1-2-4', '100-1--2', '100-1-2-3-az', 'a-1-2-3'])
      expect(() => organizationNamed(text)).toThrow(RangeError);
  });

  it('have stored figures that fall from card to card', () => {
    for (const { before, afterFirst, atEnd } of Object.values(storedBaseline().organizations)) {
      expect(afterFirst).toBeLessThanOrEqual(before);
      expect(atEnd).toBeLessThanOrEqual(afterFirst);
    }
  });
});
