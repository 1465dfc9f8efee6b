/**
 * The layout of a forest: its domains, the number of objects of each family, and the identifier of each object. It is computed from counts
 * alone, so its size does not depend on the number of objects.
 */
import { accessGroupCount } from './accessFamilies.ts';
import { type DialectName, dialectNameOf } from './dialects/dialect.ts';
import { dialectOf } from './dialects/index.ts';
import { DEFAULT_DOMAINS, domainRows, drawnDomainCount, MAX_DOMAINS, sharesOf } from './domainRows.ts';
import { guidOf, randomStream, type Stream } from './random.ts';
import { group, type Principal, principal } from './records.ts';
import { ROLE_GROUPS, type RoleGroup } from './roleGroups.ts';
import { SHAPES, type Shape, siteAt, siteStarts, teamOfPerson, teamStart, teamsFor } from './teams.ts';
import { infrastructureOf, type Traits, traitsOf, withoutFlaws } from './traits.ts';

/** Families of objects, numbered from 0 in each domain, with consecutive relative ids. */
const BLOCKS = [
  ['domainController', 'Computer'],
  ['infrastructure', 'Computer'],
  ['server', 'Computer'],
  ['workstation', 'Computer'],
  ['person', 'User'],
  ['tier0Admin', 'User'],
  ['tier1Admin', 'User'],
  ['helpdeskAdmin', 'User'],
  ['serviceAccount', 'User'],
  ['managedAccount', 'User'],
  ['specialAccount', 'User'],
  ['roleGroup', 'Group'],
  ['department', 'Group'],
  ['siteStaff', 'Group'],
  ['siteHelpdesk', 'Group'],
  ['team', 'Group'],
  ['shareGroup', 'Group'],
  ['applicationGroup', 'Group'],
  // Shape 1 does not have the families below. Add new families at the end; otherwise, the ids of others change.
  ['terminalServer', 'Computer'],
  ['projectGroup', 'Group'],
  ['leftoverUser', 'User'],
  ['leftoverComputer', 'Computer'],
  // Deleted long ago: access lists and local groups still contain their ids.
  ['departed', 'Base'],
  // In shape 3 only.
  ['accessGroup', 'Group'],
] as const;

export type Block = (typeof BLOCKS)[number][0];
export type Counts = Readonly<Record<Block, number>>;

/** Application groups and share groups occur in threes, in this order. */
export const APPLICATION_ROLES = ['ADMINS', 'RDP', 'USERS'] as const;
export const SHARE_LEVELS = ['RW', 'RO', 'LIST'] as const;
export const SERVERS_PER_APPLICATION = 3;

/** Accounts with special tasks, by their position in the block `specialAccount`. */
export const SPECIAL_ACCOUNTS = ['SVC_JOIN', 'SVC_SYNC', 'SVC_BACKUP', 'SVC_IDM', 'SVC_SCAN'] as const;

export interface DomainPlan {
  /** Fully qualified, upper case. */
  readonly name: string;
  readonly netbios: string;
  readonly sid: string;
  readonly distinguishedName: string;
  /** Root domain of the forest: forest-wide well-known principals contain its name. */
  readonly forestName: string;
  readonly forestSid: string;
  readonly isForestRoot: boolean;
  readonly functionalLevel: string;
  /** Key Admins exist if the directory was created or prepared for 2016. */
  readonly hasKeyAdmins: boolean;
  readonly infrastructure: readonly string[];
  readonly traits: Traits;
  /** False in the organization without its flaws, which has the same objects. */
  readonly hasFlaws: boolean;
  readonly counts: Counts;
  readonly firstRid: Counts;
  readonly sites: number;
  /** First team of each site, with the number of teams as the last entry. */
  readonly siteStarts: readonly number[];
  readonly shape: Shape;
  readonly dialect: DialectName;
  readonly seed: number;
  /** Time of collection, in epoch seconds. */
  readonly collectedAt: number;
}

export interface ForestPlan {
  readonly users: number;
  readonly seed: number;
  readonly collectedAt: number;
  /** Domains in order: the root, a child of it, the domain of a trusted forest, and further ones. */
  readonly domains: readonly DomainPlan[];
}

export interface ForestOptions {
  /**
   * Number of people in all domains together, at least 1. The numbers of computers, groups and accounts follow from it (about 2.3 objects
   * per person).
   */
  readonly users: number;
  /** Any integer: the same seed gives the same bytes. */
  readonly seed: number;
  /** Time of collection, in epoch seconds; fixed by default, so that the bytes are the same. */
  readonly collectedAt?: number;
  /** Default: 2. Shape 1 reproduces the files of earlier versions; shape 3 differs more from seed to seed. */
  readonly shape?: Shape;
  /** 1 to 20. Default: 3, or drawn from the seed in shape 3; always 3 in shape 1. */
  readonly domains?: number;
  /**
   * `none` gives the same organization without planted flaws: the same objects, ids and names, only unplanted relationships, and correct
   * settings. Default: `all`.
   */
  readonly flaws?: FlawChoice;
}

