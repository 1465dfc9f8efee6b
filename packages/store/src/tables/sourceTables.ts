/** Source kinds, pending deletions, pruning records, and the icons of custom node kinds. */
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** Kinds of sources: those of the collectors, and those named in OpenGraph data. */
export interface SourceKindTable {
  id: GeneratedId;
  name: string;
}

/** Counts of objects and edges removed by one run of pruning. A node counts for each of its kinds. */
export interface PruneRecordTable {
  id: GeneratedId;
  pruned_at: Timestamp;
  source_id: number;
  what: 'node' | 'edge';
  kind: string;
  count: BigInteger;
}

export interface DeletionRequestTable {
  id: GeneratedId;
  requested_by: string;
  requested_at: GeneratedTimestamp;
  all_graph: boolean;
  sourceless_graph: boolean;
  /** Names of source kinds. */
  source_kinds: string[];
  /** Names of edge kinds. */
  relationships: string[];
}

export interface CustomNodeKindTable {
  id: GeneratedId;
  kind_name: string;
  icon: Json<{ readonly type: string; readonly name: string; readonly color: string }>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface SourceTables {
  source_kind: SourceKindTable;
  prune_record: PruneRecordTable;
  deletion_request: DeletionRequestTable;
  custom_node_kind: CustomNodeKindTable;
}
