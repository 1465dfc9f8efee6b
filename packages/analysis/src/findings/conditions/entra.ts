/** Roles, users, groups and applications of Entra ID. Shared reference `findings.md` 2.14. */
import { NodeSet, objectIdOf } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import { RoleTemplate } from '../../azure/roleTemplates.ts';
import { TENANTS } from '../../azure/tenants.ts';
import { environments } from '../environments.ts';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

const MOST_GLOBAL_ADMINISTRATORS = 8;
const LEAST_GLOBAL_ADMINISTRATORS = 2;
const LARGE_GROUP = 50;
const STALE_DAYS = 45;

/** Tenants that own the applications of the platform itself. */
const PLATFORM_TENANTS: ReadonlySet<string> = new Set([
  'F8CDEF31-A31E-4B4A-93E4-5F571E91255A',
  '72F988BF-86F1-41AF-91AB-2D7CD011DB47',
]);

/** Accounts kept for emergencies hold their role for good, on purpose; people name them so. */
const EMERGENCY_ACCOUNT = /BREAK.?GLASS|EMERGENCY/;

const GRAPH_CONTROL: readonly EdgeKindName[] = [
  'AZMGAddMember',
  'AZMGAddOwner',
  'AZMGAddSecret',
  'AZMGGrantAppRoles',
  'AZMGGrantRole',
];

