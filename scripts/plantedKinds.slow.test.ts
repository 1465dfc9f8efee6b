/**
 * Tests that the generator plants every kind of flaw that an expert review of plans mentioned, so that plans and findings are measured
 * against all of them. A kind is planted if organizations have more findings of its type with their flaws than without.
 */

import { findingTypesOf } from '@clew/analysis';
import { findingsOf } from '@clew/planning';
import { FLAWS } from '@clew/synthetic';
import { expect, it } from 'vitest';
import { generated } from './prove/organizations.ts';
import { readWorld } from './prove/reading.ts';

/** Each kind in the review, its type of finding, and the flaws that plant it; none if a setting of the organization does. */
const KINDS: readonly (readonly [kind: string, type: string, ...flaws: string[]])[] = [
  [
    'administrators on terminal servers and other hosts',
    'T0Logins',
    'tier0-logon-on-terminal-server',
    'tier0-logon-on-workstation',
  ],
  ['broad groups in groups of administrators', 'BroadGroupNested', 'audience-among-server-administrators'],
  [
    'broad groups that may join a group of administrators',
    'LargeDefaultGroupsAddMember',
    'audience-adds-administrators',
  ],
  [
    'departments that administer hosts of others',
    'BroadGroupInAdministrators',
    'audience-administers-server',
    'department-administers-hosts',
  ],
  ['an agent template open to many', 'TemplateAgentOpen'],
  ['a template whose requesters name themselves', 'TemplateESC1'],
  ['permissions of applications that lead to roles', 'AzureHighGraphPermission'],
  ['everyday accounts with roles that reset passwords', 'AzureT0ResetPassword'],
  ['entries on AdminSDHolder', 'T0GenericAll', 'tool-controls-adminsdholder', 'entry-on-adminsdholder'],
  ['a machine account quota', 'MachineAccountQuota'],
  ['units of Tier Zero that others control', 'T0WriteGPLink', 'team-controls-unit-of-tier0'],
  [
    'disabled computers with unconstrained delegation',
    'UnconstrainedDelegationComputers',
    'disabled-computer-delegates',
  ],
  ['leavers and services in privileged groups', 'T0DisabledUsers', 'leaver-keeps-privilege'],
  ['the list of weak Netlogon', 'DCVulnerableNetlogonAllowList'],
  [
    'Exchange on domain and AdminSDHolder',
    'ExchangeControlsDomain',
    'exchange-writes-domain',
    'exchange-writes-adminsdholder',
  ],
  ['rights of deleted accounts', 'DeletedAccountRights', 'orphaned-entry'],
  ['full control of Key Admins', 'KeyAdminsFullControl', 'key-admins-control-domain'],
  ['old passwords of computers', 'ComputerOldPassword', 'computer-password-old'],
  ['SID history of the own domain', 'SIDHistoryOwnDomain', 'sid-history-of-own-domain'],
  ['SID history of unknown domains', 'SIDHistoryUnknownDomain', 'sid-history-of-unknown-domain'],
  ['privileged accounts without adminCount', 'PrivilegedWithoutAdminCount', 'administrator-without-mark'],
  ['controllers outside their unit', 'ControllerOutsideUnit', 'controller-outside-unit'],
  ['controllers that allow weak encryption', 'ControllerWeakEncryption', 'controller-allows-weak-encryption'],
  ['managed accounts that are not rotated', 'ManagedAccountNotRotated', 'managed-account-not-rotated'],
  ['managed accounts that no one uses', 'ManagedAccountUnused', 'managed-account-unused'],
  ['computers made in advance', 'PreCreatedComputers', 'computer-made-in-advance'],
  ['remote launch groups of the domain', 'RemoteLaunchGroupsUsed', 'remote-launch-groups-in-use'],
  ['passwords that read-only controllers may keep', 'RodcAllowedGroupUsed', 'password-replication-allowed'],
  ['an incomplete denied replication group', 'RodcDeniedGroupIncomplete', 'denied-replication-incomplete'],
  ['keys of removed read-only controllers', 'RodcKrbtgtOrphaned', 'read-only-controller-key-orphaned'],
  ['service accounts that no one uses', 'ServiceAccountUnused', 'service-account-unused'],
  [
    'service accounts in privileged groups',
    'ServiceAccountPrivileged',
    'service-account-among-administrators',
  ],
  [
    'replication rights of accounts that need none',
    'NonT0DCSyncers',
    'synchronization-replicates-domain',
    'audience-replicates-domain',
  ],
  ['server certificates with a free subject', 'TemplateESC17'],
];

/** Seeds of organizations with few people that together contain each kind. */
const SEEDS = [1, 2, 4, 8, 42];

it('plants each kind somewhere, as additional findings of its type', async () => {
  const missing = new Set(KINDS.map(([, type]) => type));
  for (const seed of SEEDS) {
    const countsWith = async (flaws: 'all' | 'none'): Promise<Map<string, number>> => {
      const world = await readWorld(
        await generated({ users: 300, seed, domains: 2, shape: 3, flaws }).files(),
      );
      const types = findingTypesOf(world.context.graph);
      const counts = new Map<string, number>();
      for (const { type } of findingsOf(world).values()) {
        const id = types[type]?.id ?? '';
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    };
    const [all, none] = [await countsWith('all'), await countsWith('none')];
    for (const type of missing) if ((all.get(type) ?? 0) > (none.get(type) ?? 0)) missing.delete(type);
  }
  expect([...missing]).toEqual([]);
}, 300_000);

it('has the flaws in the table', () => {
  const names = FLAWS.map(({ name }) => name);
  for (const [kind, , ...flaws] of KINDS) for (const flaw of flaws) expect(names, kind).toContain(flaw);
});
