/**
 * The naming of an organization: its language, or codes instead. It affects displayed names, but not ids. Shapes 1 and 2 use English; in
 * shape 3, the seed selects a dialect for each forest, so that the rules of readers cannot depend on names.
 */
import type { DomainRow } from '../domainRows.ts';
import { accessTopic, purposeOf, topicOfProject } from '../names.ts';
import { pick, randomStream } from '../random.ts';
import type { RoleGroup } from '../roleGroups.ts';
import type { Shape } from '../teams.ts';

export type HostKind = 'controller' | 'workstation' | 'terminalServer' | 'leftover';
export type Tier = 0 | 1 | 2;

export interface Dialect {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** Fourteen. */
  readonly departments: readonly string[];
  /** Numbers of people and sites start at 0, those of hosts and groups at 1. */
  readonly account: (name: string, person: number) => string;
  readonly administrator: (tier: Tier, account: string, index: number) => string;
  readonly leaver: (number: number, lastName: string) => string;
  readonly service: (application: string, index: number) => string;
  readonly managed: (application: string, index: number) => string;
  readonly host: (kind: HostKind, number: number) => string;
  readonly server: (application: string, number: number, index: number) => string;
  /** @param name as in the plan, such as PKI01 */
  readonly infrastructure: (name: string, index: number) => string;
  readonly role: (name: RoleGroup, index: number) => string;
  readonly department: (index: number) => string;
  readonly staff: (site: string, index: number) => string;
  readonly helpdesk: (site: string, index: number) => string;
  readonly team: (site: string, number: number) => string;
  /** @param name from `shareName` */
  readonly share: (name: string, level: string, index: number) => string;
  readonly application: (name: string, role: string, index: number) => string;
  readonly project: (index: number) => string;
  readonly access: (index: number) => string;
  /** @param name of a unit in the plan: the last part of its path */
  readonly unit: (name: string) => string;
  readonly policy: (name: string) => string;
  /** Built-in groups and accounts of every domain. */
  readonly builtIn: (name: string) => string;
}

/** The words of a language. */
export interface Words {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly departments: readonly string[];
  readonly roles: Readonly<Partial<Record<RoleGroup, string>>>;
  readonly builtIn: Readonly<Record<string, string>>;
  /** Names of units and policies; names without a row stay unchanged. */
  readonly places: Readonly<Record<string, string>>;
  readonly groups: Readonly<
    Record<
      'department' | 'staff' | 'helpdesk' | 'team' | 'share' | 'application' | 'project' | 'access',
      string
    >
  >;
  readonly applicationRoles: Readonly<Record<string, string>>;
  readonly hosts: Readonly<Record<HostKind, string>>;
  /** Prefix of the names of administrators of each tier. */
  readonly tiers: readonly [string, string, string];
  readonly service: string;
  readonly leaver: string;
}

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

const DIGITS: Readonly<Record<HostKind, number>> = {
  ...{ controller: 2, workstation: 6, terminalServer: 3, leftover: 5 },
};

/** @returns the dialect of a language */
export function spoken(words: Words): Dialect {
  const { groups, hosts } = words;
  return {
    ...{ firstNames: words.firstNames, lastNames: words.lastNames, departments: words.departments },
    account: (name) => name,
    administrator: (tier, account) => `${words.tiers[tier]}${account}`,
    leaver: (number, lastName) => `${words.leaver}${padded(number, 5)}.${lastName}`,
    service: (application) => `${words.service}${application}`,
    managed: (application) => `GMSA_${application}$`,
    host: (kind, number) => `${hosts[kind]}${padded(number, DIGITS[kind])}`,
    server: (application, number) => `${application}${padded(number, 2)}`,
    infrastructure: (name) => name,
    role: (name) => words.roles[name] ?? name,
    department: (index) => `${groups.department}${words.departments[index]}`,
    staff: (site) => `${groups.staff}${site}`,
    helpdesk: (site) => `${groups.helpdesk}${site}`,
    team: (site, number) => `${groups.team}${site}_${padded(number, 5)}`,
    share: (name, level) => `${groups.share}${name}_${level}`,
    application: (name, role) => `${groups.application}${name}_${words.applicationRoles[role] ?? role}`,
    project: (index) => `${groups.project}${topicOfProject(index)}_${purposeOf(index)}`,
    access: (index) => `${groups.access}${accessTopic(index)}_${padded(index + 1, 5)}`,
    unit: (name) => words.places[name] ?? name,
    policy: (name) => words.places[name] ?? name,
    builtIn: (name) => words.builtIn[name] ?? name,
  };
}

/** Everything except built-in objects has a number: the position in a list shows the purpose. */
export function coded(words: Pick<Words, 'firstNames' | 'lastNames'>): Dialect {
  const group = (family: number, index: number): string => `G${family}${padded(index + 1, 6)}`;
  const host = (family: number, index: number): string => `H${family}${padded(index + 1, 6)}`;
  const user = (family: number, index: number): string => `U${family}${padded(index + 1, 6)}`;
  const families: Readonly<Record<HostKind, number>> = {
    ...{ controller: 1, workstation: 2, terminalServer: 3, leftover: 4 },
  };
  const units = new Map(CODED_UNITS.map((name, index) => [name, `OU${padded(index + 10, 3)}`]));
  return {
    ...{ firstNames: words.firstNames, lastNames: words.lastNames },
    departments: Array.from({ length: 14 }, (_, index) => `D${padded(index + 1, 3)}`),
    account: (_, person) => user(1, person),
    administrator: (tier, _, index) => user(2 + tier, index),
    leaver: (number) => user(5, number - 1),
    service: (_, index) => user(6, index),
    managed: (_, index) => `${user(7, index)}$`,
    host: (kind, number) => host(families[kind], number - 1),
    server: (_application, _number, index) => host(5, index),
    infrastructure: (_, index) => host(6, index),
    role: (_, index) => group(1, index),
    department: (index) => group(2, index),
    staff: (_, index) => group(3, index),
    helpdesk: (_, index) => group(4, index),
    team: (_, number) => group(5, number - 1),
    share: (_name, _level, index) => group(6, index),
    application: (_name, _role, index) => group(7, index),
    project: (index) => group(8, index),
    access: (index) => group(9, index),
    unit: (name) => units.get(name) ?? name,
    policy: (name) => units.get(name) ?? name,
    builtIn: (name) => name,
  };
}

const CODED_UNITS = [
  ...['TIER0', 'TIER1', 'TIER2', 'ACCOUNTS', 'GROUPS', 'SERVERS', 'SERVICE ACCOUNTS', 'LEGACY', 'SITES'],
  ...['WORKSTATIONS', 'LAPTOPS', 'DESKTOPS', 'ENCRYPTED', 'EXTERNAL', 'CONTRACTORS', 'DISABLED USERS'],
  ...['SECURITY BASELINE', 'TIER 0 BASELINE', 'SERVER BASELINE', 'WORKSTATION BASELINE', 'LAPS'],
  ...['REMOTE DESKTOP FOR KIOSKS', 'LEGACY EXCEPTIONS', 'PROXY SETTINGS 2014'],
];

export type DialectName = 'english' | 'plain' | 'german' | 'french' | 'spanish' | 'coded';

const CHOICES: readonly DialectName[] = [
  ...(['english', 'english', 'plain', 'german', 'french', 'spanish', 'coded'] as const),
];

/** @returns the dialect of the forest of the domain */
export const dialectNameOf = (shape: Shape, row: DomainRow, seed: number): DialectName =>
  shape === 3 ? pick(CHOICES, randomStream(seed, `dialect/${row.forest}`)(0)) : 'english';
