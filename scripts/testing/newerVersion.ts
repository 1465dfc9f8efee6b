/**
 * The `clew` command of a version that does not exist yet. It has two more migrations: one takes two seconds, and one
 * changes a table and drops another, which this version reads.
 */
import { MIGRATIONS } from '../../packages/store/src/migrations/index.ts';
import type { Migration } from '../../packages/store/src/migrations/migration.ts';

(MIGRATIONS as Migration[]).push(
  { name: '998-newer', sql: 'select pg_sleep(2)' },
  {
    name: '999-newer',
    sql: `
alter table saved_query add column newer text;
drop table saved_drawing`,
  },
);

await import('../../packages/cli/test/quickSignIn.ts');
