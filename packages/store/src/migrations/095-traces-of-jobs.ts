/** The trace of the request that ended an upload, which its ingest, analysis and plans continue. */
import type { Migration } from './migration.ts';

export const tracesOfJobsMigration: Migration = {
  name: '095-traces-of-jobs',
  sql: `
-- W3C Trace Context; null for requests without a trace.
alter table upload_job add column traceparent text;
`,
};
