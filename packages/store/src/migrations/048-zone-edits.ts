/**
 * Whether zones were edited since a generation was built: what begins or ends because of that is no repair, and told apart from
 * data and rules. Rule: `docs/history.md#data-or-rules`.
 */
import type { Migration } from './migration.ts';

export const zoneEditsMigration: Migration = {
  name: '048-zone-edits',
  sql: `
-- Version of the facts at which a zone was last edited.
alter table facts_state add column zones_version bigint not null default 0;

-- More than one of data, rules and zones at once, where it cannot be told which of them it was.
update generation set cause = 'several' where cause = 'data_and_rules';
update finding set began_by = replace(began_by, 'data_and_rules', 'several'),
  changed_by = replace(changed_by, 'data_and_rules', 'several')
where 'data_and_rules' in (began_by, changed_by);
`,
};
