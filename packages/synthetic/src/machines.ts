/**
 * The machines of a domain: domain controllers, Tier Zero infrastructure, application servers, workstations, terminal servers, and accounts
 * of machines that no longer exist.
 */
import { dialectOf } from './dialects/index.ts';
import { applicationName } from './names.ts';
import { ACQUIRED_PATHS, type Place, placeOfWorkstation } from './places.ts';
import {
  blockId,
  blockPrincipal,
  type DomainPlan,
  hostName,
  peopleOfSite,
  roleGroup,
  SERVERS_PER_APPLICATION,
  SYNCHRONIZATION_HOST,
  siteOfPerson,
  specialAccount,
} from './plan.ts';
import { below, heavyTail, pick, type Stream } from './random.ts';
import { computer, type Principal, user } from './records.ts';
import type { DomainWorld } from './world.ts';

type Role = 'domainController' | 'infrastructure' | 'server' | 'workstation';

export interface Machine {
  readonly id: string;
  readonly host: string;
  readonly place: Place;
  readonly role: Role;
  readonly operatingSystem: string;
  readonly hasLaps: boolean;
  /** The collector reached it: sessions, local groups, user rights and registry are known. */
  readonly isReachable: boolean;
  readonly isProtected: boolean;
  /** Draws of this machine; the argument names the question. */
  readonly draw: (question: number) => number;
  readonly localAdministrators: readonly Principal[];
  readonly remoteDesktopUsers: readonly Principal[];
  /** Ids of users with a session. */
  readonly sessions: readonly string[];
  /** Days since the last logon; if absent, they are drawn as for other machines. */
  readonly unusedDays?: number;
}

const ask = (stream: Stream, index: number) => (question: number) => stream(index, question);

function* domainControllers(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('domain-controller');
  for (let index = 0; index < plan.counts.domainController; index++) {
    yield {
      id: blockId(plan, 'domainController', index),
      host: dialectOf(plan).host('controller', index + 1),
      place: world.places.at('DOMAIN CONTROLLERS'),
      role: 'domainController',
      operatingSystem: plan.hasKeyAdmins ? 'Windows Server 2022 Standard' : 'Windows Server 2016 Standard',
      ...{ hasLaps: false, isReachable: true, isProtected: true, draw: ask(stream, index) },
      ...{ localAdministrators: [], remoteDesktopUsers: [] },
      sessions: [blockId(plan, 'tier0Admin', index % plan.counts.tier0Admin)],
    };
  }
}

function* infrastructure(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('infrastructure');
  for (const [index, host] of plan.infrastructure.entries()) {
    // Tier 1 runs Exchange and software distribution, as in many organizations with tiers.
    const isTier1 = !plan.traits.isTiered && /^(EXCH|SCCM)/.test(host);
    yield {
      id: blockId(plan, 'infrastructure', index),
      host: hostName(plan, host),
      place: world.places.at(isTier1 ? 'TIER1/SERVERS' : 'TIER0/SERVERS'),
      role: 'infrastructure',
      operatingSystem: 'Windows Server 2019 Standard',
      ...{ hasLaps: true, isReachable: true, isProtected: false, draw: ask(stream, index) },
      localAdministrators: [roleGroup(plan, isTier1 ? 'T1_SERVER_ADMINS' : 'T0_SERVER_ADMINS')],
      remoteDesktopUsers: [],
      sessions: host === SYNCHRONIZATION_HOST ? [specialAccount(plan, 'SVC_SYNC').ObjectIdentifier] : [],
    };
  }
}

const SERVER_SYSTEMS = [
  ...['Windows Server 2022 Standard', 'Windows Server 2022 Datacenter', 'Windows Server 2019 Standard'],
  ...['Windows Server 2019 Standard', 'Windows Server 2016 Standard', 'Windows Server 2012 R2 Standard'],
] as const;

