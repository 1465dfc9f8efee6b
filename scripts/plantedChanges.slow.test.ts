/**
 * Compares the changes of plans with the planted flaws, for some of the organizations of `npm run prove -- --planted`, with the same
 * requirements.
 */
import { sampledCases } from '@clew/common/testing';
import { expect, it } from 'vitest';
import { plantedFaults, storedBaseline } from './prove/plantedBars.ts';
import { organizationNamed } from './prove/plantedOrganizations.ts';
import { type PlantedResult, provePlanted } from './prove/provePlanted.ts';

/** All shapes, one to six domains, with and without a tenant. A run examines two of them. */
const NAMES = sampledCases(
  ['500-603-3-1-ad', '400-611-1-2', '500-623-3-2', '400-626-2-3', '700-630-6-3-ad', '500-632-5-3-ad'],
  3,
);

it('changes of plans undo planted flaws, break nothing on the first card, and leave as few exposed as before', async () => {
  const baseline = storedBaseline();
  const results: PlantedResult[] = [];
  for (const name of NAMES) {
    expect(baseline.organizations[name]).toBeDefined();
    results.push(await provePlanted(organizationNamed(name)));
  }
  const wrong = results.flatMap(({ name, changes }) =>
    changes
      .filter(({ mark }) => mark !== 'a')
      .map(({ card, mark, title, reason }) => `${name}, card ${card}, ${mark}: ${title} (${reason})`),
  );
  expect(plantedFaults(results, baseline), wrong.join('\n')).toEqual([]);
  // An empty plan does not count as right.
  for (const { changes, name } of results) expect(changes.length, name).toBeGreaterThan(0);
  // The same plans miss the requirement for exposure if the stored figures are better.
  const better = {
    ...baseline,
    organizations: Object.fromEntries(NAMES.map((name) => [name, { before: 1000, afterFirst: 1, atEnd: 1 }])),
  };
  expect(plantedFaults(results, better)).toHaveLength(2);
}, 240_000);

/**
 * In both, the easiest path to the tenant starts at a synchronized user with a role, and the most expensive change is to end the
 * synchronization.
 */
it.each(sampledCases(['400-748302-1-3', '1000-748298-1-3'], 2))(
  'the first card of %s removes the role from the everyday account of a user, and does not change the account',
  async (name) => {
    const { changes } = await provePlanted(organizationNamed(name));
    const first = changes.filter(({ card }) => card === 1);
    expect(first.map(({ mark }) => mark)).toEqual(first.map(() => 'a'));
    expect(first.map(({ title }) => title)).toContainEqual(
      expect.stringMatching(/^Remove .* from Tier Zero: remove its role /),
    );
  },
  120_000,
);
