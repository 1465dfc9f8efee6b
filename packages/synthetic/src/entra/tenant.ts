/** An Entra tenant as AzureHound writes it: one file, a stream of items, in constant memory. */
import type { ForestOptions } from '../plan.ts';
import { blockId } from '../plan.ts';
import type { GeneratedFile } from '../write.ts';
import { makeApplications } from './applications.ts';
import { makeDevices, makeGroups, makeUsers } from './directory.ts';
import { type AzureItem, azureItem } from './items.ts';
import { makeHierarchy, makeResources } from './resources.ts';
import { makeRoles, ROLES } from './roles.ts';
import { planTenant, TENANT_NAME, type TenantPlan } from './tenantPlan.ts';

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  readonly file: GeneratedFile;
  /** Object ids of the start of a planted path, a person in Active Directory, and of its end, a role of the tenant. */
  readonly route: { readonly from: string; readonly to: string };
}

/** @returns the tenant of the forest with the same options; objects are generated on demand */
export function generateTenant(options: ForestOptions): Tenant {
  const plan = planTenant(options);
  const stamp = new Date(plan.domain.collectedAt * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
  return {
    tenantId: plan.tenantId,
    name: plan.name,
    file: {
      name: `${stamp}_azurehound.json`,
      domain: TENANT_NAME,
      type: 'azure',
      text: (onObject) => azureText(itemsOf(plan), onObject),
    },
    route: {
      from: blockId(plan.domain, 'person', 0),
      to: `${ROLES[0][1].toUpperCase()}@${plan.tenantId}`,
    },
  };
}

function* itemsOf(plan: TenantPlan): Generator<AzureItem> {
  yield azureItem('AZTenant', {
    ...{ id: `/tenants/${plan.tenantId}`, tenantId: plan.tenantId, displayName: plan.name, collected: true },
  });
  yield* makeUsers(plan);
  yield* makeGroups(plan);
  yield* makeDevices(plan);
  yield* makeApplications(plan);
  yield* makeRoles(plan);
  yield* makeHierarchy(plan);
  yield* makeResources(plan);
}

const CHUNK_CHARACTERS = 64 * 1024;

/** `data` first, then `meta`, as the collector writes files. */
function* azureText(items: Iterable<AzureItem>, onObject: () => void): Generator<string> {
  let chunk = '{"data":[';
  let count = 0;
  for (const item of items) {
    chunk += count === 0 ? JSON.stringify(item) : `,${JSON.stringify(item)}`;
    count++;
    onObject();
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = '';
    }
  }
  yield `${chunk}],"meta":${JSON.stringify({ type: 'azure', version: 5, count })}}`;
}
