/**
 * Names domains after their objects if the domains are mentioned, but not described by a file or named by a trust. Rule:
 * `docs/rules.md#domains-and-forests`.
 */
import { addCount } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type pg from 'pg';

/**
 * Such a name is provisional, like hints of a file: a later trust or description replaces it. If the objects of a domain disagree, the most
 * frequent name is used.
 * @param client in a transaction that holds the lock of the facts
 */
export async function nameDomains(client: pg.ClientBase): Promise<void> {
  const { rows: unnamed } = await client.query<{ id: number; sid: string }>(UNNAMED);
  const named = new Map<number, string>();
  // The second query reads the complete table, because objects whose ids are GUIDs have no place in the order of ids.
  for (const objects of [OF_ITS_IDS, OF_ITS_ENVIRONMENT]) {
    const open = unnamed.filter(({ id }) => !named.has(id));
    if (open.length === 0) break;
    const ids = [open.map(({ id }) => id), open.map(({ sid }) => sid)];
    const { rows } = await client.query<Said>(said(objects), ids);
    for (const { id, name } of mostSaid(rows)) named.set(id, name);
  }
  if (named.size === 0) return;
  await client.query(
    `update node set properties = node.properties || jsonb_build_object('name', named.name, 'domainsid', object_id.object_id)
     from unnest($1::integer[], $2::text[]) as named (id, name) join object_id using (id)
     where node.id = named.id`,
    [[...named.keys()], [...named.values()]],
  );
}

interface Said {
  readonly id: number;
  readonly name: string;
  readonly objects: number;
}

/** Names are compared in upper case, which the database does not compute, because its result depends on its locale. */
function mostSaid(rows: readonly Said[]): { readonly id: number; readonly name: string }[] {
  const counts = new Map<number, Map<string, number>>();
  for (const { id, name, objects } of rows) {
    const ofDomain = counts.get(id) ?? new Map<string, number>();
    counts.set(id, ofDomain);
    const upper = name.trim().toUpperCase();
    if (upper !== '') addCount(ofDomain, upper, objects);
  }
  return [...counts].flatMap(([id, names]) => {
    const [first] = [...names].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return first === undefined ? [] : [{ id, name: first[0] }];
  });
}

/** Skips rows that a job is writing, because this build must not wait for the job; the next build names them. */
const UNNAMED = `
select node.id, object_id.object_id as sid from node join object_id using (id)
where name is null and not described and not derived and deleted_at is null
  and kinds && array[${NodeKind.Domain}]::smallint[] and object_id.object_id like 'S-1-5-21-%'
order by node.id
for update of node skip locked`;

/** Accounts and groups of the domain itself: ids of local ones have one more part. '.' follows '-' in byte order. */
const OF_ITS_IDS = `
join object_id own on own.object_id > domain.sid || '-' and own.object_id < domain.sid || '.'
  and substr(own.object_id, length(domain.sid) + 2) ~ '^[0-9]+$'
join node on node.id = own.id and coalesce(node.environment_id, domain.id) = domain.id`;

const OF_ITS_ENVIRONMENT = 'join node on node.environment_id = domain.id and node.id <> domain.id';

/** A name ends with "@" and the domain; for a user principal name, with any suffix of the forest. */
const said = (objects: string): string => `
select domain.id, given.name, count(*)::integer as objects
from unnest($1::integer[], $2::text[]) as domain (id, sid)
${objects}
cross join lateral (
  select coalesce(nullif(node.properties ->> 'domain', ''), substring(node.name from '@([^@]+)$')) as name
) given
where node.described and node.deleted_at is null and given.name <> '' and given.name <> domain.sid
group by domain.id, given.name`;
