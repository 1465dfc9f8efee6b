/** Groups of a domain: built-in groups, roles of the tiers, departments, sites, teams, shares and applications. */

import { membersOfAccessGroup } from './accessFamilies.ts';
import { builtInGroups, wellKnownStubs } from './builtInGroups.ts';
import { dialectOf } from './dialects/index.ts';
import type { GroupSpec } from './groupSpec.ts';
import { applicationName, DEPARTMENTS, shareName, siteName } from './names.ts';
import { ACQUIRED_PATHS, containedBy } from './places.ts';
import {
  APPLICATION_ROLES,
  type Block,
  blockId,
  blockPrincipal,
  type DomainPlan,
  peopleOfTeam,
  roleGroup,
  SHARE_LEVELS,
  siteOfTeam,
  specialAccount,
  teamsOfSite,
} from './plan.ts';
import { below, heavyTail, pick, type Stream } from './random.ts';
import { type CollectedObject, type Principal, user } from './records.ts';
import { ROLE_GROUPS, type RoleGroup } from './roleGroups.ts';
import type { DomainWorld } from './world.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);

const blockRange = (plan: DomainPlan, block: Block, from: number, to: number): Principal[] =>
  range(from, Math.min(to, plan.counts[block])).map((index) => blockPrincipal(plan, block, index));

const wholeBlock = (plan: DomainPlan, block: Block): Principal[] =>
  blockRange(plan, block, 0, plan.counts[block]);

/** Every `step`-th object of a block. */
const strided = (plan: DomainPlan, block: Block, first: number, step: number): Principal[] => {
  const members: Principal[] = [];
  for (let index = first; index < plan.counts[block]; index += step) {
    members.push(blockPrincipal(plan, block, index));
  }
  return members;
};

/** Members of every role group. Roles contain people's admin accounts; permissions are granted to roles. */
const ROLE_MEMBERS: Readonly<Record<RoleGroup, (plan: DomainPlan) => Principal[]>> = {
  T0_ADMINS: (plan) => wholeBlock(plan, 'tier0Admin'),
  T0_SERVER_ADMINS: (plan) => [roleGroup(plan, 'T0_ADMINS')],
  T0_PKI_ADMINS: (plan) => blockRange(plan, 'tier0Admin', 0, 1),
  T0_BACKUP: (plan) => [specialAccount(plan, 'SVC_BACKUP')],
  T1_SERVER_ADMINS: (plan) => blockRange(plan, 'tier1Admin', 0, Math.ceil(plan.counts.tier1Admin / 4)),
  T1_DATABASE_ADMINS: (plan) => strided(plan, 'tier1Admin', 1, 5),
  T1_VIRTUALISATION: (plan) => strided(plan, 'tier1Admin', 2, 9),
  T2_HELPDESK: (plan) => wholeBlock(plan, 'siteHelpdesk'),
  T2_WORKSTATION_ADMINS: (plan) => strided(plan, 'helpdeskAdmin', 0, 4),
  GPO_EDITORS: (plan) => [roleGroup(plan, 'T1_SERVER_ADMINS')],
  LAPS_READERS: (plan) => [roleGroup(plan, 'T2_HELPDESK')],
  DOMAIN_JOIN: (plan) => [specialAccount(plan, 'SVC_JOIN')],
  CERTIFICATE_MANAGERS: (plan) => blockRange(plan, plan.traits.isTiered ? 'tier0Admin' : 'tier1Admin', 0, 2),
  HIGH_ASSURANCE: () => [],
  VPN_USERS: (plan) => strided(plan, 'department', 0, 2),
  REMOTE_WORKERS: (plan) => [roleGroup(plan, 'VPN_USERS')],
  ALL_STAFF: (plan) => wholeBlock(plan, 'siteStaff'),
  MIGRATED_USERS: (plan) => blockRange(plan, 'team', 0, 1),
  'EXCHANGE TRUSTED SUBSYSTEM': (plan) =>
    range(0, plan.infrastructure.length)
      .filter((index) => plan.infrastructure[index]?.startsWith('EXCH'))
      .map((index) => blockPrincipal(plan, 'infrastructure', index)),
  'EXCHANGE WINDOWS PERMISSIONS': (plan) => [roleGroup(plan, 'EXCHANGE TRUSTED SUBSYSTEM')],
};

function* roleGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  for (const [index, name] of ROLE_GROUPS.entries()) {
    const tier = /^T[012](?=_)/.exec(name)?.[0];
    const path = tier === undefined ? 'USERS' : `TIER${tier.charAt(1)}/GROUPS`;
    yield {
      id: roleGroup(plan, name).ObjectIdentifier,
      name: dialectOf(plan).role(name, index),
      place: places.at(path),
      isProtected: name === 'T0_ADMINS',
      members: ROLE_MEMBERS[name](plan),
    };
  }
}

function* organizationGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  const departmentOf = teamDepartment(world);
  const teamsByDepartment: Principal[][] = DEPARTMENTS.map(() => []);
  for (let team = 0; team < plan.counts.team; team++) {
    teamsByDepartment[departmentOf(team)]?.push(blockPrincipal(plan, 'team', team));
  }
  for (const index of DEPARTMENTS.keys()) {
    const members = teamsByDepartment[index] as Principal[];
    yield {
      id: blockId(plan, 'department', index),
      name: dialectOf(plan).department(index),
      place: places.at('USERS'),
      members,
    };
  }
  for (let site = 0; site < plan.sites; site++) {
    const place = places.at(`SITES/${siteName(site)}/GROUPS`);
    const [from, to] = teamsOfSite(plan, site);
    yield {
      ...{ id: blockId(plan, 'siteStaff', site), name: dialectOf(plan).staff(siteName(site), site), place },
      members: blockRange(plan, 'team', from, to),
    };
    yield {
      id: blockId(plan, 'siteHelpdesk', site),
      name: dialectOf(plan).helpdesk(siteName(site), site),
      place: places.at('TIER2/GROUPS'),
      members: strided(plan, 'helpdeskAdmin', site, plan.sites),
    };
  }
}

const teamDepartment = (world: DomainWorld): ((team: number) => number) => {
  const draw = world.stream('team/department');
  return (team) => below(DEPARTMENTS.length, draw(team));
};

function* teams(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  for (let team = 0; team < plan.counts.team; team++) {
    const site = siteName(siteOfTeam(plan, team));
    yield {
      id: blockId(plan, 'team', team),
      name: dialectOf(plan).team(site, team + 1),
      place: places.at(`SITES/${site}/GROUPS`),
      members: blockRange(plan, 'person', ...peopleOfTeam(plan, team)),
    };
  }
}

/**
 * One or two teams, sometimes a complete department, and a few people added by hand over the years. Except in shape 1, one such group in
 * five is empty, and some have hundreds of people added by hand.
 */
function audience(plan: DomainPlan, draw: Stream, index: number, byHand: number): Principal[] {
  if (plan.shape !== 1 && draw(index, 50) < 1 / 5) return [];
  const members = [blockPrincipal(plan, 'team', below(plan.counts.team, draw(index, 1)))];
  if (draw(index, 2) < 0.4)
    members.push(blockPrincipal(plan, 'team', below(plan.counts.team, draw(index, 3))));
  if (draw(index, 4) < 0.08) {
    members.push(blockPrincipal(plan, 'department', below(plan.counts.department, draw(index, 5))));
  }
  if (plan.shape !== 1) {
    members.push(...joiners(plan, (question) => draw(index, 100 + question), { exponent: 1, most: 400 }));
    return unique(members);
  }
  for (let person = 0; person < below(byHand + 1, draw(index, 6)); person++) {
    members.push(user(blockId(plan, 'person', below(plan.counts.person, draw(index, 7 + person)))));
  }
  return unique(members);
}

/**
 * Members added individually. Their number follows a power law, and some people are added far more often than others: one person in three
 * thousand has a fifth of all additions.
 */
function joiners(
  plan: DomainPlan,
  draw: (question: number) => number,
  tail: { readonly exponent: number; readonly most: number },
): Principal[] {
  const people = plan.counts.person;
  const count = heavyTail(draw(0), { least: 1, ...tail });
  return Array.from({ length: Math.min(count, people) }, (_, joiner) => {
    const rank = Math.floor(people * draw(1 + joiner) ** 5);
    return blockPrincipal(plan, 'person', (rank * STRIDE) % people);
  });
}

/** A prime greater than any number of people: multiplication by it spreads ranks over all sites and keeps them distinct. */
const STRIDE = 10_000_019;

/** Groups for mail and projects: a third are empty, some contain half of the organization, some contain other groups. */
function* projectGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  const draw = world.stream('project');
  const { projectGroup, leftoverUser, person } = plan.counts;
  for (let index = 0; index < projectGroup; index++) {
    const ask = (question: number): number => draw(index, question);
    const isEmpty = ask(0) < 1 / 3;
    // Some groups have hundreds of thousands of members: too many to pass one by one.
    const members = isEmpty
      ? []
      : joiners(plan, (question) => ask(10 + question), { exponent: 0.75, most: person / 2 });
    if (!isEmpty) {
      // Accounts of former people stay in their groups, which is a flaw.
      if (plan.hasFlaws && ask(1) < 0.4)
        members.push(blockPrincipal(plan, 'leftoverUser', below(leftoverUser, ask(2))));
      // Only groups with higher numbers: cycles are planted deliberately (`flaws.ts`).
      if (ask(3) < 0.25 && index + 1 < projectGroup) {
        const inner = index + 1 + below(Math.min(40, projectGroup - index - 1), ask(4));
        members.push(blockPrincipal(plan, 'projectGroup', inner));
      }
    }
    yield {
      id: blockId(plan, 'projectGroup', index),
      name: dialectOf(plan).project(index),
      place: ask(5) < 0.1 ? places.at(pick(ACQUIRED_PATHS, ask(6))) : places.at('USERS'),
      members: unique(members),
    };
  }
}

