/**
 * Detection rules for the use of one relationship, by the kind of its target, and each use without a rule with the reason.
 *
 * Events and fields: Microsoft, appendix L of securing Active Directory, security auditing (4624, 4662, 4672, 4724, 4769, 4964, 5136,
 * 5137), securing PKI, appendix A (4869 to 4892). Rule: `docs/kits.md#detection-rules`.
 */
import type { EdgeKindName } from '@clew/model';
import type { KitObject, KitRelation } from '@clew/planning';
import { dnsName } from './ids.ts';
import { RIGHTS } from './rights.ts';
import type { WatchRule } from './sigma.ts';
import { TENANT_RULES } from './tenantRules.ts';
import { ATTRIBUTES, LIST, OF_FOREST, SINGLE } from './watchedWrites.ts';
import { EXPECTED, NO_RULE, NOT_SINGLE } from './watchSentences.ts';

/** A rule, or a sentence about a use that no rule detects. */
type Found = WatchRule | string;
type Fields = WatchRule['fields'];

const windows = { product: 'windows', service: 'security' } as const;
const AUDITED = 'and an audit entry on the object for';
export const CERTIFICATES = 'Certification Services on the CA, and all events in its audit filter';
const NAMELESS_OBJECT =
  'the event contains the GUID and the distinguished name of the object, which were not collected, and the principal is not a single account.';
export const NAMELESS_TEMPLATE =
  'the event contains the name of the template, and this name has control characters, which searches do not support.';
const NAMELESS_HOST = 'the event contains the DNS name of the computer, which was not collected.';
const UNKNOWN_KIND = 'Clew does not know which attributes of this kind of object give control.';
const NO_ATTRIBUTE = 'no attribute of this kind of object is known to give control.';
const NO_EXTENDED = 'no extended right of this kind of object is known to give control.';
const FILES =
  'changes of the files of the policy in SYSVOL alone are only in event 5145 (Detailed File Share) of domain controllers.';

/** Kinds of principals that act themselves; group members are too many to list. */
const ACCOUNTS = new Set(['User', 'Computer']);
const sidOfAccount = ({ kind, sid }: KitObject): string | undefined =>
  ACCOUNTS.has(kind) && sid !== null ? sid : undefined;

function subjectOf(source: KitObject): Fields {
  const sid = sidOfAccount(source);
  return sid === undefined ? {} : { SubjectUserSid: [sid] };
}

/** Backends accept no control characters. */
const isSearchable = (text: string): boolean => text !== '' && !/\p{Cc}/u.test(text);

/** The fields of directory events that contain the object. */
function placeOf({ guid, distinguishedName }: KitObject): Fields {
  if (guid !== null) return { ObjectGUID: [`{${guid}}`] };
  return distinguishedName !== null && isSearchable(distinguishedName)
    ? { ObjectDN: [distinguishedName] }
    : {};
}

interface Write {
  readonly object: KitObject;
  readonly attributes: readonly string[];
  readonly title: string;
  /** The account that writes, if only one can. */
  readonly subject?: Fields;
}

function written({ object, attributes, title, subject = {} }: Write): Found {
  const place = placeOf(object);
  if (Object.keys({ ...place, ...subject }).length === 0) return NAMELESS_OBJECT;
  const writes = [
    ...(attributes.some((name) => name !== LIST) ? ['writing all properties'] : []),
    ...(attributes.includes(LIST) ? ['changing permissions', 'changing the owner'] : []),
  ].join(', ');
  const where = OF_FOREST.has(object.kind) ? 'all domain controllers of the forest' : 'domain controllers';
  return {
    ...{ ...windows, title },
    fields: { EventID: [5136], ...place, AttributeLDAPDisplayName: attributes, ...subject },
    needs: `Directory Service Changes on ${where}, ${AUDITED} ${writes}, by Everyone`,
    falsePositives: EXPECTED,
  };
}

