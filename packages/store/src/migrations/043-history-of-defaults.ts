/** The history of zones begins with what the system made, also where that was made before it was recorded. */
import type { Migration } from './migration.ts';

export const historyOfDefaultsMigration: Migration = {
  name: '043-history-of-defaults',
  sql: `
-- Numbers below those that are there: lists of the history are in the order of their numbers.
insert into asset_group_history (id, created_at, actor, action, target, asset_group_tag_id)
overriding system value
select -row_number() over (order by made.created_at desc, made.place desc), made.created_at, 'SYSTEM', made.action, made.name, made.zone
from (
  select created_at, id as place, 'CreateTag' as action, name, id as zone
  from asset_group_tag where created_by = 'SYSTEM'
  union all
  select created_at, 1000000 + id, 'CreateSelector', name, asset_group_tag_id
  from asset_group_tag_selector where is_default
) made;
`,
};
