/**
 * Merges nodes. Kinds from descriptions are combined. Kinds from mentions count only until a file describes the
 * object, in any order of files, with one exception: a group reported by a computer is also a local group.
 * Properties are merged key by key: later descriptions override earlier ones, cleared keys are removed, and hints
 * fill gaps of a described object, but never override its description. A deleted object that occurs again is merged
 * like a new one: Azure keeps role assignments of removed users, whose ids say nothing about names and kinds.
 */
import { NodeKind } from '@clew/model';
import type { BatchContents } from './batchContents.ts';
import type { MergeSession } from './statement.ts';

/** Merges the nodes of one batch. */
export async function mergeNodes(session: MergeSession, { again }: BatchContents): Promise<void> {
  if (again) await session.run(FOLD_DESCRIPTIONS);
  await session.run(FIND_KNOWN);
  await session.written.nodes(INSERT_NEW);
  await session.written.nodes(UPDATE_KNOWN);
}

/** Merges the hints of the whole job. */
export async function mergeHints(session: MergeSession): Promise<void> {
  await session.written.nodes(FILL_FROM_HINTS);
}

/** Combines properties from several rows; the later row wins. */
const FOLD = `
select id, jsonb_merge(properties order by sequence) as properties,
       (array_agg(environment_id order by sequence desc) filter (where environment_id is not null))[1] as environment_id`;

/** Combines several descriptions of one object, so that the object is written at most once. */
const FOLD_DESCRIPTIONS = `
update stage_node
set properties = folded.properties - folded.cleared, cleared = folded.cleared,
    environment_id = coalesce(folded.environment_id, stage_node.environment_id)
from (
  select id, environment_id, properties, array(select key from jsonb_each(properties) where value = 'null') as cleared
  from (
    select id, again.environment_id,
           first.properties
             || coalesce((select jsonb_object_agg(key, null) from unnest(first.cleared) as key), '{}')
             || again.properties as properties
    from (${FOLD} from stage_node_again group by id) again join stage_node first using (id)
  ) parts
) folded
where stage_node.id = folded.id`;

/** Skips nodes that are merged last. */
const FIND_KNOWN = `
insert into stage_known
select id from node where id in (
  select id from (select id from stage_mention union all select id from stage_node) said
  where id not in (select id from stage_late)
)`;

const LOCAL = `array[${NodeKind.ADLocalGroup}]::smallint[]`;

const UNITED = (kinds: string): string =>
  `array(select distinct kind from unnest(${kinds}) as kind order by kind)`;

const IS_LOCAL_TOO = (described: string, mentioned: string): string =>
  `(${NodeKind.Group} = any (${described}) and ${NodeKind.ADLocalGroup} = any (${mentioned}))`;

/** Kinds of an object at its first description. */
const DESCRIBED_KINDS = (mentioned: string): string =>
  UNITED(
    `mention.stated || case when ${IS_LOCAL_TOO('mention.stated', mentioned)} then ${LOCAL} else '{}' end`,
  );

// The analysis may create the node concurrently.
const INSERT_NEW = `
insert into node (id, kinds, environment_id, properties, described, first_seen)
select id, case when described.id is null then mention.kinds else ${DESCRIBED_KINDS('mention.kinds')} end, described.environment_id, coalesce(described.properties, '{}'), described.id is not null,
       observed_at
from stage_mention mention
join stage_origin on stage_origin.origin = mention.origin
left join stage_node described using (id)
where not exists (select from stage_known where stage_known.id = mention.id)
  and mention.id not in (select id from stage_late)
on conflict (id) do update set
  kinds = excluded.kinds, environment_id = excluded.environment_id, properties = excluded.properties,
  described = excluded.described, derived = false, deleted_at = null, first_seen = excluded.first_seen`;

/** Compares stored and described properties byte for byte, which is by far the fastest comparison. */
const SAME_IMAGE = 'record_image_eq(row(node.properties), row(described.properties))';

const DESCRIBED_PROPERTIES = `
case when described.cleared is null then node.properties || described.properties
     else (node.properties || described.properties) - described.cleared end`;

const IS_DELETED = 'node.deleted_at is not null';

const UPDATE_KNOWN = `
update node
set kinds = changed.kinds, environment_id = changed.environment_id, properties = changed.properties,
    described = changed.described, derived = false, deleted_at = null
from (
  select id, united.kinds,
         case when ${IS_DELETED} then described.environment_id
              else coalesce(described.environment_id, node.environment_id) end as environment_id,
         described.id is not null or node.described and not ${IS_DELETED} as described,
         case when ${IS_DELETED} then coalesce(described.properties, '{}')
              when described.id is null or ${SAME_IMAGE} then node.properties
              else ${DESCRIBED_PROPERTIES} end as properties
  from stage_known
  join node using (id)
  left join stage_mention mention using (id)
  left join stage_node described using (id)
  cross join lateral (
    select case
      when mention.id is null then node.kinds
      when ${IS_DELETED} and described.id is null then mention.kinds
      when ${IS_DELETED} then ${DESCRIBED_KINDS('mention.kinds')}
      when node.described and node.kinds @> mention.stated and not ${IS_LOCAL_TOO('node.kinds || mention.stated', 'mention.kinds')}
        then node.kinds
      when node.described then ${UNITED(`node.kinds || mention.stated || case when ${IS_LOCAL_TOO('node.kinds || mention.stated', 'mention.kinds')} then ${LOCAL} else '{}' end`)}
      when described.id is not null then ${DESCRIBED_KINDS('node.kinds || mention.kinds')}
      when node.kinds @> mention.kinds then node.kinds
      else ${UNITED('node.kinds || mention.kinds')}
    end as kinds
  ) united
  where united.kinds <> node.kinds or node.derived or ${IS_DELETED}
    or described.id is not null and (
      not node.described
      or node.environment_id is distinct from coalesce(described.environment_id, node.environment_id)
      or not (${SAME_IMAGE}) and node.properties <> ${DESCRIBED_PROPERTIES}
    )
) changed
where node.id = changed.id`;

const FILL_FROM_HINTS = `
update node
set properties = changed.properties, environment_id = changed.environment_id
from (
  select id, case when node.described then folded.properties || node.properties
                  else node.properties || folded.properties end as properties,
         coalesce(node.environment_id, folded.environment_id) as environment_id
  from (${FOLD} from stage_hint group by id) folded join node using (id)
) changed
where node.id = changed.id and (
  node.properties <> changed.properties or node.environment_id is distinct from changed.environment_id
)`;
