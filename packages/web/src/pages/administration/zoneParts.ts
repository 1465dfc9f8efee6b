/** Shared parts of the views of zones. */

export const ZONE = 1;
export const LABEL = 2;
export const OWNED = 3;
export const TIER_ZERO = 1;

/** Operations whose answers change with a zone. */
export const TOUCHED = [
  'GetAssetGroupTags',
  'GetAssetGroupTagSelectors',
  'ListAssetGroupTagMembersById',
  'GetAssetGroupTagHistory',
  'GetAssetGroupTagsCertifications',
] as const;

export interface ShownZone {
  readonly id: number;
  /** `ZONE`, `LABEL` or `OWNED`. */
  readonly type: number;
  readonly name: string;
  readonly description: string;
  /** Position among zones, from 1. */
  readonly position: number | null;
  readonly require_certify: boolean | null;
}
