/** Edges in addition to those of the store, by store ids. */
export interface StoreEdge {
  readonly startId: number;
  readonly kind: number;
  readonly endId: number;
  readonly flags: number;
}
