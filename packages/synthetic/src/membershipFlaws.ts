/**
 * Flaws of shape 3 only that give undue rights to single groups and accounts: members of administrative groups, entries on AdminSDHolder
 * and units, sessions, SID history. `settingFlaws.ts` has flaws that are values of one object.
 */
import { type Flaw, give, type Site } from './flaw.ts';
import type { TargetKind } from './places.ts';
import {
  type Block,
  blockId,
  blockPrincipal,
  type DomainPlan,
  objectGuid,
  relativeId,
  roleGroup,
  SYNCHRONIZATION_HOST,
  specialAccount,
  wellKnownGroup,
} from './plan.ts';
import { policyId } from './policies.ts';
import { guidOf, pick } from './random.ts';
import { principal } from './records.ts';

type Count = Flaw['count'];

const inShape3 =
  (count: (plan: DomainPlan) => number): Count =>
  (plan) =>
    plan.shape === 3 ? count(plan) : 0;
const once = inShape3(() => 1);
const every = (block: Block, one: number): Count => inShape3((plan) => Math.ceil(plan.counts[block] / one));

const ADMINSDHOLDER = 'SYSTEM/ADMINSDHOLDER';
const localGroup = ({ plan }: Site, rid: number): string => `${plan.name}-S-1-5-32-${rid}`;
const logOn = ({ overlay }: Site, host: string, account: string): void => {
  overlay.change(host).sessions.push(account);
};

