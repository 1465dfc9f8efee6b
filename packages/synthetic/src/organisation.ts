/** The frame of a domain: the domain object with its trusts, organisational units, containers, group policies. */
import { containedBy, inheritanceHashes, type Place } from './places.ts';
import {
  blockId,
  blockPrincipal,
  type DomainPlan,
  objectGuid,
  peopleOfSite,
  prefixedGroup,
  roleGroup,
  wellKnownGroup,
} from './plan.ts';
import { guidOf } from './random.ts';
import { type Ace, ace, type CollectedObject, computer, group, type Principal } from './records.ts';
import type { DomainWorld } from './world.ts';

interface Link {
  readonly policy: string;
  readonly isEnforced?: boolean;
}

/** Group policies and the places they are linked to. The last one is linked nowhere, as one always is. */
const POLICIES = [
  'DEFAULT DOMAIN POLICY',
  'DEFAULT DOMAIN CONTROLLERS POLICY',
  'SECURITY BASELINE',
  'TIER 0 BASELINE',
  'SERVER BASELINE',
  'WORKSTATION BASELINE',
  'LAPS',
  'REMOTE DESKTOP FOR KIOSKS',
  'LEGACY EXCEPTIONS',
  'PROXY SETTINGS 2014',
] as const;

const LINKS: Readonly<Record<string, readonly Link[]>> = {
  '': [{ policy: 'DEFAULT DOMAIN POLICY' }, { policy: 'SECURITY BASELINE', isEnforced: true }],
  'DOMAIN CONTROLLERS': [{ policy: 'DEFAULT DOMAIN CONTROLLERS POLICY' }],
  TIER0: [{ policy: 'TIER 0 BASELINE', isEnforced: true }],
  'TIER1/SERVERS': [{ policy: 'SERVER BASELINE' }, { policy: 'LAPS' }],
  LEGACY: [{ policy: 'LEGACY EXCEPTIONS' }],
  SITES: [{ policy: 'WORKSTATION BASELINE' }, { policy: 'LAPS' }],
};

export const policyId = (plan: DomainPlan, name: string): string => objectGuid(plan, `gpo/${name}`);

function linksOf(plan: DomainPlan, place: Place): object[] {
  const links: Link[] = [...(LINKS[place.path] ?? [])];
  if (isKioskSite(place)) links.push({ policy: 'REMOTE DESKTOP FOR KIOSKS' });
  return links.map((link) => ({ GUID: policyId(plan, link.policy), IsEnforced: link.isEnforced ?? false }));
}

/** One site in eight has machines where everybody at the site may log on from afar. */
const isKioskSite = ({ workstationSite }: Place): boolean =>
  workstationSite !== undefined && workstationSite % 8 === 3;

function gpoChanges({ plan }: DomainWorld, place: Place): object {
  const none = {
    LocalAdmins: [],
    RemoteDesktopUsers: [],
    DcomUsers: [],
    PSRemoteUsers: [],
    AffectedComputers: [],
  };
  if (place.workstationSite === undefined || !isKioskSite(place)) return none;
  const [from, to] = peopleOfSite(plan, place.workstationSite);
  const affected: Principal[] = [];
  // The workstation of a person has the person's number.
  for (let index = from; index < Math.min(to, plan.counts.workstation); index++) {
    affected.push(computer(blockId(plan, 'workstation', index)));
  }
  const staff = blockPrincipal(plan, 'siteStaff', place.workstationSite);
  return { ...none, RemoteDesktopUsers: [staff], AffectedComputers: affected };
}

const common = (plan: DomainPlan, name: string, distinguishedName: string, isProtected: boolean) => ({
  ...{ domain: plan.name, name, distinguishedname: distinguishedName, domainsid: plan.sid },
  ...{ isaclprotected: isProtected, description: null, whencreated: plan.collectedAt - 100_000_000 },
});

export function* makeDomains(world: DomainWorld): Generator<CollectedObject> {
  const { plan } = world;
  const root = world.places.at('');
  yield {
    Properties: {
      ...common(plan, plan.name, plan.distinguishedName, false),
      ...{ functionallevel: plan.functionalLevel, collected: true, netbios: plan.netbios },
      machineaccountquota: plan.hasKeyAdmins ? 0 : 10,
      ...{ minpwdlength: plan.hasKeyAdmins ? 14 : 8, pwdproperties: 1, pwdhistorylength: 24 },
      ...{ lockoutthreshold: plan.isForestRoot ? 10 : 0, dsheuristics: null },
      expirepasswordsonsmartcardonlyaccounts: plan.hasKeyAdmins,
      ...world.overlay.at(plan.sid).properties,
    },
    ChildObjects: [],
    Trusts: trustsOf(world),
    Links: linksOf(plan, root),
    GPOChanges: gpoChanges(world, root),
    InheritanceHashes: inheritanceHashes(root),
    Aces: [...domainAces(plan), ...world.overlay.at(plan.sid).aces],
    ObjectIdentifier: plan.sid,
    ...{ IsDeleted: false, IsACLProtected: false, ContainedBy: null },
  };
}

