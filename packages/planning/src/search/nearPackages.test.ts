/** Packages near some nodes, evaluated on a graph that has only their labels. */

import { NodeSet } from '@clew/graph';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparedCards } from '../../test/comparedCards.ts';
import { type RandomDirectory, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import type { WorkPackage } from '../packages/packageOrder.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { isWholeNear } from './nearPackages.ts';
import { PlanSearch } from './planSearch.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const TEMPLATE: RandomDirectory['templates'][number] = {
  ...{ effectiveekus: ['1.3.6.1.5.5.7.3.2'], enrolleesuppliessubject: false, nosecurityextension: false },
  ...{ requiresmanagerapproval: true, subjectaltrequireupn: false, subjectaltrequiredns: true },
  schemaversion: 2,
};
const RIGHTS = ['DU', 'AU', 'P', 'u1'].flatMap((holder) =>
  ['adm', 'u2'].map((object) => `${holder} GenericAll ${object}`),
);
const LOCAL_MEMBER: RandomDirectory = {
  facts: [
    ...['c3 MemberOfLocalGroup c1-544', 'c1 AllowedToDelegate K', 'T2 PublishedTo C', 'B GetChanges D'],
    ...['B GetChangesInFilteredSet D', 'P GenericWrite u1', 'A en T', 'AU en C'],
  ],
  policies: [],
  templates: [
    TEMPLATE,
    {
      ...{ ...TEMPLATE, effectiveekus: ['2.5.29.37.0'], requiresmanagerapproval: false },
      subjectaltrequiredns: false,
    },
  ],
  ...{ sanFlag: true, web: true, ldap: true, ldaps: false, signing: [false, false, false, false] },
  ...{ binding: 2, mapping: 4, hasura: false, quota: false },
};

/** With rights of default groups and of others on one object: in its list, the former are wide. */
const directories = fc.tuple(randomDirectories, fc.subarray(RIGHTS)).map(([directory, rights]) => ({
  ...directory,
  facts: [...directory.facts, ...rights],
}));

const changesOf = (search: PlanSearch): ReadonlyMap<string, readonly string[]> =>
  new Map(
    search.packages.map(({ key }, place) => [
      key,
      search
        .repairs([place])
        .map(({ id }) => id)
        .sort(),
    ]),
  );

it('have the effect and all of the changes that they have on the graph of all packages', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      directories,
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (directory, nodes, picks) => {
        const world = randomWorld(directory);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) return;
        const { nodeCount } = world.context.graph;
        const named = NodeSet.of(
          nodeCount,
          nodes.map((node) => node % nodeCount),
        );
        const scope = { near: named, hasMemberships: true };
        // Among packages with the same changes, only one is kept, which may be a different one.
        const [all, kept] = (['all', scope] as const).map((searched) =>
          changesOf(finish(PlanSearch.of(world, ranked, { zone: 1 }, searched))),
        );
        const both = [...kept.keys()].filter((key) => all.has(key));
        if (both.length === 0) return;
        for (const key of both) {
          expect([key, kept.get(key)]).toEqual([key, all.get(key)]);
          kinds.add(key.split(' ')[0]);
        }
        const previous = picks.map((card) => [...new Set(card.map((pick) => both[pick % both.length]))]);
        const [few, whole] = ([scope, 'all'] as const).map((searched) =>
          comparedCards(finish(PlanSearch.of(world, ranked, { zone: 1, previous }, searched))),
        );
        expect(few).toEqual(whole);
      },
    ),
    {
      numRuns: 250 * RUNS,
      // A local group is named, and a member administers its computer.
      examples: [[LOCAL_MEMBER, [1638331379], [[0, 319623923]]]],
    },
  );
  expect(kinds.size).toBeGreaterThan(12);
}, 120_000);

it.each([
  ['access-list', [0], [0]],
  ['members-of-group', [0], [0]],
  ['inherited-entry', [0, 1], [1]],
  ['protected-entry', [0, 1], [1]],
  ['rights-in-container', [0, 1], [1]],
  ['remove-policy-member', [0, 1], [1]],
  ['local-group-of-hosts', [0, 1], [1]],
  ['remove-local-member', [0, 1], [1]],
  ['rights-on-object', [0, 1], [0, 1]],
  ['accounts-off-host', [0], [0]],
  ['account-off-hosts', [0], [0]],
] as const)('of the kind %s are whole where one of the right subjects is named', (kind, subjects, right) => {
  const one = { kind, subjects, isWide: false } as unknown as WorkPackage;
  for (const node of [0, 1, 2]) {
    const [named, none] = [NodeSet.of(3, [node]), NodeSet.empty(3)];
    const isRight = (right as readonly number[]).includes(node);
    expect(isWholeNear(named, none)(one)).toBe(isRight);
    // Rights and memberships of default groups have labels at any object, but those of others there do not.
    const isOfObject = kind === 'access-list' || kind === 'members-of-group';
    if (isOfObject) expect(isWholeNear(none, none)({ ...one, isWide: true })).toBe(false);
    if (subjects.length > 1 && right.length === 1) expect(isWholeNear(none, named)(one)).toBe(isRight);
  }
});
