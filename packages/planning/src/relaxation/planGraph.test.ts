/** Compares the plan graph with the analysis of the changed facts on small random directories and random sets of repairs. */

import { AnalysisContext, attackSteps, type Rule } from '@clew/analysis';
import { contextOf, OTHER_SID, SID } from '@clew/analysis/testing';
import { type EdgeFilter, edgesOfKind, NodeSet } from '@clew/graph';
import { graphOf as testGraph } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedAfter, exposedIn, graphOf, triedSets } from '../../test/comparedGraph.ts';
import { derivedPairs, pairsToBe, someTwoPatterns, withPatterns } from '../../test/derivedByPatterns.ts';
import { type RandomDirectory, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { aboutPermanent } from '../repairs/permanent.ts';
import { changeOf } from '../repairs/repair.ts';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { changedWorld } from '../simulation/simulate.ts';
import { finish } from '../steps.ts';
import { planGraph } from './planGraph.ts';

/** `CLEW_TEST_ORGANIZATIONS=1000` tests more. */
const ORGANIZATIONS = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 30);
const SETS = 2;
const SECONDS_EACH = 3;

const sets = fc.array(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), {
  minLength: SETS,
  maxLength: SETS,
});

const EKU: '1.3.6.1.5.5.7.3.2'[] = ['1.3.6.1.5.5.7.3.2'];
const template = {
  ...{ effectiveekus: EKU, nosecurityextension: false, requiresmanagerapproval: false },
  ...{ subjectaltrequireupn: false, subjectaltrequiredns: false, schemaversion: 2 },
};

/** A principal of another forest has a right of Everyone, although Everyone does not include it. */
const FOREIGN_HOLDER: RandomDirectory = {
  facts: ['EV GenericAll T', 'v1 en C', 'T2 PublishedTo C', 'D2 SameForestTrust D', 'A en T', 'AU en C'],
  policies: [],
  templates: [
    { ...template, enrolleesuppliessubject: false },
    { ...template, enrolleesuppliessubject: true },
  ],
  ...{ sanFlag: true, web: true, ldap: true, ldaps: true, hasura: false, quota: false },
  ...{ signing: [false, false, false, false], binding: 2, mapping: 24 },
};

/**
 * A policy reaches accounts of its unit one by one, because the unit also contains a group: an account that leaves the unit is no longer
 * reached.
 */
const LISTED_ACCOUNTS: RandomDirectory = {
  ...FOREIGN_HOLDER,
  facts: ['u1 GenericAll GPO1', 'GPO1 GPLink OU1', 'OU1 Contains A', 'OU1 Contains u2', 'u2 GenericAll DA'],
  ...{ web: false, ldap: false, ldaps: false },
};

it.each([
  {
    title: 'takes the last right of a principal of another forest, where everybody has the same right',
    directory: FOREIGN_HOLDER,
    repair: 'remove-permission v1 Enroll C',
  },
  {
    title: 'ends the control of a policy over an account that leaves its unit',
    directory: LISTED_ACCOUNTS,
    repair: 'move-object OU1 Contains u2',
  },
])('$title', ({ directory, repair: named }) => {
  const world = randomWorld(directory);
  for (const scope of ['all', 'wide'] as const) {
    const graph = graphOf(world, scope);
    if (scope === 'all') expect(graph.repairs.map(({ id }) => id)).toContain(named);
    const places = [...graph.repairs.keys()];
    const pairs = places.flatMap((one) => places.filter((other) => other > one).map((other) => [one, other]));
    for (const choice of [...places.map((place) => [place]), ...pairs]) {
      const chosen = choice.map((place) => graph.repairs[place]);
      const ids = chosen.map(({ id }) => id);
      expect([ids, exposedAfter(graph, world, choice)]).toEqual([
        ids,
        exposedIn(changedWorld(world, changeOf(chosen))),
      ]);
    }
  }
});

