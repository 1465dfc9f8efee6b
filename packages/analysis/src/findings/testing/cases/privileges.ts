/** type Cases of list findings about privileges. */
import { OTHER_SID, SID } from '../worlds.ts';
import {
  type Cases,
  computer,
  filledGroups,
  group,
  members,
  ofDomains,
  ofUsers,
  suffixed,
  user,
} from './case.ts';

export const PRIVILEGES_CASES: Cases = {
  TrustWithoutSIDFiltering: ofDomains({}, {}, [[OTHER_SID, 'SpoofSIDHistory', SID]]),
  AdminCountOrphans: {
    things: [
      user('BAD', { admincount: true }),
      user('MEMBER', { admincount: true }),
      user('NONE', { admincount: false }),
      group('NESTED'),
      group(suffixed('512')),
    ],
    facts: [
      ['MEMBER', 'MemberOf', 'NESTED'],
      ['NESTED', 'MemberOf', suffixed('512')],
    ],
    finds: ['BAD'],
    not: ['MEMBER', 'NONE'],
  },
  T0InheritanceEnabled: {
    things: [
      user('BAD', { isaclprotected: false }),
      user('PROTECTED', { isaclprotected: true }),
      user('ELSEWHERE', { isaclprotected: false }),
      user('SAFE', { isaclprotected: false }),
      ['OU', 'OU'],
      ['INNER', 'OU'],
      ['OWN', 'OU'],
      user('HELP'),
      user('ADMIN', { isaclprotected: true }),
    ],
    facts: [
      ['OU', 'Contains', 'INNER'],
      ['INNER', 'Contains', 'BAD'],
      ['INNER', 'Contains', 'PROTECTED'],
      ['INNER', 'Contains', 'ELSEWHERE'],
      ['OWN', 'Contains', 'SAFE'],
      ['HELP', 'GenericAll', 'OU'],
      ['ADMIN', 'GenericAll', 'OWN'],
    ],
    tierZero: ['BAD', 'PROTECTED', 'SAFE', 'ADMIN'],
    finds: ['BAD'],
    not: ['PROTECTED', 'ELSEWHERE', 'SAFE'],
  },
  SIDHistoryPresent: ofUsers({ sidhistory: [`${OTHER_SID}-1105`] }, { sidhistory: [] }),
  PrivilegedSIDHistory: ofUsers({ sidhistory: [`${OTHER_SID}-519`] }, { sidhistory: [`${OTHER_SID}-1105`] }),
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
    ],
    facts: [
      ['HOME', 'MemberOf', suffixed('512')],
      ['FOREIGN', 'MemberOf', suffixed('512')],
      ['ELSEWHERE', 'MemberOf', 'STAFF'],
    ],
    tierZero: [suffixed('512'), 'HOME', 'FOREIGN'],
    finds: ['FOREIGN'],
    not: ['HOME', 'ELSEWHERE'],
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
  RodcRevealsPrivileged: {
    things: [
      computer('BAD', { isreadonlydc: true, 'msds-revealondemandgroup': ['CN=Staff,DC=corp'] }),
      computer('DENIED', {
        isreadonlydc: true,
        'msds-revealondemandgroup': ['STAFF'],
        'msds-neverrevealgroup': ['admin'],
      }),
      computer('NARROW', { isreadonlydc: true, 'msds-revealondemandgroup': ['OTHER'] }),
      computer('WRITABLE', { 'msds-revealondemandgroup': ['STAFF'] }),
      ['STAFF', 'Group', { distinguishedname: 'CN=STAFF,DC=CORP' }],
      group('OTHER'),
      user('ADMIN'),
      user('U'),
    ],
    facts: [
      ['ADMIN', 'MemberOf', 'STAFF'],
      ['U', 'MemberOf', 'OTHER'],
    ],
    tierZero: ['ADMIN'],
    finds: ['BAD'],
    not: ['DENIED', 'NARROW', 'WRITABLE'],
  },
  GPOOwnedOutside: {
    things: [['BAD', 'GPO'], ['GOOD', 'GPO'], ['ELSEWHERE', 'GPO'], user('U'), user('ADMIN')],
    facts: [
      ['U', 'Owns', 'BAD'],
      ['ADMIN', 'Owns', 'GOOD'],
      ['U', 'Owns', 'ELSEWHERE'],
    ],
    tierZero: ['BAD', 'GOOD', 'ADMIN'],
    finds: ['BAD'],
    not: ['GOOD', 'ELSEWHERE'],
  },
  GPOUnlinked: {
    things: [
      ['BAD', 'GPO'],
      ['LINKED', 'GPO'],
    ],
    facts: [['LINKED', 'GPLink', SID]],
    finds: ['BAD'],
    not: ['LINKED'],
  },
};
