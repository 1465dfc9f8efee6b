/** Findings of a world by the objects that they are about, and what differs between two worlds. */

/** The objects of a finding; the same in worlds derived from one another. */
export interface FindingKey {
  /** Place in `FINDING_TYPES`. */
  readonly type: number;
  readonly zone: number;
  /** Node; absent for list findings. */
  readonly source?: number;
  readonly target: number;
  /** Place of the environment. */
  readonly environment: number;
}

export interface FindingChanges {
  readonly closed: readonly FindingKey[];
  readonly opened: readonly FindingKey[];
}

/** Equal for the same finding of worlds made of one another. */
export const findingKeyText = ({ type, zone, source, target, environment }: FindingKey): string =>
  `${environment} ${zone} ${type} ${source} ${target}`;

/** Findings by their keys. */
export type Findings = ReadonlyMap<string, FindingKey>;
