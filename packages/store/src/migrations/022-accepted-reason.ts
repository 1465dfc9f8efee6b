/** Why a risk was accepted, beside who did it and until when. The view stands for all columns of the table. */
import type { Migration } from './migration.ts';

export const acceptedReasonMigration: Migration = {
  name: '022-accepted-reason',
  sql: `
alter table finding add column accepted_reason text;

drop view finding_view;
create view finding_view as
select finding.*,
       finding.status = 'accepted' and finding.accepted_until > statement_timestamp() as is_accepted,
       (array['low', 'moderate', 'high', 'critical'])[finding.severity + 1] as severity_name,
       case when finding.tag_id > 1 then replace(coalesce(finding_type.title, finding.finding), 'Tier Zero', zone.name)
            else coalesce(finding_type.title, finding.finding) end as title,
       coalesce(finding_type.platform, '') as platform,
       case when finding.tag_id = 0 then 'Hygiene' else coalesce(zone.name, '') end as zone_name,
       coalesce(environment.name, finding.environment_id) as environment_name,
       coalesce(source_environment.name, finding.source_environment_id, '') as source_environment_name,
       source.id as source_graph_id,
       target.id as target_graph_id
from finding
left join finding_type on finding_type.id = finding.finding
left join asset_group_tag zone on zone.id = finding.tag_id
left join object_id environment_key on environment_key.object_id = finding.environment_id
left join node environment on environment.id = environment_key.id
left join object_id source_environment_key on source_environment_key.object_id = finding.source_environment_id
left join node source_environment on source_environment.id = source_environment_key.id
left join object_id source on source.object_id = finding.source_id
left join object_id target on target.object_id = finding.target_id;
`,
};
