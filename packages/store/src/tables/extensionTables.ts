/** Definitions of other platforms. */

import type { Generated } from 'kysely';
import type { StoredNodeFinding } from './checkTables.ts';
import type { GeneratedId, GeneratedTimestamp, Json, Timestamp } from './columnTypes.ts';

/** An author's description of a kind: sections of a panel, by key. */
export type StoredSections = Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly position: number;
      readonly markdown: { readonly content: string };
    }
  >
>;

export interface StoredNodeKind {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly is_display_kind: boolean;
  /** Name of an icon without `fa-`; empty for none. */
  readonly icon: string;
  /** `#RGB` or `#RRGGBB`; empty for none. */
  readonly color: string;
  readonly info: StoredSections;
}

export interface StoredRelationshipKind {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly is_traversable: boolean;
  /** Follows the name of the source; optional. */
  readonly phrase?: string;
  /** How it is removed; optional. */
  readonly removal?: string;
  /** Attack effort of a step over it, and the reason; optional. */
  readonly effort?: number;
  readonly effort_reason?: string;
  readonly info: StoredSections;
}

export interface StoredEnvironment {
  readonly environment_kind: string;
  readonly source_kind: string;
  readonly principal_kinds: readonly string[];
}

export interface StoredRelationshipFinding {
  readonly name: string;
  readonly display_name: string;
  readonly environment_kind: string;
  readonly relationship_kind: string;
  /** Markdown. */
  readonly remediation: {
    readonly short_description: string;
    readonly long_description: string;
    readonly short_remediation: string;
    readonly long_remediation: string;
  };
}

/** Rules that add objects of the platform to a zone. */
export interface StoredZoneRule {
  readonly name: string;
  readonly description: string;
  readonly cypher: string;
  readonly enabled: boolean;
  /** Name of the zone. */
  readonly zone: string;
  readonly allow_disable: boolean;
}

/** How a relationship of a kind is removed. */
export interface StoredRepair {
  readonly relationship_kind: string;
  /** The end that is changed. */
  readonly object: 'source' | 'target';
  readonly cost?: number;
  /** Sentences in which `{source}` and `{target}` are replaced by the ends; empty if not given. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
}

/** Relationships of a kind that a pattern defines. */
export interface StoredDerivedRelationship {
  readonly kind: string;
  /** MATCH clauses of Cypher, and their variables for both ends. */
  readonly pattern: string;
  readonly start: string;
  readonly end: string;
  readonly reason: string;
}

export interface StoredIdentityEnd {
  /** Kind of nodes. */
  readonly kind: string;
  readonly property: string;
  /** Property with the domain of an account name; absent if the value contains the domain. */
  readonly domain_property?: string;
}

/** Relationships of a kind between nodes that represent the same person or machine. */
export interface StoredIdentity {
  readonly kind: string;
  readonly matcher: 'upn' | 'email' | 'sid' | 'immutable_id' | 'account_name';
  readonly start: StoredIdentityEnd;
  readonly end: StoredIdentityEnd;
  readonly both_directions: boolean;
}

/** A query that the author provides to all users. */
export interface StoredSavedSearch {
  readonly name: string;
  readonly description: string;
  readonly query: string;
}

/** A checked definition with defaults filled in. */
export interface StoredDefinition {
  readonly schema: {
    readonly name: string;
    readonly display_name: string;
    readonly version: string;
    readonly namespace: string;
    /** Ids in payloads of its sources keep their case. */
    readonly case_sensitive_ids?: true;
  };
  readonly node_kinds: readonly StoredNodeKind[];
  readonly relationship_kinds: readonly StoredRelationshipKind[];
  readonly environments: readonly StoredEnvironment[];
  readonly relationship_findings: readonly StoredRelationshipFinding[];
  /** Absent in definitions from before these members existed. */
  readonly privilege_zone_rules?: readonly StoredZoneRule[];
  readonly node_findings?: readonly StoredNodeFinding[];
  readonly repairs?: readonly StoredRepair[];
  readonly derived_relationships?: readonly StoredDerivedRelationship[];
  readonly identities?: readonly StoredIdentity[];
  readonly saved_searches?: readonly StoredSavedSearch[];
}

export interface ExtensionTable {
  id: GeneratedId;
  /** `schema.name` of the definition. */
  name: string;
  namespace: string;
  definition: Json<StoredDefinition>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** A value that several nodes of a kind share, so that no relationship is created. */
export interface AmbiguousIdentity {
  /** Object ids of some nodes at both ends that have it. */
  readonly start: readonly string[];
  readonly end: readonly string[];
}

/** The last run that derived relationships of a kind. */
export interface DerivedRelationshipTable {
  id: GeneratedId;
  extension_id: number;
  kind: string;
  /** The definition that the results belong to. */
  definition: Json<StoredDerivedRelationship | StoredIdentity>;
  ran_at: Timestamp | null;
  query_ms: number | null;
  query_error: string | null;
  query_timed_out: Json<unknown> | null;
  found_at: Timestamp | null;
  edge_count: Generated<number>;
  ambiguous_count: Generated<number>;
  /** Some examples. */
  ambiguous: Json<readonly AmbiguousIdentity[]>;
}

export interface ExtensionTables {
  extension: ExtensionTable;
  derived_relationship: DerivedRelationshipTable;
}
