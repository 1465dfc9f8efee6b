/** Rights and identities of Azure resources. Shared reference `findings.md` 2.14. */
import { NodeSet } from '@clew/graph';
import type { NodeKindName } from '@clew/model';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

const MOST_OWNERS = 3;

export const RESOURCE_CONDITIONS: ConditionGroup = {
  reads: {
    edges: ['AZUserAccessAdministrator', 'AZOwner', 'AZContributor', 'AZContains', 'AZManagedIdentity'],
    nodeProperties: ['enablerbacauthorization', 'samaccountname'],
  },
  conditions: {
    AzureUserAccessAdminRoot: {
      find: (facts) => facts.edges('AZUserAccessAdministrator').startsOfAny(rootGroups(facts)),
    },
    AzureSubscriptionManyOwners: {
      find: (facts) =>
        facts.of('AZSubscription').filter((node) => facts.edges('AZOwner').startsOf(node).size > MOST_OWNERS),
    },
    AzureDirectUserAssignment: {
      find: (facts) =>
        facts.of('AZUser').filter((node) => !facts.edges('AZOwner', 'AZContributor').endsOf(node).isEmpty),
    },
    AzureKeyVaultAccessPolicies: {
      find: (facts) => facts.of('AZKeyVault').and(facts.is('enablerbacauthorization', false)),
    },
    AzureVMPrivilegedIdentity: { find: (facts) => withPrivilegedIdentity(facts, 'AZVM', 'AZVMScaleSet') },
    AzureAutomationPrivilegedIdentity: {
      find: (facts) =>
        withPrivilegedIdentity(facts, 'AZAutomationAccount', 'AZLogicApp', 'AZFunctionApp', 'AZWebApp'),
    },
    AzureDCInCloudUnprotected: {
      find: (facts) => {
        const names = new Set([...facts.controllers].flatMap((node) => hostNamesOf(facts, node)));
        return facts
          .of('AZVM')
          .andNot(facts.tierZero)
          .filter((node) => names.has(facts.name(node).toUpperCase().split(/[@.]/)[0]));
      },
    },
  },
};

/** Management groups that no other contains. */
function rootGroups(facts: FindingFacts): NodeSet {
  const groups = facts.of('AZManagementGroup');
  return groups.filter((group) => !facts.edges('AZContains').startsOf(group).intersects(groups));
}

function withPrivilegedIdentity(facts: FindingFacts, ...kinds: readonly NodeKindName[]): NodeSet {
  const privileged = facts.of('AZServicePrincipal').and(facts.tierZero);
  const resources = NodeSet.union(
    facts.context.graph.nodeCount,
    kinds.map((kind) => facts.of(kind)),
  );
  return facts.edges('AZManagedIdentity').startsOfAny(privileged).and(resources);
}

function hostNamesOf(facts: FindingFacts, node: number): string[] {
  const short = facts.name(node).toUpperCase().split('.')[0];
  const account = facts.text('samaccountname', node).toUpperCase().replace(/\$$/, '');
  return [short, account].filter((name) => name !== '');
}
