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
  /** Public identifier: URL-safe and never changed. */
  readonly id: string;
  /** Condition and target without a judgment; at most 80 characters. */
  readonly title: string;
  readonly category: FindingCategory;
  /** A built-in platform, or the extension that declares it, in lower case. */
  readonly platform: Platform | (string & {});
  /** The family shares its cause, and so its remedy. */
  readonly family: FindingFamily;
  /** Texts of this type that replace those of the family, if these do not apply. */
  readonly remedy?: Remedy;
  /** The finding, in one or two full sentences for a defender. */
  readonly what: string;
}

/**
 * Which edges of the kinds are findings. `crossing`: from outside the zone into it; `uncertified`: the same, for zones that require
 * certification; `forest`: between domains of different forests; `large-default-group`: from a default group of nearly everyone, or a group
 * that contains one; `large-group`: from a group that contains more than half of the users of a tenant.
 */
export type Boundary = 'crossing' | 'uncertified' | 'forest' | 'large-default-group' | 'large-group';

export interface RelationshipFindingType extends CommonTraits {
  readonly kind: 'relationship';
  readonly edges: readonly EdgeKindName[];
  readonly boundary: Boundary;
  /** Produced only if the operator enables it. */
  readonly optional?: boolean;
  /** Definition of a type declared by the data; its edges are of the one kind named in it. */
  readonly declared?: DeclaredFinding;
}

export interface ListFindingType extends CommonTraits {
  readonly kind: 'list';
  /** `tier-zero`: only members of Tier Zero; `hygiene`: any object. */
  readonly scope: 'tier-zero' | 'hygiene';
  /** Node properties without which the type cannot be assessed. */
  readonly needs: readonly string[];
  /**
   * Property that proves that the collector read the data, if the required properties are absent on most objects anyway. By default the
   * required properties prove it.
   */
  readonly seenBy?: string;
  /** Inputs of `find`, in addition to `needs` and `FACTS_READS`. */
  readonly reads?: Reads;
  /** @returns the objects with the setting; empty if required data is missing, which the coverage report says */
  readonly find: (facts: FindingFacts) => NodeSet;
  /** Lowest severity to show: some objects are not principals, so their computed impact can be zero. */
  readonly floor: Severity;
  /**
   * The effect of the setting alone. An `opening` lets an unauthorized principal take over the object. A missing `safeguard` gives no one
   * control by itself, but makes an existing path easier to use or harder to detect.
   */
  readonly nature: 'opening' | 'safeguard';
  /** Its objects control Tier Zero because of their function, although they are not in it. */
  readonly isOverTierZero?: boolean;
  /** Effort of using an opening: 1: one action (default); 2: several; 4: a condition must hold; 8: luck. */
  readonly effort?: EffortClass;
  /**
   * Objects whose environments must repair the finding, if not the object's own environment; each gets a finding. Reads only inputs in
   * `reads`.
   */
  readonly repairedAt?: (facts: FindingFacts, target: number) => readonly number[];
  /** Principals that can use an opening; default everybody. Reads only inputs in `reads`. */
  readonly usedBy?: (facts: FindingFacts, target: number) => NodeSet;
  /** Definition of a type whose objects are found by a query. */
  readonly check?: DeclaredCheck;
}

type ListClass = Pick<ListFindingType, 'platform' | 'category' | 'scope' | 'nature'> &
  Partial<Pick<ListFindingType, 'floor'>>;

/** Preserves the literal types of the classification of a list finding. @returns its argument */
export const classed = <const Class extends ListClass>(given: Class): Class => given;

export type FindingType = RelationshipFindingType | ListFindingType;
