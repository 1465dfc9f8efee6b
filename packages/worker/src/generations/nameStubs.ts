/**
 * Names objects of a known domain that no file describes, such as unresolved members of groups: the name shows which domain they
 * belong to. Local groups and accounts are those of a host, whether that was collected or not. Rule:
 * `docs/rules.md#domains-and-forests`.
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
  await client.query(NAME_LOCAL);
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

/** Names that Windows gives to groups of hosts, by the ends of their ids. */
const LOCAL_NAMES: Readonly<Record<string, string>> = {
  '500': 'ADMINISTRATOR',
  '544': 'ADMINISTRATORS',
  '555': 'REMOTE DESKTOP USERS',
  '562': 'DISTRIBUTED COM USERS',
  '580': 'REMOTE MANAGEMENT USERS',
};

/** Ids of these have one part more than those of the host. A host that is not named is shown as other stubs are. */
const NAME_LOCAL = `
with unnamed as (
  select id from node
  where name is null and not described and not derived and deleted_at is null
  for update skip locked
), parts as (
  select unnamed.id, own.object_id, regexp_replace(own.object_id, '-[0-9]+$', '') as host_id,
    substring(own.object_id from '[0-9]+$') as relative_id
  from unnamed join object_id own on own.id = unnamed.id
  where own.object_id ~ '^S-1-5-21(-[0-9]+){5}$'
), named as (
  select parts.id,
    coalesce('${JSON.stringify(LOCAL_NAMES)}'::jsonb ->> relative_id,
      case when node.kinds && array[${NodeKind.ADLocalGroup}, ${NodeKind.Group}]::smallint[] then 'LOCAL GROUP ' else 'LOCAL ACCOUNT ' end
      || relative_id) || '@' || coalesce(nullif(host.name, ''), '(' || domain.name || ') ' || parts.host_id) as name
  from parts join node on node.id = parts.id
    left join object_id host_key on host_key.object_id = parts.host_id
    left join node host on host.id = host_key.id and host.deleted_at is null
    left join object_id domain_key on domain_key.object_id = regexp_replace(parts.host_id, '-[0-9]+$', '')
    left join node domain on domain.id = domain_key.id and domain.deleted_at is null
      and domain.kinds && array[${NodeKind.Domain}]::smallint[]
)
update node set properties = node.properties || jsonb_build_object('name', named.name)
from named
where named.id = node.id and named.name is not null`;
