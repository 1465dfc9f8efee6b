/**
 * Accounts that do not belong in the zone: exposure through them ends when they leave it, in the plan graph and in a simulation.
 */
import { AnalysisContext, analyze, attackSteps, defaultOptions, expandZone, RULES } from '@clew/analysis';
import { EdgeList, type JsonObject, NodeSet, objectIdOf, withEdges } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exposedPrincipals,
  exposedPrincipalsAfter,
  graphOf as planGraphOf,
} from '../../test/comparedGraph.ts';
import { packageText } from '../explain/packageTexts.ts';
import { wholePlan } from '../plan.ts';
import { changeOf } from '../repairs/repair.ts';
import { type AnalyzedWorld, changedWorld, worldOf } from '../simulation/simulate.ts';
import { leaversOf } from './leavers.ts';

const SID = 'S-1-5-21-1-2-3';
const GROUPS = ['SO', 'DA'];
/** Authenticated Users. */
const AT_LOGON = 'S-1-5-11';
const ACCOUNTS = ['X1', 'X2', 'X3'];
const UNITS = ['O1', 'O2'];
const USERS = ['U1', 'U2', 'U3'];

interface Directory {
  readonly facts: readonly (readonly [start: string, kind: EdgeKindName, end: string])[];
  readonly props: Readonly<Record<string, JsonObject>>;
}

const KINDS: Readonly<Record<string, NodeKindName>> = {
  S: 'Group',
  D: 'Group',
  X: 'User',
  O: 'OU',
  P: 'GPO',
  U: 'User',
  C: 'AZUser',
  R: 'AZRole',
};
const CLOUD: ReadonlySet<NodeKindName> = new Set(['AZUser', 'AZRole']);

/** Tier Zero is the domain, both groups, the objects in `more`, and their expansion. */
function built(
  { facts, props }: Directory,
  more: readonly string[] = [],
): AnalyzedWorld & { readonly named: (id: string) => number } {
  const ids = [...GROUPS, AT_LOGON, ...ACCOUNTS, ...UNITS, ...USERS, 'P1', 'P2', 'C1', 'R1'];
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID, collected: true } },
      ...ids.map((id) => {
        const kind = KINDS[id[0] as string] as NodeKindName;
        const base = CLOUD.has(kind) ? NodeKind.AZBase : NodeKind.Base;
        return { id, kinds: [base, NodeKind[kind]], props: { domainsid: SID, ...props[id] } };
      }),
    ],
    edges: facts.map(([start, kind, end]): TestEdge => [start, EdgeKind[kind], end]),
  });
  const { properties, edgeProperties } = test;
  const input = { properties, edgeProperties, options: defaultOptions() };
  const { edges } = analyze(new AnalysisContext({ ...input, graph: test.graph }), RULES);
  const list = new EdgeList();
  list.appendChunk(edges);
  const context = new AnalysisContext({ ...input, graph: withEdges(test.graph, list) });
  const seeds = NodeSet.of(test.graph.nodeCount, [SID, ...GROUPS, 'R1', ...more].map(test.node));
  const zonesOf = (of: AnalysisContext) => {
    const members = expandZone(of, seeds, 'all').all;
    return [{ id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(seeds.capacity) }];
  };
  return { ...worldOf(context, { zonesOf, now: 1_767_225_600 }), named: test.node };
}

const names = ({ context }: AnalyzedWorld, nodes: Iterable<number>): string[] =>
  [...nodes].map((node) => objectIdOf(context.graph, node));

const leavers = (world: AnalyzedWorld): string[] => {
  const members = world.zones[0]?.members as NodeSet;
  return names(world, leaversOf(world, 1, members, attackSteps(world.context.graph)));
};

/** A disabled account in Server Operators, whose unit two users control, one of them through a policy. */
const LEAVER: Directory = {
  facts: [
    ['SO', 'GenericAll', SID],
    ['X1', 'MemberOf', 'SO'],
    ['O1', 'Contains', 'X1'],
    ['U1', 'GenericAll', 'O1'],
    ['U2', 'GenericAll', 'P1'],
    ['P1', 'GPLink', 'O1'],
  ],
  props: { X1: { enabled: false } },
};

