/** Facts: the collected data, and the results of analysis. */
import type { Properties } from '@clew/model';
import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** Object ids by number. A number is never reused: it is the graph id in answers. */
export interface ObjectIdTable {
  id: GeneratedId;
  object_id: string;
}

export interface KindTable {
  id: number;
  name: string;
}

/** Origin of facts: a collector, a source of OpenGraph data, the analysis. */
export interface SourceTable {
  id: GeneratedId;
  /** `sharphound`, `azurehound`, `opengraph`, `opengraph:KIND`, `analysis`. */
  name: string;
  /** Name of the source in lists of source kinds. */
  source_kind: ColumnType<string | null, never, never>;
}

export interface NodeTable {
  id: number;
  /** Ascending; built-in numbers are from `@clew/model`, those of `node_kind` start at 1000. */
  kinds: number[];
  /** Kinds that only analysis assigned. */
  derived_kinds: Generated<number[]>;
  environment_id: number | null;
  /** `properties.name`. */
  name: Generated<string | null>;
  properties: Json<Properties>;
  /** Whether a collector described the object itself, rather than only named it. */
  described: boolean;
  /** Created by analysis. */
  derived: Generated<boolean>;
  first_seen: Timestamp;
  deleted_at: Timestamp | null;
}

/** When a source last reported a node: few columns, because every collection updates it. */
export interface SightingTable {
  node_id: number;
  source_id: number;
  last_seen: Timestamp;
  last_collected: Timestamp | null;
  /** Bit n: aspect n was enumerated at `last_collected`, so its edge set has that age. */
  aspects: number;
  /** Whether a collector on a schedule reported it at `last_seen`: then it ages. */
  seen_by_schedule: Generated<boolean>;
  /** The same for `last_collected`. */
  collected_by_schedule: Generated<boolean>;
}

/** One aspect of an object as reported by one source; parallel arrays in ascending order of (start, kind, end). */
export interface EdgeSetTable {
  owner_id: number;
  aspect: number;
  source_id: number;
  start_ids: number[];
  kind_ids: number[];
  end_ids: number[];
  /** Bits of `EdgeFlag`. */
  flags: number[];
  /** Sparse map from position in the arrays (from 0) to the properties of the edge. */
  properties: Json<Readonly<Record<string, Properties>>> | null;
  first_seen: Timestamp;
  collected_at: Timestamp;
  /** Whether the source at `collected_at` reports on a schedule: then the fact ages. */
  by_schedule: Generated<boolean>;
}

/** Edges of sampled aspects: they accumulate and expire. */
export interface SampleEdgeTable {
  start_id: number;
  kind_id: number;
  end_id: number;
  source_id: number;
  owner_id: number;
  flags: number;
  properties: Json<Properties> | null;
  first_seen: Timestamp;
  last_seen: Timestamp;
  by_schedule: Generated<boolean>;
}

/** An edge that names an end by properties that no object has yet. Each end has its number or these properties. */
export interface WaitingEdgeTable {
  id: GeneratedId;
  /** Digest of source, kind and both ends. */
  key: string;
  source_id: number;
  aspect: number;
  kind_id: number;
  flags: number;
  properties: Json<Properties> | null;
  owner_id: number | null;
  start_id: number | null;
  start_matcher: Json<unknown> | null;
  end_id: number | null;
  end_matcher: Json<unknown> | null;
  first_seen: Timestamp;
  last_seen: Timestamp;
  by_schedule: boolean;
  /** Several matching objects arrived. */
  is_ambiguous: Generated<boolean>;
}

/** First time a content was seen: the same file is the same observation. */
export interface ObservationTable {
  sha256: Buffer;
  observed_at: Timestamp;
}

/** The content of a record about an object, if the store has exactly what the record reports. */
export interface KnownRecordTable {
  node_id: number;
  source_id: number;
  facets: BigInteger;
  digest: Buffer;
  parts: number;
  aspects: BigInteger | null;
  seen: number[] | null;
  samples: number[] | null;
  dated: number[] | null;
}

/** A recently deleted edge set, recorded by a trigger. */
export interface GoneEdgeSetTable {
  transaction: Generated<string>;
  owner_id: number;
  aspect: number;
  source_id: number;
  noted_at: GeneratedTimestamp;
}

/** One row: counts the merges that changed facts. */
export interface FactsStateTable {
  version: BigInteger;
  /** The version of the last new data. */
  data_version: BigInteger;
  /** The version at which known facts were last read by a new version of the readers. */
  reread_version: BigInteger;
  /** The version of the last zone edit. */
  zones_version: BigInteger;
}

/** Environments whose last data was read by other versions of the readers. */
export interface StaleReadingTable {
  source_id: number;
  /** 0 for none. */
  environment_id: number;
  kinds: number[];
}

/**
 * The cause of a change: data of the organization, rules, a zone edit, an answer about a certification authority, several of these at once,
 * or a user's decision.
 */
export type ChangeCause = 'data' | 'rules' | 'zones' | 'answers' | 'several' | 'acceptance';

/** An answer that the update of November 2024 is installed on a certification authority. */
export interface CountedAnswer {
  readonly authority_id: string;
  readonly name: string;
  /** Name of the user. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
}

/** User and time are those of this answer; for a withdrawn answer, those of the previous one. */
export interface ChangedAnswer extends CountedAnswer {
  readonly answer: 'yes' | 'no' | 'withdrawn';
}

export interface GenerationTable {
  id: GeneratedId;
  /** Version of its facts. */
  facts_version: BigInteger;
  published_at: GeneratedTimestamp;
  node_count: BigInteger;
  edge_count: BigInteger;
  /** Milliseconds per step, and the report of the analysis. */
  report: Json<unknown>;
  /** Version of its rules. */
  rules_version: Generated<string>;
  /** Why it differs from the previous one. */
  cause: Generated<Exclude<ChangeCause, 'acceptance'>>;
  /** The counted answers, by authority. */
  answers: ColumnType<readonly CountedAnswer[], string | undefined, string>;
  /** Answers that differ from the previous generation. */
  changed_answers: ColumnType<readonly ChangedAnswer[], string | undefined, string>;
}

/** The changes between a generation and an earlier one, usually the previous one. */
export interface GenerationDifferenceTable {
  generation_id: BigInteger;
  /** Absent for the first one. */
  since_generation_id: BigInteger | null;
  /** Packed; absent for the first one, and if there were too many changes to keep. */
  difference: Buffer | null;
  exposure: Json<readonly PastExposure[]>;
  /** Packed. */
  settings: Buffer;
  /** Everything published with it has this instant, or an earlier one. */
  instant: Timestamp;
}

export interface PastExposure {
  readonly environment_id: string;
  readonly tag_id: number;
  /** Fraction 0..1 of its principals outside the zone. */
  readonly share: number;
}

/** Single values about the installation. */
export interface SettingTable {
  key: string;
  value: Json<unknown>;
}

export interface GraphTables {
  object_id: ObjectIdTable;
  node_kind: KindTable;
  edge_kind: KindTable;
  source: SourceTable;
  node: NodeTable;
  sighting: SightingTable;
  edge_set: EdgeSetTable;
  sample_edge: SampleEdgeTable;
  waiting_edge: WaitingEdgeTable;
  observation: ObservationTable;
  known_record: KnownRecordTable;
  gone_edge_set: GoneEdgeSetTable;
  facts_state: FactsStateTable;
  stale_reading: StaleReadingTable;
  generation: GenerationTable;
  generation_difference: GenerationDifferenceTable;
  setting: SettingTable;
}
