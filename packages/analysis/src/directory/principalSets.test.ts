import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveCover, naiveExpand, naiveMembers, naivePrune } from '../../test/directory/naivePrincipals.ts';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { membership } from './membership.ts';
import { principalSets } from './principalSets.ts';
import { type PruneMode, pruneNested } from './pruneNested.ts';
import { specialGroups } from './specialGroups.ts';

const MODES: readonly PruneMode[] = ['outer', 'ascending', 'toggling'];

/** Ids that start with U are users, L local groups, all others groups. */
function kindsOf(id: string): number[] {
  if (id.startsWith('U')) return [NodeKind.Base, NodeKind.User];
  if (id.startsWith('L')) return [NodeKind.Base, NodeKind.ADLocalGroup];
  return [NodeKind.Base, NodeKind.Group];
}

/** @param members [member, group] pairs */
function worldOf(ids: readonly string[], members: readonly (readonly [string, string])[]) {
  const world = graphOf({
    nodes: ids.map((id) => ({ id, kinds: kindsOf(id) })),
    edges: members.map(
      ([member, group]): TestEdge => [
        member,
        group.startsWith('L') ? EdgeKind.MemberOfLocalGroup : EdgeKind.MemberOf,
        group,
      ],
    ),
  });
  const context = new AnalysisContext({ ...world, options: defaultOptions() });
  const setOf = (list: readonly string[]) =>
    context.use(principalSets).of(NodeSet.of(world.graph.nodeCount, list.map(world.node)));
  const cover = (sets: readonly (readonly string[])[], mode: PruneMode = 'outer') =>
    world.ids(context.use(principalSets).cover(sets.map(setOf), mode)).sort();
  return { ...world, context, cover };
}

const AU = 'CORP-S-1-5-11';
const EV = 'CORP-S-1-1-0';
const isGroup = (id: string) => !id.startsWith('U');
const isSpecial = (id: string) => id === AU || id === EV;
const naive = { isGroup, isSpecial };

describe('cover: worked cases (`docs/rules.md#worked-cases`)', () => {
  const cases: {
    id: string;
    sets: string[][];
    members: [string, string][];
    expected: string[];
    toggling?: string[];
  }[] = [
    { id: 'a', sets: [['U1'], ['U1']], members: [], expected: ['U1'] },
    { id: 'b', sets: [['G1'], ['G1']], members: [['U1', 'G1']], expected: ['G1'] },
    {
      id: 'c',
      sets: [['G1'], ['G2']],
      members: [
        ['U1', 'G1'],
        ['U1', 'G2'],
        ['U2', 'G1'],
      ],
      expected: ['U1'],
    },
    {
      id: 'd',
      sets: [['G1'], ['G2']],
      members: [
        ['G3', 'G1'],
        ['G3', 'G2'],
        ['U1', 'G3'],
      ],
      expected: ['G3'],
    },
    { id: 'e', sets: [[AU], ['G2']], members: [['U1', 'G2']], expected: ['G2'] },
    { id: 'f', sets: [[AU], [EV]], members: [], expected: [AU, EV].sort() },
    {
      id: 'g',
      sets: [['G1'], ['G2']],
      members: [
        ['G4', 'G1'],
        ['G4', 'G2'],
        ['G3', 'G4'],
        ['U1', 'G3'],
      ],
      expected: ['G4'],
      toggling: ['G3', 'G4', 'U1'],
    },
    { id: 'h', sets: [['G1'], []], members: [['U1', 'G1']], expected: [] },
    { id: 'i', sets: [['G1'], ['U1']], members: [['U1', 'G1']], expected: ['U1'] },
    {
      id: 'j',
      sets: [['G1'], ['G2']],
      members: [
        [AU, 'G1'],
        ['U1', 'G2'],
      ],
      expected: ['G2'],
    },
    {
      id: 'k',
      sets: [['U1'], ['G2']],
      members: [
        ['G1', 'G2'],
        ['U1', 'G1'],
      ],
      expected: ['U1'],
    },
  ];
  const ids = ['U1', 'U2', 'G1', 'G2', 'G3', 'G4', AU, EV];

  it.each(cases)('case $id', ({ sets, members, expected, toggling }) => {
    const { cover } = worldOf(ids, members);
    expect(cover(sets)).toEqual(expected);
    expect(cover(sets, 'toggling')).toEqual(toggling ?? expected);
  });

  it('is empty for fewer than two sets', () => {
    const { cover } = worldOf(['U1'], []);
    expect(cover([['U1']])).toEqual([]);
    expect(cover([])).toEqual([]);
  });
});

const IDS = ['U1', 'U2', 'U3', 'G1', 'G2', 'G3', 'G4', 'G5', 'L1', 'L2', AU];
const GROUPS = IDS.filter(isGroup);
const arbitraryMembers = fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...GROUPS)), {
  maxLength: 16,
});
const arbitrarySet = fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 4 });
const arbitrarySets = fc.array(arbitrarySet, { minLength: 2, maxLength: 4 });

describe('cover', () => {
  it('equals its slow twin, whatever the memberships, circles included', () => {
    fc.assert(
      fc.property(arbitraryMembers, arbitrarySets, fc.constantFrom(...MODES), (members, sets, mode) => {
        const { cover } = worldOf(IDS, members);
        expect(cover(sets, mode)).toEqual(naiveCover(sets, naiveMembers(IDS, members), mode, naive));
      }),
      { numRuns: 250 },
    );
  });

  it('is sound and covers everybody eligible', () => {
    fc.assert(
      fc.property(arbitraryMembers, arbitrarySets, (members, sets) => {
        const membersOf = naiveMembers(IDS, members);
        const { cover } = worldOf(IDS, members);
        const expanded = sets.map((set) => naiveExpand(set, membersOf, naive));
        const selective = expanded.filter((set) => ![...set].some(isSpecial));
        const covered = cover(sets);
        for (const id of covered) for (const set of selective) expect(set.has(id)).toBe(true);
        const reached = naiveExpand(covered, membersOf, naive);
        const eligible = [...expanded[0]].filter((id) => expanded.every((set) => set.has(id)));
        for (const id of eligible) expect(reached.has(id)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('pruneNested', () => {
  it('equals its slow twin on sets closed under membership', () => {
    fc.assert(
      fc.property(arbitraryMembers, arbitrarySet, fc.constantFrom(...MODES), (members, seeds, mode) => {
        const membersOf = naiveMembers(IDS, members);
        const eligible = naiveExpand(seeds, membersOf, naive);
        const { context, graph, node, ids } = worldOf(IDS, members);
        const set = NodeSet.of(graph.nodeCount, [...eligible].map(node));
        const pruned = ids(pruneNested(set, context.use(membership), mode)).sort();
        expect(pruned).toEqual([...naivePrune(eligible, membersOf, mode, naive)].sort());
      }),
      { numRuns: 250 },
    );
  });
});

describe('special groups', () => {
  it('make every group that contains them universal, at any depth', () => {
    const { context, ids } = worldOf(
      ['G1', 'G2', 'L1', AU, 'U1'],
      [
        [AU, 'G1'],
        ['G1', 'L1'],
        ['U1', 'G2'],
      ],
    );
    const groups = context.use(specialGroups);
    expect(ids(groups.universal)).toEqual([AU, 'G1', 'L1']);
    expect(ids(groups.directlyUniversal)).toEqual([AU, 'G1']);
  });
});
