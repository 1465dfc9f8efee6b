/** Users, managed accounts and computers. */
import { readSid } from '../descriptor/ids.ts';
import type { Attributes } from '../ldap/messages.ts';
import { LOCAL_GROUP_IDS, type LocalGroup } from '../sysvol/policySettings.ts';
import { bitNames, extendedName, hasBits, sidOf, text, texts, wholeNumber } from './entryValues.ts';
import { CONTROLLER_ACCOUNT, type Reference } from './knownObjects.ts';
import { MANAGED_CLASSES } from './objectType.ts';
import { descriptorOf, hasLaps, type Json, type Reading, type Subject } from './records.ts';
import { secondsOfFileTime } from './times.ts';

/** Bits of userAccountControl (MS-ADTS 2.2.16). */
const CONTROL = {
  disabled: 0x2,
  lockedOut: 0x10,
  passwordNotRequired: 0x20,
  reversiblePassword: 0x80,
  passwordNeverExpires: 0x10000,
  smartcardRequired: 0x40000,
  trustedForDelegation: 0x80000,
  notDelegated: 0x100000,
  desOnly: 0x200000,
  noPreauthentication: 0x400000,
  trustedToAuthenticate: 0x1000000,
  readOnlyController: 0x4000000,
} as const;

const ENCRYPTION_TYPES = [
  [1, 'DES-CBC-CRC'],
  [2, 'DES-CBC-MD5'],
  [4, 'RC4-HMAC-MD5'],
  [8, 'AES128-CTS-HMAC-SHA1-96'],
  [16, 'AES256-CTS-HMAC-SHA1-96'],
] as const;

export function addUser(reading: Reading, subject: Subject): void {
  addAccount(reading, subject);
  const { attributes, record, properties } = subject;
  const control = wholeNumber(attributes, 'useraccountcontrol') ?? 0;
  const classes = texts(attributes, 'objectclass').map((name) => name.toLowerCase());
  Object.assign(properties, {
    displayname: text(attributes, 'displayname') ?? null,
    title: text(attributes, 'title') ?? null,
    homedirectory: text(attributes, 'homedirectory') ?? null,
    logonscript: text(attributes, 'scriptpath') ?? null,
    profilepath: text(attributes, 'profilepath') ?? null,
    department: text(attributes, 'department') ?? null,
    userprincipalname: text(attributes, 'userprincipalname') ?? null,
    sensitive: hasBits(control, CONTROL.notDelegated),
    dontreqpreauth: hasBits(control, CONTROL.noPreauthentication),
    passwordnotreqd: hasBits(control, CONTROL.passwordNotRequired),
    pwdneverexpires: hasBits(control, CONTROL.passwordNeverExpires),
    smartcardrequired: hasBits(control, CONTROL.smartcardRequired),
    encryptedtextpwdallowed: hasBits(control, CONTROL.reversiblePassword),
    usedeskeyonly: hasBits(control, CONTROL.desOnly),
    lockedout: hasBits(control, CONTROL.lockedOut),
    hasspn: attributes.has('serviceprincipalname'),
    gmsa: classes.includes(MANAGED_CLASSES.group) || classes.includes(MANAGED_CLASSES.delegated),
    msa: classes.includes(MANAGED_CLASSES.standalone),
  });
  record.SPNTargets = databaseTargets(reading, texts(attributes, 'serviceprincipalname'));
  addPasswordReaders(reading, subject);
}

export function addComputer(reading: Reading, subject: Subject): void {
  addAccount(reading, subject);
  const { known, notes } = reading;
  const { attributes, record, properties, name } = subject;
  const control = wholeNumber(attributes, 'useraccountcontrol') ?? 0;
  const isController = hasBits(control, CONTROLLER_ACCOUNT);
  const system = [text(attributes, 'operatingsystem'), text(attributes, 'operatingsystemservicepack')];
  Object.assign(properties, {
    operatingsystem: system.filter((part) => part !== undefined).join(' ') || null,
    haslaps: hasLaps(attributes),
    isdc: isController,
    isreadonlydc: hasBits(control, CONTROL.readOnlyController),
  });
  const list = attributes.get('msds-allowedtoactonbehalfofotheridentity')?.[0];
  const allowed = list === undefined ? undefined : descriptorOf(list, 'delegation lists', name, notes);
  const notAsked = { Collected: false, FailureReason: 'Only the directory was read', Results: [] };
  Object.assign(record, {
    AllowedToAct: (allowed?.entries ?? [])
      .filter((entry) => !entry.isDenied)
      .map(({ sid }) => known.reference(sid)),
    DumpSMSAPassword: (attributes.get('msds-hostserviceaccount') ?? []).flatMap((value) => {
      const { sid } = extendedName(value);
      return sid === '' ? [] : [{ ObjectIdentifier: sid, ObjectType: 'User' }];
    }),
    ...{ Sessions: notAsked, PrivilegedSessions: notAsked, RegistrySessions: notAsked },
    LocalGroups: [],
    UserRights: reading.readsSysvol ? userRights(reading, sidOf(attributes)) : [],
    DCRegistryData: { CertificateMappingMethods: null, StrongCertificateBindingEnforcement: null },
    ...{ Status: null, IsDC: isController },
  });
}