/** Which flaws an organization has. */
export const FLAW_CHOICES = ['all', 'none'] as const;
export type FlawChoice = (typeof FLAW_CHOICES)[number];

const DEFAULT_COLLECTED_AT = Date.UTC(2026, 5, 1, 9, 30) / 1000;

const clamp = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(high, Math.floor(value)));

function countBlocks(shape: Shape, people: number, infrastructure: number, departments: number): Counts {
  const server = Math.max(4, Math.round(people * 0.08));
  const applications = Math.ceil(server / SERVERS_PER_APPLICATION);
  const sites = clamp(1, people / 350, 4000);
  return {
    domainController: clamp(2, 2 + people / 20_000, 12),
    infrastructure,
    server,
    workstation: Math.round(people * 0.85),
    person: people,
    tier0Admin: clamp(3, 3 + people / 2000, 12),
    tier1Admin: clamp(3, people / 100, 400),
    helpdeskAdmin: Math.max(sites, clamp(2, people / 80, 5000)),
    serviceAccount: applications,
    managedAccount: Math.ceil(applications / 5),
    specialAccount: SPECIAL_ACCOUNTS.length,
    roleGroup: ROLE_GROUPS.length,
    department: departments,
    siteStaff: sites,
    siteHelpdesk: sites,
    team: teamsFor(shape, people),
    shareGroup: Math.ceil(people * 0.04) * SHARE_LEVELS.length,
    applicationGroup: applications * APPLICATION_ROLES.length,
    ...(shape === 1 ? NO_MORE : countMore(people)),
    accessGroup: shape === 3 ? accessGroupCount(people) : 0,
  };
}

type LaterBlock = 'terminalServer' | 'projectGroup' | 'leftoverUser' | 'leftoverComputer' | 'departed';

const NO_MORE: Readonly<Record<LaterBlock, number>> = {
  ...{ terminalServer: 0, projectGroup: 0, leftoverUser: 0, leftoverComputer: 0, departed: 0 },
};

const countMore = (people: number): Readonly<Record<LaterBlock, number>> => ({
  terminalServer: Math.max(1, Math.round(people / 500)),
  projectGroup: Math.max(12, Math.round(people * 0.06)),
  leftoverUser: Math.max(3, Math.round(people * 0.04)),
  leftoverComputer: Math.max(3, Math.round(people * 0.03)),
  departed: Math.max(3, Math.round(people * 0.02)),
});

const FIRST_FREE_RID = 1200;

function firstRids(counts: Counts): Counts {
  let next = FIRST_FREE_RID;
  const rids = BLOCKS.map(([name]) => {
    const first = next;
    next += counts[name];
    return [name, first];
  });
  return Object.fromEntries(rids);
}

function domainSid(seed: number, name: string): string {
  const draw = randomStream(seed, `sid/${name}`);
  // Sub-authorities of a domain are 32-bit numbers; real ones rarely have leading zeros.
  const parts = [0, 1, 2].map((part) => 100_000_000 + Math.floor(draw(part) * 4_100_000_000));
  return `S-1-5-21-${parts.join('-')}`;
}

/** @throws RangeError for options outside their ranges */
export function planForest(options: ForestOptions, departments = 14): ForestPlan {
  const { users, seed, collectedAt = DEFAULT_COLLECTED_AT, shape = 2, flaws = 'all' } = options;
  if (!Number.isSafeInteger(users) || users < 1) {
    throw new RangeError(`the number of users must be a positive integer, not ${users}`);
  }
  if (!SHAPES.includes(shape)) throw new RangeError(`the shape must be ${SHAPES.join(' or ')}, not ${shape}`);
  if (!FLAW_CHOICES.includes(flaws)) {
    throw new RangeError(`the flaws must be ${FLAW_CHOICES.join(' or ')}, not ${flaws}`);
  }
  const { domains = shape === 3 ? drawnDomainCount(seed, users) : DEFAULT_DOMAINS } = options;
  if (!Number.isInteger(domains) || domains < 1 || domains > MAX_DOMAINS) {
    throw new RangeError(`the number of domains must be 1 to ${MAX_DOMAINS}, not ${domains}`);
  }
  if (shape === 1 && domains !== DEFAULT_DOMAINS) {
    throw new RangeError(`shape 1 has ${DEFAULT_DOMAINS} domains, not ${domains}`);
  }
  const shares = sharesOf(shape, domains);
  const plans = domainRows(shape, seed, domains).map((row, index): DomainPlan => {
    const people = Math.max(1, Math.round(users * (shares[index] as number)));
    const hasFlaws = flaws === 'all';
    const drawn = traitsOf(shape, row, seed);
    const traits = hasFlaws ? drawn : withoutFlaws(drawn);
    const infrastructure = infrastructureOf(shape, row, traits, seed);
    const counts = countBlocks(shape, people, infrastructure.length, departments);
    return {
      name: row.name,
      netbios: row.netbios,
      sid: domainSid(seed, row.name),
      distinguishedName: row.name
        .split('.')
        .map((label) => `DC=${label}`)
        .join(','),
      forestName: row.forest,
      forestSid: domainSid(seed, row.forest),
      isForestRoot: row.name === row.forest,
      functionalLevel: row.functionalLevel,
      hasKeyAdmins: row.hasKeyAdmins,
      infrastructure,
      ...{ traits, hasFlaws },
      counts,
      firstRid: firstRids(counts),
      sites: counts.siteStaff,
      siteStarts: siteStarts(shape, counts.team, counts.siteStaff),
      ...{ shape, seed, collectedAt, dialect: dialectNameOf(shape, row, seed) },
    };
  });
  return { users, seed, collectedAt, domains: plans };
}

