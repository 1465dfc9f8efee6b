/**
 * Ways: why derived edges are there, said so that one sees what takes them away. An edge stands as long as one of its ways
 * does, and a way as long as nothing that it needs is gone. Rules name their ways in the form in which they derive: for many
 * starts and ends at once.
 */
import type { EdgeKindName } from '@clew/model';

/** Settings that can be changed, each at one object. What a change writes: `plan/settings.ts`. */
export type SettingName =
  | 'template-subject'
  | 'template-approval'
  | 'template-security-extension'
  | 'authority-san-flag'
  | 'authority-web-enrolment'
  | 'authority-extensions'
  | 'controllers-certificate-binding'
  | 'controllers-certificate-mapping'
  | 'controllers-ldap-signing'
  | 'controllers-channel-binding'
  | 'computer-smb-signing'
  | 'domain-smb-signing';

export type Need =
  /** A value at an object; of settings of controllers the domain stands for them. */
  | { readonly setting: SettingName; readonly node: number }
  /** At least one of the relations; all of them go together. */
  | { readonly start: number; readonly kinds: readonly EdgeKindName[]; readonly end: number };

export interface Way {
  readonly kind: EdgeKindName;
  readonly starts: Iterable<number>;
  readonly ends: readonly number[];
  readonly needs: readonly Need[];
  /** What it needs of one start beside that. */
  readonly needsOf?: (start: number) => readonly Need[];
}
