/** Proves plans of small organizations; `npm run prove` uses larger ones. */
import { sampledCases } from '@clew/common/testing';
import { type Plan, wholePlan } from '@clew/planning';
import { describe, expect, it } from 'vitest';
import { type Generated, generated } from './prove/organizations.ts';
import { firstCards, proveOrganization } from './prove/proveOrganization.ts';
import { differences, exposedIn, exposuresIn, readWorld, repaired, TIER_ZERO } from './prove/reading.ts';

const log = (): void => {};

describe('a plan', () => {
  it.each(
    sampledCases<Generated>(
      [
        { users: 200, seed: 3, domains: 2, shape: 2 },
        { users: 300, seed: 7, domains: 3, shape: 3 },
        { users: 300, seed: 12, domains: 1, shape: 3 },
      ],
      2,
    ),
  )('fulfills the promises of its first packages: %o', async (options) => {
    const proof = await proveOrganization(generated(options), { tries: 100, log });
    expect(proof.faults).toEqual([]);
    expect(proof.packages).toBeGreaterThan(0);
    expect(proof.real).toBe(proof.promised);
    expect(proof.real).toBeLessThan(proof.before);
    expect(proof.chance).toBeDefined();
  });
});

/** Ten organizations, of which a run examines some. */
const ORGANIZATIONS: readonly Generated[] = [41, 42, 43, 54, 45, 46, 47, 48, 49, 50].map((seed, at) => ({
  ...{ users: 150 + 10 * at, seed, domains: 1 + (at % 3), shape: at % 2 === 0 ? 2 : 3 },
}));

describe('the declared changes of a kit', () => {
  it.each(sampledCases(ORGANIZATIONS, 5))(
    'reach the promise of the first card and of all cards: %o',
    async (options) => {
      const files = await generated(options).files();
      const world = await readWorld(files);
      const { cards } = wholePlan(world, { zone: TIER_ZERO }) as Plan;
      const before = exposuresIn(world);
      expect(cards.length).toBeGreaterThan(1);
      for (const done of [cards.slice(0, 1), cards]) {
        const repairs = done.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
        const after = exposuresIn(await readWorld(repaired(files, world, repairs)));
        expect(differences(exposuresIn(world, done.at(-1)?.exposures), after)).toEqual([]);
        expect(exposedIn(after)).toBeLessThan(exposedIn(before));
      }
    },
  );
});

describe('a proof', () => {
  it('detects unfulfilled promises', async () => {
    const files = await generated({ users: 200, seed: 3, domains: 2, shape: 2 }).files();
    const world = await readWorld(files);
    const [card] = firstCards((wholePlan(world, { zone: TIER_ZERO }) as Plan).cards);
    const repairs = card?.packages.flatMap((each) => each.repairs) ?? [];
    const promised = exposuresIn(world, card?.exposures);
    const done = await readWorld(repaired(files, world, repairs));
    expect(differences(promised, exposuresIn(done))).toEqual([]);
    // Each change of a first card is needed: without one of them, the promise is not fulfilled.
    const undone = await readWorld(repaired(files, world, repairs.slice(1)));
    expect(differences(promised, exposuresIn(undone)).length).toBeGreaterThan(0);
  });

  it('reports environments that differ or are missing', () => {
    const one = { exposed: 1, principals: 2 };
    expect(differences(new Map([['A', one]]), new Map([['A', one]]))).toEqual([]);
    expect(differences(new Map([['A', one]]), new Map([['A', { ...one, exposed: 2 }]]))).toHaveLength(1);
    expect(differences(new Map([['A', one]]), new Map())).toHaveLength(1);
    expect(differences(new Map(), new Map([['A', one]]))).toHaveLength(1);
  });
});