/** @returns random draws for this domain only */
export function domainStream(domain: DomainPlan, name: string): Stream {
  return randomStream(domain.seed, `${domain.name}/${name}`);
}

/** @returns the id of a domain-relative well-known principal, such as 512 */
export const relativeId = (domain: DomainPlan, rid: number): string => `${domain.sid}-${rid}`;

/** @returns the id of a principal that is the same in every domain, with the prefix that collectors add */
export const prefixedId = (domain: DomainPlan, sid: string): string => `${domain.name}-${sid}`;

/** @returns the id of the key account that a removed read-only controller left behind, if any */
export const orphanedKeyId = (domain: DomainPlan): string => relativeId(domain, 1103);

export const wellKnownGroup = (domain: DomainPlan, rid: number): Principal => group(relativeId(domain, rid));
export const prefixedGroup = (domain: DomainPlan, sid: string): Principal => group(prefixedId(domain, sid));

/** @returns the id of an object of a block @throws RangeError if the index is outside the block */
export function blockId(domain: DomainPlan, block: Block, index: number): string {
  if (index < 0 || index >= domain.counts[block]) throw new RangeError(`${block} ${index} is not planned`);
  return `${domain.sid}-${domain.firstRid[block] + index}`;
}

const TYPES = Object.fromEntries(BLOCKS) as Record<Block, string>;

export function blockPrincipal(domain: DomainPlan, block: Block, index: number): Principal {
  return principal(TYPES[block], blockId(domain, block, index));
}

export const roleGroup = (domain: DomainPlan, name: RoleGroup): Principal =>
  blockPrincipal(domain, 'roleGroup', ROLE_GROUPS.indexOf(name));

export const specialAccount = (domain: DomainPlan, name: (typeof SPECIAL_ACCOUNTS)[number]): Principal =>
  blockPrincipal(domain, 'specialAccount', SPECIAL_ACCOUNTS.indexOf(name));

/** The infrastructure machine that synchronizes a domain with its tenant. */
export const SYNCHRONIZATION_HOST = 'SYNC01';

/** In shape 3, the synchronization account may replicate the domain, which it needs to synchronize passwords. */
export const replicatesPasswords = ({ shape, infrastructure }: DomainPlan): boolean =>
  shape === 3 && infrastructure.includes(SYNCHRONIZATION_HOST);

/** @param name of an infrastructure machine in the plan @returns its name in the organization */
export const hostName = (domain: DomainPlan, name: string): string =>
  dialectOf(domain).infrastructure(name, domain.infrastructure.indexOf(name));

/** @returns the GUID of an object without a SID */
export const objectGuid = (domain: DomainPlan, path: string): string =>
  guidOf(`${domain.seed}/${domain.name}/${path}`);

/** People and teams are in sites in contiguous runs, so a site's members are ranges. */
export const siteOfPerson = (domain: DomainPlan, person: number): number =>
  siteOfTeam(domain, teamOfPerson(domain.shape, person));

export const siteOfTeam = (domain: DomainPlan, team: number): number => siteAt(domain.siteStarts, team);

/** @returns the first team of a site, and the first one after it */
export const teamsOfSite = (domain: DomainPlan, site: number): readonly [from: number, to: number] => [
  domain.siteStarts[site] as number,
  domain.siteStarts[site + 1] as number,
];

/** @returns the first person of a team, and the first one after it */
export const peopleOfTeam = (domain: DomainPlan, team: number): readonly [from: number, to: number] => [
  teamStart(domain.shape, team),
  Math.min(domain.counts.person, teamStart(domain.shape, team + 1)),
];

/** @returns the first person of a site, and the first one after it */
export function peopleOfSite(domain: DomainPlan, site: number): readonly [from: number, to: number] {
  const [from, to] = teamsOfSite(domain, site);
  return [teamStart(domain.shape, from), Math.min(domain.counts.person, teamStart(domain.shape, to))];
}
