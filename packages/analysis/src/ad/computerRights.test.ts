import type { EdgeKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fact, groups, ObservedRules, RUNS, type Thing, users, worldOf } from '../../test/ad/adWorld.ts';
import { commonMembers } from '../directory/commonMembers.ts';
import { adminTo, canPsRemote, executeDcom } from './localGroupRights.ts';
import { localGroups } from './localGroups.ts';
import { canRdp } from './remoteDesktop.ts';

const rules = new ObservedRules();

describe('rights through local groups', () => {
  test.each<[EdgeKindName, string]>([
    ['AdminTo', 'C-544'],
    ['CanPSRemote', 'C-580'],
    ['ExecuteDCOM', 'C-562'],
  ])('%s goes to direct members of %s and no one else', (kind, group) => {
    const world = worldOf(
      [['C', 'Computer'], [group, 'ADLocalGroup'], ...groups('G1'), ...users('U1', 'U2')],
      [
        [group, 'LocalToComputer', 'C'],
        ['G1', 'MemberOfLocalGroup', group],
        ['U1', 'MemberOfLocalGroup', group],
        ['C', 'MemberOfLocalGroup', group],
        ['U2', 'MemberOf', 'G1'],
      ],
    );
    expect(rules.derive(world)).toEqual([`G1 ${kind} C`, `U1 ${kind} C`]);
    expect(rules.explain(world, 'G1', kind, 'C').sort()).toEqual(
      [`G1 MemberOfLocalGroup ${group}`, `${group} LocalToComputer C`].sort(),
    );
  });

  test('do not follow from other local groups or from groups without members', () => {
    const world = worldOf(
      [['C', 'Computer'], ['C-551', 'ADLocalGroup'], ['C-580', 'ADLocalGroup'], ...users('U1')],
      [
        ['C-551', 'LocalToComputer', 'C'],
        ['C-580', 'LocalToComputer', 'C'],
        ['U1', 'MemberOfLocalGroup', 'C-551'],
      ],
    );
    expect(rules.derive(world)).toEqual([]);
  });
});

