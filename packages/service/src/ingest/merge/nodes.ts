/**
 * Merges nodes. Kinds are united. Properties merge key by key: a later description wins over an earlier one, a cleared
 * key goes, and what is said in passing fills gaps of a described object but never overrides its description.
 */
import type { MergeSession } from './statement.ts';

export async function mergeNodes(session: MergeSession): Promise<void> {
  await session.run(
    'create temporary table stage_known on commit drop as select id from stage_mention join node using (id)',
  );
  await session.run('analyze stage_known');
  await session.run(FOLD_DESCRIPTIONS);
  await session.change(INSERT_NEW);
  await session.change(UPDATE_KNOWN);
  await session.change(FILL_FROM_HINTS);
}

/** Properties said in several rows, the later one winning. */
const FOLD = `
select id, jsonb_merge(properties order by sequence) as properties,
       (array_agg(environment_id order by sequence desc) filter (where environment_id is not null))[1] as environment_id`;

/** Several descriptions of one object become one, so that the object is written once, or not at all. */
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

const INSERT_NEW = `
insert into node (id, kinds, environment_id, properties, described, first_seen)
select id, mention.kinds, described.environment_id, coalesce(described.properties, '{}'), described.id is not null,
       seen.first_at
from stage_mention mention
left join stage_node described using (id)
join (
  select id, min(observed_at) as first_at from stage_seen join stage_origin using (origin) group by id
) seen using (id)
where not exists (select from stage_known where stage_known.id = mention.id)`;

const UPDATE_KNOWN = `
update node
set kinds = changed.kinds, environment_id = changed.environment_id, properties = changed.properties,
    described = changed.described, derived = false, deleted_at = null
from (
  select id, united.kinds, node.kinds as old_kinds, node.deleted_at, node.derived,
         coalesce(described.environment_id, node.environment_id) as environment_id,
         node.environment_id as old_environment_id,
         node.described or described.id is not null as described, node.described as old_described,
         case when described.id is null then node.properties
              when described.cleared is null then node.properties || described.properties
              else (node.properties || described.properties) - described.cleared end as properties,
         node.properties as old_properties
  from stage_known
  join node using (id)
  join stage_mention mention using (id)
  left join stage_node described using (id)
  cross join lateral (
    select case when node.kinds @> mention.kinds then node.kinds else (
      select array_agg(distinct kind order by kind) from unnest(node.kinds || mention.kinds) as kind
    ) end as kinds
  ) united
) changed
where node.id = changed.id and (
  changed.kinds <> changed.old_kinds
  or changed.properties <> changed.old_properties
  or changed.environment_id is distinct from changed.old_environment_id
  or changed.described <> changed.old_described
  or changed.derived
  or changed.deleted_at is not null
)`;

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
