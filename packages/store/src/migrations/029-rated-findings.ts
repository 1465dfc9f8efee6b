/**
 * Why a finding has its severity, which finding stands for it in lists, its place among the first, and which card of the plan
 * closes it.
 */
import type { Migration } from './migration.ts';

export const ratedFindingsMigration: Migration = {
  name: '029-rated-findings',
  sql: `
alter table finding
  add column rated_row text collate "C" not null default '',
  add column rated_basis smallint not null default 0,
  add column rated_count bigint not null default 0,
  add column rated_of bigint not null default 0,
  add column rated_effort smallint not null default 1,
  add column part_of text collate "C" not null default '',
  add column parts text[] not null default '{}',
  add column place integer not null default 2147483647,
  add column plan_card integer,
  add column plan_package text collate "C",
  add column plan_after double precision;

create index finding_place on finding
  (place, ((severity::text) collate "C") desc, exposure_percentage desc, impact_percentage desc, id)
  where deleted_at is null;
create index finding_plan on finding (plan_card) where plan_card is not null;

-- The view stands for all columns of the table; whatever else it shows stays as it is.
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(definition, '^\\s*SELECT ',
    'SELECT finding.rated_row, finding.rated_basis, finding.rated_count, finding.rated_of, finding.rated_effort, '
    || 'finding.part_of, finding.parts, finding.place, finding.plan_card, finding.plan_package, finding.plan_after, ');
end $$;
`,
};
