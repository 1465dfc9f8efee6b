/**
 * Definitions of kinds that the data declares, in addition to those that callers know by number: which kinds of edges are steps of attack
 * paths, which kinds of nodes are environments. They travel with the columns, so that every thread that has a graph knows what its kinds
 * mean.
 */

export interface DeclaredStep {
  readonly kind: number;
  readonly name: string;
  /** Effort of the step, and its reason. */
  readonly effort: number;
  readonly reason: string;
  /** Short name of who declares it: an upper-case prefix. */
  readonly family: string;
  /** Words between the names of its ends, `can change`; absent where nothing is declared. */
  readonly phrase?: string;
  /** How it is removed, in one sentence; absent where nothing is declared. */
  readonly removal?: string;
}

export interface DeclaredEnvironment {
  readonly kind: number;
  readonly name: string;
  /** Kinds of the nodes that are counted in it. */
  readonly principals: readonly number[];
  readonly family: string;
}

/** A finding that a step is, where it crosses a boundary. */
export interface DeclaredFinding {
  readonly id: string;
  readonly title: string;
  /** Kind of edges. */
  readonly kind: number;
  readonly kindName: string;
  /** Kind of the environments that have it; all when absent. */
  readonly environment?: number;
  /** Meaning of the relationship; empty where none is declared. */
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
  /** Fixed, or absent where it depends on a share of principals. */
  readonly severity?: DeclaredSeverity;
  /** The share of those that fall with the object decides, not of those that reach it. */
  readonly isByImpact?: boolean;
  /** Markdown; empty where nothing is said. */
  readonly shortDescription: string;
  readonly longDescription: string;
  readonly shortRemediation: string;
  readonly longRemediation: string;
  /** Numbers of techniques. */
  readonly techniques: readonly string[];
  /** Person or team responsible for it; empty where none is declared. */
  readonly owner: string;
  /** Extension that declares it, in lower case. */
  readonly platform: string;
  /** Edges at the object whose removal repairs the finding. */
  readonly repairedBy?: DeclaredRemoval;
  /** Ids in the store, ascending: nodes have other numbers in other graphs. */
  readonly offenders: Uint32Array;
}

export type DeclaredSeverity = 'low' | 'moderate' | 'high' | 'critical';

export interface DeclaredRemoval {
  readonly kinds: readonly number[];
  /** Names of the kinds, in their order. */
  readonly names: readonly string[];
  readonly direction: 'in' | 'out';
}

/** How an edge of a kind is removed. */
export interface DeclaredRepair {
  /** Kind of edges. */
  readonly kind: number;
  /** Whether the start of the edge is changed, and not its end. */
  readonly isAtStart: boolean;
  /** In steps of effort and risk; as of any removal when absent. */
  readonly cost?: number;
  /** Sentences in which `{source}` and `{target}` stand for the ends; empty where nothing is said. */
  readonly title: string;
  readonly change: string;
  readonly check: string;
  readonly risk: string;
}

/** Edges of a kind that follow from others, or from properties of nodes. */
export interface DeclaredDerivation {
  /** Kind of edges: one derivation makes it. */
  readonly kind: number;
  readonly kindName: string;
  /** Why there is such an edge, for people. */
  readonly reason: string;
  /** Kinds of edges that it follows from and that no definition may declare. */
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

/** How two nodes are known to be the same person or machine. */
export type IdentityMatcher = 'upn' | 'email' | 'sid' | 'immutable_id' | 'account_name';

/** Nodes with the same value, where no other node of either kind has it. */
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
  /** Key of the property that has the domain of the account, where the value has none. */
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