describe('an account that does not belong into Tier Zero', () => {
  it('leaves with its unit when it is disabled, and one change ends the paths over it', () => {
    const world = built(LEAVER);
    expect(leavers(world).sort()).toEqual(['O1', 'X1']);
    const plan = wholePlan(world, { zone: 1, goal: 0 });
    expect(
      plan?.cards.map(({ packages }) => packages.flatMap(({ repairs }) => repairs.map(({ id }) => id))),
    ).toEqual([
      [expect.stringMatching(/^(remove-member X1 MemberOf SO|remove-permission U1 GenericAll O1)$/)],
    ]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['a person who works', { enabled: true }, []],
    ['an account of a service', { enabled: true, hasspn: true }, ['O1', 'P1', 'X1']],
    ['a managed service account', { enabled: true, gmsa: true }, ['O1', 'P1', 'X1']],
  ])('leaves as %s', (_, props, expected) => {
    expect(leavers(built({ ...LEAVER, props: { X1: props } })).sort()).toEqual(expected);
  });

  it('stays where Windows decides that it is a member', () => {
    const inGroup = (group: string): Directory => ({
      ...LEAVER,
      facts: LEAVER.facts.map(([start, kind, end]) => [start, kind, end === 'SO' ? group : end]),
    });
    expect(leavers(built(inGroup('DA')))).toContain('X1');
    expect(leavers(built(inGroup(AT_LOGON), [AT_LOGON]))).toEqual([]);
  });

  it('stays where another member keeps its unit there', () => {
    const world = built({
      ...LEAVER,
      facts: [...LEAVER.facts, ['X2', 'MemberOf', 'DA'], ['O1', 'Contains', 'X2']],
    });
    expect(leavers(world)).toEqual(['X1']);
  });

  it('leaves with its role of Entra ID when it is the everyday account of a person, and stays when it is an account of the cloud', () => {
    const facts: Directory['facts'] = [
      ['C1', 'AZHasRole', 'R1'],
      ['R1', 'AZResetPassword', 'C1'],
    ];
    expect(leavers(built({ facts, props: {} }))).toEqual([]);
    const synchronized = built({ facts: [...facts, ['C1', 'SyncedToADUser', 'U1']], props: {} });
    expect(leavers(synchronized)).toEqual(['C1']);
    const [removed] = planGraphOf(synchronized, 'all').repairs.filter(({ kind }) => kind === 'remove-role');
    expect(removed?.id).toBe('remove-role C1 AZHasRole R1');
  });

  it('may have several memberships, each of which is removed', () => {
    const world = built({
      ...LEAVER,
      facts: [...LEAVER.facts, ['DA', 'GenericAll', SID], ['X1', 'MemberOf', 'DA']],
    });
    const graph = planGraphOf(world, 'all');
    const ids = graph.repairs.map(({ id }) => id);
    for (const id of ['remove-member X1 MemberOf SO', 'remove-member X1 MemberOf DA'])
      expect(ids).toContain(id);
  });
});

describe('the text of removing such an account', () => {
  const textOf = (own: Directory['facts'], seeds: readonly string[] = [], props: JsonObject = {}) => {
    const facts: Directory['facts'] = [...LEAVER.facts, ['DA', 'GenericAll', SID], ...own];
    const world = built({ props: { ...LEAVER.props, DA: props }, facts }, seeds);
    const [start, end] = ['X1', 'SO'].map(world.named) as [number, number];
    return packageText(world, {
      ...{ kind: 'remove-member', subjects: [end] },
      repairs: [
        {
          ...{ id: 'R', kind: 'remove-member', object: end, principal: start, edgeKinds: ['MemberOf'] },
          change: { removed: [{ start, kind: EdgeKind.MemberOf, end }], properties: [] },
        },
      ],
    });
  };
  const ALONE = 'This alone does not remove it from Tier Zero: it is also a member';

  it('says that it leaves Tier Zero if nothing else keeps it there', () => {
    expect(textOf([]).title).toBe('Remove X1 from Tier Zero: remove it from SO');
    expect(textOf([]).fix).toContain('clear its adminCount');
  });

  it.each<[string, Directory['facts'], string[], string]>([
    ['another group', [['X1', 'MemberOf', 'DA']], [], ' through DA.'],
    ['a selector', [], ['X1'], ' for another reason.'],
  ])('names what keeps it there: %s', (_, own, seeds, reason) => {
    const { title, fix } = textOf(own, seeds);
    expect(title).toBe('Remove X1 from SO');
    expect(fix).toBe(`Remove X1 from the members of SO. ${ALONE}${reason}`);
  });

  it('names no group of another environment, which the reader may not see', () => {
    const { fix } = textOf([['X1', 'MemberOf', 'DA']], [], { domainsid: 'S-1-5-21-9-9-9' });
    expect(fix).toBe(`Remove X1 from the members of SO. ${ALONE} for another reason.`);
  });
});

const facts = fc.uniqueArray(
  fc.oneof(
    fc.tuple(fc.constantFrom(...ACCOUNTS), fc.constant<EdgeKindName>('MemberOf'), fc.constantFrom(...GROUPS)),
    fc.tuple(
      fc.constantFrom(...UNITS),
      fc.constant<EdgeKindName>('Contains'),
      fc.constantFrom(...ACCOUNTS, ...USERS),
    ),
    fc.tuple(fc.constant('O1'), fc.constant<EdgeKindName>('Contains'), fc.constant('O2')),
    fc.tuple(fc.constantFrom('P1', 'P2'), fc.constant<EdgeKindName>('GPLink'), fc.constantFrom(...UNITS)),
    fc.tuple(
      fc.constantFrom(...USERS, ...ACCOUNTS),
      fc.constantFrom<EdgeKindName>('GenericAll', 'ForceChangePassword'),
      fc.constantFrom(...ACCOUNTS, ...UNITS, 'P1', 'P2', ...USERS),
    ),
  ),
  { minLength: 4, maxLength: 16, selector: String },
);

const props = fc.record(
  Object.fromEntries(
    ACCOUNTS.map((id) => [
      id,
      fc.constantFrom<JsonObject>({ enabled: true }, { enabled: false }, { enabled: true, hasspn: true }),
    ]),
  ),
);

describe('the plan graph with such accounts', () => {
  it('agrees with a simulation about everyone who is outside the zone before and after', {
    timeout: 60_000,
  }, () => {
    let left = 0;
    fc.assert(
      fc.property(
        facts,
        props,
        fc.array(fc.nat(10_000), { minLength: 1, maxLength: 4 }),
        (some, own, numbers) => {
          const directory: Directory = {
            facts: [...some, ['SO', 'GenericAll', SID], ['DA', 'GenericAll', SID]],
            props: own,
          };
          const world = built(directory);
          const graph = planGraphOf(world, 'all');
          const outside = world.principals.andNot(world.zones[0]?.members as NodeSet);
          expect(names(world, exposedPrincipalsAfter(graph, []))).toEqual(
            names(world, exposedPrincipals(world).and(outside)),
          );
          if (graph.repairs.length === 0) return;
          const choice = [...new Set(numbers.map((number) => number % graph.repairs.length))];
          const chosen = choice.map((at) => graph.repairs[at] as (typeof graph.repairs)[number]);
          const after = changedWorld(world, changeOf(chosen));
          if ((after.zones[0]?.members.size ?? 0) < (world.zones[0]?.members.size ?? 0)) left++;
          expect([chosen.map(({ id }) => id), names(world, exposedPrincipalsAfter(graph, choice))]).toEqual([
            chosen.map(({ id }) => id),
            names(world, exposedPrincipals(after).and(outside)),
          ]);
        },
      ),
      { numRuns: 200 },
    );
    expect(left).toBeGreaterThan(20);
  });
});
