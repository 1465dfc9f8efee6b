/**
 * Groups findings with the same cause: records with the same statement about the same objects. A relation is reported where it enters a
 * zone, and again if its source is a large default group; a certificate leads to the same domain through several weaknesses; an account
 * that was never used is also unused. Records keep their ids; their shared cause identifies the group.
 *
 * Rule: `docs/findings.md#groups`.
 */
import { edgeKindById } from '@clew/model';
import type { FindingId, FindingType } from './types/index.ts';

/** Types about the same setting, or of which one includes the other. */
const SAME_SETTING: readonly (readonly FindingId[])[] = [
  ['Kerberoasting', 'T0Kerberoastable', 'KerberoastingWeakEncryption'],
  ['ASREPRoasting', 'T0ASREPRoastable'],
  ['T0MarkSensitive', 'T0UserNotProtected'],
  ['PasswordNeverExpires', 'T0PasswordNeverExpires'],
  ['OldServiceAccountPassword', 'T0OldPassword'],
  ['StaleUsers', 'T0StaleUsers', 'NeverLoggedOnT0', 'ManagedAccountUnused', 'ServiceAccountUnused'],
  ['StaleComputers', 'PreCreatedComputers'],
  ['ObsoleteOperatingSystem', 'T0ObsoleteOperatingSystem'],
  ['SMBSigningNotRequired', 'T0SMBSigningNotRequired'],
  ['SIDHistoryPresent', 'PrivilegedSIDHistory', 'SIDHistoryOwnDomain', 'SIDHistoryUnknownDomain'],
];

const settingOf = new Map<string, string>(
  SAME_SETTING.flatMap(([first, ...more]) => [first, ...more].map((id) => [id, first] as const)),
);

/** @param edgeKind kind of a relationship finding @returns the cause that the finding shares with others about the same objects */
export function causeOf({ kind, id }: FindingType, edgeKind: number): string {
  if (kind === 'list') return settingOf.get(id) ?? id;
  const name = edgeKindById(edgeKind)?.name ?? String(edgeKind);
  return name.startsWith('ADCSESC') ? 'ADCSESC' : name;
}
