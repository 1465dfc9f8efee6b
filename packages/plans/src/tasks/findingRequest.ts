import type { StoredConstraint } from './constraints.ts';
import type { Seen } from './sight.ts';

/** A finding as stored; the user may see its objects. */
export interface FindingRequest {
  readonly finding: string;
  /** Empty for list findings. */
  readonly source_id: string;
  readonly target_id: string;
  readonly edge_kind: number | null;
  /** The zone of its path and of costs. */
  readonly zone: number;
  readonly constraints: readonly StoredConstraint[];
  readonly seen: Seen;
}
