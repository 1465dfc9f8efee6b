import type { JsonObject } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { describe, expect, test } from 'vitest';
import type { Fact, Thing } from '../../test/ad/adWorld.ts';
import { D, groups, ObservedRules, OTHER, SID, sharedBy, worldOf } from '../../test/ad/adWorld.ts';
import { AD_RULES } from '../ad/rules.ts';
import { relayTargets } from '../analyze.ts';
import { relayToLdap } from './relayToLdap.ts';
import { relayToSmb } from './relayToSmb.ts';

const rules = new ObservedRules();

describe('relaying NTLM to SMB', () => {
  const A: Thing = ['CORP-S-1-5-11', 'Group'];
  const C2: Thing = ['C2', 'Computer', { smbsigning: false }];
  const c1 = (props: JsonObject = { restrictoutboundntlm: false }): Thing => ['C1', 'Computer', props];
  const edge = 'CORP-S-1-5-11 CoerceAndRelayNTLMToSMB C2';
  /** AdminTo is derived, so the test adds the collected facts behind it. */
  const admins = (...members: string[]): Fact[] => [
    ['C2-544', 'LocalToComputer', 'C2'],
    ...members.map((member): Fact => [member, 'MemberOfLocalGroup', 'C2-544']),
  ];
  const run = (things: Thing[], facts: Fact[]) =>
    rules
      .derive(worldOf([D, A, ['C2-544', 'ADLocalGroup'], ...things], facts))
      .filter((found) => found.includes('NTLM'));

  test.each<[string, Thing[], Fact[], string[]]>([
    ['another computer administers it', [c1(), C2], admins('C1'), [edge]],
    ['that computer restricts outgoing NTLM', [c1({ restrictoutboundntlm: true }), C2], admins('C1'), []],
    ['nothing is known of outgoing NTLM', [c1({}), C2], admins('C1'), []],
    [
      'a group of the computer administers it',
      [c1(), C2, ...groups('G1')],
      [...admins('G1'), ['C1', 'MemberOf', 'G1']],
      [edge],
    ],
    [
      'only itself administers it',
      [['C2', 'Computer', { smbsigning: false, restrictoutboundntlm: false }]],
      admins('C2'),
      [],
    ],
    ['it demands signing', [c1(), ['C2', 'Computer', { smbsigning: true }]], admins('C1'), []],
    ['nothing is known of signing', [c1(), ['C2', 'Computer']], admins('C1'), []],
  ])('when %s', (_, things, facts, expected) => {
    expect(run(things, facts)).toEqual(expected);
  });

  test.each([
    ['2016', []],
    ['2012', [edge]],
    [undefined, []],
  ])('of a member of Protected Users on functional level %s', (functionallevel, expected) => {
    const world = worldOf(
      [
        ['D', 'Domain', { collected: true, ...(functionallevel === undefined ? {} : { functionallevel }) }],
        A,
        ['C2-544', 'ADLocalGroup'],
        c1(),
        C2,
        ...groups(`${SID}-525`),
      ],
      [...admins('C1'), ['C1', 'MemberOf', `${SID}-525`]],
    );
    expect(rules.derive(world).filter((found) => found.includes('NTLM'))).toEqual(expected);
  });

  test('lists the computers that can be coerced and explains the way', () => {
    const facts: Fact[] = [
      ['G1', 'AdminTo', 'C2'],
      ['C1', 'MemberOf', 'G1'],
    ];
    const world = worldOf([D, A, c1(), C2, ...groups('G1')], facts);
    const ref = { start: world.node(A[0]), kind: EdgeKind.CoerceAndRelayNTLMToSMB, end: world.node('C2') };
    expect(world.ids(relayTargets(rules.contextOf(world), ref, AD_RULES))).toEqual(['C1']);
    expect(rules.explain(world, A[0], 'CoerceAndRelayNTLMToSMB', 'C2').sort()).toEqual([
      'C1 MemberOf G1',
      'G1 AdminTo C2',
    ]);
  });
});

describe('relaying NTLM to LDAP', () => {
  const A: Thing = ['CORP-S-1-5-11', 'Group'];
  const victim: Thing = ['C1', 'Computer', { restrictoutboundntlm: false, webclientrunning: true }];
  const controller = (id: string, props: JsonObject): Thing => [id, 'Computer', { isdc: true, ...props }];
  const plain = { ldapavailable: true, ldapsigning: false };
  const tls = { ldapsavailable: true, ldapsepa: false };

  test.each<[string, Thing[], string[]]>([
    ['a controller does not demand signing', [victim, controller('DC', plain)], ['ToLDAP']],
    ['a controller does not demand channel binding', [victim, controller('DC', tls)], ['ToLDAPS']],
    ['a controller demands neither', [victim, controller('DC', { ...plain, ...tls })], ['ToLDAP', 'ToLDAPS']],
    ['signing is unknown', [victim, controller('DC', { ldapavailable: true })], []],
    ['the controller is in another domain', [victim, controller('DC', { ...plain, domainsid: OTHER })], []],
    [
      'WebClient does not run',
      [['C1', 'Computer', { restrictoutboundntlm: false }], controller('DC', plain)],
      [],
    ],
    [
      'the only weak controller is the computer itself',
      [['C1', 'Computer', { ...victim[2], isdc: true, ...plain }]],
      [],
    ],
    [
      'one of two weak controllers is the computer itself',
      [['C1', 'Computer', { ...victim[2], isdc: true, ...plain }], controller('DC', plain)],
      ['ToLDAP'],
    ],
  ])('when %s', (_, things, expected) => {
    const world = worldOf([D, A, ...things], []);
    expect(rules.derive(world)).toEqual(expected.map((to) => `${A[0]} CoerceAndRelayNTLM${to} C1`));
  });

  test('lists the controllers that accept the relay', () => {
    const world = worldOf([D, A, victim, controller('DC', plain)], []);
    const ref = { start: world.node(A[0]), kind: EdgeKind.CoerceAndRelayNTLMToLDAP, end: world.node('C1') };
    expect(world.ids(relayTargets(rules.contextOf(world), ref, AD_RULES))).toEqual(['DC']);
  });
});

// Undeclared reads throw in the tests above.
test('the rules read all that they declare', () => {
  const relays = [relayToSmb, relayToLdap];
  expect(rules.unused([...relays, ...sharedBy(relays)])).toEqual([]);
});
