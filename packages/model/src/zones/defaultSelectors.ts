/**
 * The default rules of Tier Zero: which objects are critical in every environment. Versioned data, not code: analysis evaluates each
 * criterion.
 *
 * Source: `docs/findings.md#default-selectors`.
 */
import type { EdgeKindName } from '../edgeKinds.ts';
import type { NodeKindName } from '../nodeKinds.ts';

/** Object ids and names are compared in upper case, as they are stored. */
export type Criterion =
  | { readonly by: 'kind'; readonly kind: NodeKindName }
  | { readonly by: 'id-suffix'; readonly kind: NodeKindName; readonly suffix: string }
  | { readonly by: 'id-prefix'; readonly kind: NodeKindName; readonly prefix: string }
  | { readonly by: 'name-prefix'; readonly kind: NodeKindName; readonly prefix: string }
  | { readonly by: 'dn-prefix'; readonly kind: NodeKindName; readonly prefix: string }
  | { readonly by: 'text'; readonly kind: NodeKindName; readonly key: string; readonly value: string }
  /** Nodes of the kind that are members, at any depth, of a group with the suffix, and nodes with the flag. */
  | {
      readonly by: 'member-of';
      readonly kind: NodeKindName;
      readonly suffix: string;
      readonly flag: string;
    }
  /** Nodes of the kind that represent the server object of a domain controller. */
  | { readonly by: 'server-of-controller'; readonly kind: NodeKindName }
  /** Nodes of the kind at which an edge of this kind begins that ends at a node of `endKind`. */
  | {
      readonly by: 'edge-from';
      readonly kind: NodeKindName;
      readonly edge: EdgeKindName;
      readonly endKind: NodeKindName;
    };

export interface DefaultSelector {
  /** Stable key of the rule; never reused. */
  readonly key: string;
  readonly name: string;
  /** One sentence on why such an object is critical. */
  readonly description: string;
  readonly criterion: Criterion;
  /** A fixed rule cannot be switched off. */
  readonly allowDisable: boolean;
}

type Row = readonly [key: string, name: string, criterion: Criterion, description: string];

const group = (suffix: string): Criterion => ({ by: 'id-suffix', kind: 'Group', suffix });
const groupNamed = (prefix: string): Criterion => ({ by: 'name-prefix', kind: 'Group', prefix });
const user = (suffix: string): Criterion => ({ by: 'id-suffix', kind: 'User', suffix });
const every = (kind: NodeKindName): Criterion => ({ by: 'kind', kind });
const role = (prefix: string): Criterion => ({ by: 'id-prefix', kind: 'AZRole', prefix: `${prefix}@` });

const FIXED: readonly Row[] = [
  [
    'administrators',
    'Administrators',
    group('-544'),
    'Has full control of the core objects of the directory.',
  ],
  ['domain-admins', 'Domain Admins', group('-512'), 'Has full control of the core objects of the directory.'],
  [
    'enterprise-admins',
    'Enterprise Admins',
    group('-519'),
    'Has full control of every domain of the forest.',
  ],
  [
    'schema-admins',
    'Schema Admins',
    group('-518'),
    'Decides the default permissions of every future object.',
  ],
  [
    'backup-operators',
    'Backup Operators',
    group('S-1-5-32-551'),
    'Can back up and restore domain controllers, and so read the secrets that they store.',
  ],
  [
    'domain-controllers',
    'Domain Controllers',
    group('-516'),
    'Holds a replication right; its members are the domain controllers.',
  ],
  [
    'enterprise-domain-controllers',
    'Enterprise Domain Controllers',
    group('-1-5-9'),
    'Holds a replication right in every domain of the forest.',
  ],
  [
    'key-admins',
    'Key Admins',
    group('-526'),
    'Can write the key credentials of the users and computers of the domain.',
  ],
  [
    'enterprise-key-admins',
    'Enterprise Key Admins',
    group('-527'),
    'Can write the key credentials of the users and computers of the forest.',
  ],
  ['administrator', 'Administrator', user('-500'), 'Administers the domain controllers by default.'],
  [
    'adminsdholder',
    'AdminSDHolder',
    { by: 'dn-prefix', kind: 'Container', prefix: 'CN=ADMINSDHOLDER,CN=SYSTEM,' },
    'Is the template for the permissions of all protected accounts.',
  ],
  [
    'domain-root',
    'Domain root object',
    every('Domain'),
    'Control of the domain object gives the right to replicate every secret.',
  ],
  [
    'domain-controller-site-servers',
    'Domain Controller Site Servers',
    { by: 'server-of-controller', kind: 'SiteServer' },
    'The server objects of domain controllers decide their policy and replication.',
  ],
  [
    'az-global-administrator',
    'Global Administrator',
    role('62E90394-69F5-4237-9190-012177145E10'),
    'Controls everything in the tenant.',
  ],
  [
    'az-privileged-role-administrator',
    'Privileged Role Administrator',
    role('E8611AB8-C189-46E8-94E1-60213AB1F814'),
    'Can assign any role to anyone.',
  ],
  [
    'az-privileged-authentication-administrator',
    'Privileged Authentication Administrator',
    role('7BE44C8A-ADAF-4E2A-84D6-AB2649E08A13'),
    'Can reset the authentication of any user, including administrators.',
  ],
  [
    'az-partner-tier2-support',
    'Partner Tier2 Support',
    role('E00E864A-17C5-4A4B-9C06-F5B95A8D5BD8'),
    'Can reset the password of any user, including administrators.',
  ],
  [
    'az-tenant',
    'Azure tenant object',
    every('AZTenant'),
    'Control of the tenant gives control of everything in it.',
  ],
];

