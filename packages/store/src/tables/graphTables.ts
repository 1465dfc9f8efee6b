/** Facts: the collected data, and the results of analysis. */
import type { Properties } from '@clew/model';
import type { ColumnType, Generated } from 'kysely';
import type { BigInteger, GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** Object ids by number. A number is given once and never again: it is the graph id that answers show. */
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
  /** Ascending; built-in numbers come from `@clew/model`, those of `node_kind` from 1000 on. */
  kinds: number[];
  /** Kinds that only analysis gave. */
  derived_kinds: Generated<number[]>;
  environment_id: number | null;
  /** `properties.name`. */
  name: Generated<string | null>;
  properties: Json<Properties>;
  /** A collector described the object itself; false for one named in passing only. */
  described: boolean;
  /** Made by analysis. */
  derived: Generated<boolean>;
  first_seen: Timestamp;
  deleted_at: Timestamp | null;
}

/** When a source last spoke of a node: narrow, since every collection touches it. */
export interface SightingTable {
  node_id: number;
  source_id: number;
  last_seen: Timestamp;
  last_collected: Timestamp | null;
  /** Bit n: aspect n was enumerated at `last_collected`, so its edge set is as fresh as that. */
  aspects: number;
  /** A collector that reports by itself said so at `last_seen`: it ages. */
  seen_by_schedule: Generated<boolean>;
  /** The same of `last_collected`. */
  collected_by_schedule: Generated<boolean>;
}

/** One aspect of one object as one source reported it; parallel arrays in ascending order of (start, kind, end). */
export interface EdgeSetTable {
  owner_id: number;
  aspect: number;
  source_id: number;
  start_ids: number[];
  kind_ids: number[];
  end_ids: number[];
  /** Bits of `EdgeFlag`. */
  flags: number[];
  /** Sparse: position in the arrays (from 0) to the properties of that edge. */
  properties: Json<Readonly<Record<string, Properties>>> | null;
  first_seen: Timestamp;
  collected_at: Timestamp;
  /** Whether the source that reported at `collected_at` reports on a schedule: the fact ages. */
  by_schedule: Generated<boolean>;
}

/** Edges of aspects that are samples: they accumulate and expire. */
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

/** An edge that names an end by properties which no object has yet. An end has its number or what it is known by. */
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
  /** Several objects came that fit. */
  is_ambiguous: Generated<boolean>;
}

/** First time a content was seen: the same file again is the same observation. */
export interface ObservationTable {
  sha256: Buffer;
  observed_at: Timestamp;
}

/** The content of one record of a file about an object, where the store has it exactly as the record reports it. */
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

/** An edge set that was deleted lately, noted by a trigger. */
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
  /** The version at which data came last. */
  data_version: BigInteger;
  /** The version at which facts that were known were last read by other readers. */
  reread_version: BigInteger;
  /** The version at which a zone was last edited. */
  zones_version: BigInteger;
}

/** Environments whose last data was read by other readers than those of this release. */
export interface StaleReadingTable {
  source_id: number;
  /** 0 for none. */
  environment_id: number;
  kinds: number[];
}

/**
 * Why something began, changed or ended: the organization is another, the rules are, a zone was edited, someone answered a question about
 * a certification authority, several of these at once, or a person decided about it.
 */
export type ChangeCause = 'data' | 'rules' | 'zones' | 'answers' | 'several' | 'acceptance';

/** An answer that the update of November 2024 is installed on an authority. */
export interface CountedAnswer {
  readonly authority_id: string;
  readonly name: string;
  /** Name of the person. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
}

/** Person and time are those of this answer; of a withdrawn one, those of the answer that was there. */
export interface ChangedAnswer extends CountedAnswer {
  readonly answer: 'yes' | 'no' | 'withdrawn';
}

export interface GenerationTable {
  id: GeneratedId;
  /** Version of the facts it was made from. */
  facts_version: BigInteger;
  published_at: GeneratedTimestamp;
  node_count: BigInteger;
  edge_count: BigInteger;
  /** Milliseconds of each step, and the report of the analysis. */
  report: Json<unknown>;
  /** Version of the rules that it was built with. */
  rules_version: Generated<string>;
  /** Why it differs from the one before. */
  cause: Generated<Exclude<ChangeCause, 'acceptance'>>;
  /** Those that it counted, by authority. */
  answers: ColumnType<readonly CountedAnswer[], string | undefined, string>;
  /** Those that differ from the generation before. */
  changed_answers: ColumnType<readonly ChangedAnswer[], string | undefined, string>;
}

/** The changes between a generation and one before it, usually the one right before. */
export interface GenerationDifferenceTable {
  generation_id: BigInteger;
  /** Absent for the first one. */
  since_generation_id: BigInteger | null;
  /** Packed; absent for the first one, and where too much changed to be kept. */
  difference: Buffer | null;
  exposure: Json<readonly PastExposure[]>;
  /** Packed. */
  settings: Buffer;
  /** Everything that was published with it carries this instant, or an earlier one. */
  instant: Timestamp;
}

export interface PastExposure {
  readonly environment_id: string;
  readonly tag_id: number;
  /** Fraction 0..1 of its principals outside the zone. */
  readonly share: number;
}

/** Small facts of the installation itself. */
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
