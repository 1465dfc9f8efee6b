/** The text of a repair, and the names used in it. */

import type { Misplaced } from './misplaced.ts';
import type { Protection } from './protectedEntries.ts';
import type { CopiedTemplate } from './templateCopies.ts';

export interface RepairNames {
  readonly object: string;
  /** Kind of the object, as displayed. */
  readonly objectKind: string;
  /** Empty if no principal loses access. */
  readonly principal: string;
  /** Whether the object is a disabled account. */
  readonly isObjectDisabled?: boolean | undefined;
  /** Whether the principal is a group, whose members use its rights. */
  readonly isGroup?: boolean | undefined;
  /** Names of the relations. */
  readonly relations: readonly string[];
  /** Whether the entry is inherited from a container above. */
  readonly isInherited: boolean;
  /** Name of that container if known; otherwise empty. */
  readonly inheritedFrom: string;
  /** Present if the container that sets the entry is known or likely. */
  readonly inherited?: InheritedNames | undefined;
  /** Names of the policies that add a member. */
  readonly policy?: PolicyNames | undefined;
  /** Whether AdminSDHolder has the removed entries; only for a protected object without inherited entries. */
  readonly protection?: Protection | undefined;
  /** Set if the member does not belong in Tier Zero, and leaves it with the membership or role. */
  readonly leavesTierZero?: Misplaced | undefined;
  /** Set if the member does not belong in Tier Zero, but stays there without this membership or role. */
  readonly staysInTierZero?: StaysIn | undefined;
  /** Name of the group, role or environment that no one administers after the change, if there is one. */
  readonly leavesWithoutAdministrator?: string | undefined;
  /** The changed or retired template if it has version 1: a copy replaces it. */
  readonly copied?: CopiedTemplate | undefined;
  /** Whether one of the removed assignments is elevated access to all of Azure. */
  readonly isElevated?: boolean | undefined;
  /** Sentences about service accounts to which logons are denied. */
  readonly deniedServices?: readonly string[] | undefined;
  /** Present if the object is a certification authority. */
  readonly authority?: AuthorityNames | undefined;
}

export interface StaysIn {
  /** Names of its other groups and roles of Tier Zero in the same environments; empty if anything else keeps it in Tier Zero. */
  readonly through: string;
}

export interface AuthorityNames {
  /** Whether the access list was read from the authority's registry; otherwise it is that of its directory object. */
  readonly isRegistryRead: boolean;
  /** Number of published templates that give control to accounts that enroll. */
  readonly dangerousTemplates: number;
}

export interface InheritedNames {
  /** Name of the container that sets the entry, or that is likely to set it: all objects with the entry are below it. */
  readonly container: string;
  /** Number of other objects that inherit the entry from it. */
  readonly others: number;
  /** Whether accounts that join computers to the domain have the right. */
  readonly isForJoins: boolean;
}

export interface PolicyNames {
  /** Name of the local groups. */
  readonly group: string;
  readonly computerCount: number;
  /** Names of these computers; of many, only the first. */
  readonly computers: readonly string[];
  /** Units and domains whose policies add the membership. */
  readonly units: readonly string[];
}

export interface RepairText {
  /** The change in one line. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  /** Services that may stop working. */
  readonly risk: string;
}