function addAccount({ known, notes }: Reading, { attributes, record, properties, name }: Subject): void {
  const { facts } = known;
  const control = wholeNumber(attributes, 'useraccountcontrol') ?? 0;
  const primary = wholeNumber(attributes, 'primarygroupid');
  const targets = texts(attributes, 'msds-allowedtodelegateto');
  const history = sidHistory(attributes);
  const isTrusted = hasBits(control, CONTROL.trustedForDelegation);
  const delegates = new Set<string>();
  for (const target of targets) {
    const sid = hostOfService(target, known.hosts, facts.domain);
    if (sid === undefined)
      notes.add('targets of delegation that are not computers of this domain', `${name}: ${target}`);
    else delegates.add(sid);
  }
  Object.assign(record, {
    PrimaryGroupSID: primary === undefined ? null : `${facts.sid}-${primary}`,
    DomainSID: facts.sid,
    UnconstrainedDelegation: isTrusted,
    HasSIDHistory: history.map((sid) => known.reference(sid)),
    AllowedToDelegate: [...delegates].map((sid) => ({ ObjectIdentifier: sid, ObjectType: 'Computer' })),
  });
  const encryption = wholeNumber(attributes, 'msds-supportedencryptiontypes');
  Object.assign(properties, {
    samaccountname: text(attributes, 'samaccountname') ?? null,
    enabled: !hasBits(control, CONTROL.disabled),
    unconstraineddelegation: isTrusted,
    trustedtoauth: hasBits(control, CONTROL.trustedToAuthenticate),
    lastlogon: secondsOfFileTime(text(attributes, 'lastlogon')),
    lastlogontimestamp: secondsOfFileTime(text(attributes, 'lastlogontimestamp')),
    pwdlastset: secondsOfFileTime(text(attributes, 'pwdlastset')),
    serviceprincipalnames: texts(attributes, 'serviceprincipalname'),
    ...{ sidhistory: history, allowedtodelegate: targets, useraccountcontrol: control },
    supportedencryptiontypes:
      encryption === undefined ? ['Not defined'] : bitNames(encryption, ENCRYPTION_TYPES),
    email: text(attributes, 'mail') ?? null,
    haskeycredentiallink: attributes.has('msds-keycredentiallink'),
    admincount: (wholeNumber(attributes, 'admincount') ?? 0) !== 0,
  });
}

export const sidHistory = (attributes: Attributes): readonly string[] =>
  (attributes.get('sidhistory') ?? []).map((bytes) => readSid(bytes).sid);

/** The computer in `cifs/srv1.lab.test:445`; short names belong to this domain. */
function hostOfService(
  service: string,
  hosts: ReadonlyMap<string, string>,
  domain: string,
): string | undefined {
  const host = service.split('/')[1]?.split(':')[0]?.toLowerCase() ?? '';
  const [short] = host.split('.');
  const isOwn = host === short || host === `${short}.${domain.toLowerCase()}`;
  return hosts.get(host) ?? (isOwn ? hosts.get(short) : undefined);
}

const DEFAULT_DATABASE_PORT = 1433;

/** Database servers that run as a user, from its service names (MSSQLSvc). */
function databaseTargets({ known }: Reading, services: readonly string[]): readonly Json[] {
  const targets = new Map<string, Json>();
  for (const service of services) {
    const [, host, instance] = /^MSSQLSvc\/([^:/]+)(?::(\w+))?/i.exec(service) ?? [];
    const sid = host === undefined ? undefined : known.hosts.get(host.toLowerCase());
    if (sid === undefined) continue;
    const port = /^\d+$/.test(instance ?? '') ? Number(instance) : DEFAULT_DATABASE_PORT;
    targets.set(`${sid}:${port}`, { ComputerSID: sid, Port: port, Service: 'SQLAdmin' });
  }
  return [...targets.values()];
}

/** The principals that may read the password of a group managed or delegated managed account. */
function addPasswordReaders({ known, notes }: Reading, { attributes, record, name }: Subject): void {
  const list = attributes.get('msds-groupmsamembership')?.[0];
  const readers =
    list === undefined ? undefined : descriptorOf(list, 'readers of a managed account', name, notes);
  for (const { sid } of readers?.entries.filter(({ isDenied }) => !isDenied) ?? [])
    (record.Aces as Json[]).push({
      ...{ PrincipalSID: known.idOf(sid), PrincipalType: known.typeOf(sid) },
      ...{ RightName: 'ReadGMSAPassword', IsInherited: false, InheritanceHash: '' },
    });
}

const KEPT_RIGHTS: readonly string[] = [
  'SeRemoteInteractiveLogonRight',
  'SeBackupPrivilege',
  'SeRestorePrivilege',
];

/** User rights on a computer from policies: for each right, only the policy with the highest precedence applies. */
function userRights({ known, settings }: Reading, sid: string): readonly Json[] {
  const policies = known.applied.policiesOf(sid).map((dn) => settings.get(dn)?.rights);
  return KEPT_RIGHTS.flatMap((right) => {
    const holders = policies.find((rights) => rights?.has(right))?.get(right);
    if (holders === undefined) return [];
    const Results = holders.map((holder) => known.reference(holder));
    return [{ Privilege: right, Results, LocalNames: [], Collected: true, FailureReason: null }];
  });
}

/** Members of the BUILTIN groups that are the local groups of controllers, collected as they are read. */
export type BuiltinMembers = ReadonlyMap<LocalGroup, readonly Reference[]>;

/** A controller has no own local groups, but uses those of the domain's BUILTIN, so no connection to it is needed. */
export function localGroupsOfController({ known }: Reading, members: BuiltinMembers): readonly Json[] {
  return LOCAL_GROUP_IDS.map(([group, rid]) => ({
    ObjectIdentifier: known.idOf(`S-1-5-32-${rid}`),
    // Readers keep the name of the domain's group.
    Name: 'IGNOREME',
    ...{ Results: members.get(group) ?? [], LocalNames: [], Collected: true, FailureReason: null },
  }));
}
