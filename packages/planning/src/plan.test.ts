/** Plans of random directories, computed in several ways. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type RandomDirectory, randomDirectories, randomWorld } from '../test/randomDirectories.ts';
import type { PlanExplanation } from './explanation.ts';
import { wholePlan } from './plan.ts';
import type { Plan } from './planTypes.ts';

/** Rights of default groups and of others on one object: its list is wide if only the former are considered. */
const rights = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('DU', 'DC', 'EV', 'AU', 'AU2', 'P', 'u1'), fc.constantFrom('adm', 'DA', 'vadm'))
    .map((ends) => ends.join(' GenericAll ')),
  { minLength: 5, maxLength: 12, size: 'max' },
);

const TEMPLATE: RandomDirectory['templates'][number] = {
  ...{ effectiveekus: ['1.3.6.1.5.5.7.3.2'], enrolleesuppliessubject: false, nosecurityextension: false },
  ...{ requiresmanagerapproval: false, subjectaltrequireupn: false, subjectaltrequiredns: false },
  schemaversion: 2,
};
/** Among wide repairs only, the list of `adm` is wide and has fewer rights. */
const LISTS: RandomDirectory = {
  facts: [
    ...['u2 in P', 'EV GenericAll DA', 'AU GenericAll DA'],
    ...['AU GenericAll adm', 'DU GenericAll adm', 'u1 GenericAll adm', 'P GenericAll adm'],
  ],
  ...{ policies: [], templates: [TEMPLATE, TEMPLATE], sanFlag: false, web: false, ldap: true, ldaps: true },
  ...{ signing: [true, true, true, true], binding: 2, mapping: 24, hasura: false, quota: false },
};

const directories = fc
  .tuple(randomDirectories, fc.boolean(), rights)
  .map(([directory, isOfRights, facts]) =>
    isOfRights ? { ...directory, facts: ['u2 in P', ...facts] } : directory,
  );

it('is the same whether it continues from the first cards, or searches the wide packages itself', () => {
  let cards = 0;
  fc.assert(
    fc.property(directories, fc.constantFrom(0, 0.1, 0.3), (directory, goal) => {
      const world = randomWorld(directory);
      const shown = (more: { readonly tellsEarly?: boolean }) => {
        const plan = wholePlan(world, { zone: 1, minNear: 0, goal, ...more });
        const { explanation: _, ...rest } = plan as Plan;
        return { ...rest, cards: plan?.cards.map(({ key, exposures, cost }) => ({ key, exposures, cost })) };
      };
      const expected = shown({});
      expect(shown({ tellsEarly: true })).toEqual(expected);
      cards += expected.cards?.length ?? 0;
    }),
    { numRuns: 30, examples: [[LISTS, 0.1]] },
  );
  expect(cards).toBeGreaterThan(30);
}, 60_000);

it('says which searches it ran, on what, and how long its stages took', () => {
  let flows = 0;
  fc.assert(
    fc.property(directories, (directory) => {
      const world = randomWorld(directory);
      const previous = [['no such package']];
      const plan = wholePlan(world, { zone: 1, previous, tellsEarly: true }) as Plan;
      const { searches, stages, exceptions } = plan.explanation as PlanExplanation;
      const [wide, all] = searches;
      expect(searches.map(({ packages }) => packages)).toEqual(['wide', 'all']);
      expect(wide.repairs).toBeLessThanOrEqual(all.repairs);
      expect(all).toMatchObject({ way: 'whole', seeds: 0, cards: plan.cards.length });
      expect(all.kernels).toBeGreaterThan(0);
      expect(exceptions).toEqual(plan.exceptions);
      expect(stages.map(({ stage }) => stage)).toEqual(
        expect.arrayContaining(['wide', 'graph', 'search', 'bounds', 'left']),
      );
      if (plan.cards.length > 0) expect(all.kernelSteps).toBeGreaterThan(0);
      if (plan.cards.length > 0) expect(stages.map(({ stage }) => stage)).toContain('simulation');
      flows += all.flows;
    }),
    { numRuns: 20 },
  );
  expect(flows).toBeGreaterThan(20);
}, 60_000);
