/** Findings name the kind of their relationship, also where a file or an extension brought it. */
import type { Migration } from './migration.ts';

export const relationshipNamesMigration: Migration = {
  name: '075-relationship-names',
  sql: `
do $$
declare definition text := pg_get_viewdef('finding_view');
begin
  drop view finding_view;
  execute 'create view finding_view as ' || regexp_replace(
    definition, '^\\s*SELECT ',
    'SELECT (select edge_kind.name from edge_kind where edge_kind.id = finding.edge_kind) as relation, ');
end $$;
`,
};
