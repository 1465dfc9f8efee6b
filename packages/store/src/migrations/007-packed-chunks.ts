/** Chunks of uploads may be compressed: collection files shrink to a tenth and less, and so does what is written. */
import type { Migration } from './migration.ts';

export const packedChunksMigration: Migration = {
  name: '007-packed-chunks',
  sql: `
-- True: \`bytes\` is a zstd frame of the chunk.
alter table upload_chunk add column packed boolean not null default false;
`,
};
