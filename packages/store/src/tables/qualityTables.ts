/** Contents of each environment in each generation, and how complete its collection was. */
import type { BigInteger, GeneratedId, Json, Timestamp } from './columnTypes.ts';

/** One row per generation and environment. */
export interface DataQualityTable {
  id: GeneratedId;
  generation_id: BigInteger;
  /** Equal for all environments of a generation. */
  run_id: string;
  created_at: Timestamp;
  environment_id: string;
  /** Kind number of its node. */
  environment_kind: number;
  /** Counts by kind number. */
  node_counts: Json<Readonly<Record<string, number>>>;
  edge_counts: Json<Readonly<Record<string, number>>>;
  relationships: BigInteger;
  acls: BigInteger;
  sessions: BigInteger;
  active_computers: number;
  session_computers: number;
  group_computers: number;
  /** Parts of `UNREAD_PARTS`. */
  not_read: readonly string[];
}

/** The counts by kind of `data_quality`, one per row. */
export interface DataQualityMetricView {
  id: BigInteger;
  generation_id: BigInteger;
  run_id: string;
  created_at: Timestamp;
  environment_id: string;
  environment_kind: number;
  metric_type: 'node' | 'relationship';
  kind_id: number;
  metric_name: string;
  metric_value: BigInteger;
}

export interface QualityTables {
  data_quality: DataQualityTable;
  data_quality_metric: DataQualityMetricView;
}