/** Certificates of a template. Events only contain its name. */
export function issued({ name }: KitObject): Found {
  const [template = ''] = name.split('@');
  if (!isSearchable(template)) return NAMELESS_TEMPLATE;
  return {
    ...{ ...windows, title: 'A certificate of the template is issued' },
    fields: { EventID: [4887], 'Attributes|contains': [`CertificateTemplate:${template}`] },
    ...{ needs: CERTIFICATES, falsePositives: 'Everyone who enrolls in this template' },
  };
}

function reset({ source, relation, target }: KitRelation): Found {
  if (target.sid === null) return 'the event contains the SID of the account, which was not collected.';
  return {
    ...{ ...windows, title: `${relation} is used: the password of the account is reset` },
    fields: { EventID: [4724], TargetSid: [target.sid], ...subjectOf(source) },
    ...{ needs: 'User Account Management on domain controllers', falsePositives: EXPECTED },
  };
}

function added({ relation, target }: KitRelation): Found {
  if (target.sid === null) return 'the event contains the SID of the group, which was not collected.';
  const isBuiltIn = target.sid.startsWith('S-1-5-32-');
  return {
    ...{ ...windows, title: `${relation}: a member is added to the group` },
    fields: { EventID: [4728, 4732, 4756], TargetSid: [target.sid] },
    needs: 'Security Group Management on domain controllers',
    falsePositives: isBuiltIn ? `${EXPECTED}, and local groups of other hosts with the same SID` : EXPECTED,
  };
}

/**
 * Everyone, anonymous logons, Network, Interactive, Authenticated Users, Users; and by relative ID Domain Users, Domain Guests, Domain
 * Computers. A rule for their logons would report nearly every logon.
 */
const NEARLY_ALL = /^S-1-(1-0|5-7|5-2|5-4|5-11|5-32-545|5-21-\d+-\d+-\d+-51[345])$/;

/** Windows records the groups of a logon only if they are special ones. */
function loggedOnAsMember({ source, target }: KitRelation): Found {
  if (source.sid !== null && NEARLY_ALL.test(source.sid))
    return 'logons of members: nearly every account is a member, so a rule would report nearly every logon.';
  if (target.sid === null) return 'the event contains the SID of the group, which was not collected.';
  const member = sidOfAccount(source);
  return {
    ...{ ...windows, title: 'MemberOf is used: a member of the group logs on' },
    fields: {
      ...{ EventID: [4964], 'SidList|contains': [`{${target.sid}}`] },
      ...(member !== undefined && { TargetUserSid: [member] }),
    },
    needs:
      'Special Logon on the computers where members log on, forwarding of their events, and the SID of the group in the value SpecialGroups under HKLM\\SYSTEM\\CurrentControlSet\\Control\\Lsa\\Audit',
    falsePositives: 'Work for which the membership was granted',
  };
}

function replicated({ source, relation }: KitRelation, rights: readonly EdgeKindName[]): Found {
  const subject = subjectOf(source);
  return {
    ...windows,
    title: `${relation} is used: an account that is not a domain controller replicates the directory`,
    fields: {
      EventID: [4662],
      'Properties|contains': rights.flatMap((name) => RIGHTS[name]?.flatMap(({ Types }) => Types) ?? []),
      ...subject,
    },
    // Domain controllers are computers, but so may be the known principal.
    ...(Object.keys(subject).length === 0 && { except: { 'SubjectUserName|endswith': ['$'] } }),
    needs: 'Directory Service Access on domain controllers, and an audit entry on the domain',
    falsePositives: 'Accounts of directory synchronization',
  };
}

const COMPUTER_CLASS = 'bf967a86-0de6-11d0-a285-00aa003049e2';
const MANAGED_PASSWORD = 'e362ed86-b728-0842-b27d-2dea7a9df218';
const READ = `Directory Service Access on domain controllers, ${AUDITED}`;