export const MEMBERSHIP_FLAWS: readonly Flaw[] = [
  {
    name: 'service-account-among-administrators',
    crosses: 'tiers',
    description: 'A service account is a member of a privileged group',
    count: once,
    plant: (site) => {
      const groups = [relativeId(site.plan, 512), ...[544, 549, 551].map((rid) => localGroup(site, rid))];
      site.overlay.change(pick(groups, site.draw(0))).members.push(site.some('serviceAccount', 1));
    },
  },
  {
    name: 'team-among-server-administrators',
    crosses: 'tiers',
    description: 'A team is among the administrators of Tier 0 servers',
    count: once,
    plant: (site) => {
      const { ObjectIdentifier } = roleGroup(site.plan, 'T0_SERVER_ADMINS');
      site.overlay.change(ObjectIdentifier).members.push(site.some('team', 0));
    },
  },
  {
    name: 'synchronization-administered-by-tier1',
    crosses: 'tiers',
    description: 'Tier 1 or a helpdesk administers the server of the directory synchronization',
    count: inShape3((plan) => (plan.infrastructure.includes(SYNCHRONIZATION_HOST) ? 1 : 0)),
    plant: (site) => {
      const server = blockId(
        site.plan,
        'infrastructure',
        site.plan.infrastructure.indexOf(SYNCHRONIZATION_HOST),
      );
      const holder =
        site.draw(0) < 0.5 ? roleGroup(site.plan, 'T1_SERVER_ADMINS') : site.some('siteHelpdesk', 1);
      site.overlay.change(server).localAdministrators.push(holder);
    },
  },
  {
    name: 'tool-controls-adminsdholder',
    crosses: 'tiers',
    description: 'An entry on AdminSDHolder gives a tool or a helpdesk every protected account',
    count: once,
    plant: (site) => {
      const holder = site.draw(0) < 0.6 ? specialAccount(site.plan, 'SVC_IDM') : site.some('siteHelpdesk', 1);
      const right = pick(['GenericAll', 'WriteDacl', 'GenericWrite'], site.draw(2));
      give(site, holder, right, objectGuid(site.plan, ADMINSDHOLDER));
    },
  },
  {
    name: 'exchange-writes-adminsdholder',
    crosses: 'tiers',
    description: 'Exchange Windows Permissions may change the access list of AdminSDHolder',
    count: inShape3((plan) => (plan.isForestRoot ? 1 : 0)),
    plant: (site) => {
      const holder = roleGroup(site.plan, 'EXCHANGE WINDOWS PERMISSIONS');
      give(site, holder, 'WriteDacl', objectGuid(site.plan, ADMINSDHOLDER));
    },
  },
  {
    name: 'key-admins-control-domain',
    description:
      'Key Admins have full control of the domain, as the preparation for 2016 once gave them by mistake',
    count: inShape3((plan) => (plan.hasKeyAdmins ? 1 : 0)),
    plant: (site) => {
      for (const rid of site.plan.isForestRoot ? [526, 527] : [526])
        give(site, wellKnownGroup(site.plan, rid), 'GenericAll', site.plan.sid);
      if (site.draw(0) < 0.5)
        site.overlay.change(relativeId(site.plan, 526)).members.push(site.some('tier1Admin', 1));
    },
  },
  {
    name: 'sid-history-of-own-domain',
    crosses: 'tiers',
    description:
      'An account has the SID of a group of its own domain in its SID history, which no migration creates',
    count: once,
    plant: (site) => {
      const origin = site.draw(0) < 0.5 ? wellKnownGroup(site.plan, 520) : site.some('applicationGroup', 1);
      site.overlay.change(site.some('person', 2).ObjectIdentifier).sidHistory.push(origin);
    },
  },
  {
    name: 'sid-history-of-unknown-domain',
    description: 'An account carries a SID of a domain that was not collected',
    count: every('person', 400),
    plant: (site) => {
      const parts = [1, 2, 3].map((part) =>
        Number.parseInt(guidOf(`${site.plan.seed}/${site.plan.name}/gone/${part}`).slice(0, 8), 16),
      );
      const origin = principal(
        'Base',
        `S-1-5-21-${parts.join('-')}-${1105 + Math.floor(9000 * site.draw(0))}`,
      );
      site.overlay.change(site.some('person', 1).ObjectIdentifier).sidHistory.push(origin);
    },
  },
  {
    name: 'team-controls-unit-of-tier0',
    crosses: 'tiers',
    description: 'A team or a helpdesk controls a unit of Tier 0, in which groups, accounts or servers are',
    count: once,
    plant: (site) => {
      const unit = pick(['TIER0/GROUPS', 'TIER0/ACCOUNTS', 'TIER0/SERVERS'], site.draw(0));
      const right = pick(['GenericAll', 'WriteDacl', 'WriteGPLink', 'GenericWrite'], site.draw(1));
      const holder = site.some(site.draw(2) < 0.5 ? 'team' : 'siteHelpdesk', 3);
      give(site, holder, right, objectGuid(site.plan, unit));
    },
  },
  {
    name: 'editors-write-linked-policy',
    crosses: 'tiers',
    description: 'Editors of policies may change one that is linked to the domain or to Tier 0',
    count: once,
    plant: (site) => {
      const policies = ['DEFAULT DOMAIN POLICY', 'SECURITY BASELINE', 'TIER 0 BASELINE'];
      const policy = policyId(site.plan, pick(policies, site.draw(0)));
      give(site, roleGroup(site.plan, 'GPO_EDITORS'), 'GenericWrite', policy);
    },
  },
  {
    name: 'delegated-at-the-root',
    crosses: 'tiers',
    description:
      'A tool or a help desk has rights at the root of the domain, but needs them in only one organizational unit',
    count: once,
    plant: (site) => {
      const holder = site.draw(0) < 0.5 ? specialAccount(site.plan, 'SVC_IDM') : site.some('siteHelpdesk', 1);
      const rows: readonly (readonly [right: string, targets: readonly TargetKind[]])[] = [
        ['ForceChangePassword', ['User']],
        ['GenericAll', ['User']],
        ['AddMember', ['Group']],
        ['GenericWrite', ['Computer', 'ComputerWithLaps']],
      ];
      const [right, targets] = pick(rows, site.draw(2));
      site.overlay.change(site.plan.sid).delegations.push({ holder, right, targets });
    },
  },
  {
    name: 'tier0-logon-on-terminal-server',
    crosses: 'tiers',
    description: 'A Tier 0 administrator is logged on to a terminal server where many people work',
    count: every('terminalServer', 4),
    plant: (site) =>
      logOn(
        site,
        site.some('terminalServer', 0).ObjectIdentifier,
        site.some('tier0Admin', 1).ObjectIdentifier,
      ),
  },
  {
    name: 'tier0-logon-on-workstation',
    crosses: 'tiers',
    description: 'A Tier 0 administrator is logged on to a workstation',
    count: every('workstation', 1000),
    plant: (site) =>
      logOn(site, site.some('workstation', 0).ObjectIdentifier, site.some('tier0Admin', 1).ObjectIdentifier),
  },
  {
    name: 'password-replication-allowed',
    description: 'Read-only controllers may keep passwords of administrators or of a department',
    count: once,
    plant: (site) => {
      const member =
        site.draw(0) < 0.5 ? roleGroup(site.plan, 'T1_SERVER_ADMINS') : site.some('department', 1);
      site.overlay.change(relativeId(site.plan, 571)).members.push(member);
    },
  },
  {
    name: 'remote-launch-groups-in-use',
    description:
      'A service or a helpdesk account is in Distributed COM Users or Performance Log Users of the domain',
    count: once,
    plant: (site) => {
      const member = site.some(site.draw(0) < 0.7 ? 'serviceAccount' : 'helpdeskAdmin', 1);
      site.overlay.change(localGroup(site, site.draw(2) < 0.5 ? 562 : 559)).members.push(member);
    },
  },
  {
    name: 'department-administers-hosts',
    crosses: 'wide',
    description: 'A department administers a few servers of Tier 1, as other departments do not',
    count: every('server', 60),
    plant: (site) => {
      const department = site.some('department', 0);
      for (const question of [1, 2, 3])
        site.overlay
          .change(site.some('server', question).ObjectIdentifier)
          .localAdministrators.push(department);
    },
  },
  {
    name: 'person-runs-application',
    description: 'A person administers the application with the everyday account',
    count: every('applicationGroup', 60),
    plant: (site) => {
      const application = Math.floor((site.plan.counts.applicationGroup / 3) * site.draw(0));
      const group = blockPrincipal(site.plan, 'applicationGroup', application * 3);
      site.overlay.change(group.ObjectIdentifier).members.push(site.some('person', 1));
    },
  },
];
