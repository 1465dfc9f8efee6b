import { NodeSet } from '@clew/graph';
import { EDGE_KINDS, EdgeKind, type NodeKindName } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { type Fact, findIn, OBSERVATION, OTHER_SID, SID, type Thing } from '../../test/findings/worlds.ts';
import { RELATIONSHIP_READS } from './relationshipFindings.ts';
import { RELATIONSHIP_FINDINGS } from './types/index.ts';

/** Objects at the ends of an edge, of kinds that match its platform. */
function endsFor(edge: string): readonly [Thing, Thing] {
  const platform = EDGE_KINDS.find((kind) => kind.name === edge)?.platform;
  const kind: NodeKindName = platform === 'azure' ? 'AZUser' : 'User';
  return [
    ['OUTSIDE', kind, { enabled: true }],
    ['INSIDE', kind, { enabled: true }],
  ];
}

const byBoundary = Map.groupBy(RELATIONSHIP_FINDINGS, ({ boundary }) => boundary);

describe('an edge into a zone', () => {
  test.each(byBoundary.get('crossing')!)('is $id from outside, and nothing from inside', ({ id, edges }) => {
    for (const edge of edges) {
      const things = endsFor(edge);
      const facts: Fact[] = [['OUTSIDE', edge, 'INSIDE']];
      expect(findIn({ things, facts, tierZero: ['INSIDE'] }).of(id)).toEqual(['OUTSIDE -> INSIDE']);
      expect(findIn({ things, facts, tierZero: ['INSIDE', 'OUTSIDE'] }).of(id)).toEqual([]);
      expect(findIn({ things, facts, tierZero: ['OUTSIDE'] }).of(id)).toEqual([]);
    }
  });

  test.each(byBoundary.get('uncertified')!)(
    'is $id only when its source awaits certification',
    ({ id, edges }) => {
      for (const edge of edges) {
        const things = endsFor(edge);
        const facts: Fact[] = [['OUTSIDE', edge, 'INSIDE']];
        const world = { things, facts, tierZero: ['INSIDE'] };
        expect(findIn({ ...world, pending: ['OUTSIDE'] }).of(id)).toEqual(['OUTSIDE -> INSIDE']);
        expect(findIn(world).of(id)).toEqual([]);
      }
    },
  );

  test.each(byBoundary.get('forest')!)('is $id between forests', ({ id, edges, optional }) => {
    const things: Thing[] = [
      [OTHER_SID, 'Domain', { domainsid: OTHER_SID }],
      ['INSIDE', 'User'],
    ];
    const asked = { optionalTypes: new Set([id]) };
    for (const edge of edges) {
      // A trust account is the only end of such an edge that is not a domain.
      const target = edge === 'HasTrustKeys' ? 'INSIDE' : SID;
      const facts: Fact[] = [[OTHER_SID, edge, target]];
      const world = { things, facts, tierZero: [SID, OTHER_SID, target] };
      expect(findIn(world, asked).of(id)).toEqual([`${OTHER_SID} -> ${target}`]);
      expect(findIn({ ...world, tierZero: [] }, asked).of(id)).toEqual([]);
      if (optional) expect(findIn(world).of(id)).toEqual([]);
      const oneForest: Fact[] = [
        [OTHER_SID, 'SameForestTrust', SID],
        [SID, 'SameForestTrust', OTHER_SID],
      ];
      const sibling = findIn({ ...world, facts: [...facts, ...oneForest] }, asked).of(id);
      expect(sibling.length).toBe(edge === 'SameForestTrust' ? 2 : 0);
    }
  });

  test.each(byBoundary.get('large-default-group')!)(
    'is $id from a group of nearly everyone',
    ({ id, edges }) => {
      for (const edge of edges) {
        const things: Thing[] = [
          [`${SID}-513`, 'Group'],
          [`${SID}-1200`, 'Group'],
          ['T', 'Computer'],
        ];
        expect(findIn({ things, facts: [[`${SID}-513`, edge, 'T']] }).of(id)).toEqual([`${SID}-513 -> T`]);
        expect(findIn({ things, facts: [[`${SID}-1200`, edge, 'T']] }).of(id)).toEqual([]);
      }
    },
  );

  test.each(byBoundary.get('large-group')!)(
    'is $id from a group of more than half of the tenant',
    ({ id, edges }) => {
      for (const edge of edges) {
        const things: Thing[] = [
          ['BIG', 'AZGroup'],
          ['HALF', 'AZGroup'],
          ['T', 'AZVM'],
          ...['A', 'B', 'C', 'D'].map((user): Thing => [user, 'AZUser']),
        ];
        const facts: Fact[] = [
          ['BIG', edge, 'T'],
          ['HALF', edge, 'T'],
          ...['A', 'B', 'C'].map((user): Fact => [user, 'AZMemberOf', 'BIG']),
          ...['A', 'B'].map((user): Fact => [user, 'AZMemberOf', 'HALF']),
        ];
        expect(findIn({ things, facts }).of(id)).toEqual(['BIG -> T']);
      }
    },
  );

  test('belongs to the environment of its target, else of its source, else is reported', () => {
    const things: Thing[] = [
      ['S', 'User', { domainsid: OTHER_SID }],
      ['T', 'User'],
      ['LOST', 'User', { domainsid: 'nowhere' }],
      ['LOST2', 'User', { domainsid: 'nowhere' }],
    ];
    const facts: Fact[] = [
      ['S', 'Owns', 'T'],
      ['S', 'Owns', 'LOST'],
      ['LOST2', 'Owns', 'LOST'],
    ];
    const { world, result, texts } = findIn({ things, facts, tierZero: ['T', 'LOST'] });
    expect(texts).toEqual(['T0Owns: S -> LOST', 'T0Owns: S -> T']);
    const { nodes } = result.environments;
    expect(world.ids([...result.found.environments].map((place) => nodes[place]))).toEqual([OTHER_SID, SID]);
    expect(result.warnings).toEqual(['1 finding about objects of unknown environments is not shown']);
  });

  test('is found for each zone that is analyzed, and not from a more privileged one', () => {
    const things: Thing[] = ['A', 'B', 'C'].map((id): Thing => [id, 'User']);
    const facts: Fact[] = [
      ['C', 'GenericAll', 'A'],
      ['C', 'GenericAll', 'B'],
      ['B', 'GenericAll', 'A'],
      ['A', 'GenericAll', 'B'],
    ];
    const zonesOf = (analyzed: boolean) => {
      const found = findIn({ things, facts });
      const set = (id: string) => NodeSet.of(found.world.graph.nodeCount, [found.world.node(id)]);
      const pending = NodeSet.empty(found.world.graph.nodeCount);
      return [
        { id: 1, position: 1, analyzed: true, members: set('A'), pending },
        { id: 5, position: 2, analyzed, members: set('B'), pending },
      ];
    };
    const tagged = (analyzed: boolean) => {
      const { texts, result } = findIn({ things, facts }, { zones: zonesOf(analyzed) });
      return texts.map((text, at) => `${result.found.zones[at]} ${text}`).sort();
    };
    const ofTierZero = ['1 T0GenericAll: B -> A', '1 T0GenericAll: C -> A'];
    expect(tagged(true)).toEqual([...ofTierZero, '5 T0GenericAll: C -> B']);
    expect(tagged(false)).toEqual(ofTierZero);
  });

  test('is reported for the largest default group only, which names the others', () => {
    const groups = ['CORP.LOCAL-S-1-1-0', 'CORP.LOCAL-S-1-5-11', `${SID}-513`, `${SID}-515`];
    const things: Thing[] = [
      ...groups.map((id): Thing => [id, 'Group']),
      [`${OTHER_SID}-513`, 'Group', { domainsid: OTHER_SID }],
      ['T', 'Computer'],
      ['U', 'Computer'],
    ];
    const facts: Fact[] = [
      ...groups.slice(1).map((id): Fact => [id, 'GenericAll', 'T']),
      [`${OTHER_SID}-513`, 'GenericAll', 'T'],
      [`${SID}-513`, 'GenericAll', 'U'],
      [`${SID}-515`, 'GenericAll', 'U'],
    ];
    const { of, world, result, texts } = findIn({ things, facts, tierZero: ['T'] });
    expect(of('LargeDefaultGroupsGenericAll').sort()).toEqual([
      'CORP.LOCAL-S-1-5-11 -> T',
      `${SID}-513 -> U`,
      `${SID}-515 -> U`,
      `${OTHER_SID}-513 -> T`,
    ]);
    expect(of('T0GenericAll').sort()).toEqual(['CORP.LOCAL-S-1-5-11 -> T', `${OTHER_SID}-513 -> T`]);
    const at = texts.indexOf('LargeDefaultGroupsGenericAll: CORP.LOCAL-S-1-5-11 -> T');
    expect(world.ids(result.found.alsoFrom.get(at)!)).toEqual([`${SID}-513`, `${SID}-515`]);
  });

  test('stays one of a smaller default group that holds a right of its own', () => {
    const [everyone, authenticated, users] = ['CORP.LOCAL-S-1-1-0', 'CORP.LOCAL-S-1-5-11', `${SID}-513`];
    const things: Thing[] = [
      ...[everyone, authenticated, users].map((id): Thing => [id, 'Group']),
      ['T', 'User'],
    ];
    const facts: Fact[] = [
      [everyone, 'ADCSESC9a', 'T'],
      [authenticated, 'ADCSESC1', 'T'],
      [authenticated, 'ADCSESC3', 'T'],
      [users, 'ADCSESC3', 'T'],
    ];
    const { of, world, result, texts } = findIn({ things, facts });
    const id = 'LargeDefaultGroupsADCSEnrollAny';
    expect(of(id)).toEqual([`${everyone} -> T`, `${authenticated} -> T`]);
    const at = texts.indexOf(`${id}: ${authenticated} -> T`);
    expect(world.ids(result.found.alsoFrom.get(at)!)).toEqual([users]);
  });

  test('is one finding however many kinds of a type lead there', () => {
    const things: Thing[] = [
      [`${SID}-513`, 'Group'],
      ['T', 'User'],
    ];
    const facts: Fact[] = [
      [`${SID}-513`, 'ADCSESC1', 'T'],
      [`${SID}-513`, 'ADCSESC3', 'T'],
      [`${SID}-513`, 'GenericAll', 'T'],
    ];
    const { of, result, texts } = findIn({ things, facts });
    expect(of('LargeDefaultGroupsADCSEnrollAny')).toHaveLength(1);
    const at = texts.findIndex((text) => text.startsWith('LargeDefaultGroupsADCSEnrollAny'));
    expect(result.found.edgeKinds[at]).toBe(EdgeKind.ADCSESC1);
  });

  test('names a disabled account that is trusted for delegation: anyone who enables it has its rights', () => {
    const facts: Fact[] = [['S', 'CoerceToTGT', SID]];
    for (const enabled of [true, false]) {
      const { of, result } = findIn({ things: [['S', 'Computer', { enabled }]], facts, tierZero: [SID] });
      expect(of('T0CoerceToTGT')).toEqual([`S -> ${SID}`]);
      expect(result.exposedWithoutFinding).toBe(0);
    }
  });

  test('counts a CA that is trusted for logon as Tier Zero, also when no rule says so', () => {
    const things: Thing[] = [
      ['CA', 'EnterpriseCA'],
      ['CA2', 'EnterpriseCA'],
      ['STORE', 'NTAuthStore'],
      ['S', 'User'],
    ];
    const facts: Fact[] = [
      ['CA', 'TrustedForNTAuth', 'STORE'],
      ['S', 'ManageCA', 'CA'],
      ['S', 'ManageCA', 'CA2'],
    ];
    expect(findIn({ things, facts }).of('T0ManageCA')).toEqual(['S -> CA']);
    expect(findIn({ things, facts, tierZero: ['S'] }).of('T0ManageCA')).toEqual([]);
  });
});

