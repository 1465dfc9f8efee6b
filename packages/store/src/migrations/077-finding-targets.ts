/**
 * Findings know the environment of the object that they are about, which may be another one than theirs: users who may not see
 * it see no such object. History of selectors by object ids belongs to the environment of the objects.
 */
import type { Migration } from './migration.ts';

export const findingTargetsMigration: Migration = {
  name: '077-finding-targets',
  sql: `
alter table finding add column target_environment_id text;

-- The one type whose findings are where they are repaired, and not where the object is: unknown until the next generation.
update finding set target_environment_id = environment_id where finding <> 'NestedForeignPrincipals';

do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(
    definition, '^\\s*SELECT ', 'SELECT finding.target_environment_id, ');
end $$;

-- Clients name the selector of one object by its id or name. Objects of no environment belong to one that no limited user has.
update asset_group_history set environment_id = coalesce(owner.object_id, '')
from object_id named
left join node on node.id = named.id
left join object_id owner on owner.id = node.environment_id
where asset_group_history.environment_id is null and asset_group_history.action like '%Selector'
  and (named.object_id = asset_group_history.target or node.name = asset_group_history.target);
`,
};
