/**
 * A query for the edge properties that sources report in addition to flags: `start_id`, `kind_id`, `end_id`, `properties`, one row per
 * source that reports any. A set with n properties is unpacked once, by a hash join on positions; the planner assumes small sets, so
 * callers must disable nested loops (`WITHOUT_NESTED_LOOPS`).
 */
export const EDGE_PROPERTY_ROWS = `
select edge.start_id, edge.kind_id, edge.end_id, edge.properties
from edge_set
cross join lateral (
  select start_id, kind_id, end_id, property.value as properties
  from unnest(start_ids, kind_ids, end_ids) with ordinality as place (start_id, kind_id, end_id, number)
  join jsonb_each(edge_set.properties) property on property.key = (place.number - 1)::text
) as edge
where edge_set.properties <> '{}'
union all
select start_id, kind_id, end_id, properties from sample_edge where properties is not null`;

export const WITHOUT_NESTED_LOOPS = 'enable_nestloop = off';
