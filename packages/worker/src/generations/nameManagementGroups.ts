/**
 * Names management groups after themselves and their tenant, because collectors write only a display name, which
 * other tenants may use, too. Rule: `docs/rules.md#entra-id-and-azure`.
 */
import { NodeKind } from '@clew/model';
import type pg from 'pg';

/** @param client in a transaction that holds the lock of the facts */
export async function nameManagementGroups(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ id: number; own: string; tenant: string; name: string | null }>(
    UNNAMED,
  );
  // Not computed by the database, because its upper case depends on its locale.
  const named = rows.map(({ id, own, tenant, name }) => ({
    id,
    name: `${own}@${tenant}`.toUpperCase(),
    old: name,
  }));
  const changed = named.filter(({ name, old }) => name !== old);
  if (changed.length === 0) return;
  await client.query(
    `update node set properties = properties || jsonb_build_object('name', named.name)
     from unnest($1::integer[], $2::text[]) as named (id, name)
     where node.id = named.id`,
    [changed.map(({ id }) => id), changed.map(({ name }) => name)],
  );
}

/**
 * Groups of known tenants. Groups without a display name, and groups of tenants that were not described, stay
 * unchanged.
 */
const UNNAMED = `
select node.id, node.properties ->> 'displayname' as own, tenant.name as tenant, node.name
from node
join object_id tenant_id on tenant_id.object_id = node.properties ->> 'tenantid'
join node tenant on tenant.id = tenant_id.id
where node.kinds && array[${NodeKind.AZManagementGroup}]::smallint[] and node.deleted_at is null
  and node.properties ->> 'displayname' <> ''
  and tenant.kinds && array[${NodeKind.AZTenant}]::smallint[] and tenant.deleted_at is null and tenant.name <> ''`;