function* servers(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('server');
  for (let index = 0; index < plan.counts.server; index++) {
    const draw = ask(stream, index);
    const application = Math.floor(index / SERVERS_PER_APPLICATION);
    const service = blockPrincipal(plan, 'serviceAccount', application);
    // The first server is on the planted route of every forest (`flaws.ts`), so it is in the same place as the others.
    const isLegacy = index > 0 && draw(1) < 0.04;
    const administrators = blockPrincipal(plan, 'applicationGroup', application * 3);
    yield {
      id: blockId(plan, 'server', index),
      host: dialectOf(plan).server(
        applicationName(application),
        (index % SERVERS_PER_APPLICATION) + 1,
        index,
      ),
      place: world.places.at(isLegacy ? 'LEGACY' : 'TIER1/SERVERS'),
      role: 'server',
      operatingSystem: isLegacy ? 'Windows Server 2008 R2 Standard' : pick(SERVER_SYSTEMS, draw(2)),
      hasLaps: draw(3) < 0.5,
      isReachable: draw(4) < plan.traits.answering.servers,
      ...{ isProtected: false, draw },
      localAdministrators: [
        roleGroup(plan, 'T1_SERVER_ADMINS'),
        administrators,
        ...(draw(5) < 0.35 ? [service] : []),
      ],
      remoteDesktopUsers: [blockPrincipal(plan, 'applicationGroup', application * 3 + 1)],
      sessions: [
        service.ObjectIdentifier,
        ...(draw(6) < 0.3 ? [blockId(plan, 'tier1Admin', below(plan.counts.tier1Admin, draw(7)))] : []),
      ],
    };
  }
}

function* workstations(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('workstation');
  for (let index = 0; index < plan.counts.workstation; index++) {
    const draw = ask(stream, index);
    const site = siteOfPerson(plan, index);
    yield {
      id: blockId(plan, 'workstation', index),
      host: dialectOf(plan).host('workstation', index + 1),
      place: world.places.at(placeOfWorkstation(plan, index)),
      role: 'workstation',
      operatingSystem: draw(1) < 0.82 ? 'Windows 11 Enterprise' : 'Windows 10 Enterprise',
      hasLaps: draw(2) < 0.6,
      isReachable: draw(3) < plan.traits.answering.workstations,
      ...{ isProtected: false, draw },
      localAdministrators: [
        roleGroup(plan, 'T2_WORKSTATION_ADMINS'),
        ...(plan.hasFlaws && draw(4) < 0.02 ? [user(blockId(plan, 'person', index))] : []),
        ...orphanedAdministrator(plan, draw),
      ],
      remoteDesktopUsers: draw(5) < 0.15 ? [user(blockId(plan, 'person', index))] : [],
      sessions: [
        ...usersOfWorkstation(plan, index, draw).map((person) => blockId(plan, 'person', person)),
        ...(draw(7) < 0.02 ? [blockId(plan, 'helpdeskAdmin', site)] : []),
      ],
    };
  }
}

/** An administrator of the machine whose account was deleted long ago, which is a flaw; not in shape 1. */
const orphanedAdministrator = (plan: DomainPlan, draw: (question: number) => number): Principal[] =>
  plan.hasFlaws && plan.shape !== 1 && draw(30) < 0.03
    ? [blockPrincipal(plan, 'departed', below(plan.counts.departed, draw(31)))]
    : [];

/**
 * Draws the users who are logged on to a workstation: in shape 1, its owner or no one. In other shapes, a quarter of the workstations are
 * idle, most have their owner, some also a colleague, and one in forty is shared by up to 25 people of the site.
 */
function usersOfWorkstation(plan: DomainPlan, index: number, draw: (question: number) => number): number[] {
  if (plan.shape === 1) return draw(6) < 0.8 ? [index] : [];
  if (draw(6) < 0.25) return [];
  const others =
    draw(6) > 0.975 ? heavyTail(draw(40), { least: 4, exponent: 1.2, most: 25 }) : draw(6) > 0.88 ? 1 : 0;
  const [from, to] = peopleOfSite(plan, siteOfPerson(plan, index));
  const people = Array.from({ length: others }, (_, other) => from + below(to - from, draw(41 + other)));
  return [...new Set([index, ...people])];
}