const OPTIONAL: readonly Row[] = [
  [
    'account-operators',
    'Account Operators',
    group('S-1-5-32-548'),
    'Has full control of most users, groups and computers by default.',
  ],
  [
    'server-operators',
    'Server Operators',
    group('S-1-5-32-549'),
    'Can log on to domain controllers and has local privileges there.',
  ],
  [
    'print-operators',
    'Print Operators',
    group('S-1-5-32-550'),
    'Can load drivers on domain controllers and log on to them.',
  ],
  [
    'incoming-forest-trust-builders',
    'Incoming Forest Trust Builders',
    group('S-1-5-32-557'),
    'Can create trusts that give accounts of other forests access to this one.',
  ],
  [
    'cryptographic-operators',
    'Cryptographic Operators',
    group('S-1-5-32-569'),
    'The security of domain controllers depends on it.',
  ],
  [
    'distributed-com-users',
    'Distributed COM Users',
    group('S-1-5-32-562'),
    'Can start components on domain controllers.',
  ],
  [
    'performance-log-users',
    'Performance Log Users',
    group('S-1-5-32-559'),
    'Can run data collection on domain controllers.',
  ],
  ['cert-publishers', 'Cert Publishers', group('-517'), 'Has full control of objects of trusted CAs.'],
  [
    'dns-admins',
    'DNS Admins',
    groupNamed('DNSADMINS@'),
    'Controls name resolution, and therefore where domain controllers connect to.',
  ],
  [
    'exchange-trusted-subsystem',
    'Exchange Trusted Subsystem',
    groupNamed('EXCHANGE TRUSTED SUBSYSTEM@'),
    'Can write certificate mappings of users under inherited permissions.',
  ],
  [
    'exchange-windows-permissions',
    'Exchange Windows Permissions',
    groupNamed('EXCHANGE WINDOWS PERMISSIONS@'),
    'Can change permissions, reset passwords and edit groups under the shared permission model.',
  ],
  ['krbtgt', 'KRBTGT', user('-502'), 'Holds the key that signs every Kerberos ticket of the domain.'],
  [
    'read-only-domain-controllers',
    'Read-Only Domain Controllers',
    { by: 'member-of', kind: 'Computer', suffix: '-521', flag: 'isreadonlydc' },
    'Their password replication policy can be extended to privileged users.',
  ],
  [
    'enterprise-ca-computers',
    'Enterprise CA computers',
    { by: 'edge-from', kind: 'Computer', edge: 'HostsCAService', endKind: 'EnterpriseCA' },
    'Store the private key of a CA.',
  ],
  [
    'ntauth-store',
    'NTAuth store',
    every('NTAuthStore'),
    'Decides which CAs can issue certificates for logon.',
  ],
  ['root-ca', 'Root CA object', every('RootCA'), 'Is the root of certificate trust.'],
  ['aia-ca', 'AIA CA object', every('AIACA'), 'Is part of the chain of certificate trust.'],
  [
    'enterprise-ca',
    'Enterprise CA object',
    every('EnterpriseCA'),
    'Decides which certificate templates are published.',
  ],
  [
    'certificate-template',
    'Certificate template',
    every('CertTemplate'),
    'Control of a template allows impersonation after it is published.',
  ],
  [
    'azureadssoacc',
    'AZUREADSSOACC object',
    { by: 'text', kind: 'Computer', key: 'samaccountname', value: 'AZUREADSSOACC$' },
    'Holds the key for seamless sign-on of synchronized users.',
  ],
  [
    'az-application-administrator',
    'Application Administrator',
    role('9B895D92-2CD3-44C7-9D02-A6AC2D5EA5C3'),
    'Can add credentials to applications, critical if one of them is privileged.',
  ],
  [
    'az-intune-administrator',
    'Intune Administrator',
    role('3A2C62DB-5318-420D-8D74-23AFFEE5D9D5'),
    'Can run commands on managed devices, critical if privileged users work on them.',
  ],
  [
    'az-security-administrator',
    'Security Administrator',
    role('194AE4CB-B126-40B2-BD5B-6091B380977D'),
    'Can change Conditional Access, on which the protection of privileged users depends.',
  ],
  [
    'az-knowledge-administrator',
    'Knowledge Administrator',
    role('B5A8DCF3-09D5-43A9-A639-8E29EF291470'),
    'Can change ordinary groups, critical if one of them is privileged.',
  ],
];

const selectorsOf = (rows: readonly Row[], allowDisable: boolean): DefaultSelector[] =>
  rows.map(([key, name, criterion, description]) => ({ key, name, description, criterion, allowDisable }));

export const DEFAULT_SELECTORS: readonly DefaultSelector[] = [
  ...selectorsOf(FIXED, false),
  ...selectorsOf(OPTIONAL, true),
];
