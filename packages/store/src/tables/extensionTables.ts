/** Definitions of other platforms. */
import type { StoredNodeFinding } from './checkTables.ts';
import type { GeneratedId, GeneratedTimestamp, Json } from './columnTypes.ts';

/** What an author says of a kind: sections of a panel, by their keys. */
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
  /** Attack effort of a step over it, and why; absent where the author says nothing. */
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

/** What puts objects of the platform into a zone. */
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
  /** Sentences in which `{source}` and `{target}` stand for the ends; empty where nothing is said. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
}

/** A definition as it was checked, with what it leaves out filled in. */
export interface StoredDefinition {
  readonly schema: {
    readonly name: string;
    readonly display_name: string;
    readonly version: string;
    readonly namespace: string;
  };
  readonly node_kinds: readonly StoredNodeKind[];
  readonly relationship_kinds: readonly StoredRelationshipKind[];
  readonly environments: readonly StoredEnvironment[];
  readonly relationship_findings: readonly StoredRelationshipFinding[];
  /** Absent in definitions that were stored before they had any. */
  readonly privilege_zone_rules?: readonly StoredZoneRule[];
  readonly node_findings?: readonly StoredNodeFinding[];
  readonly repairs?: readonly StoredRepair[];
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

export interface ExtensionTables {
  extension: ExtensionTable;
}
