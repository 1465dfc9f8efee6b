/**
 * Definitions of kinds that the data declares, in addition to the built-in kinds: which edge kinds are steps of
 * attack paths, and which node kinds are environments. They are stored with the columns, so every thread that has
 * a graph also has the definitions of its kinds.
 */

export interface DeclaredStep {
  readonly kind: number;
  readonly name: string;
  /** Effort of the step, and the reason for it. */
  readonly effort: number;
  readonly reason: string;
  /** Short name of the declaring extension: an upper-case prefix. */
  readonly family: string;
  /** Words between the names of the two ends, such as `can change`; absent if not declared. */
  readonly phrase?: string;
  /** Describes in one sentence how to remove the step; absent if not declared. */
  readonly removal?: string;
}

export interface DeclaredEnvironment {
  readonly kind: number;
  readonly name: string;
  /** Node kinds that count as principals of the environment. */
  readonly principals: readonly number[];
  readonly family: string;
}

/** The finding for a step that crosses an environment boundary. */
export interface DeclaredFinding {
  readonly id: string;
  readonly title: string;
  /** Edge kind. */
  readonly kind: number;
  readonly kindName: string;
  /** Kind of the environments in which it is reported; absent for all environments. */
  readonly environment?: number;
  /** Meaning of the relationship; empty if not declared. */
  readonly meaning: string;
  /** Markdown; empty if not declared. */
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
  /** Display name of the declaring extension. */
  readonly extension: string;
}

/** A check that reports each object found by a query as a finding. */
export interface DeclaredCheck {
  readonly id: string;
  readonly title: string;
  /** Category in which the finding is listed. */
  readonly category: string;
  /** Fixed severity; absent if the severity depends on a share of principals. */
  readonly severity?: DeclaredSeverity;
  /**
   * Whether severity depends on the share of principals exposed by the object, and not on the share that reaches
   * it.
   */
  readonly isByImpact?: boolean;
  /** Markdown; empty if not declared. */
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
  /** Technique ids. */
  readonly techniques: readonly string[];
  /** Responsible person or team; empty if not declared. */
  readonly owner: string;
  /** Declaring extension, in lower case. */
  readonly platform: string;
  /** Edges of the object whose removal fixes the finding. */
  readonly repairedBy?: DeclaredRemoval;
  /** Store ids, ascending, because node numbers differ between graphs. */
  readonly offenders: Uint32Array;
}

export type DeclaredSeverity = 'low' | 'moderate' | 'high' | 'critical';

export interface DeclaredRemoval {
  readonly kinds: readonly number[];
  /** Names of the edge kinds, in declared order. */
  readonly names: readonly string[];
  readonly direction: 'in' | 'out';
}

/** Describes how to remove an edge of one kind. */
export interface DeclaredRepair {
  /** Edge kind. */
  readonly kind: number;
  /** Whether the repair changes the start of the edge instead of its end. */
  readonly isAtStart: boolean;
  /** Effort and risk of the repair; by default the same as for a generic removal. */
  readonly cost?: number;
  /** Sentences in which `{source}` and `{target}` are placeholders for the ends; empty if not declared. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
}

/** Derives edges of one kind from other edges or from node properties. */
export interface DeclaredDerivation {
  /** Edge kind; at most one derivation creates it. */
  readonly kind: number;
  readonly kindName: string;
  /** Explains to users why such an edge exists. */
  readonly reason: string;
  /** Built-in edge kinds that it depends on. */
  readonly reads: readonly { readonly kind: number; readonly name: string }[];
  readonly by: DeclaredPattern | DeclaredIdentity;
}

/** A query whose rows name both ends. */
export interface DeclaredPattern {
  readonly type: 'pattern';
  readonly pattern: string;
  readonly start: string;
  readonly end: string;
}

/** Rule that decides when two nodes are the same person or machine. */
export type IdentityMatcher = 'upn' | 'email' | 'sid' | 'immutable_id' | 'account_name';

/** Links two nodes with the same value, if no other node of either kind has that value. */
export interface DeclaredIdentity {
  readonly type: 'identity';
  readonly matcher: IdentityMatcher;
  readonly start: IdentityEnd;
  readonly end: IdentityEnd;
  /** Whether to add an edge in the opposite direction, too. */
  readonly isMutual: boolean;
}

export interface IdentityEnd {
  /** Name of a node kind. */
  readonly kind: string;
  /** Key of the property with the value. */
  readonly property: string;
  /** Key of the property with the account's domain, used if the value has no domain. */
  readonly domain?: string;
}

export interface DeclaredKinds {
  /** Sorted by kind. */
  readonly steps: readonly DeclaredStep[];
  readonly environments: readonly DeclaredEnvironment[];
  readonly findings: readonly DeclaredFinding[];
  readonly checks: readonly DeclaredCheck[];
  readonly repairs: readonly DeclaredRepair[];
  readonly derivations: readonly DeclaredDerivation[];
}

export const NOTHING_DECLARED: DeclaredKinds = {
  ...{ steps: [], environments: [], findings: [], checks: [], repairs: [], derivations: [] },
};
