/** What is not known of an upload or a collector is null, not an empty text: clients take addresses by their format. */
import type { Migration } from './migration.ts';

export const valuesNotThereMigration: Migration = {
  name: '044-values-not-there',
  sql: `
alter table upload_job alter column user_email_address drop not null, alter column user_email_address drop default;
update upload_job set user_email_address = null where user_email_address = '';
alter table collector_client
  alter column ip_address drop not null, alter column ip_address drop default,
  alter column hostname drop not null, alter column hostname drop default;
update collector_client set ip_address = nullif(ip_address, ''), hostname = nullif(hostname, '')
where '' in (ip_address, hostname);
`,
};