describe('CanRDP', () => {
  const R = 'C-555';
  const DAU: Thing = ['C-1001', 'ADLocalGroup', { name: 'DIRECT ACCESS USERS@C' }];
  const L: Thing = ['C-1002', 'ADLocalGroup'];
  const things: Thing[] = [
    ['C', 'Computer', { hasura: true }],
    [R, 'ADLocalGroup', { name: 'REMOTE DESKTOP USERS@C' }],
    L,
    ...groups('G1'),
    ...users('U1', 'U2'),
  ];
  const unread = things.map((thing): Thing => (thing[0] === 'C' ? ['C', 'Computer'] : thing));
  const member = (id: string, group = R): Fact => [id, 'MemberOfLocalGroup', group];
  const right = (id: string): Fact => [id, 'RemoteInteractiveLogonRight', 'C'];
  const local: Fact = [R, 'LocalToComputer', 'C'];
  const citrix: Fact[] = [[DAU[0], 'LocalToComputer', 'C']];

  test.each<[string, Thing[], Fact[], string[]]>([
    ['the group holds the right', [], [local, member('G1'), member('U1'), right(R)], ['G1', 'U1']],
    ['a member holds the right', [], [local, member('G1'), member('U1'), right('G1')], ['G1']],
    ['nobody holds the right', [], [local, member('G1'), member('U1')], []],
    ['the group does not exist', [], [right('U1')], []],
    [
      'a nested member is in a local group with the right',
      [],
      [local, member('G1'), ['U2', 'MemberOf', 'G1'], member('U2', L[0]), right(L[0])],
      ['U2'],
    ],
    ['the computer is a member of its own group', [], [local, member('C'), right(R)], []],
    [
      'Citrix asks for Direct Access Users too',
      [DAU],
      [local, ...citrix, member('U1'), member('U2'), member('U1', DAU[0]), right(R)],
      ['U1'],
    ],
    ['Direct Access Users is empty', [DAU], [local, ...citrix, member('U1'), right(R)], []],
  ])('when %s', (_, more, facts, expected) => {
    const world = worldOf([...things, ...more], facts);
    expect(rules.derive(world)).toEqual(expected.map((id) => `${id} CanRDP C`));
  });

  test('explains membership and right', () => {
    const world = worldOf(things, [local, member('G1'), right('G1')]);
    expect(rules.explain(world, 'G1', 'CanRDP', 'C').sort()).toEqual(
      [`${R} LocalToComputer C`, `G1 MemberOfLocalGroup ${R}`, 'G1 RemoteInteractiveLogonRight C'].sort(),
    );
    expect(rules.explain(world, 'U2', 'CanRDP', 'C')).toEqual([]);
  });

  test('equals a walk from each member, in any nest of groups', () => {
    const locals = [R, 'C-544', 'C-1002'];
    const domainGroups = ['G1', 'G2', 'G3'];
    const people = ['U1', 'U2', 'U3'];
    const node = fc.constantFrom(...people, ...domainGroups, ...locals);
    const nests = fc.record({
      members: fc.uniqueArray(fc.tuple(node, fc.constantFrom(...domainGroups)), { maxLength: 8 }),
      locals: fc.uniqueArray(fc.tuple(node, fc.constantFrom(...locals)), { maxLength: 8 }),
      rights: fc.uniqueArray(node, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(nests, ({ members, locals: inLocal, rights }) => {
        const world = worldOf(
          [
            ['C', 'Computer', { hasura: true }],
            ...locals.map(
              (id): Thing => [id, 'ADLocalGroup', id === R ? { name: 'REMOTE DESKTOP USERS@C' } : {}],
            ),
            ...groups(...domainGroups),
            ...users(...people),
          ],
          [
            local,
            ...members.map(([start, end]): Fact => [start, 'MemberOf', end]),
            ...inLocal.map(([start, end]): Fact => [start, 'MemberOfLocalGroup', end]),
            ...rights.map(right),
          ],
        );
        const below = (group: string): Set<string> => {
          const found = new Set<string>([group]);
          for (const one of found)
            for (const [start, end] of [...members, ...inLocal]) if (end === one) found.add(start);
          found.delete(group);
          return found;
        };
        const inGroup = below(R);
        const expected = rights.includes(R)
          ? inLocal.filter(([, end]) => end === R).map(([start]) => start)
          : [...inGroup].filter((one) =>
              rights.some((holder) => one === holder || (!inGroup.has(holder) && below(holder).has(one))),
            );
        const found = rules.derive(world).filter((edge) => edge.endsWith(' CanRDP C'));
        expect(found).toEqual([...new Set(expected)].sort().map((id) => `${id} CanRDP C`));
      }),
      { numRuns: 150 * RUNS },
    );
  });

  test.each<[string, Fact[], string[]]>([
    ['direct members of the group', [member('G1'), member('U1'), ['U2', 'MemberOf', 'G1']], ['G1', 'U1']],
    [
      'on Citrix hosts those in both groups',
      [...citrix, member('U1'), member('U2'), member('U2', DAU[0])],
      ['U2'],
    ],
    ['no one where Direct Access Users is empty', [...citrix, member('U1')], []],
  ])('where rights were not collected has %s, in both modes', (_, facts, expected) => {
    for (const mode of ['clean', 'parity'] as const) {
      const found = rules.derive(worldOf([...unread, DAU], [local, ...facts]), { mode });
      expect(found).toEqual(expected.map((id) => `${id} CanRDP C`));
    }
  });

  test('is empty where the right was collected and no one holds it', () => {
    expect(rules.derive(worldOf(things, [local, member('U1')]))).toEqual([]);
  });
});

// Undeclared reads throw in the tests above.
test('the rules read all that they declare', () => {
  const shared = [localGroups, commonMembers];
  expect(rules.unused([adminTo, canPsRemote, executeDcom, canRdp, ...shared])).toEqual([]);
});