/** Forests have different GUIDs of attributes of LAPS, so the rule covers each confidential attribute. */
function readOfComputer({ source, relation }: KitRelation): Found {
  const subject = subjectOf(source);
  if (Object.keys(subject).length === 0)
    return 'reading LAPS passwords: the event contains the GUID of an attribute that differs between forests, and the principal is not a single account.';
  return {
    ...{ ...windows, title: `${relation} is used: a confidential attribute of a computer is read` },
    fields: { EventID: [4662], AccessMask: ['0x100'], 'Properties|contains': [COMPUTER_CLASS], ...subject },
    needs: `${READ} control access by Everyone`,
    falsePositives: 'Other extended rights that the account uses on computers',
  };
}

const readOfManaged = ({ source }: KitRelation): Found => ({
  ...{ ...windows, title: 'ReadGMSAPassword is used: the password of a group managed account is read' },
  fields: { EventID: [4662], 'Properties|contains': [MANAGED_PASSWORD], ...subjectOf(source) },
  needs: `${READ} reading all properties by Everyone`,
  falsePositives: 'Hosts on which services run as group managed accounts, when they read the passwords',
});

function created({ source, relation }: KitRelation): Found {
  const subject = subjectOf(source);
  if (Object.keys(subject).length === 0) return `new objects in the container: ${NOT_SINGLE}`;
  return {
    ...{ ...windows, title: `${relation} is used: an object is created` },
    fields: { EventID: [5137], ...subject },
    needs: `Directory Service Changes on domain controllers, ${AUDITED} creating all child objects, by Everyone`,
    falsePositives: EXPECTED,
  };
}

/** Extended rights of a kind of object that give control. */
const EXTENDED: Readonly<Record<string, (relation: KitRelation) => readonly Found[]>> = {
  User: (relation) => [reset(relation)],
  Computer: (relation) => [reset(relation), readOfComputer(relation)],
  Domain: (relation) => [replicated(relation, ['GetChanges', 'GetChangesAll'])],
  CertTemplate: ({ target }) => [issued(target)],
};

function atAuthority({ source, relation }: KitRelation, events: readonly number[], what: string): Found {
  return {
    ...{ ...windows, title: `${relation} is used: ${what}` },
    fields: { EventID: events, ...subjectOf(source) },
    ...{ needs: CERTIFICATES, falsePositives: 'Administrators of CAs' },
  };
}

const listOfAuthority = (relation: KitRelation): Found =>
  atAuthority(relation, [4882], 'the permissions of a CA are changed');

const OTHERS: Readonly<Record<string, (relation: KitRelation) => readonly Found[]>> = {
  Group: (relation) => [added(relation)],
  GPO: () => [FILES],
};
/** Kinds with full control of which more is possible than with the right to write. */
const WHOLE: Readonly<Record<string, (relation: KitRelation) => readonly Found[]>> = {
  OU: (relation) => [created(relation)],
  Container: (relation) => [created(relation)],
  EnterpriseCA: (relation) => [listOfAuthority(relation)],
};

/** Writes of every attribute that gives control of the kind of object. */
function broad(relation: KitRelation, isWhole: boolean): readonly Found[] {
  const { source, target } = relation;
  const known = ATTRIBUTES.get(target.kind);
  const attributes = [...(isWhole ? [LIST] : []), ...(known ?? [])];
  if (known?.length === 0 && !isWhole && OTHERS[target.kind] === undefined) return [NO_ATTRIBUTE];
  const title = `${relation.relation} is used: an attribute of the object is written`;
  return [
    ...(attributes.length === 0
      ? []
      : [written({ object: target, attributes, title, subject: subjectOf(source) })]),
    ...(known === undefined ? [UNKNOWN_KIND] : []),
    ...(OTHERS[target.kind]?.(relation) ?? []),
    ...(isWhole ? (WHOLE[target.kind]?.(relation) ?? []) : []),
    ...(isWhole ? (EXTENDED[target.kind]?.(relation) ?? []) : []),
  ];
}

