/** The built-in groups of every domain, and the short records that collectors append for well-known principals. */

import { dialectOf } from './dialects/index.ts';
import type { GroupSpec } from './groupSpec.ts';
import {
  blockPrincipal,
  type DomainPlan,
  prefixedGroup,
  prefixedId,
  relativeId,
  roleGroup,
  wellKnownGroup,
} from './plan.ts';
import { type CollectedObject, group, type Principal, user } from './records.ts';
import type { DomainWorld } from './world.ts';

const OPERATORS = new Set([544, 548, 549, 550, 551, 552]);

/** Groups with the same SID in every domain: last sub-authority below S-1-5-32, and name. */
const LOCAL_ROWS = [
  [544, 'ADMINISTRATORS'],
  [545, 'USERS'],
  [546, 'GUESTS'],
  [548, 'ACCOUNT OPERATORS'],
  [549, 'SERVER OPERATORS'],
  [550, 'PRINT OPERATORS'],
  [551, 'BACKUP OPERATORS'],
  [552, 'REPLICATOR'],
  [554, 'PRE-WINDOWS 2000 COMPATIBLE ACCESS'],
  [555, 'REMOTE DESKTOP USERS'],
  [556, 'NETWORK CONFIGURATION OPERATORS'],
  [557, 'INCOMING FOREST TRUST BUILDERS'],
  [558, 'PERFORMANCE MONITOR USERS'],
  [559, 'PERFORMANCE LOG USERS'],
  [560, 'WINDOWS AUTHORIZATION ACCESS GROUP'],
  [561, 'TERMINAL SERVER LICENSE SERVERS'],
  [562, 'DISTRIBUTED COM USERS'],
  [568, 'IIS_IUSRS'],
  [569, 'CRYPTOGRAPHIC OPERATORS'],
  [573, 'EVENT LOG READERS'],
  [574, 'CERTIFICATE SERVICE DCOM ACCESS'],
  [578, 'HYPER-V ADMINISTRATORS'],
  [580, 'REMOTE MANAGEMENT USERS'],
  [582, 'STORAGE REPLICA ADMINISTRATORS'],
] as const;

type Scope = 'domain' | 'forest root' | 'key admins' | 'forest root with key admins';

/** Groups by relative id. */
const DOMAIN_ROWS: readonly (readonly [rid: number, name: string, scope: Scope, isProtected?: boolean])[] = [
  [512, 'DOMAIN ADMINS', 'domain', true],
  [513, 'DOMAIN USERS', 'domain'],
  [514, 'DOMAIN GUESTS', 'domain'],
  [515, 'DOMAIN COMPUTERS', 'domain'],
  [516, 'DOMAIN CONTROLLERS', 'domain', true],
  [517, 'CERT PUBLISHERS', 'domain'],
  [518, 'SCHEMA ADMINS', 'forest root', true],
  [519, 'ENTERPRISE ADMINS', 'forest root', true],
  [520, 'GROUP POLICY CREATOR OWNERS', 'domain'],
  [521, 'READ-ONLY DOMAIN CONTROLLERS', 'domain', true],
  [522, 'CLONEABLE DOMAIN CONTROLLERS', 'domain'],
  [498, 'ENTERPRISE READ-ONLY DOMAIN CONTROLLERS', 'forest root'],
  [525, 'PROTECTED USERS', 'domain'],
  [526, 'KEY ADMINS', 'key admins', true],
  [527, 'ENTERPRISE KEY ADMINS', 'forest root with key admins', true],
  [553, 'RAS AND IAS SERVERS', 'domain'],
  [571, 'ALLOWED RODC PASSWORD REPLICATION GROUP', 'domain'],
  [572, 'DENIED RODC PASSWORD REPLICATION GROUP', 'domain'],
  [1101, 'DNSADMINS', 'domain'],
  [1102, 'DNSUPDATEPROXY', 'domain'],
];

function exists(world: DomainWorld, scope: Scope): boolean {
  const { isForestRoot, hasKeyAdmins } = world.plan;
  if (scope === 'domain') return true;
  if (scope === 'forest root') return isForestRoot;
  return hasKeyAdmins && (scope === 'key admins' || isForestRoot);
}

