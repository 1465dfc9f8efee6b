/** A repair as texts tell it, and the names that they have in them. */

import type { Misplaced } from './misplaced.ts';
import type { Protection } from './protectedEntries.ts';

export interface RepairNames {
  readonly object: string;
  /** Kind of the object, as shown. */
  readonly objectKind: string;
  /** Empty where nothing is taken from anyone. */
  readonly principal: string;
  /** Names of the relations. */
  readonly relations: readonly string[];
  /** The entry comes from a container above. */
  readonly isInherited: boolean;
  /** Its name, where it is known; else empty. */
  readonly inheritedFrom: string;
  /** Names of the policies that give a member. */
  readonly policy?: PolicyNames | undefined;
  /** The object is protected, and nothing is inherited: whether AdminSDHolder has the removed entries. */
  readonly protection?: Protection | undefined;
  /** The member leaves Tier Zero with the membership or the role, where it does not belong. */
  readonly leavesTierZero?: Misplaced | undefined;
  /** The principal is a template of version 1, which is retired: a copy replaces it. */
  readonly isReplaced?: boolean | undefined;
  /** The object is a certification authority. */
  readonly authority?: AuthorityNames | undefined;
}

export interface AuthorityNames {
  /** The list of the authority itself was read, from its registry; otherwise that of its object in the directory. */
  readonly isRegistryRead: boolean;
  /** Published templates that give control to those who enroll. */
  readonly dangerousTemplates: number;
}

export interface PolicyNames {
  /** Name of the local groups. */
  readonly group: string;
  readonly computerCount: number;
  /** Units and domains whose policies give the membership. */
  readonly units: readonly string[];
}

export interface RepairText {
  /** One line: what to do. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  /** Services that may stop working. */
  readonly risk: string;
}