// Undeclared reads throw in the tests above.
test('relationship findings read all that they declare', () => {
  const reader = { name: 'relationship findings', reads: RELATIONSHIP_READS };
  expect(OBSERVATION.unused([reader])).toEqual([]);
});

describe('default relationships of an installation', () => {
  const things: Thing[] = [
    ['HOST', 'Computer'],
    ['HOST-500', 'ADLocalUser'],
    ['HOST-544', 'ADLocalGroup'],
    ['OTHER-544', 'ADLocalGroup'],
    ['CA', 'EnterpriseCA'],
    ['U', 'User'],
  ];
  const facts: Fact[] = [
    ['HOST', 'HostsCAService', 'CA'],
    ['HOST-500', 'AdminTo', 'HOST'],
    ['U', 'AdminTo', 'HOST'],
    ['HOST-544', 'ManageCA', 'CA'],
    ['OTHER-544', 'ManageCA', 'CA'],
  ];

  test('are not findings: the administrator of a computer, and the Administrators of the host of an authority', () => {
    const { of } = findIn({ things, facts, tierZero: ['HOST', 'CA'] });
    expect(of('T0Admins')).toEqual(['U -> HOST']);
    expect(of('T0ManageCA')).toEqual(['OTHER-544 -> CA']);
  });
});
