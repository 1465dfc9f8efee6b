/**
 * Flaws that accumulate in a forest over the years: the differences between a clean and a real directory, and the reason why paths from
 * ordinary people to Tier Zero exist. One row per flaw; `count` is the number of its occurrences in a domain of a given size, so larger
 * forests have more flaws, but not a higher share.
 */

import { type Flaw, give } from './flaw.ts';
import { authorityRightsId, templateId } from './pki.ts';
import {
  type Block,
  blockId,
  blockPrincipal,
  type DomainPlan,
  type ForestPlan,
  objectGuid,
  prefixedGroup,
  relativeId,
  roleGroup,
  specialAccount,
  wellKnownGroup,
} from './plan.ts';
import { policyId } from './policies.ts';
import { below, pick } from './random.ts';
import type { Authority } from './traits.ts';

const every = (block: Block, one: number) => (plan: DomainPlan) => Math.ceil(plan.counts[block] / one);
const onceIn = (ordinal: number) => (plan: DomainPlan, forest: ForestPlan) =>
  forest.domains[ordinal] === plan ? 1 : 0;
const hasAuthority = ({ isForestRoot, traits }: DomainPlan): boolean =>
  isForestRoot && traits.authorities.length > 0;
/** Shape 1 keeps the flaws it had. */
const sinceShape2 = (block: Block, one: number) => (plan: DomainPlan) =>
  plan.shape === 1 ? 0 : Math.ceil(plan.counts[block] / one);
const ROOT = 0;
const CHILD = 1;

/** @returns a domain of another forest, if any */
const otherForest = (plan: DomainPlan, forest: ForestPlan): DomainPlan | undefined =>
  forest.domains.find(({ forestName }) => forestName !== plan.forestName);

