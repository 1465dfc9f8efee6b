/**
 * Flaws of shape 3 that give a complete audience (`audience.ts`) a path to Tier Zero: ordinary people of some departments, all users, all
 * computers or everybody. The flaws of a domain are drawn; a domain with an audience has at least one. Members of groups of Tier Zero
 * belong to Tier Zero themselves, so no audience is a member of one; it may add members instead.
 */
import { audienceOf, audienceOfForest } from './audience.ts';
import { type Flaw, give, type Site } from './flaw.ts';
import { authorityRightsId, templateId } from './pki.ts';
import {
  blockId,
  blockPrincipal,
  type DomainPlan,
  domainStream,
  type ForestPlan,
  objectGuid,
  relativeId,
  roleGroup,
  specialAccount,
} from './plan.ts';
import { policyId } from './policies.ts';
import { pick } from './random.ts';
import type { Principal } from './records.ts';
import type { Authority } from './traits.ts';

interface WideFlaw {
  readonly name: string;
  readonly description: string;
  readonly isPossible?: (plan: DomainPlan, forest: ForestPlan) => boolean;
  readonly plant: (site: Site, audience: readonly Principal[]) => void;
}

const giveAll = (
  site: Site,
  audience: readonly Principal[],
  rights: readonly string[],
  objectId: string,
): void => {
  for (const holder of audience) for (const right of rights) give(site, holder, right, objectId);
};

const letAdministratorLogOn = (site: Site, server: string): void => {
  site.overlay.change(server).sessions.push(site.some('tier0Admin', 90).ObjectIdentifier);
};

const hasAuthority = ({ isForestRoot, traits }: DomainPlan): boolean =>
  isForestRoot && traits.authorities.length > 0;

/** @returns another domain with an audience, if any */
const neighborOf = (plan: DomainPlan, { domains }: ForestPlan): DomainPlan | undefined =>
  domains.find((other) => other !== plan && audienceOf(other, 0).length > 0);

