/**
 * A small forest that each collector writes: accounts, groups, containers, a trust, certificate services. Each writer in this folder has
 * the format of one collector, according to its public source; the resulting graph is that of `relationshipsOf`, without aspects that the
 * collector does not read.
 */

export interface SourceForest {
  readonly name: string;
  readonly sid: string;
  /** Ids by the words in `relationshipsOf`. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A file of a collector. */
export interface CollectorFile {
  readonly data: readonly object[];
  readonly meta: object;
}

export type ForestWriter = (forest: SourceForest) => readonly CollectorFile[];

export interface Account {
  readonly id: string;
  readonly sam: string;
  readonly group: string;
  readonly container: string;
  readonly kind: 'User' | 'Computer';
  /** The bits of userAccountControl. */
  readonly control: number;
  readonly services: readonly string[];
  readonly delegation: readonly string[];
  readonly formerSids: readonly string[];
  readonly isManaged: boolean;
  readonly host: string;
}

export const OTHER_FOREST = 'S-1-5-21-990-2026-1128';
const FORMER_SID = 'S-1-5-21-991-2026-1128-1500';
/** Times written by collectors, in seconds since 1970. */
const CREATED = 1_600_000_000;
const LOGON = 1_760_000_000;

/** @param number of the forest, below 100; determines its ids and name */
export function sourceForest(number: number): SourceForest {
  const sid = `S-1-5-21-${600 + number}-2026-1128`;
  const name = `FORM${number}.EXAMPLE`;
  const guid = (place: number): string => `F${number}00000${place}-0000-4000-8000-000000000000`;
  const rids = [500, 512, 513, 515, 516, 1000, 1001, 1002, 1101, 1102, 1103, 1104, 1105, 1201];
  const words = ['POLICY', 'SERVERS', 'USERS', 'ROOT', 'STORE', 'AUTHORITY', 'TEMPLATE', 'BUILTIN'];
  return {
    ...{ name, sid },
    ids: {
      ...Object.fromEntries(rids.map((rid) => [rid, `${sid}-${rid}`])),
      ...Object.fromEntries(words.map((word, at) => [word, guid(number < 10 ? at + 10 : at)])),
      ...{ DOMAIN: sid, ADMINISTRATORS: `${name}-S-1-5-32-544`, LOCAL: `${sid}-1002-544` },
      ...{ OTHER: OTHER_FOREST, FORMER: FORMER_SID },
    },
  };
}

export const idIn = ({ ids }: SourceForest, word: string | number): string => {
  const id = ids[word];
  if (id === undefined) throw new Error(`the forest has no ${word}`);
  return id;
};

export type Aspect = keyof typeof RELATIONSHIPS;

/** Relationships by the part of the forest that a collector may read; ends are the words in `ids`. */
export const RELATIONSHIPS = {
  rights: [
    ...['512 OwnsRaw 1002', '1102 GenericAll 1002', '1103 GetChanges DOMAIN', '1103 GetChangesAll DOMAIN'],
    '1102 ForceChangePassword 1103',
  ],
  passwordReaders: ['1201 ReadGMSAPassword 1104'],
  members: ['1101 MemberOf 512', '1102 MemberOf 1201', '512 MemberOf ADMINISTRATORS'],
  primaryGroups: [
    ...[
      '500 MemberOf 513',
      '1101 MemberOf 513',
      '1102 MemberOf 513',
      '1103 MemberOf 513',
      '1105 MemberOf 513',
    ],
    ...['1104 MemberOf 515', '1001 MemberOf 515', '1002 MemberOf 515', '1000 MemberOf 516'],
  ],
  places: [
    ...['DOMAIN Contains SERVERS', 'DOMAIN Contains USERS', 'USERS Contains 1101', 'USERS Contains 1102'],
    ...['USERS Contains 1103', 'USERS Contains 1104', 'USERS Contains 1105', 'USERS Contains 500'],
    ...['SERVERS Contains 1000', 'SERVERS Contains 1001', 'SERVERS Contains 1002', 'USERS Contains 1201'],
    ...['USERS Contains 512', 'USERS Contains 513', 'USERS Contains 515', 'USERS Contains 516'],
  ],
  links: ['POLICY GPLink SERVERS', 'POLICY GPLink DOMAIN'],
  delegation: ['1103 AllowedToDelegate 1001'],
  actors: ['1001 AllowedToAct 1002'],
  services: ['1103 SQLAdmin 1001'],
  formerSids: ['1105 HasSIDHistory FORMER'],
  sessions: ['1001 HasSession 1101'],
  localGroups: ['LOCAL LocalToComputer 1002', '1201 MemberOfLocalGroup LOCAL'],
  trusts: ['DOMAIN CrossForestTrust OTHER', 'OTHER CrossForestTrust DOMAIN'],
  roles: ['1000 DCFor DOMAIN', '1001 CoerceToTGT DOMAIN'],
  certificates: [
    ...['ROOT RootCAFor DOMAIN', 'STORE NTAuthStoreFor DOMAIN', '1001 HostsCAService AUTHORITY'],
    ...['TEMPLATE PublishedTo AUTHORITY', '513 Enroll TEMPLATE', '513 Enroll AUTHORITY'],
  ],
} as const;

/** @returns relationships without those of the aspects */
export function relationshipsOf(without: readonly Aspect[]): string[] {
  return Object.entries(RELATIONSHIPS)
    .filter(([aspect]) => !without.includes(aspect as Aspect))
    .flatMap(([, all]) => [...all])
    .sort();
}

const USER = { kind: 'User', control: 0x200, container: 'USERS', group: '513' } as const;
const COMPUTER = { kind: 'Computer', control: 0x1000, container: 'SERVERS', group: '515' } as const;

/** Users, then computers. */
export function accountsOf(forest: SourceForest): Account[] {
  const domain = forest.name.toLowerCase();
  const none = { services: [], delegation: [], formerSids: [], isManaged: false, host: '' };
  const user = (rid: number, sam: string, more: Partial<Account> = {}): Account => ({
    ...{ ...none, ...USER, id: idIn(forest, rid), sam, ...more },
  });
  const computer = (rid: number, sam: string, more: Partial<Account> = {}): Account => ({
    ...{ ...none, ...COMPUTER, id: idIn(forest, rid), sam: `${sam}$`, host: `${sam}.${domain}`, ...more },
  });
  return [
    user(500, 'Administrator'),
    user(1101, 'Ada'),
    user(1102, 'Help'),
    user(1103, 'svc', {
      ...{
        control: 0x1000200,
        services: [`MSSQLSvc/srv1.${domain}:1433`],
        delegation: [`cifs/srv1.${domain}`],
      },
    }),
    user(1104, 'gm1$', { group: '515', control: 0x1000, isManaged: true, services: [`http/gm1.${domain}`] }),
    user(1105, 'Old', { formerSids: [FORMER_SID] }),
    computer(1000, 'dc1', { group: '516', control: 0x82000 }),
    computer(1001, 'srv1', { control: 0x81000 }),
    computer(1002, 'pc1'),
  ];
}

export interface SourceGroup {
  readonly id: string;
  readonly sam: string;
  /** Ids with their kinds. */
  readonly members: readonly (readonly [id: string, kind: 'User' | 'Group'])[];
}

export function groupsOf(forest: SourceForest): SourceGroup[] {
  const id = (word: string | number): string => idIn(forest, word);
  return [
    { id: id(512), sam: 'Domain Admins', members: [[id(1101), 'User']] },
    { id: id(513), sam: 'Domain Users', members: [] },
    { id: id(515), sam: 'Domain Computers', members: [] },
    { id: id(516), sam: 'Domain Controllers', members: [] },
    { id: id(1201), sam: 'Helpdesk', members: [[id(1102), 'User']] },
    { id: id('ADMINISTRATORS'), sam: 'Administrators', members: [[id(512), 'Group']] },
  ];
}

/** Rights on an object, as [principal, its kind, right]. */
export function rightsOn(forest: SourceForest, id: string): readonly (readonly [string, string, string])[] {
  const of = (word: string | number): string => idIn(forest, word);
  return [
    [of(1002), of(512), 'Group', 'Owns'] as const,
    [of(1002), of(1102), 'User', 'GenericAll'] as const,
    [of('DOMAIN'), of(1103), 'User', 'GetChanges'] as const,
    [of('DOMAIN'), of(1103), 'User', 'GetChangesAll'] as const,
    [of(1103), of(1102), 'User', 'ForceChangePassword'] as const,
    [of(1104), of(1201), 'Group', 'ReadGMSAPassword'] as const,
    [of('TEMPLATE'), of(513), 'Group', 'Enroll'] as const,
    [of('AUTHORITY'), of(513), 'Group', 'Enroll'] as const,
  ].flatMap(([on, principal, kind, right]) => (on === id ? [[principal, kind, right] as const] : []));
}

/** All objects under an object of the tree, with their kinds. */
export function childrenOf(forest: SourceForest, word: 'DOMAIN' | 'SERVERS' | 'USERS'): [string, string][] {
  if (word === 'DOMAIN')
    return [
      [idIn(forest, 'SERVERS'), 'OU'],
      [idIn(forest, 'USERS'), 'Container'],
    ];
  const accounts = accountsOf(forest).filter(({ container }) => container === word);
  const groups = word === 'USERS' ? groupsOf(forest).filter(({ sam }) => sam !== 'Administrators') : [];
  return [
    ...accounts.map(({ id, kind }): [string, string] => [id, kind]),
    ...groups.map(({ id }): [string, string] => [id, 'Group']),
  ];
}

/** Values of all account fields that any collector writes; each collector selects its own. */
export function fieldsOfAccount(forest: SourceForest, account: Account): Readonly<Record<string, unknown>> {
  const { kind, control, sam, host, isManaged } = account;
  const has = (bit: number): boolean => (control & bit) !== 0;
  const place = account.container === 'USERS' ? 'CN=USERS' : 'OU=SERVERS';
  return {
    name: kind === 'User' ? `${sam}@${forest.name}`.toUpperCase() : host.toUpperCase(),
    ...{ domain: forest.name, domainsid: forest.sid, highvalue: false, samaccountname: sam },
    distinguishedname: `CN=${sam.replace('$', '').toUpperCase()},${place},${domainDn(forest)}`,
    ...{
      enabled: true,
      sensitive: false,
      dontreqpreauth: false,
      passwordnotreqd: false,
      pwdneverexpires: false,
    },
    ...{ unconstraineddelegation: has(0x80000), trustedtoauth: has(0x1000000) },
    ...{ lastlogon: LOGON, lastlogontimestamp: LOGON, pwdlastset: LOGON, whencreated: CREATED },
    ...{ serviceprincipalnames: account.services, hasspn: account.services.length > 0 },
    ...{ admincount: sam === 'Ada', adminsdholderprotected: sam === 'Ada', sidhistory: account.formerSids },
    ...{ description: null, displayname: null, email: null, title: null, homedirectory: null },
    ...{
      userpassword: null,
      unixpassword: null,
      unicodepassword: null,
      sfupassword: null,
      logonscript: null,
    },
    ...{ gmsa: isManaged, msa: false, isaclprotected: false, supportedencryptiontypes: ['Not defined'] },
    ...{ encryptedtextpwdallowed: false, smartcardrequired: false, usedeskeyonly: false },
    ...{ haslaps: true, operatingsystem: 'Windows Server 2022 Standard', isdc: has(0x2000) },
    ...{ useraccountcontrol: control, samaccounttype: kind === 'User' ? 805306368 : 805306369 },
    allowedtodelegate: account.delegation,
  };
}

/** Values of all domain fields that any collector writes. */
export const fieldsOfDomain = (forest: SourceForest): Readonly<Record<string, unknown>> => ({
  ...{ name: forest.name, domain: forest.name, domainsid: forest.sid, distinguishedname: domainDn(forest) },
  ...{ description: null, functionallevel: '2016', highvalue: true, isaclprotected: false, collected: true },
  ...{
    whencreated: CREATED,
    machineaccountquota: 0,
    minpwdlength: 14,
    lockoutthreshold: 5,
    dsheuristics: '',
  },
  ...{ netbios: forest.name.split('.')[0], pwdproperties: 1, pwdhistorylength: 24 },
  expirepasswordsonsmartcardonlyaccounts: true,
});

/** Values of all template fields that any collector writes. */
export const fieldsOfTemplate = (forest: SourceForest): Readonly<Record<string, unknown>> => ({
  ...{ name: `WEB@${forest.name}`, domain: forest.name, domainsid: forest.sid, description: null },
  distinguishedname: `CN=WEB,CN=CERTIFICATE TEMPLATES,CN=CONFIGURATION,${domainDn(forest)}`,
  ...{ whencreated: CREATED, schemaversion: 2, displayname: 'Web', oid: '1.3.6.1.4.1.311.21.8.1' },
  ...{
    enrollmentflag: '',
    certificatenameflag: '',
    requiresmanagerapproval: false,
    nosecurityextension: false,
  },
  ...{ enrolleesuppliessubject: true, subjectaltrequireupn: false, subjectaltrequiredns: false },
  ...{ subjectaltrequiredomaindns: false, subjectaltrequirespn: false, authorizedsignatures: 0 },
  ...{ ekus: [CLIENT_AUTHENTICATION], effectiveekus: [CLIENT_AUTHENTICATION], applicationpolicies: [] },
  ...{ certificateapplicationpolicy: [CLIENT_AUTHENTICATION], issuancepolicies: [], certificatepolicy: [] },
  ...{ authenticationenabled: true, schannelauthenticationenabled: true, isaclprotected: false },
});

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
export const THUMBPRINT = 'AB12';

export const domainDn = ({ name }: SourceForest): string =>
  name
    .split('.')
    .map((part) => `DC=${part}`)
    .join(',');

/** @returns the listed fields in order, without those that the object lacks */
export const take = (
  all: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Record<string, unknown> => Object.fromEntries(fields.map((field) => [field, all[field]]));