function single(relation: KitRelation, attributes: readonly string[]): readonly Found[] {
  const { source, target } = relation;
  const title = `${relation.relation} is used: an attribute of the object is written`;
  return [
    written({ object: target, attributes, title, subject: subjectOf(source) }),
    ...(attributes.includes(LIST) && target.kind === 'EnterpriseCA' ? [listOfAuthority(relation)] : []),
  ];
}

/** Local groups have the name of their computer behind an at sign. */
function hostOf({ name }: KitObject): string {
  const host = name.split('@').at(-1) ?? '';
  return dnsName(host) === '' ? '' : host;
}

interface Logon {
  /** The computer, or one of its local groups. */
  readonly place: KitObject;
  readonly account: KitObject;
  readonly title: string;
  /** Empty for a logon with privileges of administrators. */
  readonly types: readonly number[];
  readonly privilege?: string;
}

function loggedOn({ place, account, title, types, privilege }: Logon): Found {
  const sid = sidOfAccount(account);
  if (sid === undefined) return NOT_SINGLE;
  const host = hostOf(place);
  if (host === '') return NAMELESS_HOST;
  if (types.length > 0)
    return {
      ...{ ...windows, title, falsePositives: EXPECTED },
      fields: { EventID: [4624], TargetUserSid: [sid], LogonType: types, Computer: [host] },
      needs: 'Logon on the computer, and forwarding of its events',
    };
  return {
    ...{ ...windows, title, falsePositives: EXPECTED },
    fields: {
      ...{ EventID: [4672], SubjectUserSid: [sid], Computer: [host] },
      ...(privilege !== undefined && { 'PrivilegeList|contains': [privilege] }),
    },
    needs: 'Special Logon on the computer, and forwarding of its events',
  };
}

export const UNWANTED_LOGON = 'The account logs on to a computer that it should not use';
const OVER_NETWORK = [3];
const REMOTE_DESKTOP = [10];
const EVERY_TYPE = [2, 3, 4, 5, 10, 11];

const logonTo =
  (types: readonly number[], privilege?: string) =>
  ({ source, relation, target }: KitRelation): readonly Found[] => [
    loggedOn({
      ...{ place: target, account: source, types, title: `${relation} is used: the account logs on` },
      ...(privilege !== undefined && { privilege }),
    }),
  ];

/** Logons by the relative id of a built-in local group. Administrators and backup operators get privileges. */
const LOCAL_GROUPS: ReadonlyMap<string, (relation: KitRelation) => readonly Found[]> = new Map([
  ['544', logonTo([])],
  ['551', logonTo([], 'SeBackupPrivilege')],
  ['555', logonTo(REMOTE_DESKTOP)],
  ['562', logonTo(OVER_NETWORK)],
  ['580', logonTo(OVER_NETWORK)],
]);

/** Tickets that a service requests for other users. */
function delegated({ relation, target }: KitRelation): Found {
  if (target.sid === null) return 'the event contains the SID of the target, which was not collected.';
  return {
    ...{ ...windows, title: `${relation} is used: a service gets a ticket to the target for another user` },
    fields: { EventID: [4769], ServiceSid: [target.sid] },
    except: { TransmittedServices: ['-'] },
    needs: 'Kerberos Service Ticket Operations on domain controllers',
    falsePositives: 'Services that delegate to the target as part of their work',
  };
}

/** Containers to which policies are linked. */
const LINKED = new Set(['OU', 'Domain']);