function unique(members: readonly Principal[]): Principal[] {
  return [...new Map(members.map((member) => [member.ObjectIdentifier, member])).values()];
}

function* shareGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  const dialect = dialectOf(plan);
  const draw = world.stream('share');
  for (let index = 0; index < plan.counts.shareGroup; index++) {
    const share = Math.floor(index / SHARE_LEVELS.length);
    const level = SHARE_LEVELS[index % SHARE_LEVELS.length] as string;
    const first = share * SHARE_LEVELS.length;
    yield {
      id: blockId(plan, 'shareGroup', index),
      name: dialect.share(shareName(dialect.departments, share), level, index),
      place: places.at('USERS'),
      // Users who may read or write may also list, so LIST contains the other two groups.
      members:
        level === 'LIST' ? blockRange(plan, 'shareGroup', first, first + 2) : audience(plan, draw, index, 5),
    };
  }
}

function* applicationGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  const draw = world.stream('application');
  const administrators = plan.counts.tier1Admin;
  for (let index = 0; index < plan.counts.applicationGroup; index++) {
    const application = Math.floor(index / APPLICATION_ROLES.length);
    const role = APPLICATION_ROLES[index % APPLICATION_ROLES.length] as string;
    const members =
      role === 'ADMINS'
        ? unique(
            [0, 1, 2].map((one) =>
              blockPrincipal(plan, 'tier1Admin', below(administrators, draw(index, one))),
            ),
          )
        : role === 'RDP'
          ? [blockPrincipal(plan, 'applicationGroup', application * APPLICATION_ROLES.length)]
          : audience(plan, draw, index, 3);
    yield {
      id: blockId(plan, 'applicationGroup', index),
      name: dialectOf(plan).application(applicationName(application), role, index),
      place: places.at('TIER1/GROUPS'),
      members,
    };
  }
}

/** In shape 3: groups that give access to single mailboxes, folders, licenses and similar resources. */
function* accessGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan, places } = world;
  const draw = world.stream('access');
  for (let index = 0; index < plan.counts.accessGroup; index++) {
    yield {
      id: blockId(plan, 'accessGroup', index),
      name: dialectOf(plan).access(index),
      place: places.at('USERS'),
      members: membersOfAccessGroup(plan.counts.person, index, draw).map((person) =>
        blockPrincipal(plan, 'person', person),
      ),
    };
  }
}

export function* makeGroups(world: DomainWorld): Generator<CollectedObject> {
  for (const family of [
    builtInGroups,
    roleGroups,
    organizationGroups,
    teams,
    shareGroups,
    applicationGroups,
    projectGroups,
    accessGroups,
  ]) {
    for (const spec of family(world)) yield groupRecord(world, spec);
  }
  yield* wellKnownStubs(world);
}

function groupRecord(world: DomainWorld, spec: GroupSpec): CollectedObject {
  const { plan } = world;
  const changes = world.overlay.at(spec.id);
  const isProtected = spec.isProtected ?? false;
  const parent = spec.place?.distinguishedName ?? `CN=BUILTIN,${plan.distinguishedName}`;
  return {
    Properties: {
      ...{ domain: plan.name, name: `${spec.name}@${plan.name}`, domainsid: plan.sid },
      distinguishedname: `CN=${spec.name},${parent}`,
      ...{ samaccountname: spec.name, isaclprotected: isProtected, description: spec.description ?? null },
      ...{ whencreated: plan.collectedAt - 80_000_000, admincount: isProtected },
      ...{ doesanyacegrantownerrights: false, doesanyinheritedacegrantownerrights: false },
      ...changes.properties,
    },
    Members: unique([...spec.members, ...changes.members]).filter(
      ({ ObjectIdentifier }) => !changes.lostMembers.includes(ObjectIdentifier),
    ),
    HasSIDHistory: changes.sidHistory,
    Aces: isProtected ? world.protectedAces(spec.id, 'Group') : world.acesOf(spec.id, 'Group', spec.place),
    ObjectIdentifier: spec.id,
    ...{ IsDeleted: false, IsACLProtected: isProtected },
    ContainedBy:
      spec.place === undefined
        ? { ObjectIdentifier: 'S-1-5-32', ObjectType: 'Base' }
        : containedBy(spec.place),
  };
}
