/**
 * Names objects of a known domain that no file describes, such as unresolved members of groups: the name shows their
 * domain. Local groups and accounts belong to a host, even if that was not collected. Rule:
 * `docs/rules.md#domains-and-forests`.
 */
import { NodeKind } from '@clew/model';
import type pg from 'pg';

/**
 * Such a name is provisional, like hints of a file: a later description replaces it. It is written once; if the domain is renamed, its
 * stubs keep theirs.
 * @param client in a transaction that holds the lock of the facts
 */
export async function nameStubs(client: pg.ClientBase): Promise<void> {
  await client.query(NAME_SCOPED_ROLES);
  await client.query(NAME_WELL_KNOWN);
  await client.query(NAME_WELL_KNOWN_OF_DOMAIN);
  await client.query(NAME_STUBS);
  await client.query(NAME_LOCAL);
}

/** Names of well-known principals of Windows (MS-DTYP 2.4.2.4), by their SIDs. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  'S-1-0-0': 'NOBODY',
  'S-1-1-0': 'EVERYONE',
  'S-1-2-0': 'LOCAL',
  'S-1-2-1': 'CONSOLE LOGON',
  'S-1-3-0': 'CREATOR OWNER',
  'S-1-3-1': 'CREATOR GROUP',
  'S-1-3-4': 'OWNER RIGHTS',
  'S-1-5-1': 'DIALUP',
  'S-1-5-2': 'NETWORK',
  'S-1-5-3': 'BATCH',
  'S-1-5-4': 'INTERACTIVE',
  'S-1-5-6': 'SERVICE',
  'S-1-5-7': 'ANONYMOUS LOGON',
  'S-1-5-8': 'PROXY',
  'S-1-5-9': 'ENTERPRISE DOMAIN CONTROLLERS',
  'S-1-5-10': 'PRINCIPAL SELF',
  'S-1-5-11': 'AUTHENTICATED USERS',
  'S-1-5-12': 'RESTRICTED CODE',
  'S-1-5-13': 'TERMINAL SERVER USER',
  'S-1-5-14': 'REMOTE INTERACTIVE LOGON',
  'S-1-5-15': 'THIS ORGANIZATION',
  'S-1-5-17': 'IUSR',
  'S-1-5-18': 'LOCAL SYSTEM',
  'S-1-5-19': 'LOCAL SERVICE',
  'S-1-5-20': 'NETWORK SERVICE',
  'S-1-5-32-544': 'ADMINISTRATORS',
  'S-1-5-32-545': 'USERS',
  'S-1-5-32-546': 'GUESTS',
  'S-1-5-32-547': 'POWER USERS',
  'S-1-5-32-548': 'ACCOUNT OPERATORS',
  'S-1-5-32-549': 'SERVER OPERATORS',
  'S-1-5-32-550': 'PRINT OPERATORS',
  'S-1-5-32-551': 'BACKUP OPERATORS',
  'S-1-5-32-552': 'REPLICATOR',
  'S-1-5-32-554': 'PRE-WINDOWS 2000 COMPATIBLE ACCESS',
  'S-1-5-32-555': 'REMOTE DESKTOP USERS',
  'S-1-5-32-556': 'NETWORK CONFIGURATION OPERATORS',
  'S-1-5-32-557': 'INCOMING FOREST TRUST BUILDERS',
  'S-1-5-32-558': 'PERFORMANCE MONITOR USERS',
  'S-1-5-32-559': 'PERFORMANCE LOG USERS',
  'S-1-5-32-560': 'WINDOWS AUTHORIZATION ACCESS GROUP',
  'S-1-5-32-561': 'TERMINAL SERVER LICENSE SERVERS',
  'S-1-5-32-562': 'DISTRIBUTED COM USERS',
  'S-1-5-32-568': 'IIS_IUSRS',
  'S-1-5-32-569': 'CRYPTOGRAPHIC OPERATORS',
  'S-1-5-32-573': 'EVENT LOG READERS',
  'S-1-5-32-574': 'CERTIFICATE SERVICE DCOM ACCESS',
  'S-1-5-32-575': 'RDS REMOTE ACCESS SERVERS',
  'S-1-5-32-576': 'RDS ENDPOINT SERVERS',
  'S-1-5-32-577': 'RDS MANAGEMENT SERVERS',
  'S-1-5-32-578': 'HYPER-V ADMINISTRATORS',
  'S-1-5-32-579': 'ACCESS CONTROL ASSISTANCE OPERATORS',
  'S-1-5-32-580': 'REMOTE MANAGEMENT USERS',
  'S-1-5-32-582': 'STORAGE REPLICA ADMINISTRATORS',
  'S-1-5-64-10': 'NTLM AUTHENTICATION',
  'S-1-5-64-14': 'SCHANNEL AUTHENTICATION',
  'S-1-5-64-21': 'DIGEST AUTHENTICATION',
  'S-1-5-80-0': 'ALL SERVICES',
  'S-1-5-1000': 'OTHER ORGANIZATION',
};

/** Names of the accounts and groups of every domain, by their relative ids (MS-DTYP 2.4.2.4). */
const OF_DOMAIN: Readonly<Record<string, string>> = {
  '500': 'ADMINISTRATOR',
  '501': 'GUEST',
  '502': 'KRBTGT',
  '512': 'DOMAIN ADMINS',
  '513': 'DOMAIN USERS',
  '514': 'DOMAIN GUESTS',
  '515': 'DOMAIN COMPUTERS',
  '516': 'DOMAIN CONTROLLERS',
  '517': 'CERT PUBLISHERS',
  '518': 'SCHEMA ADMINS',
  '519': 'ENTERPRISE ADMINS',
  '520': 'GROUP POLICY CREATOR OWNERS',
  '521': 'READ-ONLY DOMAIN CONTROLLERS',
  '522': 'CLONEABLE DOMAIN CONTROLLERS',
  '525': 'PROTECTED USERS',
  '526': 'KEY ADMINS',
  '527': 'ENTERPRISE KEY ADMINS',
  '553': 'RAS AND IAS SERVERS',
};

