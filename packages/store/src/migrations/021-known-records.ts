/**
 * Records of files that the store has exactly as they stand: equal bytes need not be read again. A record is a row for each
 * object that it says something about, so that what is said about one of them elsewhere takes the row, and with it the record,
 * away. How it is used: `service/src/ingest/known`.
 */
import type { Migration } from './migration.ts';

export const knownRecordsMigration: Migration = {
  name: '021-known-records',
  sql: `
create table known_record (
  node_id integer not null,
  source_id smallint not null,
  -- Bit n below 62: the edges of aspect n; bit 62: properties.
  facets bigint not null,
  digest bytea not null,
  -- Rows of the record. The first has all that follows.
  parts smallint not null,
  -- Of a record that describes this object: the aspects that were enumerated.
  aspects bigint,
  seen integer[],
  -- Start, kind, end, flags and owner of each.
  samples integer[],
  -- Owner and aspect of sets that do not take their date from the description of their owner.
  dated integer[]
);
create index known_record_node_id on known_record (node_id);`,
};
