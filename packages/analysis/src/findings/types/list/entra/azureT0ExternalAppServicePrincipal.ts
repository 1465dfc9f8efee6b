import { objectIdOf } from '@clew/graph';
import { environments } from '../../../environments.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { applicationOwnership } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Tenants that own the platform's own applications. */
const PLATFORM_TENANTS: ReadonlySet<string> = new Set([
  'F8CDEF31-A31E-4B4A-93E4-5F571E91255A',
  '72F988BF-86F1-41AF-91AB-2D7CD011DB47',
]);

export const azureT0ExternalAppServicePrincipal = {
  kind: 'list',
  id: 'AzureT0ExternalAppServicePrincipal',
  title: 'Foreign Application With Tier Zero Privileges',
  ...classed({ platform: 'azure', category: 'EN', scope: 'tier-zero', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: applicationOwnership,
  remedy: {
    risk: 'The other organization holds the credentials of the application, and therefore its privileges in your tenant.',
    fix: 'Remove the privileges of the application or delete its service principal, unless you trust its publisher with your tenant.',
    care: "The publisher's service stops working; agree on narrower permissions with the publisher.",
  },
  what: 'A service principal of an application that belongs to another organization is in Tier Zero.',
  needs: ['appownerorganizationid'],
  find: (facts) =>
    facts
      .of('AZServicePrincipal')
      .and(facts.tierZero)
      .filter((node) => isForeignApp(facts, node)),
} as const satisfies ListFindingType;

function isForeignApp(facts: FindingFacts, node: number): boolean {
  const owner = facts.text('appownerorganizationid', node).toUpperCase();
  if (owner === '' || PLATFORM_TENANTS.has(owner)) return false;
  const { of, nodes } = facts.context.use(environments);
  const tenant = nodes[of[node]];
  return tenant !== undefined && owner !== objectIdOf(facts.context.graph, tenant);
}
