/** The machines of a domain: domain controllers, infrastructure of Tier Zero, application servers, workstations. */
import { applicationName, siteName } from './names.ts';
import type { Place } from './places.ts';
import {
  blockId,
  blockPrincipal,
  roleGroup,
  SERVERS_PER_APPLICATION,
  siteOfPerson,
  specialAccount,
} from './plan.ts';
import { below, pick, type Stream } from './random.ts';
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
}

const ask = (stream: Stream, index: number) => (question: number) => stream(index, question);

function* domainControllers(world: DomainWorld): Generator<Machine> {
  const { plan } = world;
  const stream = world.stream('domain-controller');
  for (let index = 0; index < plan.counts.domainController; index++) {
    yield {
      id: blockId(plan, 'domainController', index),
      host: `DC${String(index + 1).padStart(2, '0')}`,
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
    // Exchange and software distribution are run by Tier 1, as they are in many places that have tiers at all.
    const isTier1 = host.startsWith('EXCH') || host.startsWith('SCCM');
    yield {
      id: blockId(plan, 'infrastructure', index),
      host,
      place: world.places.at(isTier1 ? 'TIER1/SERVERS' : 'TIER0/SERVERS'),
      role: 'infrastructure',
      operatingSystem: 'Windows Server 2019 Standard',
      ...{ hasLaps: true, isReachable: true, isProtected: false, draw: ask(stream, index) },
      localAdministrators: [roleGroup(plan, isTier1 ? 'T1_SERVER_ADMINS' : 'T0_SERVER_ADMINS')],
      remoteDesktopUsers: [],
      sessions: host === 'SYNC01' ? [specialAccount(plan, 'SVC_SYNC').ObjectIdentifier] : [],
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
    // The first server carries the planted route of every forest (`flaws.ts`), so it lies with the others.
    const isLegacy = index > 0 && draw(1) < 0.04;
    const administrators = blockPrincipal(plan, 'applicationGroup', application * 3);
    yield {
      id: blockId(plan, 'server', index),
      host: `${applicationName(application)}${String((index % SERVERS_PER_APPLICATION) + 1).padStart(2, '0')}`,
      place: world.places.at(isLegacy ? 'LEGACY' : 'TIER1/SERVERS'),
      role: 'server',
      operatingSystem: isLegacy ? 'Windows Server 2008 R2 Standard' : pick(SERVER_SYSTEMS, draw(2)),
      hasLaps: draw(3) < 0.5,
      isReachable: draw(4) < 0.8,
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
      host: `WS${String(index + 1).padStart(6, '0')}`,
      place: world.places.at(`SITES/${siteName(site)}/WORKSTATIONS`),
      role: 'workstation',
      operatingSystem: draw(1) < 0.82 ? 'Windows 11 Enterprise' : 'Windows 10 Enterprise',
      hasLaps: draw(2) < 0.6,
      isReachable: draw(3) < 0.45,
      ...{ isProtected: false, draw },
      localAdministrators: [
        roleGroup(plan, 'T2_WORKSTATION_ADMINS'),
        ...(draw(4) < 0.02 ? [user(blockId(plan, 'person', index))] : []),
      ],
      remoteDesktopUsers: draw(5) < 0.15 ? [user(blockId(plan, 'person', index))] : [],
      sessions: [
        ...(draw(6) < 0.8 ? [blockId(plan, 'person', index)] : []),
        ...(draw(7) < 0.02 ? [blockId(plan, 'helpdeskAdmin', site)] : []),
      ],
    };
  }
}

export function* machinesOf(world: DomainWorld): Generator<Machine> {
  for (const family of [domainControllers, infrastructure, servers, workstations]) yield* family(world);
}

/** @returns the machine that carries the certification authority of the forest. */
export const authorityHost = (world: DomainWorld): Principal =>
  computer(blockId(world.plan, 'infrastructure', world.plan.infrastructure.indexOf('PKI01')));
