/**
 * The input of a rule: the collected graph, its properties, the edges that earlier rules derived, and structures shared between rules.
 * Everything is computed lazily and kept for the run; nothing here changes a fact.
 */
import {
  type AttackGraph,
  type Cancel,
  type EdgeProperties,
  getOrMake,
  type NodeProperties,
  NodeSet,
  nodesOfKind,
  throwIfCanceled,
} from '@clew/graph';
import { EdgeKind, type EdgeKindName, NodeKind, type NodeKindName, type RulesMode } from '@clew/model';
import { attackGraph } from './attackGraph.ts';
import type { DerivedKindEdges } from './derivedEdges.ts';
import type { EdgeRef } from './edgeRef.ts';
import { EdgeView } from './edgeView.ts';
import type { FeatureName } from './features.ts';
import type { PatternMatches } from './patternMatches.ts';
import { WorldMemory } from './worldMemory.ts';

export interface AnalysisOptions {
  readonly rules: RulesMode;
  /** Enabled features; default `defaultFeatures()`. */
  readonly features: ReadonlySet<FeatureName>;
  /**
   * Authorities of which someone answered that the update of November 2024 (CVE-2024-49019) is installed, by object id: ways of ADCSESC15
   * through them do not count. No collector reports it.
   */
  readonly updatedAuthorities?: ReadonlyMap<string, AuthorityAnswer>;
  /** Matches of the patterns of definitions, used when a change of facts is computed. */
  readonly matches?: PatternMatches;
}

/** The person who answered, and the time. */
export interface AuthorityAnswer {
  /** Name of the authority. */
  readonly name: string;
  /** Name of the person. */
  readonly by: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface AnalysisInput {
  /**
   * The collected graph with the well-known groups of `wellKnownFacts`. Existing edges of a kind that only analysis produces are accepted
   * as facts, so a graph that already has derived edges can explain them.
   */
  readonly graph: AttackGraph;
  /** Contains at least the keys of `requiredProperties()`. */
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly options: AnalysisOptions;
  readonly cancel?: Cancel;
  /** For a context that answers a series of questions: returns the cancellation of the current question. */
  readonly cancelNow?: () => Cancel | undefined;
  /** A context with the same nodes that replaces this one for readers whose inputs do not differ. */
  readonly origin?: Origin;
  /** Same for shared structures only, tried after `origin`. */
  readonly nearOrigin?: Origin;
}

export interface Origin {
  readonly context: AnalysisContext;
  /** Whether all inputs are the same in both. */
  readonly isSame: (reads: Reads) => boolean;
  /** @returns edges of these kinds (default any) that exist in only one of the two, possibly with others; undefined if unknown */
  readonly differences?: (kinds?: readonly EdgeKindName[]) => readonly EdgeRef[] | undefined;
}

/** The inputs of a rule or a shared structure; they determine the order of rules and the columns to load. */
export interface Reads {
  readonly edges?: readonly EdgeKindName[];
  readonly nodeProperties?: readonly string[];
  /** Property keys by edge kind. */
  readonly edgeProperties?: Readonly<Partial<Record<EdgeKindName, readonly string[]>>>;
  readonly shared?: readonly Shared<unknown>[];
}

/** A structure shared by several rules, built once per run by the first user. */
export interface Shared<Value> {
  readonly name: string;
  readonly reads: Reads;
  readonly build: (context: AnalysisContext) => Value;
}

export class AnalysisContext {
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly options: AnalysisOptions;
  /** The context from which this one was changed, if any. */
  readonly origin: Origin | undefined;
  /** Structures that others compute from these facts, kept as long as the facts. */
  readonly memory = new WorldMemory();
  readonly #nearOrigin: Origin | undefined;
  readonly #cancelNow: () => Cancel | undefined;
  readonly warnings: string[] = [];
  readonly #derived = new Map<number, DerivedKindEdges>();
  readonly #shared = new Map<Shared<unknown>, unknown>();
  readonly #nodes = new Map<NodeKindName, NodeSet>();
  readonly #views = new Map<string, EdgeView>();

  constructor(input: AnalysisInput) {
    this.graph = input.graph;
    this.properties = input.properties;
    this.edgeProperties = input.edgeProperties;
    this.options = input.options;
    this.origin = input.origin;
    this.#nearOrigin = input.nearOrigin;
    this.#cancelNow = input.cancelNow ?? (() => input.cancel);
  }

  /** The graph for attack path questions: without steps over edges that pass no control on. */
  get attackGraph(): AttackGraph {
    return attackGraph(this.graph);
  }

  get cancel(): Cancel | undefined {
    return this.#cancelNow();
  }

  /** @returns the shared structure, built on the first call of the run */
  use<Value>(shared: Shared<Value>): Value {
    if (!this.#shared.has(shared)) {
      const same = [this.origin, this.#nearOrigin].find((origin) => origin?.isSame(shared.reads) === true);
      const value =
        same === undefined
          ? shared.build(this.readingFor(shared.name, shared.reads))
          : same.context.use(shared);
      this.#shared.set(shared, value);
    }
    return this.#shared.get(shared) as Value;
  }

  /**
   * @returns the context as seen by one reader. Here it is the same for all; tests ensure that no reader reads undeclared inputs, because
   * those would be neither loaded nor derived in time.
   */
  readingFor(_reader: string, _reads: Reads): AnalysisContext {
    return this;
  }

  /** @returns nodes of the kind */
  nodesOf(kind: NodeKindName): NodeSet {
    if (this.origin !== undefined) return this.origin.context.nodesOf(kind);
    return getOrMake(this.#nodes, kind, () => nodesOfKind(this.graph, NodeKind[kind]));
  }

  /** @returns collected edges of these kinds, and those derived so far */
  edges(...kinds: readonly EdgeKindName[]): EdgeView {
    const key = kinds.join();
    return getOrMake(this.#views, key, () => {
      const numbers = kinds.map((kind) => EdgeKind[kind]);
      const derived = numbers.map((kind) => this.#derived.get(kind)).filter((edges) => edges !== undefined);
      return new EdgeView(this.graph, numbers, derived);
    });
  }

  emptySet(): NodeSet {
    return NodeSet.empty(this.graph.nodeCount);
  }

  /** Rules with long loops call this periodically. @throws CanceledError */
  throwIfCanceled(): void {
    throwIfCanceled(this.cancel);
  }

  /** Reports something that the operator should know: invalid data, or a skipped domain. */
  warn(message: string): void {
    this.warnings.push(message);
  }

  /** Makes the edges of a rule visible to later rules. */
  addDerived(edges: DerivedKindEdges): void {
    this.#derived.set(edges.kind, edges);
    for (const [key, view] of this.#views) if (view.shows(edges.kind)) this.#views.delete(key);
  }
}