export const ENTRA_CONDITIONS: ConditionGroup = {
  reads: {
    edges: ['AZHasRole', 'AZRoleEligible', 'AZMemberOf', 'AZOwns', ...GRAPH_CONTROL],
    nodeProperties: [
      'enduserassignmentrequiresmfa',
      'enduserassignmentrequiresapproval',
      'enduserassignmentrequiresjustification',
      'usertype',
      'onpremsyncenabled',
      'lastsuccessfulsignindatetime',
      'appownerorganizationid',
      'signinaudience',
      'validcredentialcount',
      'longestcredentialdays',
      'expiredcredentialcount',
      'subject',
      'isassignabletorole',
      'membershiprule',
      'ismanaged',
    ],
    shared: [TENANTS],
  },
  conditions: {
    AzureT0RoleActivationNoMFA: { find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresmfa') },
    AzureT0RoleActivationNoApproval: {
      find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresapproval'),
    },
    AzureT0RoleActivationNoJustification: {
      find: (facts) => rolesWithout(facts, 'enduserassignmentrequiresjustification'),
    },
    AzureGlobalAdminCount: {
      find: (facts) => tenantsWhere(facts, (administrators) => administrators > MOST_GLOBAL_ADMINISTRATORS),
    },
    AzureGlobalAdminSingle: {
      find: (facts) => tenantsWhere(facts, (administrators) => administrators < LEAST_GLOBAL_ADMINISTRATORS),
    },
    AzureT0PermanentAssignment: {
      // Service principals cannot activate a role: they are another finding.
      find: (facts) =>
        holdersOfTierZeroRoles(facts)
          .and(facts.of('AZUser').or(facts.of('AZGroup')))
          .filter((node) => !EMERGENCY_ACCOUNT.test(facts.name(node).toUpperCase())),
    },
    AzureT0GuestHolder: {
      find: (facts) =>
        tierZeroUsers(facts).filter((node) => facts.text('usertype', node).toLowerCase() === 'guest'),
    },
    AzureT0SyncedUser: { find: (facts) => tierZeroUsers(facts).and(facts.is('onpremsyncenabled', true)) },
    AzureT0DisabledUser: { find: (facts) => tierZeroUsers(facts).and(facts.is('enabled', false)) },
    AzureT0StaleUser: {
      find: (facts) =>
        tierZeroUsers(facts).filter((node) => {
          const last = Date.parse(facts.text('lastsuccessfulsignindatetime', node)) / 1000;
          return last < facts.now - STALE_DAYS * 86_400;
        }),
    },
    AzureT0ServicePrincipalHolder: {
      find: (facts) => holdersOfTierZeroRoles(facts).and(facts.of('AZServicePrincipal')),
    },
    AzureT0ExternalAppServicePrincipal: {
      find: (facts) =>
        facts
          .of('AZServicePrincipal')
          .and(facts.tierZero)
          .filter((node) => isForeignApp(facts, node)),
    },
    AzureT0MultiTenantApp: {
      find: (facts) =>
        tierZeroApps(facts).filter((node) => {
          const audience = facts.text('signinaudience', node);
          return audience !== '' && audience !== 'AzureADMyOrg';
        }),
    },
    AzureT0AppManySecrets: {
      find: (facts) =>
        tierZeroApps(facts).filter((node) => (facts.number('validcredentialcount', node) ?? 0) > 2),
    },
    AzureT0AppLongSecret: {
      find: (facts) =>
        tierZeroApps(facts).filter((node) => (facts.number('longestcredentialdays', node) ?? 0) > 365),
    },
    AzureAppExpiredSecrets: {
      find: (facts) =>
        facts
          .of('AZApp')
          .filter(
            (node) =>
              (facts.number('expiredcredentialcount', node) ?? 0) > 0 &&
              facts.number('validcredentialcount', node) === 0,
          ),
    },
    AzureAppFederationWildcard: {
      find: (facts) =>
        facts
          .of('AZFederatedIdentityCredential')
          .filter((node) => /\*|:pull_request\b/.test(facts.text('subject', node))),
    },
    AzureHighGraphPermission: {
      find: (facts) =>
        facts.of('AZServicePrincipal').filter((node) => !facts.edges(...GRAPH_CONTROL).endsOf(node).isEmpty),
    },
    AzureAppWithoutOwner: {
      find: (facts) => tierZeroApps(facts).filter((node) => facts.edges('AZOwns').startsOf(node).isEmpty),
    },
    AzureAppOwnedByUser: {
      find: (facts) => {
        const ordinary = facts.of('AZUser').andNot(facts.tierZero);
        return tierZeroApps(facts).filter((node) =>
          facts.edges('AZOwns').startsOf(node).intersects(ordinary),
        );
      },
    },
    AzureRoleAssignableGroupOwners: {
      find: (facts) =>
        facts
          .of('AZGroup')
          .and(facts.is('isassignabletorole', true))
          .filter((node) => !facts.edges('AZOwns').startsOf(node).isEmpty),
    },
    AzureDynamicPrivilegedGroup: {
      find: (facts) =>
        facts
          .of('AZGroup')
          .and(facts.tierZero)
          .filter((node) => facts.text('membershiprule', node) !== ''),
    },
    AzureSyncAccountPrivileges: {
      find: (facts) => {
        const synchronising = rolesByTemplate(facts, RoleTemplate.directorySynchronizationAccounts);
        const roles = facts.edges('AZHasRole');
        return roles
          .startsOfAny(synchronising)
          .filter((holder) => !roles.endsOf(holder).isSubsetOf(synchronising));
      },
    },
    AzureLargeDynamicGroupRole: {
      find: (facts) =>
        facts
          .edges('AZHasRole', 'AZRoleEligible')
          .startsOfAny(facts.of('AZRole').and(facts.tierZero))
          .and(facts.of('AZGroup'))
          .filter((group) => facts.edges('AZMemberOf').startsOf(group).size > LARGE_GROUP),
    },
    AzureDeviceNonCompliantT0: {
      find: (facts) => {
        const unmanaged = facts.of('AZDevice').and(facts.is('ismanaged', false));
        return facts.edges('AZOwns').startsOfAny(unmanaged).and(tierZeroUsers(facts));
      },
    },
  },
};

function tierZeroUsers(facts: FindingFacts): NodeSet {
  return facts.of('AZUser').and(facts.tierZero);
}

function tierZeroApps(facts: FindingFacts): NodeSet {
  return facts.of('AZApp').and(facts.tierZero);
}

function rolesWithout(facts: FindingFacts, requirement: string): NodeSet {
  return facts.of('AZRole').and(facts.tierZero).and(facts.is(requirement, false));
}

function holdersOfTierZeroRoles(facts: FindingFacts): NodeSet {
  return facts.edges('AZHasRole').startsOfAny(facts.of('AZRole').and(facts.tierZero));
}

function rolesByTemplate(facts: FindingFacts, template: string): NodeSet {
  const roles = facts.context
    .use(TENANTS)
    .flatMap(({ rolesByTemplate }) => rolesByTemplate.get(template) ?? []);
  return NodeSet.of(facts.context.graph.nodeCount, roles);
}

/** Tenants whose number of enabled global administrators, active or eligible, passes the test. */
function tenantsWhere(facts: FindingFacts, test: (administrators: number) => boolean): NodeSet {
  const tenants = facts.context.use(TENANTS).filter(({ rolesByTemplate }) => {
    const roles = rolesByTemplate.get(RoleTemplate.globalAdministrator);
    // A tenant whose roles nobody collected has no known administrators, which says nothing.
    return roles !== undefined && test(administratorsOf(facts, roles));
  });
  return NodeSet.of(
    facts.context.graph.nodeCount,
    tenants.map(({ node }) => node),
  );
}

/** Holders, and direct members of groups that hold: roles do not flow through nested groups. */
function administratorsOf(facts: FindingFacts, roles: readonly number[]): number {
  const holders = facts
    .edges('AZHasRole', 'AZRoleEligible')
    .startsOfAny(NodeSet.of(facts.context.graph.nodeCount, roles));
  const members = facts.edges('AZMemberOf').startsOfAny(holders.and(facts.of('AZGroup')));
  const accounts = facts.of('AZUser').or(facts.of('AZServicePrincipal'));
  return holders.or(members).and(accounts).andNot(facts.is('enabled', false)).size;
}

function isForeignApp(facts: FindingFacts, node: number): boolean {
  const owner = facts.text('appownerorganizationid', node).toUpperCase();
  if (owner === '' || PLATFORM_TENANTS.has(owner)) return false;
  const { of, nodes } = facts.context.use(environments);
  const tenant = nodes[of[node]];
  return tenant !== undefined && owner !== objectIdOf(facts.context.graph, tenant);
}
