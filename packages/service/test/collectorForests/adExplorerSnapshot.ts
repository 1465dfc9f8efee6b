/**
 * The form of ADExplorerSnapshot (ac647a7), which reads a directory snapshot of one domain: users, groups, computers and the domain. It
 * queries no computer, and reads no tree, policies or certificate services; delegation is a list of texts, former SIDs have the member
 * `ObjectID`, and the domain lacks the mark "collected".
 */
import { acesOf, COMPUTER_FIELDS, fileOf, NOTHING_CHANGED, typed, USER_FIELDS } from './bloodHoundPy.ts';
import {
  accountsOf,
  type CollectorFile,
  fieldsOfAccount,
  fieldsOfDomain,
  groupsOf,
  idIn,
  OTHER_FOREST,
  type SourceForest,
  take,
} from './sourceForest.ts';

export function adExplorerSnapshot(forest: SourceForest): CollectorFile[] {
  const id = (word: string | number): string => idIn(forest, word);
  const notAsked = { Collected: false, FailureReason: null, Results: [] };
  const accounts = accountsOf(forest);
  const base = { domain: forest.name, domainsid: forest.sid };
  return [
    fileOf(
      'users',
      accounts
        .filter(({ kind }) => kind === 'User')
        .map((user) => ({
          ...{ AllowedToDelegate: user.delegation.map(() => id(1001)), ObjectIdentifier: user.id },
          PrimaryGroupSID: id(user.group),
          Properties: {
            ...take(
              fieldsOfAccount(forest, user),
              USER_FIELDS.filter((field) => field !== 'highvalue'),
            ),
            ...(user.delegation.length === 0 ? {} : { allowedtodelegate: user.delegation }),
          },
          ...{ Aces: acesOf(forest, user.id), SPNTargets: [] },
          HasSIDHistory: user.formerSids.map((ObjectID) => ({ ObjectID, ObjectType: 'Unknown' })),
          IsDeleted: false,
        })),
      0,
    ),
    fileOf(
      'computers',
      accounts
        .filter(({ kind }) => kind === 'Computer')
        .map((computer) => ({
          ObjectIdentifier: computer.id,
          AllowedToAct: computer.id === id(1002) ? [typed([id(1001), 'Computer'])] : [],
          ...{ PrimaryGroupSID: id(computer.group), LocalAdmins: notAsked, PSRemoteUsers: notAsked },
          Properties: take(
            fieldsOfAccount(forest, computer),
            COMPUTER_FIELDS.filter((field) => field !== 'samaccountname'),
          ),
          ...{ RemoteDesktopUsers: notAsked, DcomUsers: notAsked, PrivilegedSessions: notAsked },
          ...{ Sessions: notAsked, RegistrySessions: notAsked, AllowedToDelegate: computer.delegation },
          ...{ Aces: acesOf(forest, computer.id), HasSIDHistory: [], IsDeleted: false, Status: null },
        })),
      0,
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
      0,
    ),
    fileOf(
      'domains',
      [
        {
          ObjectIdentifier: forest.sid,
          Properties: take(fieldsOfDomain(forest), [
            ...[
              'name',
              'domain',
              'domainsid',
              'distinguishedname',
              'description',
              'functionallevel',
              'whencreated',
            ],
          ]),
          Trusts: [
            {
              ...{ TargetDomainName: 'OTHER.EXAMPLE', TargetDomainSid: OTHER_FOREST, IsTransitive: true },
              ...{ TrustDirection: 3, TrustType: 2, SidFilteringEnabled: true },
            },
          ],
          ...{ Aces: acesOf(forest, forest.sid), Links: [], ChildObjects: [], GPOChanges: NOTHING_CHANGED },
          IsDeleted: false,
        },
      ],
      0,
    ),
  ];
}
