/** A finding type: a row of the catalog. Its texts are composed from the row and its family. */
import type { DeclaredCheck, DeclaredFinding, NodeSet } from '@clew/graph';
import type { EdgeKindName, Platform } from '@clew/model';
import type { Reads } from '../../analysisContext.ts';
import type { EffortClass } from '../effortClass.ts';
import type { FindingFacts } from '../findingFacts.ts';
import type { FindingFamily, Remedy } from './family.ts';

/** Public category names; each finding type belongs to one. */
export const FINDING_CATEGORIES = {
  TZ: 'Tier Zero Attack Paths',
  KR: 'Abusable Kerberos Configurations',
  CS: 'Active Directory Certificate Services',
  RL: 'NTLM Relay',
  LP: 'Least Privilege Enforcement',
  EN: 'Entra ID',
  HY: 'Hybrid',
  MG: 'Microsoft Graph',
  RM: 'Azure Resource Manager',
  AH: 'Account Hygiene',
  IH: 'Infrastructure Hygiene',
  CU: 'Custom Checks',
} as const;

export type FindingCategory = keyof typeof FINDING_CATEGORIES;

export type Severity = 'low' | 'moderate' | 'high' | 'critical';

interface CommonTraits {
  /** Public identifier: URL-safe and stable for ever. */
  readonly id: string;
  /** Condition and target, no verdict; up to 80 characters. */
  readonly title: string;
  readonly category: FindingCategory;
  /** A built-in platform, or the extension that declares it, in lower case. */
  readonly platform: Platform | (string & {});
  /** Shares its cause, and so its remedy. */
  readonly family: FindingFamily;
  /** Texts of this type that replace those of the family, where they do not fit. */
  readonly remedy?: Remedy;
  /** The finding, in one or two full sentences for a defender. */
  readonly what: string;
}

/**
 * Which edges of the kinds are findings. `crossing`: from outside the zone into it; `uncertified`: the same,
 * possible only where a zone asks for certification; `forest`: between domains of different forests;
 * `large-default-group`: from a default group that nearly everybody belongs to, or a group that contains one; `large-group`: from a group that holds
 * more than half of the users of a tenant.
 */
export type Boundary = 'crossing' | 'uncertified' | 'forest' | 'large-default-group' | 'large-group';

export interface RelationshipFindingType extends CommonTraits {
  readonly kind: 'relationship';
  readonly edges: readonly EdgeKindName[];
  readonly boundary: Boundary;
  /** Not made unless the operator asks for it. */
  readonly optional?: boolean;
  /** Definition of a type that the data declares; its edges are of the one kind that this names. */
  readonly declared?: DeclaredFinding;
}

export interface ListFindingType extends CommonTraits {
  readonly kind: 'list';
  /** `tier-zero`: members of Tier Zero only; `hygiene`: any object. */
  readonly scope: 'tier-zero' | 'hygiene';
  /** Node properties without which nothing can be said. */
  readonly needs: readonly string[];
  /**
   * Property that shows that the collector looked, where those the type needs are absent on most objects anyway.
   * By default the needed ones show it themselves.
   */
  readonly seenBy?: string;
  /** Inputs of `find`, in addition to those, and to `FACTS_READS`. */
  readonly reads?: Reads;
  /** @returns the objects with the setting; none where the data that it needs is missing: the coverage report says so */
  readonly find: (facts: FindingFacts) => NodeSet;
  /** Lowest severity to show: some objects are not principals, so their computed impact can be zero. */
  readonly floor: Severity;
  /**
   * The effect of the setting by itself. An `opening` lets somebody take the object who should not. A `safeguard` is missing: no one gains
   * control by that alone, but an existing path is easier to use or harder to see.
   */
  readonly nature: 'opening' | 'safeguard';
  /** Its objects control Tier Zero by their task, although they do not belong to it. */
  readonly isOverTierZero?: boolean;
  /** Effort of using an opening: 1 one action (default), 2 several, 4 a condition must hold, 8 luck. */
  readonly effort?: EffortClass;
  /** Objects whose environments have to repair it, where that is not the object's own; a finding in each. Read within `reads`. */
  readonly repairedAt?: (facts: FindingFacts, target: number) => readonly number[];
  /** Principals that can use an opening; everybody unless given. Read within `reads`. */
  readonly usedBy?: (facts: FindingFacts, target: number) => NodeSet;
  /** Definition of a type whose objects a query finds. */
  readonly check?: DeclaredCheck;
}

type ListClass = Pick<ListFindingType, 'platform' | 'category' | 'scope' | 'nature'> &
  Partial<Pick<ListFindingType, 'floor'>>;

/** The classification of a list finding, on one line of its file. @returns it, with its values as types */
export const classed = <const Class extends ListClass>(given: Class): Class => given;

export type FindingType = RelationshipFindingType | ListFindingType;
