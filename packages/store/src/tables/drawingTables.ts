/** The table of saved drawings. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json } from './columnTypes.ts';

export interface StoredDrawnObject {
  readonly object_id: string;
  /** The name when the drawing was saved, shown if the object no longer exists. */
  readonly name: string;
  readonly kind: string;
  readonly x: number;
  readonly y: number;
  /** Placed by the user. */
  readonly pinned: boolean;
}

/** Ends are positions in the list of objects. */
export interface StoredDrawnRelationship {
  readonly source: number;
  readonly kind: string;
  readonly target: number;
}

export interface SavedDrawingTable {
  id: GeneratedId;
  user_id: string;
  name: string;
  description: Generated<string>;
  is_shared: Generated<boolean>;
  address: string;
  objects: Json<readonly StoredDrawnObject[]>;
  relationships: Json<readonly StoredDrawnRelationship[]>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface DrawingTables {
  saved_drawing: SavedDrawingTable;
}