function domainAces(plan: DomainPlan): Ace[] {
  const administrators = prefixedGroup(plan, 'S-1-5-32-544');
  const controllersOfForest = group(`${plan.forestName}-S-1-5-9`);
  const holders = [administrators, wellKnownGroup(plan, 512)];
  const replication: readonly (readonly [Principal, readonly string[]])[] = [
    [administrators, ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet']],
    [controllersOfForest, ['GetChanges', 'GetChangesInFilteredSet']],
    [wellKnownGroup(plan, 516), ['GetChangesAll']],
    [group(`${plan.forestSid}-498`), ['GetChanges']],
  ];
  return [
    ace(administrators, 'Owns'),
    ...holders.flatMap((holder) =>
      ['WriteDacl', 'WriteOwner', 'AllExtendedRights', 'GenericWrite'].map((right) => ace(holder, right)),
    ),
    ace(group(`${plan.forestSid}-519`), 'GenericAll'),
    ...replication.flatMap(([holder, rights]) => rights.map((right) => ace(holder, right))),
  ];
}

/** Bits of a trust's attributes: quarantined, forest transitive, within forest. */
const TRUST_ATTRIBUTES = { External: 0, Forest: 8, ParentChild: 32 } as const;

function trust(
  type: keyof typeof TRUST_ATTRIBUTES,
  name: string,
  sid: string,
  direction: string,
  filtered: boolean,
) {
  return {
    ...{ TargetDomainSid: sid, TargetDomainName: name, IsTransitive: type !== 'External' },
    ...{ TrustDirection: direction, TrustType: type, SidFilteringEnabled: filtered },
    ...{ TGTDelegationEnabled: false, TrustAttributes: TRUST_ATTRIBUTES[type] },
  };
}

/** A child of the root, a trusted forest, and a partner that is not collected, to whom the child trusts too much. */
function trustsOf({ plan, forest }: DomainWorld): object[] {
  const [root, child, other] = forest.domains as [DomainPlan, DomainPlan, DomainPlan];
  const partner = `S-1-5-21-${[1, 2, 3].map((part) => Number.parseInt(guidOf(`${plan.seed}/partner/${part}`).slice(0, 8), 16)).join('-')}`;
  switch (plan.name) {
    case root.name:
      return [
        trust('ParentChild', child.name, child.sid, 'Bidirectional', false),
        trust('Forest', other.name, other.sid, 'Bidirectional', true),
      ];
    case child.name:
      return [
        trust('ParentChild', root.name, root.sid, 'Bidirectional', false),
        trust('External', 'PARTNER.EXAMPLE', partner, 'Outbound', false),
      ];
    default:
      return [trust('Forest', root.name, root.sid, 'Bidirectional', true)];
  }
}

export function* makeOus(world: DomainWorld): Generator<CollectedObject> {
  const { plan } = world;
  for (const place of world.places.all()) {
    if (place.kind !== 'OU') continue;
    yield {
      GPOChanges: gpoChanges(world, place),
      Properties: {
        ...common(plan, `${place.name}@${plan.name}`, place.distinguishedName, place.isAclProtected),
        blocksinheritance: place.blocksInheritance,
      },
      Links: linksOf(plan, place),
      ...placeMembers(world, place),
    };
  }
}

export function* makeContainers(world: DomainWorld): Generator<CollectedObject> {
  const { plan } = world;
  for (const place of world.places.all()) {
    if (place.kind !== 'Container') continue;
    yield {
      Properties: common(plan, `${place.name}@${plan.name}`, place.distinguishedName, place.isAclProtected),
      ...placeMembers(world, place),
    };
  }
}

function placeMembers(world: DomainWorld, place: Place) {
  const kind = place.kind === 'OU' ? 'OU' : 'Container';
  const aces =
    place.path === 'SYSTEM/ADMINSDHOLDER'
      ? world.protectedAces(place.objectId, 'Container')
      : world.acesOf(place.objectId, kind, place.isAclProtected ? undefined : place.parent);
  return {
    ChildObjects: [],
    InheritanceHashes: inheritanceHashes(place),
    Aces: [...new Set(aces)],
    ObjectIdentifier: place.objectId,
    ...{ IsDeleted: false, IsACLProtected: place.isAclProtected },
    ContainedBy: place.parent === undefined ? null : containedBy(place.parent),
  };
}

export function* makeGpos(world: DomainWorld): Generator<CollectedObject> {
  const { plan } = world;
  const editors = roleGroup(plan, 'GPO_EDITORS');
  for (const name of POLICIES) {
    const id = policyId(plan, name);
    // The two default policies have the same name on disk in every domain.
    const folder =
      name === 'DEFAULT DOMAIN POLICY'
        ? '31B2F340-016D-11D2-945F-00C04FB984F9'
        : name === 'DEFAULT DOMAIN CONTROLLERS POLICY'
          ? '6AC1786C-016F-11D2-945F-00C04FB984F9'
          : objectGuid(plan, `gpo-folder/${name}`);
    const isOrdinary =
      !name.startsWith('DEFAULT') && name !== 'TIER 0 BASELINE' && name !== 'SECURITY BASELINE';
    yield {
      Properties: {
        ...common(
          plan,
          `${name}@${plan.name}`,
          `CN={${folder}},${world.places.at('SYSTEM/POLICIES').distinguishedName}`,
          true,
        ),
        gpcpath: `\\\\${plan.name}\\SYSVOL\\${plan.name}\\POLICIES\\{${folder}}`,
        gpostatus: '0',
      },
      Aces: [...world.acesOf(id, 'GPO'), ...(isOrdinary ? [ace(editors, 'GenericWrite')] : [])],
      ObjectIdentifier: id,
      ...{ IsDeleted: false, IsACLProtected: true, ContainedBy: null },
    };
  }
}
