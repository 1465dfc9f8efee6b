/**
 * Nodes that have other writers, too: environments, whose marks users set, and nodes that each build of a
 * generation completes before it loads. The merge of a large job takes minutes, and locks each changed row until
 * its end, so facts about these few nodes are set aside and merged last.
 */
import { type CollectedDomain, wellKnownIds } from '@clew/analysis';
import { NodeKind } from '@clew/model';
import type pg from 'pg';
import type { MergeSession } from './statement.ts';

/** Domains that a collector described, sorted by SID. */
export async function collectedDomains(client: Pick<pg.ClientBase, 'query'>): Promise<CollectedDomain[]> {
  const { rows } = await client.query<{ sid: string; name: string | null }>(
    `select object_id as sid, name from node join object_id using (id)
     where kinds && array[${NodeKind.Domain}]::smallint[] and properties -> 'collected' = 'true' and deleted_at is null
     order by object_id`,
  );
  return rows.map(({ sid, name }) => ({ sid, name: name ?? undefined }));
}

/** Determines which nodes are merged last. */
export async function findLateNodes(session: MergeSession): Promise<void> {
  const domains = await collectedDomains(session.client);
  const ids = wellKnownIds(domains);
  await session.run(FIND, [ids]);
  await session.run('analyze stage_late');
}

/** Sets aside the facts of a batch about these nodes. @param batch number of the batch, ascending */
export async function putLateNodesAside(session: MergeSession, batch: number): Promise<void> {
  await session.run(PUT_DESCRIPTIONS_ASIDE, [batch]);
  await session.run(PUT_MENTIONS_ASIDE, [batch]);
}

/** Stages the deferred facts as a separate batch, in which these nodes are treated like any other. */
export async function stageLateNodes(session: MergeSession): Promise<void> {
  await session.run('truncate stage_late');
  for (const statement of [STAGE_FIRST, STAGE_FURTHER, STAGE_MENTIONS]) await session.run(statement);
}

const FEW_KINDS = [NodeKind.Domain, NodeKind.AZTenant, NodeKind.AZManagementGroup];

/** Uses partial indexes if they exist. */
const FIND = `
insert into stage_late
${FEW_KINDS.map((kind) => `select id from node where kinds && array[${kind}]::smallint[]`).join(' union ')}
union select id from node where derived or derived_kinds <> '{}'
union select id from object_id where object_id = any ($1)`;

const PLACE = '$1::bigint << 32';

const PUT_DESCRIPTIONS_ASIDE = `
insert into stage_late_node (place, id, origin, environment_id, properties)
select ${PLACE}, id, origin, environment_id,
       properties || coalesce((select jsonb_object_agg(key, null) from unnest(cleared) as key), '{}')
from stage_node where id in (select id from stage_late)
union all
select (${PLACE}) + 1 + sequence, id, origin, environment_id, properties
from stage_node_again where id in (select id from stage_late)`;

const PUT_MENTIONS_ASIDE = `
insert into stage_late_mention (place, id, origin, kinds, stated)
select ${PLACE}, id, origin, kinds, stated from stage_mention where id in (select id from stage_late)`;

/** Empty aspects were already merged with their batch. */
const STAGE_FIRST = `
insert into stage_node (id, origin, emptied, environment_id, properties, cleared)
select distinct on (id) id, origin, 0, environment_id,
       (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(properties) where value <> 'null'),
       nullif(array(select key from jsonb_each(properties) where value = 'null'), '{}')
from stage_late_node order by id, place`;

const STAGE_FURTHER = `
insert into stage_node_again (id, origin, emptied, environment_id, properties, sequence)
select id, origin, 0, environment_id, properties, number
from (select *, row_number() over (partition by id order by place) as number from stage_late_node) said
where number > 1`;

const STAGE_MENTIONS = `
insert into stage_mention (id, origin, kinds, stated)
select id, (array_agg(origin order by place))[1], ${['kinds', 'stated'].map(
  (column) => `
       array(select distinct kind from stage_late_mention other
             cross join lateral unnest(other.${column}) as kind where other.id = said.id order by kind)`,
)}
from stage_late_mention said group by id`;