function membersOf(world: DomainWorld, rid: number): Principal[] {
  const { plan } = world;
  const administrator = user(relativeId(plan, 500));
  switch (rid) {
    case 544:
      return [administrator, wellKnownGroup(plan, 512), group(`${plan.forestSid}-519`)];
    case 545:
      return [wellKnownGroup(plan, 513), prefixedGroup(plan, 'S-1-5-4'), prefixedGroup(plan, 'S-1-5-11')];
    case 546:
      return [user(relativeId(plan, 501)), wellKnownGroup(plan, 514)];
    case 551:
      return [roleGroup(plan, 'T0_BACKUP')];
    case 554:
      return [prefixedGroup(plan, 'S-1-5-11')];
    case 560:
      return [group(`${plan.forestName}-S-1-5-9`)];
    case 568:
      return [user(prefixedId(plan, 'S-1-5-20'))];
    case 574:
      return [prefixedGroup(plan, 'S-1-5-11')];
    case 512:
      return [administrator, roleGroup(plan, 'T0_ADMINS')];
    case 517:
      return plan.infrastructure.flatMap((host, index) =>
        host.startsWith('PKI') ? [blockPrincipal(plan, 'infrastructure', index)] : [],
      );
    case 518:
    case 519:
      return [administrator];
    case 520:
      return plan.traits.isTiered ? [administrator] : [administrator, roleGroup(plan, 'GPO_EDITORS')];
    case 525:
      return [blockPrincipal(plan, 'tier0Admin', 0)];
    case 572:
      return [
        ...[512, 516, 517, 520, 521].map((denied) => wellKnownGroup(plan, denied)),
        // In earlier shapes, these are missing, which is a flaw of every domain.
        ...(plan.shape === 3 || !plan.hasFlaws ? deniedOfForest(plan) : []),
      ];
    default:
      return [];
  }
}

/** Windows also denies krbtgt and the groups of the root of the forest. */
const deniedOfForest = (plan: DomainPlan): Principal[] => [
  { ObjectIdentifier: relativeId(plan, 502), ObjectType: 'User' },
  ...[518, 519].map((rid) => ({ ObjectIdentifier: `${plan.forestSid}-${rid}`, ObjectType: 'Group' })),
];

export function* builtInGroups(world: DomainWorld): Generator<GroupSpec> {
  const { plan } = world;
  for (const [rid, name] of LOCAL_ROWS) {
    yield {
      id: prefixedId(plan, `S-1-5-32-${rid}`),
      name: dialectOf(plan).builtIn(name),
      isProtected: OPERATORS.has(rid),
      members: membersOf(world, rid),
    };
  }
  for (const [rid, name, scope, isProtected = false] of DOMAIN_ROWS) {
    if (!exists(world, scope)) continue;
    const place = world.places.at('USERS');
    yield {
      ...{ id: relativeId(plan, rid), name: dialectOf(plan).builtIn(name), place, isProtected },
      members: membersOf(world, rid),
    };
  }
}

const STUBS = [
  ['S-1-1-0', 'EVERYONE'],
  ['S-1-5-4', 'INTERACTIVE'],
  ['S-1-5-11', 'AUTHENTICATED USERS'],
  ['S-1-5-17', 'IUSR'],
  ...LOCAL_ROWS.map(([rid, name]) => [`S-1-5-32-${rid}`, name] as const),
] as const;

/**
 * Short records without entries or members, mostly with an id that is already in the file. The file of every domain contains Enterprise
 * Domain Controllers with its members and the name of the forest.
 */
export function* wellKnownStubs(world: DomainWorld): Generator<CollectedObject> {
  const { plan } = world;
  const stub = (
    id: string,
    name: string,
    { domain, sid, members = [] }: { domain: string; sid: string; members?: readonly Principal[] },
  ): CollectedObject => ({
    Properties: {
      name: `${dialectOf(plan).builtIn(name)}@${domain}`,
      domainsid: sid,
      domain,
      reconcile: false,
    },
    Members: members,
    Aces: [],
    ObjectIdentifier: id,
    ...{ IsDeleted: false, IsACLProtected: false, ContainedBy: null },
  });
  for (const [sid, name] of STUBS) {
    yield stub(prefixedId(plan, sid), name, { domain: plan.name, sid: plan.sid });
  }
  const members = Array.from({ length: plan.counts.domainController }, (_, index) =>
    blockPrincipal(plan, 'domainController', index),
  );
  const forest = { domain: plan.forestName, sid: plan.forestSid, members };
  yield stub(`${plan.forestName}-S-1-5-9`, 'ENTERPRISE DOMAIN CONTROLLERS', forest);
}
