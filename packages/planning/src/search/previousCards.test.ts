/** The cards of an earlier plan, evaluated on a graph that has only the labels of their packages. */

import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { SID } from '@clew/analysis/testing';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { comparedCards } from '../../test/comparedCards.ts';
import { randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { workPackages } from '../packages/workPackages.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { rankedZone } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { PlanSearch } from './planSearch.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

it('have the effect that they have on the graph of all packages', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      (directory, picks) => {
        const world = randomWorld(directory);
        const ranked = rankedZone(world, 1);
        if (ranked === undefined) return;
        const { packages } = finish(PlanSearch.of(world, ranked, { zone: 1 }, 'all'));
        if (packages.length === 0) return;
        const previous = picks.map((card) => [
          ...new Set(card.map((pick) => packages[pick % packages.length].key)),
        ]);
        const [all, few] = (['all', 'previous'] as const).map((searched) => {
          const search = finish(PlanSearch.of(world, ranked, { zone: 1, previous }, searched));
          return { search, cards: comparedCards(search) };
        });
        expect(few.cards).toEqual(all.cards);
        const wanted = new Set(previous.flat());
        expect(few.search.packages.every(({ key }) => wanted.has(key))).toBe(true);
        for (const { keys } of few.cards) for (const key of keys) kinds.add(key.split(' ')[0]);
      },
    ),
    { numRuns: 60 * RUNS },
  );
  expect(kinds.size).toBeGreaterThan(12);
}, 60_000);

it('are of the wanted packages, also where another has the same changes', () => {
  const everyone = `${SID}-513`;
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID } },
      { id: everyone, kinds: [NodeKind.Base, NodeKind.Group], props: { domainsid: SID } },
      { id: 'UNIT', kinds: [NodeKind.Base, NodeKind.OU], props: { domainsid: SID } },
      ...['A', 'B'].map((id) => ({ id, kinds: [NodeKind.Base, NodeKind.User], props: { domainsid: SID } })),
    ],
    edges: ['A', 'B'].flatMap((id) => [
      ['UNIT', EdgeKind.Contains, id] as const,
      [everyone, EdgeKind.GenericAll, id] as const,
    ]),
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const catalog = new RepairCatalog(context, ruleKinds());
  for (const id of ['A', 'B'])
    catalog.ofEdge({ start: test.node(everyone), kind: EdgeKind.GenericAll, end: test.node(id) }, 0);
  const input = { context, repairs: catalog.repairs, prices: { costs: DEFAULT_COSTS } };
  const kindsOf = (wanted?: string): string[] =>
    finish(workPackages({ ...input, ...(wanted && { isWanted: ({ kind }) => kind === wanted }) }))
      .filter(({ repairs }) => repairs.length === 2)
      .map(({ kind }) => kind);
  expect(kindsOf()).toHaveLength(1);
  for (const kind of ['rights-in-container', 'rights-of-default-group'])
    expect(kindsOf(kind)).toEqual([kind]);
});
