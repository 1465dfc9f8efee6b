/**
 * The layout of an Entra tenant of a forest: the synchronized people of the root domain, and cloud-only accounts. It is computed from
 * counts alone, like the layout of the forest.
 */
import { type DomainPlan, type ForestOptions, planForest } from '../plan.ts';
import { guidOf, randomStream, type Stream } from '../random.ts';

const BLOCKS = [
  'syncedUser',
  'cloudUser',
  'guest',
  'group',
  'roleGroup',
  'device',
  'app',
  'managementGroup',
  'subscription',
  'resourceGroup',
  'keyVault',
  'virtualMachine',
  'functionApp',
  'automationAccount',
] as const;

export type TenantBlock = (typeof BLOCKS)[number];

export interface TenantPlan {
  readonly tenantId: string;
  readonly name: string;
  readonly seed: number;
  /** Root domain of the forest with which the tenant is synchronized. */
  readonly domain: DomainPlan;
  readonly counts: Readonly<Record<TenantBlock, number>>;
}

export const TENANT_NAME = 'AURORA';
export const TENANT_DOMAIN = 'aurora.example';

/** A team of twelve shares a group; a subscription has four resource groups. */
const PEOPLE_PER_GROUP = 12;
const RESOURCE_GROUPS_PER_SUBSCRIPTION = 4;

/** @throws RangeError if the number of users is not a positive integer */
export function planTenant(options: ForestOptions): TenantPlan {
  const [domain] = planForest(options).domains as [DomainPlan, ...DomainPlan[]];
  const people = domain.counts.person;
  const subscription = Math.max(2, Math.round(people / 400));
  const resourceGroup = subscription * RESOURCE_GROUPS_PER_SUBSCRIPTION;
  return {
    tenantId: guidOf(`${options.seed}/tenant`),
    name: TENANT_NAME,
    seed: options.seed,
    domain,
    counts: {
      syncedUser: people,
      cloudUser: Math.max(6, Math.round(people * 0.02)),
      guest: Math.max(2, Math.round(people * 0.03)),
      group: Math.max(3, Math.ceil(people / PEOPLE_PER_GROUP)),
      roleGroup: 4,
      device: Math.max(2, Math.round(people * 0.6)),
      app: Math.max(8, Math.round(people / 25)),
      managementGroup: 3,
      subscription,
      resourceGroup,
      keyVault: resourceGroup,
      virtualMachine: resourceGroup * 3,
      functionApp: Math.max(2, Math.round(resourceGroup / 2)),
      automationAccount: Math.max(1, Math.round(resourceGroup / 8)),
    },
  };
}

/** @returns the GUID of an object of a block, in upper case as the newest collector writes it */
export function tenantGuid(plan: TenantPlan, block: string, index: number): string {
  return guidOf(`${plan.seed}/tenant/${block}/${index}`);
}

export function tenantStream(plan: TenantPlan, name: string): Stream {
  return randomStream(plan.seed, `tenant/${name}`);
}

export const subscriptionOf = (resourceGroup: number): number =>
  Math.floor(resourceGroup / RESOURCE_GROUPS_PER_SUBSCRIPTION);

export const subscriptionId = (plan: TenantPlan, index: number): string =>
  `/SUBSCRIPTIONS/${tenantGuid(plan, 'subscription', index)}`;

export const resourceGroupId = (plan: TenantPlan, index: number): string =>
  `${subscriptionId(plan, subscriptionOf(index))}/RESOURCEGROUPS/RG-${String(index + 1).padStart(4, '0')}`;

export const managementGroupId = (index: number): string =>
  `/PROVIDERS/MICROSOFT.MANAGEMENT/MANAGEMENTGROUPS/${['ROOT', 'PLATFORM', 'LANDING-ZONES'][index]}`;
