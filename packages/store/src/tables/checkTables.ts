/** Custom checks: queries whose result objects are findings. */
import type { Generated } from 'kysely';
import type { GeneratedId, GeneratedTimestamp, Json } from './columnTypes.ts';
import type { QueryRunColumns } from './queryTables.ts';

/** A parsed check with defaults filled in. */
export interface StoredCheckDefinition {
  readonly title: string;
  readonly category: string;
  /** `exposure`: rated by the share of principals that can reach the object; `impact`: by the share that falls with it. */
  readonly severity: 'low' | 'moderate' | 'high' | 'critical' | 'exposure' | 'impact';
  readonly cypher: string;
  /** Markdown. */
  readonly remediation: {
    readonly short_description: string;
    readonly long_description: string;
    readonly short_remediation: string;
    readonly long_remediation: string;
  };
  /** Ids of ATT&CK techniques. */
  readonly techniques: readonly string[];
  readonly owner: string;
  /** The repair of its findings; absent if only the texts describe it. */
  readonly repair?: {
    readonly change: 'remove-relation';
    readonly relationship_kinds: readonly string[];
    readonly direction: 'in' | 'out';
  };
}

/** A check from the definition of another platform. */
export interface StoredNodeFinding extends StoredCheckDefinition {
  readonly name: string;
  readonly enabled: boolean;
}

export interface CustomCheckTable extends QueryRunColumns {
  id: GeneratedId;
  name: string;
  extension_id: number | null;
  definition: Json<StoredCheckDefinition>;
  enabled: Generated<boolean>;
  created_at: GeneratedTimestamp;
  created_by: string;
  updated_at: GeneratedTimestamp;
  updated_by: string;
}

export interface CustomCheckOffenderTable {
  check_id: number;
  node_id: number;
  /** The other values of each row of the query that names the object. */
  evidence: Json<readonly (readonly unknown[])[]>;
}

export interface CheckTables {
  custom_check: CustomCheckTable;
  custom_check_offender: CustomCheckOffenderTable;
}
