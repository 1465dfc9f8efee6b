/** Which finding it is. */
export interface EvidenceQuestion {
  /** Place in `FINDING_TYPES`. */
  readonly type: number;
  /** Absent for list findings. */
  readonly source?: number;
  /** Kind of the edge of a relationship finding. */
  readonly edgeKind?: number;
  readonly target: number;
}
