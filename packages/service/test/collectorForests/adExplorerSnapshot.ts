/**
 * The form of ADExplorerSnapshot (ac647a7), which reads a directory snapshot of one domain: users, groups, computers and the domain. It
 * queries no computer, and reads no tree, policies or certificate services; delegation is a list of texts, former SIDs have the member
 * `ObjectID`, and the domain lacks the mark "collected".
 */
import { COMPUTER_FIELDS, fileOf, USER_FIELDS } from './bloodHoundPy.ts';
import { accountFields, computersOf, domainFields, usersOf } from './fields.ts';
import { acesOf, DOMAIN_FIELDS, NOTHING_CHANGED, NUMBERED_TRUST, typed } from './parts.ts';
import { type CollectorFile, groupsOf, idIn, type SourceForest } from './sourceForest.ts';

const NOT_OF_DOMAIN = ['highvalue', 'isaclprotected', 'collected'];

export function adExplorerSnapshot(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const notAsked = { Collected: false, FailureReason: null, Results: [] };
  const base = { domain: forest.name, domainsid: forest.sid };
  return [
    fileOf(
      'users',
      usersOf(forest).map((user) => ({
        ...{ AllowedToDelegate: user.delegation.map(() => id(1001)), ObjectIdentifier: user.id },
        PrimaryGroupSID: id(user.group),
        Properties: {
          ...accountFields(
            forest,
            user,
            USER_FIELDS.filter((field) => field !== 'highvalue'),
          ),
          ...(user.delegation.length === 0 ? {} : { allowedtodelegate: user.delegation }),
        },
        ...{ Aces: acesOf(forest, user.id), SPNTargets: [] },
        HasSIDHistory: user.formerSids.map((ObjectID) => ({ ObjectID, ObjectType: 'Unknown' })),
        IsDeleted: false,
      })),
    ),
    fileOf(
      'computers',
      computersOf(forest).map((computer) => ({
        ObjectIdentifier: computer.id,
        AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
        ...{ PrimaryGroupSID: id(computer.group), LocalAdmins: notAsked, PSRemoteUsers: notAsked },
        Properties: accountFields(
          forest,
          computer,
          COMPUTER_FIELDS.filter((field) => field !== 'samaccountname'),
        ),
        ...{ RemoteDesktopUsers: notAsked, DcomUsers: notAsked, PrivilegedSessions: notAsked },
        ...{ Sessions: notAsked, RegistrySessions: notAsked, AllowedToDelegate: computer.delegation },
        ...{ Aces: acesOf(forest, computer.id), HasSIDHistory: [], IsDeleted: false, Status: null },
      })),
    ),
    fileOf(
      'groups',
      groupsOf(forest).map((group) => ({
        ObjectIdentifier: group.id,
        Properties: {
          ...{ ...base, name: `${group.sam}@${forest.name}`.toUpperCase(), description: null },
          ...{ distinguishedname: `CN=${group.sam}`, admincount: group.sam === 'Domain Admins' },
          whencreated: 1_600_000_000,
        },
        ...{ Members: group.members.map(typed), Aces: acesOf(forest, group.id), IsDeleted: false },
      })),
    ),
    fileOf('domains', [
      {
        ObjectIdentifier: forest.sid,
        Properties: domainFields(
          forest,
          DOMAIN_FIELDS.filter((field) => !NOT_OF_DOMAIN.includes(field)),
        ),
        Trusts: [NUMBERED_TRUST],
        ...{ Aces: acesOf(forest, forest.sid), Links: [], ChildObjects: [], GPOChanges: NOTHING_CHANGED },
        IsDeleted: false,
      },
    ]),
  ];
}
