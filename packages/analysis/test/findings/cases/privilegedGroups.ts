/** Cases of list findings about members of privileged groups. */
import { EdgeFlag } from '@clew/model';
import { OTHER_SID, SID, type Thing } from '../worlds.ts';
import { type Cases, computer, filledGroups, group, members, ofDomains, suffixed, user } from './case.ts';

/** Two domains of one forest. */
export const [PARENT_SID, CHILD_SID] = ['S-1-5-21-3-3-3', 'S-1-5-21-4-4-4'] as const;

export const GROUP_CASES: Cases = {
  PreWindows2000Access: {
    things: [
      group('CORP.LOCAL-S-1-5-32-554'),
      ['OTHER.LOCAL-S-1-5-32-554', 'Group', { domainsid: OTHER_SID }],
      group('CORP.LOCAL-S-1-5-11'),
      user('U'),
    ],
    facts: [
      ['CORP.LOCAL-S-1-5-11', 'MemberOf', 'CORP.LOCAL-S-1-5-32-554'],
      ['U', 'MemberOf', 'OTHER.LOCAL-S-1-5-32-554'],
    ],
    finds: ['CORP.LOCAL-S-1-5-32-554'],
    not: ['OTHER.LOCAL-S-1-5-32-554'],
  },
  OperatorsGroupsUsed: [
    filledGroups(group('CORP.LOCAL-S-1-5-32-548'), group('CORP.LOCAL-S-1-5-32-549')),
    filledGroups(group('CORP.LOCAL-S-1-5-32-551'), group('CORP.LOCAL-S-1-5-32-550')),
  ],
  KeyAdminsNotEmpty: filledGroups(group(suffixed('526')), group(suffixed('527'))),
  CircularMembership: {
    things: [group('A'), group('B'), group('C'), group('D'), group('CORP-S-1-5-11'), group('OTHER-S-1-5-11')],
    facts: [
      ['A', 'MemberOf', 'B'],
      ['B', 'MemberOf', 'A'],
      ['C', 'MemberOf', 'A'],
      ['B', 'MemberOf', 'D'],
      ['CORP-S-1-5-11', 'MemberOf', 'OTHER-S-1-5-11'],
      ['OTHER-S-1-5-11', 'MemberOf', 'CORP-S-1-5-11'],
    ],
    finds: ['A', 'B'],
    not: ['C', 'D', 'CORP-S-1-5-11'],
  },
  BroadGroupInAdministrators: {
    things: [
      group(suffixed('513')),
      group(suffixed('1110')),
      group(suffixed('1111')),
      group(suffixed('1112')),
      group(suffixed('1113')),
      [suffixed('1114'), 'Group', { admincount: true }],
      ['HOST', 'Computer', {}],
    ],
    facts: [
      // Over a group that administers nothing itself.
      [suffixed('513'), 'MemberOf', suffixed('1110')],
      [suffixed('1110'), 'MemberOf', suffixed('1111')],
      [suffixed('1111'), 'AdminTo', 'HOST'],
      [suffixed('1112'), 'AdminTo', 'HOST'],
      [suffixed('1113'), 'MemberOf', suffixed('1112')],
      [suffixed('513'), 'MemberOf', suffixed('1114')],
    ],
    finds: [suffixed('1111'), suffixed('1114')],
    not: [suffixed('513'), suffixed('1110'), suffixed('1112')],
  },
  BroadGroupNested: {
    things: [
      group(suffixed('1101')),
      group(suffixed('1102')),
      group(suffixed('513')),
      group('CORP-S-1-5-11'),
      group('CORP-S-1-5-32-545'),
    ],
    facts: [
      [suffixed('513'), 'MemberOf', suffixed('1101')],
      [suffixed('1102'), 'MemberOf', suffixed('1101')],
      [suffixed('513'), 'MemberOf', 'CORP-S-1-5-11'],
      ['CORP-S-1-5-11', 'MemberOf', 'CORP-S-1-5-32-545'],
    ],
    finds: [suffixed('1101')],
    not: [suffixed('1102'), 'CORP-S-1-5-32-545'],
  },
  SyncAccountInAdmins: {
    things: [
      group(suffixed('512')),
      user('BAD', { name: 'MSOL_1A2B@CORP.LOCAL' }),
      user('PERSON', { name: 'ADA@CORP.LOCAL' }),
      user('OUTSIDE', { name: 'MSOL_3C4D@CORP.LOCAL' }),
    ],
    facts: [
      ['BAD', 'MemberOf', suffixed('512')],
      ['PERSON', 'MemberOf', suffixed('512')],
    ],
    finds: ['BAD'],
    not: ['PERSON', 'OUTSIDE'],
  },
  SchemaAdminsNotEmpty: {
    things: [
      group(suffixed('518')),
      ['S-1-5-21-4-5-6-518', 'Group'],
      user(suffixed('500')),
      user('U'),
      group('NESTED'),
    ],
    facts: [
      ['U', 'MemberOf', 'NESTED'],
      ['NESTED', 'MemberOf', suffixed('518')],
      [suffixed('500'), 'MemberOf', 'S-1-5-21-4-5-6-518'],
    ],
    finds: [suffixed('518')],
    not: ['S-1-5-21-4-5-6-518'],
  },
  DnsAdminsNotEmpty: filledGroups(
    group(suffixed('1101'), 'DNSADMINS@CORP.LOCAL'),
    group(suffixed('1102'), 'DNSADMINS@OTHER.LOCAL'),
  ),
  TooManyDomainAdmins: {
    things: [
      ...ofDomains({}, {}).things,
      group(suffixed('512')),
      group('NESTED'),
      [`${OTHER_SID}-512`, 'Group', { domainsid: OTHER_SID }],
      ...Array.from({ length: 21 }, (_, at) => user(`A${at}`)),
      user('OFF', { enabled: false }),
    ],
    facts: [
      ['NESTED', 'MemberOf', suffixed('512')],
      ...members(
        'NESTED',
        'MemberOf',
        Array.from({ length: 21 }, (_, at) => `A${at}`),
      ),
      ...members(`${OTHER_SID}-512`, 'MemberOf', [...Array.from({ length: 20 }, (_, at) => `A${at}`), 'OFF']),
    ],
    finds: [SID],
    not: [OTHER_SID],
  },
  NestedForeignPrincipals: {
    things: [
      group(suffixed('512')),
      user('HOME'),
      user('FOREIGN', { domainsid: OTHER_SID }),
      user('ELSEWHERE', { domainsid: OTHER_SID }),
      group('STAFF'),
      [`${OTHER_SID}-512`, 'Group', { domainsid: OTHER_SID }],
      user('AT HOME THERE', { domainsid: OTHER_SID }),
      computer('SERVER'),
      // Domains of the forest, whose trusts were collected on one side.
      ...[PARENT_SID, CHILD_SID].map(
        (domainsid): Thing => [domainsid, 'Domain', { domainsid, collected: true }],
      ),
      user('OF PARENT', { domainsid: PARENT_SID }),
      user('OF CHILD', { domainsid: CHILD_SID }),
      user('OF NO KNOWN DOMAIN', { domainsid: 'S-1-5-21-8-8-8' }),
    ],
    facts: [
      ['HOME', 'MemberOf', suffixed('512')],
      ['FOREIGN', 'MemberOf', suffixed('512')],
      ['ELSEWHERE', 'MemberOf', 'STAFF'],
      ['AT HOME THERE', 'MemberOf', `${OTHER_SID}-512`],
      ['AT HOME THERE', 'MemberOf', 'STAFF'],
      ['AT HOME THERE', 'MemberOf', 'SERVER'],
      [PARENT_SID, 'SameForestTrust', SID],
      [SID, 'SameForestTrust', CHILD_SID],
      ['OF PARENT', 'MemberOf', suffixed('512')],
      ['OF CHILD', 'MemberOf', suffixed('512')],
      ['OF NO KNOWN DOMAIN', 'MemberOf', suffixed('512')],
    ],
    tierZero: [suffixed('512'), `${OTHER_SID}-512`, 'HOME', 'FOREIGN', 'AT HOME THERE', 'SERVER'],
    finds: ['FOREIGN'],
    not: ['HOME', 'ELSEWHERE', 'AT HOME THERE', 'OF PARENT', 'OF CHILD', 'OF NO KNOWN DOMAIN'],
  },
  ComputersInPrivilegedGroups: {
    things: [
      group(suffixed('512')),
      group(suffixed('516')),
      group(suffixed('1110'), 'EXCHANGE TRUSTED SUBSYSTEM@CORP.LOCAL'),
      computer('BAD'),
      computer('DC'),
      computer('MAIL'),
      user('U'),
    ],
    facts: [
      ['BAD', 'MemberOf', suffixed('512')],
      ['U', 'MemberOf', suffixed('512')],
      ['DC', 'MemberOf', suffixed('516')],
      ['MAIL', 'MemberOf', suffixed('1110')],
    ],
    tierZero: [suffixed('512'), suffixed('516'), suffixed('1110'), 'BAD', 'DC', 'MAIL', 'U'],
    finds: ['BAD'],
    not: ['DC', 'MAIL', 'U'],
  },
  NonDefaultPrimaryGroup: {
    things: [
      ...[user('BAD'), user('USUAL'), user('GUEST'), user('MEMBER'), user('GMSA', { gmsa: true })],
      ...[computer('PC'), computer('DC'), computer('ODD')],
      ...['512', '513', '514', '515', '516'].map((rid) => group(suffixed(rid))),
    ],
    facts: [
      ['BAD', 'MemberOf', suffixed('512'), {}, EdgeFlag.PrimaryGroup],
      ['USUAL', 'MemberOf', suffixed('513'), {}, EdgeFlag.PrimaryGroup],
      ['GUEST', 'MemberOf', suffixed('514'), {}, EdgeFlag.PrimaryGroup],
      ['MEMBER', 'MemberOf', suffixed('512')],
      ['GMSA', 'MemberOf', suffixed('515'), {}, EdgeFlag.PrimaryGroup],
      ['PC', 'MemberOf', suffixed('515'), {}, EdgeFlag.PrimaryGroup],
      ['DC', 'MemberOf', suffixed('516'), {}, EdgeFlag.PrimaryGroup],
      ['ODD', 'MemberOf', suffixed('513'), {}, EdgeFlag.PrimaryGroup],
    ],
    finds: ['BAD', 'ODD'],
    not: ['USUAL', 'GUEST', 'MEMBER', 'GMSA', 'PC', 'DC'],
  },
  RemoteLaunchGroupsUsed: [
    filledGroups(group('CORP.LOCAL-S-1-5-32-562'), group('CORP.LOCAL-S-1-5-32-559')),
    filledGroups(group('CORP.LOCAL-S-1-5-32-559'), group('CORP.LOCAL-S-1-5-32-562')),
  ],
  RodcAllowedGroupUsed: filledGroups(group(suffixed('571')), group(suffixed('572'))),
  RodcDeniedGroupIncomplete: [
    {
      things: [
        ...[group(suffixed('512')), group(suffixed('516')), user(suffixed('502')), group(suffixed('572'))],
        group('CORP.LOCAL-S-1-5-32-544'),
        group('DENIED'),
        [`${OTHER_SID}-512`, 'Group', { domainsid: OTHER_SID }],
        [`${OTHER_SID}-519`, 'Group', { domainsid: OTHER_SID }],
        [`${OTHER_SID}-572`, 'Group', { domainsid: OTHER_SID }],
        ['OTHER.LOCAL-S-1-5-32-544', 'Group', { domainsid: OTHER_SID }],
        // Members of groups were not read there.
        [`${CHILD_SID}-512`, 'Group', { domainsid: CHILD_SID }],
        [`${CHILD_SID}-572`, 'Group', { domainsid: CHILD_SID }],
        [`CHILD.LOCAL-S-1-5-32-544`, 'Group', { domainsid: CHILD_SID }],
        [CHILD_SID, 'Domain', { domainsid: CHILD_SID, collected: true }],
      ],
      facts: [
        [suffixed('512'), 'MemberOf', 'CORP.LOCAL-S-1-5-32-544'],
        [suffixed('512'), 'MemberOf', suffixed('572')],
        [suffixed('516'), 'MemberOf', suffixed('572')],
        [`${OTHER_SID}-512`, 'MemberOf', 'OTHER.LOCAL-S-1-5-32-544'],
        ['DENIED', 'MemberOf', `${OTHER_SID}-572`],
        [`${OTHER_SID}-512`, 'MemberOf', 'DENIED'],
        [`${OTHER_SID}-519`, 'MemberOf', `${OTHER_SID}-572`],
      ],
      finds: [suffixed('572')],
      not: [`${OTHER_SID}-572`, `${CHILD_SID}-572`],
    },
    // Enterprise Admins of the root of the forest count in its other domains, too.
    {
      things: [
        ...[group(suffixed('512')), group(suffixed('572')), group('CORP.LOCAL-S-1-5-32-544')],
        [`${OTHER_SID}-519`, 'Group', { domainsid: OTHER_SID }],
      ],
      facts: [
        [OTHER_SID, 'SameForestTrust', SID],
        [suffixed('512'), 'MemberOf', 'CORP.LOCAL-S-1-5-32-544'],
        [suffixed('512'), 'MemberOf', suffixed('572')],
      ],
      finds: [suffixed('572')],
      not: [],
    },
  ],
};
