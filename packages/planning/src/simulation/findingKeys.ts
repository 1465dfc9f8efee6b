/** Findings of a world keyed by their objects, and the differences between two worlds. */

/** The objects of a finding; the same in worlds derived from each other. */
export interface FindingKey {
  /** Place in `FINDING_TYPES`. */
  readonly type: number;
  readonly zone: number;
  /** Node; missing for list findings. */
  readonly source?: number;
  readonly target: number;
  /** Place of the environment. */
  readonly environment: number;
}

export interface FindingChanges {
  readonly closed: readonly FindingKey[];
  readonly opened: readonly FindingKey[];
}

/** Equal for the same finding in worlds derived from each other. */
export const findingKeyText = ({ type, zone, source, target, environment }: FindingKey): string =>
  `${environment} ${zone} ${type} ${source} ${target}`;

/** Findings, keyed by `findingKeyText`. */
export type Findings = ReadonlyMap<string, FindingKey>;