/** Machines on which many people of a site work simultaneously, with up to 120 sessions. */
function* terminalServers(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('terminal-server');
  for (let index = 0; index < plan.counts.terminalServer; index++) {
    const draw = ask(stream, index);
    const site = below(plan.sites, draw(1));
    const [from, to] = peopleOfSite(plan, site);
    const count = Math.min(to - from, heavyTail(draw(2), { least: 6, exponent: 0.8, most: 120 }));
    const people = Array.from({ length: count }, (_, one) => from + below(to - from, draw(50 + one)));
    yield {
      id: blockId(plan, 'terminalServer', index),
      host: dialectOf(plan).host('terminalServer', index + 1),
      place: world.places.at('TIER1/SERVERS'),
      role: 'server',
      operatingSystem: pick(SERVER_SYSTEMS, draw(3)),
      ...{ hasLaps: draw(4) < 0.5, isReachable: draw(5) < 0.9, isProtected: false, draw },
      localAdministrators: [roleGroup(plan, 'T1_SERVER_ADMINS'), ...orphanedAdministrator(plan, draw)],
      // Some are open to the complete site, the others to the number of teams in a department.
      remoteDesktopUsers: usersOfTerminalServer(plan, site, draw),
      sessions: [...new Set(people)].map((person) => blockId(plan, 'person', person)),
    };
  }
}

/** In shape 3, half of them are for one to three departments, across sites. */
function usersOfTerminalServer(
  plan: DomainPlan,
  site: number,
  draw: (question: number) => number,
): Principal[] {
  if (draw(6) < 0.1) return [blockPrincipal(plan, 'siteStaff', site)];
  if (plan.shape !== 3 || draw(6) < 0.5)
    return [blockPrincipal(plan, 'team', below(plan.counts.team, draw(7)))];
  const departments = Array.from({ length: 1 + below(3, draw(8)) }, (_, one) =>
    below(plan.counts.department, draw(36 + one)),
  );
  return [...new Set(departments)].map((index) => blockPrincipal(plan, 'department', index));
}

const OLD_SYSTEMS = [
  ...['Windows 7 Professional', 'Windows 7 Enterprise', 'Windows 10 Enterprise', 'Windows XP Professional'],
  ...['Windows Server 2008 R2 Standard', 'Windows Server 2003', 'Windows 8.1 Pro', 'Windows 10 Pro'],
] as const;

/** Machines that no longer exist, but still have their accounts. */
function* leftoverComputers(world: DomainWorld): Generator<Machine> {
  const { plan, places } = world;
  const stream = world.stream('leftover-computer');
  for (let index = 0; index < plan.counts.leftoverComputer; index++) {
    const draw = ask(stream, index);
    yield {
      id: blockId(plan, 'leftoverComputer', index),
      host: dialectOf(plan).host('leftover', index + 1),
      place: places.at(draw(1) < 0.5 ? 'COMPUTERS' : pick(ACQUIRED_PATHS, draw(2))),
      role: 'workstation',
      operatingSystem: pick(OLD_SYSTEMS, draw(3)),
      ...{ hasLaps: false, isReachable: false, isProtected: false, draw },
      ...{ localAdministrators: [], remoteDesktopUsers: [], sessions: [] },
      unusedDays: heavyTail(draw(4), { least: 120, exponent: 1, most: 4000 }),
    };
  }
}

export function* machinesOf(world: DomainWorld): Generator<Machine> {
  yield* domainControllers(world);
  yield* infrastructure(world);
  yield* servers(world);
  yield* workstations(world);
  yield* terminalServers(world);
  yield* leftoverComputers(world);
}

/** @returns the machine that hosts a certification authority of the forest */
export const authorityHost = ({ plan }: DomainWorld, host: string): Principal =>
  computer(blockId(plan, 'infrastructure', plan.infrastructure.indexOf(host)));

/** @returns servers of all kinds in a unit or below it */
export function serversBelow(world: DomainWorld, path: string): Principal[] {
  const found: Principal[] = [];
  for (const family of [infrastructure, servers, terminalServers]) {
    for (const { id, place } of family(world)) {
      if (place.path === path || place.path.startsWith(`${path}/`)) found.push(computer(id));
    }
  }
  return found;
}