const ROWS: readonly WideFlaw[] = [
  {
    name: 'audience-administers-server',
    description: 'Many people are local administrators of a server where a Tier 0 administrator is logged on',
    plant: (site, audience) => {
      const { ObjectIdentifier } = site.some('server', 1);
      site.overlay.change(ObjectIdentifier).localAdministrators.push(...audience);
      letAdministratorLogOn(site, ObjectIdentifier);
    },
  },
  {
    name: 'audience-in-restricted-groups',
    description: 'A policy makes many people administrators of all servers of a unit',
    plant: (site, audience) => {
      const unit = site.overlay.change(objectGuid(site.plan, 'TIER1/SERVERS'));
      unit.restrictions.push(...audience.map((member) => ({ list: 'LocalAdmins', member }) as const));
      letAdministratorLogOn(site, blockId(site.plan, 'server', 0));
    },
  },
  {
    name: 'audience-controls-server-administrator',
    description: 'Many people may change the account of an administrator of Tier 0 servers',
    plant: (site, audience) => {
      const victim = site.some('tier1Admin', 1);
      site.overlay.change(roleGroup(site.plan, 'T0_SERVER_ADMINS').ObjectIdentifier).members.push(victim);
      const rights = ['GenericWrite', 'GenericAll', 'ForceChangePassword', 'AllExtendedRights', 'WriteDacl'];
      giveAll(site, audience, [pick(rights, site.draw(2))], victim.ObjectIdentifier);
    },
  },
  {
    name: 'audience-controls-synchronization',
    description: 'Many people may reset the password of an account that replicates the domain',
    plant: (site, audience) => {
      const account = specialAccount(site.plan, 'SVC_SYNC');
      for (const right of ['GetChanges', 'GetChangesAll']) give(site, account, right, site.plan.sid);
      giveAll(site, audience, ['ForceChangePassword'], account.ObjectIdentifier);
    },
  },
  {
    name: 'audience-adds-operators',
    description: 'Many people may add members to a built-in group of operators',
    plant: (site, audience) => {
      const group = pick(['548', '549', '550', '551'], site.draw(1));
      giveAll(site, audience, ['AddMember'], `${site.plan.name}-S-1-5-32-${group}`);
    },
  },
  {
    name: 'audience-among-server-administrators',
    description: 'Groups of many people are among the administrators of Tier 0 servers',
    plant: (site, audience) => {
      const { ObjectIdentifier } = roleGroup(site.plan, 'T0_SERVER_ADMINS');
      site.overlay.change(ObjectIdentifier).members.push(...audience);
    },
  },
  {
    name: 'audience-edits-policy',
    description: 'Many people may change a policy that is linked to the domain or its controllers',
    plant: (site, audience) => {
      const policies = ['SECURITY BASELINE', 'DEFAULT DOMAIN POLICY', 'TIER 0 BASELINE'];
      const right = pick(['GenericWrite', 'GenericAll', 'WriteDacl'], site.draw(1));
      giveAll(site, audience, [right], policyId(site.plan, pick(policies, site.draw(2))));
    },
  },
  {
    name: 'audience-controls-unit',
    description: 'Many people may change the access list of the unit of Tier 0 or of the controllers',
    plant: (site, audience) => {
      const unit = pick(['TIER0', 'DOMAIN CONTROLLERS'], site.draw(1));
      giveAll(
        site,
        audience,
        [pick(['WriteDacl', 'GenericAll', 'WriteGPLink'], site.draw(2))],
        objectGuid(site.plan, unit),
      );
    },
  },
  {
    name: 'audience-controls-hosts',
    description: 'Many people have rights on several servers of Tier 0, one by one',
    plant: (site, audience) => {
      const rights = ['GenericAll', 'GenericWrite', 'WriteDacl', 'AllExtendedRights'];
      for (const index of site.plan.infrastructure.keys()) {
        if (index >= 3) break;
        const server = blockId(site.plan, 'infrastructure', index);
        giveAll(site, audience, [pick(rights, site.draw(10 + index))], server);
        letAdministratorLogOn(site, server);
      }
    },
  },
  {
    name: 'audience-adds-administrators',
    description: 'Many people may add members to the administrators of Tier 0 servers',
    plant: (site, audience) => {
      const right = pick(['AddMember', 'GenericWrite', 'WriteOwner'], site.draw(1));
      giveAll(site, audience, [right], roleGroup(site.plan, 'T0_SERVER_ADMINS').ObjectIdentifier);
    },
  },
  {
    name: 'audience-reads-password',
    description: 'Many people may read the local password of a backup server of Tier 0',
    plant: (site, audience) => {
      const server = blockId(site.plan, 'infrastructure', site.plan.infrastructure.indexOf('BKP01'));
      site.overlay.change(server).sessions.push(specialAccount(site.plan, 'SVC_BACKUP').ObjectIdentifier);
      giveAll(site, audience, ['ReadLAPSPassword'], server);
    },
  },
  {
    name: 'audience-replicates-domain',
    description: 'Many people may replicate every secret of the domain',
    plant: (site, audience) => giveAll(site, audience, ['GetChanges', 'GetChangesAll'], site.plan.sid),
  },
  {
    name: 'audience-of-another-domain',
    description: 'Many people of another domain control a built-in group of this one',
    isPossible: (plan, forest) => neighborOf(plan, forest) !== undefined,
    plant: (site) => {
      const other = neighborOf(site.plan, site.forest) as DomainPlan;
      const group = pick(['544', '548', '551'], site.draw(1));
      const right = pick(['GenericAll', 'WriteDacl', 'AddMember'], site.draw(2));
      giveAll(site, audienceOf(other, 0), [right], `${site.plan.name}-S-1-5-32-${group}`);
    },
  },
  {
    name: 'audience-controls-template',
    description: 'Many people may change a published certificate template',
    isPossible: hasAuthority,
    plant: (site) => {
      const audience = audienceOfForest(site.plan, site.forest, site.draw(1));
      const right = pick(['GenericAll', 'WriteDacl', 'WriteOwner'], site.draw(2));
      giveAll(
        site,
        audience,
        [right],
        templateId(site.plan, pick(['WIRELESS', 'USER', 'MACHINE'], site.draw(3))),
      );
    },
  },
  {
    name: 'audience-manages-authority',
    description: 'Many people manage a certification authority',
    isPossible: hasAuthority,
    plant: (site, audience) => {
      const authority = pick(site.plan.traits.authorities, site.draw(1)) as Authority;
      giveAll(site, audience, ['ManageCA', 'ManageCertificates'], authorityRightsId(site.plan, authority));
    },
  },
  {
    name: 'machine-administers-machines',
    description: 'A machine is local administrator of servers, so that requests to it can be relayed to them',
    isPossible: ({ traits, counts }) => traits.ldapSigning < 1 && counts.server > 3,
    plant: (site) => {
      const administrator = blockPrincipal(site.plan, 'server', 1);
      for (const question of [1, 2, 3]) {
        const { ObjectIdentifier } = site.some('server', question);
        if (ObjectIdentifier === administrator.ObjectIdentifier) continue;
        site.overlay.change(ObjectIdentifier).localAdministrators.push(administrator);
        letAdministratorLogOn(site, ObjectIdentifier);
      }
    },
  },
];

