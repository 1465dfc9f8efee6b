/** Identifies a finding. */
export interface EvidenceQuestion {
  /** Place in `FINDING_TYPES`. */
  readonly type: number;
  /** Absent for list findings. */
  readonly source?: number;
  /** Edge kind of a relationship finding. */
  readonly edgeKind?: number;
  readonly target: number;
}
