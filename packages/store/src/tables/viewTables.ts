/** The table of saved views. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp } from './columnTypes.ts';

export interface SavedViewTable {
  id: GeneratedId;
  user_id: string;
  page: string;
  name: string;
  /** Query string of the page's address. */
  query: string;
  columns: string[] | null;
  is_shared: Generated<boolean>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface ViewTables {
  saved_view: SavedViewTable;
}
