/**
 * A collection that comes again writes every sighting anew: with room for a second version of all rows of a page, none moves
 * to another page, and the index stays as it is. Pages that are there get it as they are filled anew.
 */
import type { Migration } from './migration.ts';

export const sightingRoomMigration: Migration = {
  name: '025-sighting-room',
  sql: 'alter table sighting set (fillfactor = 45)',
};
