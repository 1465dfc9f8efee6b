/** Deletes findings and decisions about zones from a test database; default zones and rules stay. */
import type { Database } from '@clew/store';

export async function emptyFindings({ pool }: Database): Promise<void> {
  await pool.query(
    `truncate finding, finding_owner, overdue_finding, acceptance_request, acceptance_request_finding, bulk_change, bulk_change_row, mention,
       finding_run, risk_count, posture_stat, environment_stat, zone_member, zone_rule_member, zone_stay, zone_collection, zone_decision, asset_group_history restart identity;
     delete from custom_check;
     delete from asset_group_tag_selector where not is_default;
     update asset_group_tag_selector set disabled_at = null, disabled_by = null;
     update asset_group_tag set deleted_at = now(), position = null where id > 2 and deleted_at is null;
     update asset_group_tag set require_certify = false, analysis_enabled = true where id = 1`,
  );
}
