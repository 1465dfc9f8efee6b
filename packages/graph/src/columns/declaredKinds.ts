/**
 * Definitions of kinds that the data declares, in addition to those that callers know by number: which kinds of edges
 * are steps of attack paths, which kinds of nodes are environments. They are stored with the columns, so that every
 * thread with a graph knows the meaning of its kinds.
 */

export interface DeclaredStep {
  readonly kind: number;
  readonly name: string;
  /** Effort of the step, and its reason. */
  readonly effort: number;
  readonly reason: string;
  /** Short name of who declares it: an upper-case prefix. */
  readonly family: string;
  /** Words between the names of its ends, such as `can change`; absent if not declared. */
  readonly phrase?: string;
  /** Describes in one sentence how to remove it; absent if not declared. */
  readonly removal?: string;
}

export interface DeclaredEnvironment {
  readonly kind: number;
  readonly name: string;
  /** Kinds of the nodes that are counted in it. */
  readonly principals: readonly number[];
  readonly family: string;
}

/** The finding for a step that crosses a boundary. */
export interface DeclaredFinding {
  readonly id: string;
  readonly title: string;
  /** Kind of edges. */
  readonly kind: number;
  readonly kindName: string;
  /** Kind of the environments that have it; all when absent. */
  readonly environment?: number;
  /** Meaning of the relationship; empty if not declared. */
  readonly meaning: string;
  /** Markdown; empty where nothing is said. */
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
  /** Display name of the extension that declares it. */
  readonly extension: string;
}

/** Objects that a query found, as a finding of each. */
export interface DeclaredCheck {
  readonly id: string;
  readonly title: string;
  /** Category under which it is listed. */
  readonly category: string;
  /** Fixed severity; absent if it depends on a share of principals. */
  readonly severity?: DeclaredSeverity;
  /** Whether the share of principals that fall with the object decides, instead of those that reach it. */
  readonly isByImpact?: boolean;
  /** Markdown; empty where nothing is said. */
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
  /** Numbers of techniques. */
  readonly techniques: readonly string[];
  /** Responsible person or team; empty if not declared. */
  readonly owner: string;
  /** Extension that declares it, in lower case. */
  readonly platform: string;
  /** Edges at the object whose removal repairs the finding. */
  readonly repairedBy?: DeclaredRemoval;
  /** Store ids, ascending, because node numbers differ between graphs. */
  readonly offenders: Uint32Array;
}

export type DeclaredSeverity = 'low' | 'moderate' | 'high' | 'critical';

export interface DeclaredRemoval {
  readonly kinds: readonly number[];
  /** Names of the kinds, in their order. */
  readonly names: readonly string[];
  readonly direction: 'in' | 'out';
}

/** Describes how to remove an edge of a kind. */
export interface DeclaredRepair {
  /** Kind of edges. */
  readonly kind: number;
  /** Whether the repair changes the start of the edge instead of its end. */
  readonly isAtStart: boolean;
  /** Steps of effort and risk; default: those of any removal. */
  readonly cost?: number;
  /** Sentences with `{source}` and `{target}` as placeholders for the ends; empty if not declared. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
}

/** Derivation of edges of a kind from other edges, or from properties of nodes. */
export interface DeclaredDerivation {
  /** Kind of edges: one derivation makes it. */
  readonly kind: number;
  readonly kindName: string;
  /** Why there is such an edge, for people. */
  readonly reason: string;
  /** Built-in kinds of edges that it depends on. */
  readonly reads: readonly { readonly kind: number; readonly name: string }[];
  readonly by: DeclaredPattern | DeclaredIdentity;
}

/** Rows of a query name both ends. */
export interface DeclaredPattern {
  readonly type: 'pattern';
  readonly pattern: string;
  readonly start: string;
  readonly end: string;
}

/** Rule by which two nodes are the same person or machine. */
export type IdentityMatcher = 'upn' | 'email' | 'sid' | 'immutable_id' | 'account_name';

/** Matches nodes with the same value, if no other node of either kind has it. */
export interface DeclaredIdentity {
  readonly type: 'identity';
  readonly matcher: IdentityMatcher;
  readonly start: IdentityEnd;
  readonly end: IdentityEnd;
  /** An edge back, too. */
  readonly isMutual: boolean;
}

export interface IdentityEnd {
  /** Name of a kind of nodes. */
  readonly kind: string;
  /** Key of the property that has the value. */
  readonly property: string;
  /** Key of the property with the domain of the account, if the value has none. */
  readonly domain?: string;
}

export interface DeclaredKinds {
  /** In ascending order of their kinds. */
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