describe('the plan graph of random directories', () => {
  const options = { timeout: ORGANIZATIONS * SECONDS_EACH * 1000 };
  it('agrees with a simulation, with all labels and with wide ones', options, () => {
    const tried = new Set<string>();
    let fell = 0;
    fc.assert(
      fc.property(randomDirectories, sets, (spec, drawn) => {
        const world = randomWorld(spec);
        const before = exposedIn(world);
        for (const scope of ['all', 'wide'] as const) {
          const graph = graphOf(world, scope);
          expect(exposedAfter(graph, world, [])).toEqual(before);
          for (const { choice, chosen, names, after } of triedSets(graph, world, drawn)) {
            for (const { kind } of chosen) tried.add(kind);
            const exposed = exposedIn(after);
            if (JSON.stringify(exposed) !== JSON.stringify(before)) fell++;
            expect([names, exposedAfter(graph, world, choice)]).toEqual([names, exposed]);
          }
        }
      }),
      { numRuns: ORGANIZATIONS },
    );
    // Ensures that the agreement above was not on empty results.
    expect(fell).toBeGreaterThan(ORGANIZATIONS / 4);
    expect(tried.size).toBeGreaterThan(10);
  });
});

describe('edges that patterns of definitions derive', () => {
  it('end with the facts that they follow from, in the plan graph and in the changed facts', {
    timeout: ORGANIZATIONS * SECONDS_EACH * 1000,
  }, () => {
    let [ended, fell] = [0, 0];
    fc.assert(
      fc.property(randomDirectories, fc.tuple(fc.nat(), fc.nat()), sets, (spec, draws, numbers) => {
        const collected = randomWorld(spec);
        const drawn = someTwoPatterns(collected.context.graph, draws);
        if (drawn === undefined) return;
        const world = withPatterns(collected, drawn);
        const all = derivedPairs(world.context.graph);
        if (all.length === 0) return;
        const [start, kind, end] = (all[0] as string).split(' ').map(Number);
        const { context } = world;
        const { matches: _, ...withoutMatches } = context.options;
        const unknown = new AnalysisContext({ ...context, options: withoutMatches });
        const said = [context, unknown].map((of) => aboutPermanent(of, [{ start, kind, end }]));
        expect(said).toEqual([[], [expect.stringMatching(/^An extension derives this relationship/)]]);
        const before = exposedIn(world);
        for (const scope of ['all', 'wide'] as const) {
          const graph = graphOf(world, scope);
          expect(exposedAfter(graph, world, [])).toEqual(before);
          for (const { choice, names, after } of triedSets(graph, world, numbers)) {
            const left = derivedPairs(after.context.graph);
            const toBe = pairsToBe(after.context.graph, drawn);
            expect([names, left]).toEqual([names, all.filter((pair) => toBe.has(pair))]);
            const exposed = exposedIn(after);
            if (left.length < all.length) ended++;
            if (left.length < all.length && JSON.stringify(exposed) !== JSON.stringify(before)) fell++;
            expect([names, exposedAfter(graph, world, choice)]).toEqual([names, exposed]);
          }
        }
      }),
      { numRuns: Math.ceil(ORGANIZATIONS / 2) },
    );
    expect([ended > 1, fell > 0]).toEqual([true, true]);
  });
});

type Fact = readonly [start: string, kind: EdgeKindName, end: string, flags?: number];

interface Choice {
  readonly steps?: EdgeFilter;
  readonly rules?: readonly Rule[];
}

/**
 * The plan graph of two domains that do not trust each other, each with two users and the administrator `DA1` or `DA2` in
 * the zone.
 */
