/** Tables of saved queries. */

import type { Generated } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp } from './columnTypes.ts';

export interface SavedQueryTable {
  id: GeneratedId;
  user_id: string;
  name: string;
  query: string;
  description: string;
  is_public: Generated<boolean>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface SavedQueryShareTable {
  id: GeneratedId;
  query_id: BigInteger;
  user_id: string;
  created_at: GeneratedTimestamp;
}

export interface QueryTables {
  saved_query: SavedQueryTable;
  saved_query_share: SavedQueryShareTable;
}
