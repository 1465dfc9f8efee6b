/**
 * Completes the nodes before a graph is built: names of domains and management groups, and groups that Windows
 * creates outside the directory, as new nodes or as a further kind of a mentioned node. All of this follows from the
 * facts.
 */
import { type KnownObject, wellKnownFacts, wellKnownIds } from '@clew/analysis';
import { collectedDomains } from '@clew/intake';
import { edgeKindByName, type NodeFact, nodeKindByName } from '@clew/model';
import { AdvisoryLock, ObjectIdDictionary } from '@clew/store';
import type pg from 'pg';
import { nameDomains } from './nameDomains.ts';
import { nameManagementGroups } from './nameManagementGroups.ts';
import { nameStubs } from './nameStubs.ts';
import type { StoreEdge } from './storeEdge.ts';

export interface CompletedNodes {
  /** Memberships and claims of the groups. */
  readonly edges: readonly StoreEdge[];
  readonly warnings: readonly string[];
}

/** @param client in no transaction */
export async function completeNodes(client: pg.ClientBase, pool: pg.Pool): Promise<CompletedNodes> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
    await nameManagementGroups(client);
    await nameDomains(client);
    await nameStubs(client);
    const domains = await collectedDomains(client);
    const known = await knownObjects(client, wellKnownIds(domains));
    const facts = wellKnownFacts(domains, (objectId) => known.get(objectId));
    const dictionary = new ObjectIdDictionary(pool);
    const ends = facts.edges.flatMap(({ startId, endId }) => [startId, endId]);
    await dictionary.resolve(new Set([...facts.nodes.map(({ objectId }) => objectId), ...ends]));
    const idOf = (objectId: string): number => dictionary.get(objectId) as number;
    await writeNodes(
      client,
      facts.nodes.filter(({ objectId }) => !known.has(objectId)),
      idOf,
    );
    await writeKinds(
      client,
      facts.nodes.filter(({ objectId }) => known.has(objectId)),
      idOf,
    );
    await client.query('commit');
    return {
      warnings: facts.warnings,
      edges: facts.edges.map(({ startId, kind, endId, flags }) => ({
        startId: idOf(startId),
        kind: edgeKindByName(kind)?.id as number,
        endId: idOf(endId),
        flags,
      })),
    };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Reads collected objects; nodes that analysis created are created again if they are still due. */
async function knownObjects(
  client: pg.ClientBase,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, KnownObject>> {
  const { rows } = await client.query<{ object_id: string; kinds: string[]; enabled: boolean }>(
    `select object_id, array(select node_kind.name from node_kind where node_kind.id = any (kinds)) as kinds,
            properties -> 'enabled' is not distinct from 'true' as enabled
     from node join object_id using (id)
     where object_id = any ($1) and not derived and deleted_at is null`,
    [objectIds],
  );
  return new Map(rows.map(({ object_id, kinds, enabled }) => [object_id, { kinds, enabled }]));
}

async function writeNodes(
  client: pg.ClientBase,
  nodes: readonly NodeFact[],
  idOf: (objectId: string) => number,
): Promise<void> {
  const ids = nodes.map(({ objectId }) => idOf(objectId));
  await client.query('delete from node where derived and id <> all ($1)', [ids]);
  await client.query(
    `insert into node (id, kinds, environment_id, properties, described, derived, first_seen)
     select made.id, array(select value::smallint from jsonb_array_elements_text(made.kinds) order by 1),
            environment.id, made.properties - 'objectid', false, true, now()
     from jsonb_to_recordset($1) as made (id integer, kinds jsonb, properties jsonb)
     left join object_id environment on environment.object_id = made.properties ->> 'domainsid'
     on conflict (id) do update set
       kinds = excluded.kinds, environment_id = excluded.environment_id, properties = excluded.properties,
       derived = true, deleted_at = null
     where node.deleted_at is not null or node.properties <> excluded.properties or node.kinds <> excluded.kinds`,
    [
      JSON.stringify(
        nodes.map(({ kinds, properties }, at) => ({ id: ids[at], kinds: kinds.map(kindNumber), properties })),
      ),
    ],
  );
}

/** Further kinds are kept separate from the collected ones. */
async function writeKinds(
  client: pg.ClientBase,
  nodes: readonly NodeFact[],
  idOf: (objectId: string) => number,
): Promise<void> {
  const ids = nodes.map(({ objectId }) => idOf(objectId));
  await client.query(`update node set derived_kinds = '{}' where derived_kinds <> '{}' and id <> all ($1)`, [
    ids,
  ]);
  for (const [at, { kinds }] of nodes.entries()) {
    await client.query(
      `update node
       set derived_kinds = (select coalesce(array_agg(kind order by kind), '{}') from unnest($2::smallint[]) kind
                            where kind <> all (kinds))
       where id = $1 and not (kinds || derived_kinds) @> $2::smallint[]`,
      [ids[at], kinds.map(kindNumber)],
    );
  }
}

function kindNumber(name: string): number {
  return nodeKindByName(name)?.id as number;
}