/** @returns names of the wide flaws of a domain: one to four of the possible ones */
function chosenIn(plan: DomainPlan, forest: ForestPlan): readonly string[] {
  if (plan.shape !== 3 || audienceOf(plan, 0).length === 0) return [];
  const draw = domainStream(plan, 'wide-flaws');
  const count = 1 + Math.floor(4 * draw(0) ** 1.5);
  return ROWS.map((row, index) => ({ row, luck: draw(index, 1) }))
    .filter(({ row }) => row.isPossible?.(plan, forest) ?? true)
    .sort((one, other) => one.luck - other.luck)
    .slice(0, count)
    .map(({ row }) => row.name);
}

/** Groups of other domains are members of built-in groups, harmless or not. */
const FOREIGN_MEMBERS: Flaw = {
  name: 'foreign-members',
  description: 'A group of another domain is a member of a built-in group',
  count: (plan, forest) =>
    plan.shape === 3 && forest.domains.length > 1 ? Math.floor(4 * domainStream(plan, 'foreign')(0)) : 0,
  plant: (site) => {
    const others = site.forest.domains.filter((other) => other !== site.plan);
    const other = pick(others, site.draw(0));
    const member = pick(
      ['T1_SERVER_ADMINS', 'T2_HELPDESK', 'VPN_USERS', 'REMOTE_WORKERS', 'T0_ADMINS'] as const,
      site.draw(1),
    );
    const groups = member === 'T0_ADMINS' ? ['544'] : ['545', '555', '554', '580', '573'];
    site.overlay
      .change(`${site.plan.name}-S-1-5-32-${pick(groups, site.draw(2))}`)
      .members.push(roleGroup(other, member));
  },
};

/** Makes a group look small: one of its members contains all users of another domain. */
const DEFAULT_GROUP_IN_SHARE: Flaw = {
  name: 'default-group-in-share',
  description: 'All users of another domain are in a group of this one',
  count: (plan, forest) => (plan.shape === 3 && forest.domains.length > 1 ? 1 : 0),
  plant: (site) => {
    const others = site.forest.domains.filter((other) => other !== site.plan);
    const everybody = { ObjectIdentifier: relativeId(pick(others, site.draw(0)), 513), ObjectType: 'Group' };
    site.overlay.change(site.some('shareGroup', 1).ObjectIdentifier).members.push(everybody);
  },
};

export const WIDE_FLAWS: readonly Flaw[] = [
  ...ROWS.map(
    ({ name, description, plant }): Flaw => ({
      ...{ name, description },
      count: (plan, forest) => (chosenIn(plan, forest).includes(name) ? 1 : 0),
      plant: (site) => plant(site, audienceOf(site.plan, site.draw(0))),
    }),
  ),
  ...[FOREIGN_MEMBERS, DEFAULT_GROUP_IN_SHARE],
];
