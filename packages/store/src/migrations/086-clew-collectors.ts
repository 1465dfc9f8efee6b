/** The collector of this project is a client with a type of its own. */
import type { Migration } from './migration.ts';

export const clewCollectorsMigration: Migration = {
  name: '086-clew-collectors',
  sql: `
alter table collector_client drop constraint collector_client_type_check;
alter table collector_client add constraint collector_client_type_check
  check (type in ('sharphound', 'azurehound', 'openhound', 'clew'));
`,
};
