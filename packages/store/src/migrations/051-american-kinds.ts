/** Kinds of repairs have American spellings; what is stored with the earlier ones follows. */
import type { Migration } from './migration.ts';

const RENAMED = [
  ['remove-enrolment', 'remove-enrollment'],
  ['authority-web-enrolment', 'authority-web-enrollment'],
  ['unsynchronise', 'unsynchronize'],
] as const;

const renamed = (text: string): string =>
  RENAMED.reduce((inner, [before, after]) => `replace(${inner}, '${before}', '${after}')`, text);

const json = (column: string, type: 'json' | 'jsonb'): string =>
  `${column} = (${renamed(`${column}::text`)})::${type}`;

const holds = (columns: readonly string[]): string =>
  columns.map((column) => `${column}::text ~ 'enrolment|unsynchronise'`).join(' or ');

export const americanKindsMigration: Migration = {
  name: '051-american-kinds',
  sql: `
update saved_plan
set ${json('request', 'jsonb')}, ${json('expected', 'jsonb')}, ${json('adoption', 'json')},
  ${json('progress', 'json')}, ${json('marks', 'json')}
where ${holds(['request', 'expected', 'adoption', 'progress', 'marks'])};
update zone_plan set ${json('plan', 'json')} where ${holds(['plan'])};
update plan_constraint set ${json('repairs', 'jsonb')}, repair_kind = ${renamed('repair_kind')}
where ${holds(['repairs', 'repair_kind'])};
`,
};
