/** Messages between a build and the thread that computes reachability. */
import type { Condensation, GraphColumns } from '@clew/graph';

export interface ReachRequest {
  readonly columns: GraphColumns;
  /** Whether each edge kind is allowed, as in a filter. */
  readonly allows: Uint8Array;
  /** Bitmaps by rank of the zone. */
  readonly blocked: readonly (readonly [rank: number, bitmap: Uint32Array])[];
  /** Bitmap of the groups that contain nearly everyone. */
  readonly everybody: Uint32Array;
}

export interface ReachAnswer {
  readonly forward: Omit<Condensation, 'blocked'>;
  readonly upstream: readonly (readonly [rank: number, condensation: Omit<Condensation, 'blocked'>])[];
  readonly beyondEverybody: Omit<Condensation, 'blocked'>;
}
