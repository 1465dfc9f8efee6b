/** The objects that structure a domain: the domain object with its trusts, organizational units, containers and group policies. */
import { dialectOf } from './dialects/index.ts';
import { serversBelow } from './machines.ts';
import { containedBy, inheritanceHashes, isKioskSite, type Place } from './places.ts';
import {
  blockId,
  blockPrincipal,
  type DomainPlan,
  objectGuid,
  peopleOfSite,
  prefixedGroup,
  replicatesPasswords,
  roleGroup,
  specialAccount,
  wellKnownGroup,
} from './plan.ts';
import { isOrdinaryPolicy, policiesOf, policyId } from './policies.ts';
import { guidOf } from './random.ts';
import { type Ace, ace, type CollectedObject, computer, group, type Principal } from './records.ts';
import type { DomainWorld } from './world.ts';

function gpoChanges(world: DomainWorld, place: Place): object {
  const { plan } = world;
  const site = place.workstationSite;
  const isKiosk = site !== undefined && isKioskSite(site);
  const lists = world.restrictedGroups.at(place);
  if (!isKiosk && Object.values(lists).every((members) => members.length === 0)) {
    return { ...lists, AffectedComputers: [] };
  }
  const staff = isKiosk ? [blockPrincipal(plan, 'siteStaff', site)] : [];
  return {
    ...lists,
    RemoteDesktopUsers: [...staff, ...lists.RemoteDesktopUsers],
    AffectedComputers: site === undefined ? serversBelow(world, place.path) : workstationsOf(plan, site),
  };
}

/** The workstation of a person has the person's number. */
function workstationsOf(plan: DomainPlan, site: number): Principal[] {
  const [from, to] = peopleOfSite(plan, site);
  const found: Principal[] = [];
  for (let index = from; index < Math.min(to, plan.counts.workstation); index++) {
    found.push(computer(blockId(plan, 'workstation', index)));
  }
  return found;
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
      machineaccountquota:
        plan.hasFlaws && (!plan.hasKeyAdmins || plan.traits.audience === 'computers') ? 10 : 0,
      ...{ minpwdlength: plan.hasKeyAdmins ? 14 : 8, pwdproperties: 1, pwdhistorylength: 24 },
      ...{ lockoutthreshold: plan.isForestRoot ? 10 : 0, dsheuristics: null },
      expirepasswordsonsmartcardonlyaccounts: plan.hasKeyAdmins,
      ...world.overlay.at(plan.sid).properties,
    },
    ChildObjects: [],
    Trusts: trustsOf(world),
    Links: world.policyLinks.at(root),
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
    ...(replicatesPasswords(plan)
      ? ['GetChanges', 'GetChangesAll'].map((right) => ace(specialAccount(plan, 'SVC_SYNC'), right))
      : []),
  ];
}

/** Bits of the attributes of a trust: quarantined, forest transitive, within forest. */
const QUARANTINED = 4;
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
    TGTDelegationEnabled: false,
    TrustAttributes: TRUST_ATTRIBUTES[type] | (type === 'External' && filtered ? QUARANTINED : 0),
  };
}

/**
 * The root and its children trust each other, as do the root and the other forests; the first child also trusts a partner too much, and
 * that partner is not collected.
 */
function trustsOf({ plan, forest }: DomainWorld): object[] {
  const [root, firstChild] = forest.domains as [DomainPlan, DomainPlan | undefined];
  const toward = (other: DomainPlan): object =>
    other.forestName === plan.forestName
      ? trust('ParentChild', other.name, other.sid, 'Bidirectional', false)
      : trust('Forest', other.name, other.sid, 'Bidirectional', true);
  if (plan.name === root.name) return forest.domains.slice(1).map(toward);
  if (plan.name !== firstChild?.name) return [toward(root)];
  const partner = `S-1-5-21-${[1, 2, 3].map((part) => Number.parseInt(guidOf(`${plan.seed}/partner/${part}`).slice(0, 8), 16)).join('-')}`;
  return [toward(root), trust('External', 'PARTNER.EXAMPLE', partner, 'Outbound', !plan.hasFlaws)];
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
      Links: world.policyLinks.at(place),
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
  for (const name of policiesOf(plan)) {
    const id = policyId(plan, name);
    // The two default policies have the same folder name in every domain.
    const folder =
      name === 'DEFAULT DOMAIN POLICY'
        ? '31B2F340-016D-11D2-945F-00C04FB984F9'
        : name === 'DEFAULT DOMAIN CONTROLLERS POLICY'
          ? '6AC1786C-016F-11D2-945F-00C04FB984F9'
          : objectGuid(plan, `gpo-folder/${name}`);
    yield {
      Properties: {
        ...common(
          plan,
          `${dialectOf(plan).policy(name)}@${plan.name}`,
          `CN={${folder}},${world.places.at('SYSTEM/POLICIES').distinguishedName}`,
          true,
        ),
        gpcpath: `\\\\${plan.name}\\SYSVOL\\${plan.name}\\POLICIES\\{${folder}}`,
        gpostatus: '0',
      },
      Aces: [...world.acesOf(id, 'GPO'), ...(isOrdinaryPolicy(name) ? [ace(editors, 'GenericWrite')] : [])],
      ObjectIdentifier: id,
      ...{ IsDeleted: false, IsACLProtected: true, ContainedBy: null },
    };
  }
}