function planOf(facts: readonly Fact[], { steps, rules = [] }: Choice = {}) {
  const domains = [SID, OTHER_SID];
  const users = ['A1', 'B1', 'DA1', 'A2', 'B2', 'DA2'];
  const test = testGraph({
    nodes: [
      ...domains.map((id) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.Domain] },
        props: { domainsid: id, collected: true },
      })),
      ...users.map((id) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.User] },
        props: { domainsid: domains[id.endsWith('1') ? 0 : 1] },
      })),
    ],
    edges: facts.map(([start, kind, end, flags]) => [start, EdgeKind[kind], end, flags] as const),
  });
  const context = contextOf(test);
  const zone = NodeSet.of(test.graph.nodeCount, ['DA1', 'DA2'].map(test.node));
  const graph = finish(
    planGraph({
      ...{ context, rules, zone, above: zone, steps: steps ?? attackSteps(context.graph) },
      catalog: new RepairCatalog(context, ruleKinds(), zone),
      broad: context.emptySet(),
    }),
  );
  const exposed = graph.realms.map(({ targets, counted }) => {
    const reached = graph.steps.reach(targets, []);
    const members = test.ids(targets);
    return [...members, '<', ...test.ids([...counted.toArray()].filter((node) => reached[node] === 1))].join(
      ' ',
    );
  });
  return { test, exposed, stepCount: graph.steps.starts.length };
}

describe('the plan graph', () => {
  it('goes through the zone of a forest to that of another, and no further through a zone itself', () => {
    const { exposed } = planOf([
      ['B2', 'GenericAll', 'DA1'],
      ['DA1', 'GenericAll', 'DA2'],
      ['A1', 'GenericAll', 'B1'],
    ]);
    expect(exposed).toEqual(['DA1 <', 'DA2 < B2']);
  });

  it('has steps of the given kinds only', () => {
    const steps = edgesOfKind(EdgeKind.GenericAll);
    const facts: readonly Fact[] = [
      ['A1', 'ForceChangePassword', 'DA1'],
      ['B1', 'GenericAll', 'DA1'],
    ];
    expect(planOf(facts).exposed[0]).toBe('DA1 < A1 B1');
    expect(planOf(facts, { steps }).exposed[0]).toBe('DA1 < B1');
  });

  it('has each relationship and each way once', () => {
    const facts: readonly Fact[] = [
      ['A1', 'ForceChangePassword', 'DA1'],
      ['A1', 'GenericAll', 'DA1'],
      ['B1', 'ADCSESC3', 'DA1', EdgeFlag.Derived],
    ];
    expect(planOf(facts).stepCount).toBe(3);
    const way = { kind: 'ADCSESC3', needs: [] } as const;
    const rule: Rule = {
      ...{ name: 'by ways', produces: ['ADCSESC3'], reads: {}, derive: () => {} },
      ways: () => [{ ...way, starts: [test.node('B1') as number], ends: [test.node('DA1') as number] }],
    };
    const { test } = planOf([]);
    expect(planOf([facts[2]], { rules: [rule] }).stepCount).toBe(planOf([facts[2]]).stepCount);
  });

  it('has ways of rules whose features are on, whatever rules stand before them', () => {
    const ruleOf = (name: string, kind: EdgeKindName, start: string, more: Partial<Rule> = {}): Rule => ({
      ...{ name, produces: [kind], reads: {}, derive: () => {}, ...more },
      ways: (context) => {
        const node = (id: string) => test.node(id) as number;
        expect(context.graph.nodeCount).toBe(test.graph.nodeCount);
        return [{ kind, starts: [node(start)], ends: [node('DA1')], needs: [] }];
      },
    });
    const { test } = planOf([]);
    const rules = [
      { ...ruleOf('no ways', 'GenericAll', 'A1'), ways: undefined },
      ruleOf('off', 'ADCSESC1', 'A1', { feature: 'no such feature' as never }),
      ruleOf('not a step', 'GetChanges', 'A1'),
      ruleOf('on', 'ADCSESC3', 'B1'),
    ];
    const facts: readonly Fact[] = [['B1', 'ADCSESC3', 'DA1', EdgeFlag.Derived]];
    // A derived edge is a step only through its ways.
    expect(planOf(facts, { rules: rules.slice(0, 3) }).exposed[0]).toBe('DA1 < B1');
    const without = [...rules.slice(0, 3), { ...rules[3], ways: () => [] } as Rule];
    expect(planOf(facts, { rules: without }).exposed[0]).toBe('DA1 <');
    expect(planOf(facts, { rules }).exposed[0]).toBe('DA1 < B1');
  });
});
