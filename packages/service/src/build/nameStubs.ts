/**
 * Names objects of a known domain that no file describes, as unresolved members of groups are: what a person sees is whose
 * they are. Rule: `docs/rules.md#domains-and-forests`.
 */
import { NodeKind } from '@clew/model';
import type pg from 'pg';

/**
 * In passing, like hints of a file: a description that comes later takes its place. Written once; a domain that gets
 * another name keeps those of its stubs.
 * @param client in a transaction that holds the lock of the facts
 */
export async function nameStubs(client: pg.ClientBase): Promise<void> {
  await client.query(NAME_STUBS);
}

/** Those that a job is writing are named when the next generation is built: the build must not wait for the job. */
const NAME_STUBS = `
with unnamed as (
  select id from node
  where name is null and not described and not derived and deleted_at is null
  for update skip locked
)
update node
set properties = node.properties || jsonb_build_object('name', '(' || domain.name || ') ' || own.object_id, 'domainsid', domain_id.object_id),
    environment_id = coalesce(node.environment_id, domain.id)
from unnamed, object_id own, node domain, object_id domain_id
where node.id = unnamed.id and own.id = node.id
  and domain_id.object_id = regexp_replace(own.object_id, '-[0-9]+$', '') and domain_id.object_id <> own.object_id
  and domain.id = domain_id.id
  and domain.kinds && array[${NodeKind.Domain}]::smallint[] and domain.deleted_at is null and domain.name <> ''`;