const RULES: Readonly<Partial<Record<EdgeKindName, (relation: KitRelation) => readonly Found[]>>> = {
  GenericAll: (relation) => broad(relation, true),
  // The access list names what the owner may do, so that may be everything.
  OwnsLimitedRights: (relation) => broad(relation, true),
  GenericWrite: (relation) => broad(relation, false),
  AllExtendedRights: (relation) => EXTENDED[relation.target.kind]?.(relation) ?? [NO_EXTENDED],
  ForceChangePassword: (relation) => (ACCOUNTS.has(relation.target.kind) ? [reset(relation)] : []),
  AddMember: (relation) => (relation.target.kind === 'Group' ? [added(relation)] : []),
  AddSelf: (relation) => (relation.target.kind === 'Group' ? [added(relation)] : []),
  MemberOf: (relation) =>
    relation.target.kind === 'Group' ? [added(relation), loggedOnAsMember(relation)] : [],
  GetChanges: (relation) => [replicated(relation, ['GetChanges'])],
  GetChangesAll: (relation) => [replicated(relation, ['GetChangesAll'])],
  GetChangesInFilteredSet: (relation) => [replicated(relation, ['GetChangesInFilteredSet'])],
  DCSync: (relation) => [replicated(relation, ['GetChanges', 'GetChangesAll'])],
  ReadLAPSPassword: (relation) => [readOfComputer(relation)],
  ReadGMSAPassword: (relation) => [readOfManaged(relation)],
  HasSession: ({ source, target }) => [
    loggedOn({
      ...{ place: source, account: target, types: EVERY_TYPE },
      title: UNWANTED_LOGON,
    }),
  ],
  AdminTo: logonTo([]),
  CanBackup: logonTo([], 'SeBackupPrivilege'),
  BackupPrivilege: logonTo([], 'SeBackupPrivilege'),
  RestorePrivilege: logonTo([], 'SeRestorePrivilege'),
  CanRDP: logonTo(REMOTE_DESKTOP),
  RemoteInteractiveLogonRight: logonTo(REMOTE_DESKTOP),
  CanPSRemote: logonTo(OVER_NETWORK),
  ExecuteDCOM: logonTo(OVER_NETWORK),
  SQLAdmin: () => ['only the log of SQL Server shows it.'],
  MemberOfLocalGroup: (relation) => {
    const [relativeId = ''] = /\d+$/.exec(relation.target.objectId) ?? [];
    return (LOCAL_GROUPS.get(relativeId) ?? logonTo(EVERY_TYPE))(relation);
  },
  AllowedToDelegate: (relation) => [delegated(relation)],
  AllowedToAct: (relation) => [delegated(relation)],
  // Control of a policy or container is used by writing it.
  GPLink: ({ source }) => [
    written({
      ...{ object: source, attributes: ATTRIBUTES.get('GPO') ?? [] },
      title: 'GPLink is used: the linked policy is written',
    }),
    FILES,
  ],
  Contains: ({ source }) => [
    written({
      ...{ object: source, attributes: LINKED.has(source.kind) ? [LIST, 'gPLink'] : [LIST] },
      title: 'Contains is used: an inherited entry or a link is written to the container',
    }),
  ],
  Enroll: ({ target }) =>
    target.kind === 'CertTemplate'
      ? [issued(target)]
      : ['events of a CA contain names of requesters, not IDs.'],
  PublishedTo: ({ source }) => [issued(source)],
  ManageCA: (relation) => [
    atAuthority(relation, [4882, 4890, 4891, 4892], 'permissions, settings or templates of a CA are changed'),
  ],
  ManageCertificates: () => [
    {
      ...{ ...windows, title: 'ManageCertificates is used: a pending request is changed or issued' },
      fields: { EventID: [4869, 4873, 4874] },
      ...{ needs: CERTIFICATES, falsePositives: 'Certificate managers' },
    },
  ],
  ...TENANT_RULES,
};

/** @returns rules for the use of the relationship, and a sentence for each use that they do not detect */
export function rulesOfRelation(relation: KitRelation): readonly Found[] {
  const attributes = SINGLE[relation.relation];
  const found =
    attributes === undefined ? (RULES[relation.relation]?.(relation) ?? []) : single(relation, attributes);
  return found.length === 0 ? [NO_RULE] : found;
}
