/** Tests the choices of the seed in shape 3: everything that a proof should encounter occurs, but not always. */
import { describe, expect, it } from 'vitest';
import { MAX_DOMAINS } from './domainRows.ts';
import { type DomainPlan, planForest } from './plan.ts';

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed);
const plans = SEEDS.map((seed) => planForest({ users: 4000, seed, shape: 3 }));
const roots = plans.map(({ domains }) => domains[0] as DomainPlan);

const share = (test: (root: DomainPlan) => boolean): number => roots.filter(test).length / roots.length;

describe('organizations of shape 3', () => {
  it('differ in who has paths to Tier Zero', () => {
    for (const audience of ['people', 'departments', 'computers', 'users', 'everybody'])
      expect(
        share(({ traits }) => traits.audience === audience),
        audience,
      ).toBeGreaterThan(0.04);
  });

  it.each([
    ['relay', ({ traits }: DomainPlan) => traits.ldapSigning < 1 || traits.channelBinding < 1],
    ['AD CS', ({ traits }: DomainPlan) => traits.authorities.length > 0],
    ['clean tiering', ({ traits }: DomainPlan) => traits.isTiered],
    ['several authorities', ({ traits }: DomainPlan) => traits.authorities.length > 2],
    ['weak mapping', ({ traits }: DomainPlan) => traits.hasWeakMapping],
    ['Exchange', ({ infrastructure }: DomainPlan) => infrastructure.includes('EXCH01')],
  ] as const)('have %s or not', (_, has) => {
    expect(share(has)).toBeGreaterThan(0.05);
    expect(share(has)).toBeLessThan(0.95);
  });

  it('have 1 to 20 domains with unique names in one or more forests, unless their number is given', () => {
    const counts = plans.map(({ domains }) => domains.length);
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBeGreaterThan(15);
    for (const { domains } of plans) {
      expect(domains.length).toBeLessThanOrEqual(MAX_DOMAINS);
      expect(new Set(domains.map(({ name }) => name)).size).toBe(domains.length);
      for (const { forestName } of domains)
        expect(domains.some(({ name }) => name === forestName)).toBe(true);
    }
    expect(new Set(plans.map(({ domains }) => new Set(domains.map((one) => one.forestName)).size)).size).toBe(
      5,
    );
    for (const domains of [1, 7, 20])
      expect(planForest({ users: 300, seed: 1, shape: 3, domains }).domains).toHaveLength(domains);
  });

  it('have one set of authorities and one width in a forest, and hosts for all of them', () => {
    for (const { domains } of plans) {
      for (const { traits, forestName, infrastructure, isForestRoot } of domains) {
        const root = domains.find(({ name }) => name === forestName) as DomainPlan;
        expect(traits.authorities).toEqual(root.traits.authorities);
        expect(traits.audience).toBe(root.traits.audience);
        if (isForestRoot) for (const { host } of traits.authorities) expect(infrastructure).toContain(host);
      }
    }
  });
});