export const NARROW_FLAWS: readonly Flaw[] = [
  {
    name: 'team-controls-helpdesk',
    description: 'A team keeps full control of the helpdesk group of its site',
    count: every('siteHelpdesk', 3),
    plant: (site, index) => {
      const desk = Math.min(index * 3, site.plan.sites - 1);
      const team = index === 0 ? blockPrincipal(site.plan, 'team', 0) : site.some('team', 0);
      give(site, team, 'GenericAll', blockId(site.plan, 'siteHelpdesk', desk));
    },
  },
  {
    name: 'helpdesk-resets-administrator',
    description: 'A helpdesk may reset the password of a Tier 1 administrator',
    count: every('siteHelpdesk', 6),
    plant: (site, index) => {
      const desk = blockPrincipal(site.plan, 'siteHelpdesk', Math.min(index * 6, site.plan.sites - 1));
      const target = index === 0 ? blockPrincipal(site.plan, 'tier1Admin', 0) : site.some('tier1Admin', 0);
      give(site, desk, 'ForceChangePassword', target.ObjectIdentifier);
    },
  },
  {
    name: 'tier0-logon-on-server',
    crosses: 'tiers',
    description: 'A Tier 0 administrator is logged on to an application server',
    count: every('server', 150),
    plant: (site, index) => {
      const server = index === 0 ? blockPrincipal(site.plan, 'server', 0) : site.some('server', 0);
      site.overlay.change(server.ObjectIdentifier).sessions.push(site.some('tier0Admin', 1).ObjectIdentifier);
    },
  },
  {
    name: 'tier1-logon-on-workstation',
    description: 'A Tier 1 administrator is logged on to a workstation',
    count: every('workstation', 500),
    plant: (site) => {
      const changes = site.overlay.change(site.some('workstation', 0).ObjectIdentifier);
      changes.sessions.push(site.some('tier1Admin', 1).ObjectIdentifier);
    },
  },
  {
    name: 'everyone-administers-server',
    crosses: 'wide',
    description: 'Domain Users are local administrators of a server',
    count: (plan) => (plan.hasKeyAdmins ? Math.ceil(plan.counts.server / 100) : 0),
    plant: (site) => {
      const changes = site.overlay.change(site.some('server', 0).ObjectIdentifier);
      changes.localAdministrators.push(wellKnownGroup(site.plan, 513));
    },
  },
  {
    name: 'department-administers-application',
    crosses: 'wide',
    description: 'A whole department administers the application it works with',
    count: every('applicationGroup', 120),
    plant: (site) => {
      const application = below(site.plan.counts.applicationGroup / 3, site.draw(0));
      const changes = site.overlay.change(blockId(site.plan, 'applicationGroup', application * 3));
      changes.members.push(site.some('department', 1));
    },
  },
  {
    name: 'person-controls-group',
    description: 'A person holds a forgotten right over a group of a share or application',
    count: (plan) => Math.ceil((plan.counts.shareGroup + plan.counts.applicationGroup) / 250),
    plant: (site) => {
      const target = site.draw(0) < 0.6 ? site.some('shareGroup', 1) : site.some('applicationGroup', 1);
      const rights = ['GenericAll', 'GenericWrite', 'WriteDacl', 'WriteOwner', 'AddMember', 'AddSelf'];
      give(site, site.some('person', 2), pick(rights, site.draw(3)), target.ObjectIdentifier);
    },
  },
  {
    name: 'person-controls-person',
    description: 'A person holds a forgotten right over the account of another',
    count: every('person', 300),
    plant: (site) => {
      const rights = [
        ...['GenericAll', 'GenericWrite', 'ForceChangePassword', 'WriteSPN', 'AddKeyCredentialLink'],
        ...['AllExtendedRights', 'WriteDacl', 'WriteAltSecurityIdentities', 'WritePublicInformation'],
      ];
      give(site, site.some('person', 0), pick(rights, site.draw(1)), site.some('person', 2).ObjectIdentifier);
    },
  },
  {
    name: 'computer-owned-by-installer',
    description: 'A workstation belongs to the user who joined it to the domain',
    count: every('workstation', 25),
    plant: (site) => {
      const owner =
        site.draw(0) < 0.5 ? specialAccount(site.plan, 'SVC_JOIN') : site.some('helpdeskAdmin', 1);
      give(site, owner, 'Owns', site.some('workstation', 2).ObjectIdentifier);
    },
  },
  {
    name: 'owner-rights-on-server',
    description:
      "An OWNER RIGHTS entry limits the rights of a server's owner, but grants some rights that can be misused",
    count: every('server', 60),
    plant: (site) => {
      const { ObjectIdentifier } = site.some('server', 0);
      give(site, prefixedGroup(site.plan, 'S-1-3-4'), 'GenericWrite', ObjectIdentifier);
      site.overlay.change(ObjectIdentifier).properties.doesanyacegrantownerrights = true;
    },
  },
  {
    name: 'unconstrained-delegation',
    crosses: 'tiers',
    description: 'A server is trusted for unconstrained delegation',
    count: (plan) => (plan.hasKeyAdmins ? 0 : Math.ceil(plan.counts.server / 300)),
    plant: (site) => {
      site.overlay.change(site.some('server', 0).ObjectIdentifier).properties.unconstraineddelegation = true;
    },
  },
  {
    name: 'constrained-delegation',
    crosses: 'tiers',
    description:
      'A service account may act for others toward a server, in the child domain toward a controller',
    count: every('server', 60),
    plant: (site, index) => {
      const isWorst = index === 0 && !site.plan.isForestRoot;
      const target = isWorst ? blockPrincipal(site.plan, 'domainController', 0) : site.some('server', 0);
      const changes = site.overlay.change(site.some('serviceAccount', 1).ObjectIdentifier);
      changes.allowedToDelegate.push(target);
      changes.properties.allowedtodelegate = ['cifs/delegation-target'];
      changes.properties.trustedtoauth = site.draw(2) < 0.3;
    },
  },
  {
    name: 'resource-based-delegation',
    description: 'A server lets another machine act for its users',
    count: every('server', 120),
    plant: (site) => {
      const changes = site.overlay.change(site.some('server', 0).ObjectIdentifier);
      changes.allowedToAct.push(site.some('server', 1));
    },
  },
  {
    name: 'join-account-writes-delegation',
    description: 'The account that joins machines may set their delegation',
    count: every('workstation', 40),
    plant: (site) => {
      const right = site.draw(0) < 0.5 ? 'WriteAccountRestrictions' : 'AddAllowedToAct';
      give(site, specialAccount(site.plan, 'SVC_JOIN'), right, site.some('workstation', 1).ObjectIdentifier);
    },
  },
  {
    name: 'service-account-in-domain-admins',
    crosses: 'tiers',
    description: 'A service account is a member of Domain Admins',
    count: onceIn(CHILD),
    plant: (site) => {
      site.overlay
        .change(relativeId(site.plan, 512))
        .members.push(blockPrincipal(site.plan, 'serviceAccount', 0));
    },
  },
  {
    name: 'exchange-writes-domain',
    crosses: 'tiers',
    description: 'Exchange Windows Permissions may change the access list of the domain',
    count: onceIn(ROOT),
    plant: (site) =>
      give(site, roleGroup(site.plan, 'EXCHANGE WINDOWS PERMISSIONS'), 'WriteDacl', site.plan.sid),
  },
  {
    name: 'synchronization-replicates-domain',
    description: 'The synchronization account may replicate every secret of the domain',
    // In shape 3, the account of the root needs this right; the account of a child is a leftover.
    count: (plan, forest) => onceIn(plan.shape === 3 ? CHILD : ROOT)(plan, forest),
    plant: (site) => {
      const account = specialAccount(site.plan, 'SVC_SYNC');
      for (const right of ['GetChanges', 'GetChangesAll']) give(site, account, right, site.plan.sid);
    },
  },
  {
    name: 'editors-write-domain-policy',
    crosses: 'tiers',
    description: 'Tier 1 may edit a group policy that is linked to the domain',
    count: onceIn(CHILD),
    plant: (site) => {
      give(
        site,
        roleGroup(site.plan, 'GPO_EDITORS'),
        'GenericWrite',
        policyId(site.plan, 'SECURITY BASELINE'),
      );
    },
  },
  {
    name: 'entry-on-adminsdholder',
    crosses: 'tiers',
    description: 'An entry on AdminSDHolder reaches every protected account',
    count: onceIn(CHILD),
    plant: (site) => {
      const holder = objectGuid(site.plan, 'SYSTEM/ADMINSDHOLDER');
      give(site, roleGroup(site.plan, 'T1_VIRTUALISATION'), 'GenericAll', holder);
    },
  },
  {
    name: 'template-writable',
    crosses: 'tiers',
    description: 'Workstation administrators may change a published certificate template',
    count: (plan) => (hasAuthority(plan) ? 1 : 0),
    plant: (site) => {
      give(
        site,
        roleGroup(site.plan, 'T2_WORKSTATION_ADMINS'),
        'GenericWrite',
        templateId(site.plan, 'WIRELESS'),
      );
    },
  },
  {
    name: 'authority-managed-by-tier1',
    crosses: 'tiers',
    description: 'Tier 1 manages the certification authority',
    count: (plan, forest) => (hasAuthority(plan) ? onceIn(ROOT)(plan, forest) : 0),
    plant: (site) => {
      const [authority] = site.plan.traits.authorities as [Authority, ...Authority[]];
      give(
        site,
        roleGroup(site.plan, 'T1_SERVER_ADMINS'),
        'ManageCA',
        authorityRightsId(site.plan, authority),
      );
    },
  },
  {
    name: 'sid-history',
    crosses: 'tiers',
    description: 'A migrated account still carries the SID of its predecessor, one of them a privileged one',
    count: (plan) =>
      plan.name === plan.forestName && !plan.hasKeyAdmins ? 0 : Math.ceil(plan.counts.person / 300),
    plant: (site, index) => {
      const root = site.forest.domains[ROOT] as DomainPlan;
      const origin =
        index === 0
          ? wellKnownGroup(root, 520)
          : blockPrincipal(root, 'person', below(root.counts.person, site.draw(0)));
      site.overlay.change(site.some('person', 1).ObjectIdentifier).sidHistory.push(origin);
    },
  },
  {
    name: 'foreign-administrators',
    description: 'Administrators of the trusted forest run an application of this one',
    count: (plan, forest) =>
      plan.hasKeyAdmins || otherForest(plan, forest) === undefined
        ? 0
        : Math.ceil(plan.counts.applicationGroup / 90),
    plant: (site) => {
      const other = otherForest(site.plan, site.forest) as DomainPlan;
      const group = below(site.plan.counts.applicationGroup / 3, site.draw(0)) * 3;
      const foreigner = blockPrincipal(other, 'tier1Admin', below(other.counts.tier1Admin, site.draw(1)));
      site.overlay.change(blockId(site.plan, 'applicationGroup', group)).members.push(foreigner);
    },
  },
  {
    name: 'operators-in-use',
    crosses: 'tiers',
    description: 'People sit in Print Operators and DnsAdmins',
    count: onceIn(CHILD),
    plant: (site) => {
      const printers = site.overlay.change(`${site.plan.name}-S-1-5-32-550`);
      printers.members.push(site.some('helpdeskAdmin', 0));
      site.overlay.change(relativeId(site.plan, 1101)).members.push(roleGroup(site.plan, 'T1_SERVER_ADMINS'));
    },
  },
  {
    name: 'helpdesk-links-policies',
    description: 'A helpdesk may link group policies to a unit it does not own',
    count: every('siteHelpdesk', 20),
    plant: (site) => {
      give(site, site.some('siteHelpdesk', 0), 'WriteGPLink', objectGuid(site.plan, 'TIER1/SERVERS'));
    },
  },
  {
    name: 'password-in-attribute',
    description: 'A password is in an attribute that everyone can read',
    count: (plan) => Math.floor(plan.counts.person / 1000),
    plant: (site) => {
      site.overlay.change(site.some('person', 0).ObjectIdentifier).properties.userpassword =
        'synthetic-password';
    },
  },
  {
    name: 'backup-logon-everywhere',
    crosses: 'tiers',
    description: 'The backup account of the domain controllers is logged on to the backup server',
    count: () => 1,
    plant: (site) => {
      const server = site.plan.infrastructure.indexOf('BKP01');
      const changes = site.overlay.change(blockId(site.plan, 'infrastructure', server));
      changes.sessions.push(specialAccount(site.plan, 'SVC_BACKUP').ObjectIdentifier);
      changes.remoteDesktopUsers.push(roleGroup(site.plan, 'T1_VIRTUALISATION'));
    },
  },
  {
    name: 'circular-membership',
    description: 'Groups are members of each other in a circle',
    count: sinceShape2('projectGroup', 400),
    plant: (site) => {
      const size = 2 + below(4, site.draw(0));
      const first = below(Math.max(1, site.plan.counts.projectGroup - size), site.draw(1));
      for (let at = 0; at < size; at++) {
        const holder = blockId(site.plan, 'projectGroup', first + at);
        const member = blockPrincipal(site.plan, 'projectGroup', first + ((at + 1) % size));
        site.overlay.change(holder).members.push(member);
      }
    },
  },
  {
    name: 'orphaned-entry',
    description: 'An access entry names an account that was deleted',
    count: sinceShape2('person', 80),
    plant: (site) => {
      const blocks = ['person', 'workstation', 'server', 'shareGroup', 'team'] as const;
      const rights = ['GenericAll', 'WriteDacl', 'GenericWrite', 'Owns', 'WriteOwner'];
      const target = site.some(pick(blocks, site.draw(0)), 1);
      give(site, site.some('departed', 2), pick(rights, site.draw(3)), target.ObjectIdentifier);
    },
  },
  {
    name: 'leaver-keeps-privilege',
    crosses: 'tiers',
    description: 'The account of someone who left is still a member of an operator group or of a Tier 1 role',
    count: sinceShape2('leftoverUser', 200),
    plant: (site, index) => {
      const group =
        index === 0
          ? `${site.plan.name}-S-1-5-32-549`
          : roleGroup(site.plan, 'T1_VIRTUALISATION').ObjectIdentifier;
      site.overlay.change(group).members.push(site.some('leftoverUser', 0));
    },
  },
  {
    name: 'administrator-on-terminal-server',
    description: 'A Tier 1 administrator is logged on to a terminal server',
    count: sinceShape2('terminalServer', 12),
    plant: (site) => {
      const changes = site.overlay.change(site.some('terminalServer', 0).ObjectIdentifier);
      changes.sessions.push(site.some('tier1Admin', 1).ObjectIdentifier);
    },
  },
];