const UNNAMED = `
unnamed as (
  select id from node
  where name is null and not described and not derived and deleted_at is null
  for update skip locked
)`;

/** Roles for a part of a tenant are created from their assignments, which name neither. */
const NAME_SCOPED_ROLES = `
with ${UNNAMED}, scoped as (
  select unnamed.id, node.properties ->> 'tenantid' as tenant_id,
         upper(node.properties ->> 'scopedtemplateid') as template, node.properties ->> 'scopedto' as part
  from unnamed join node using (id)
  where node.kinds && array[${NodeKind.AZRole}]::smallint[] and node.properties ? 'scopedtemplateid'
)
update node
set properties = node.properties || jsonb_build_object('name', upper(
      coalesce(role.properties ->> 'displayname', scoped.template) || ' for '
        || coalesce(part_node.properties ->> 'displayname', scoped.part)))
from scoped
left join object_id role_id on role_id.object_id = scoped.template || '@' || scoped.tenant_id
left join node role on role.id = role_id.id and role.deleted_at is null
left join object_id part_id on part_id.object_id = scoped.part
left join node part_node on part_node.id = part_id.id and part_node.deleted_at is null
where node.id = scoped.id`;

/** Collectors write the name of the domain before such a SID; without that, the domain is unknown. */
const NAME_WELL_KNOWN = `
with ${UNNAMED}, parts as (
  select unnamed.id, substring(own.object_id from '^(.+)-S-1-[0-9-]+$') as domain_name,
         substring(own.object_id from '(S-1-[0-9-]+)$') as sid
  from unnamed join object_id own on own.id = unnamed.id
  where own.object_id ~ '(^|-)S-1-[0-9]+(-[0-9]+)+$'
), named as (
  select parts.id, '${JSON.stringify(WELL_KNOWN)}'::jsonb ->> sid || coalesce('@' || domain_name, '') as name,
         domain_key.object_id as domain_sid, domain.id as domain_id
  from parts
  left join node domain on domain.name = domain_name and domain.deleted_at is null
    and domain.kinds && array[${NodeKind.Domain}]::smallint[]
  left join object_id domain_key on domain_key.id = domain.id
)
update node
set properties = node.properties || jsonb_build_object('name', named.name)
      || case when domain_sid is null then '{}' else jsonb_build_object('domainsid', domain_sid) end,
    environment_id = coalesce(node.environment_id, domain_id)
from named
where named.id = node.id and named.name is not null`;

const NAME_WELL_KNOWN_OF_DOMAIN = `
with ${UNNAMED}
update node
set properties = node.properties || jsonb_build_object(
      'name', '${JSON.stringify(OF_DOMAIN)}'::jsonb ->> substring(own.object_id from '[0-9]+$') || '@' || domain.name,
      'domainsid', domain_id.object_id),
    environment_id = coalesce(node.environment_id, domain.id)
from unnamed, object_id own, node domain, object_id domain_id
where node.id = unnamed.id and own.id = node.id
  and '${JSON.stringify(OF_DOMAIN)}'::jsonb ? substring(own.object_id from '[0-9]+$')
  and domain_id.object_id = regexp_replace(own.object_id, '-[0-9]+$', '') and domain_id.object_id <> own.object_id
  and domain.id = domain_id.id
  and domain.kinds && array[${NodeKind.Domain}]::smallint[] and domain.deleted_at is null and domain.name <> ''`;

/** Skips rows that a job is writing, because this build must not wait for the job; the next build names them. */
const NAME_STUBS = `
with ${UNNAMED}
update node
set properties = node.properties || jsonb_build_object('name', '(' || domain.name || ') ' || own.object_id, 'domainsid', domain_id.object_id),
    environment_id = coalesce(node.environment_id, domain.id)
from unnamed, object_id own, node domain, object_id domain_id
where node.id = unnamed.id and own.id = node.id
  and domain_id.object_id = regexp_replace(own.object_id, '-[0-9]+$', '') and domain_id.object_id <> own.object_id
  and domain.id = domain_id.id
  and domain.kinds && array[${NodeKind.Domain}]::smallint[] and domain.deleted_at is null and domain.name <> ''`;

/** Names that Windows gives to groups of hosts, by the last part of their ids. */
const LOCAL_NAMES: Readonly<Record<string, string>> = {
  '500': 'ADMINISTRATOR',
  '544': 'ADMINISTRATORS',
  '555': 'REMOTE DESKTOP USERS',
  '562': 'DISTRIBUTED COM USERS',
  '580': 'REMOTE MANAGEMENT USERS',
};

/** Their ids have one more part than that of the host. A host without a name is named like other stubs. */
const NAME_LOCAL = `
with ${UNNAMED}, parts as (
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
