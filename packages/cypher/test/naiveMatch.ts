/**
 * Matches in the obvious way, for comparison: every pattern as it is written, every node and every edge tried at each
 * place, conditions tested at the end. No plan, no index, no search.
 */
import { Frame, Scope } from '../src/bind/scope.ts';
import { ExpressionCompiler } from '../src/compile/expressionCompiler.ts';
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import { Budget, DEFAULT_LIMITS } from '../src/run/budget.ts';
import type { Evaluate, RunContext } from '../src/run/context.ts';
import type { Clause, Expression, NodePattern, PathPattern, RelationshipPattern } from '../src/syntax/ast.ts';
import { equals } from '../src/values/compare.ts';
import { TemporalInstant } from '../src/values/temporal/instant.ts';
import { NodeValue, PathValue, RelationshipValue, type Value, type ValueMap } from '../src/values/values.ts';

type Bindings = Map<string, Value>;

/** Spends nothing. */
export const FREE = { spend: () => {} };

interface State {
  readonly bound: Bindings;
  /** Edges that the match uses already. */
  readonly used: ReadonlySet<number>;
}

export const naiveMatch = (
  match: Extract<Clause, { type: 'match' }>,
  graph: PropertyGraph,
): readonly Bindings[] => new NaiveMatcher(graph).match(match, new Map());

export class NaiveMatcher {
  readonly #compiled = new Map<Expression, Map<string, Evaluate>>();
  readonly #graph: PropertyGraph;

  constructor(graph: PropertyGraph) {
    this.#graph = graph;
  }

  /** @param row values known before */
  match(
    { patterns, where }: Extract<Clause, { type: 'match' }>,
    row: ReadonlyMap<string, Value>,
  ): readonly Bindings[] {
    let states: State[] = [{ bound: new Map(row), used: new Set() }];
    for (const pattern of patterns) states = states.flatMap((state) => this.path(pattern, state));
    const found = states.map(({ bound }) => bound);
    return where === undefined ? found : found.filter((bound) => this.value(where, bound) === true);
  }

  path(pattern: PathPattern, state: State): State[] {
    const found: State[] = [];
    const { nodes, relationships, variable, shortest } = pattern;
    const walk = (at: number, current: State, way: readonly number[], edges: readonly number[]): void => {
      if (at === relationships.length) {
        const bound = new Map(current.bound);
        if (variable !== undefined) bound.set(variable, new PathValue(way, edges));
        found.push({ ...current, bound });
        return;
      }
      const trails = this.#trails(
        way.at(-1) as number,
        relationships[at],
        current.used,
        shortest !== undefined,
      );
      for (const trail of trails) {
        const after = this.#bindTrail(relationships[at], trail.edges, current);
        const end = after && this.#bindNode(nodes[at + 1], trail.nodes.at(-1) as number, after);
        if (end !== undefined)
          walk(at + 1, end, [...way, ...trail.nodes.slice(1)], [...edges, ...trail.edges]);
      }
    };
    for (let node = 0; node < this.#graph.nodeCount; node++) {
      const start = this.#bindNode(nodes[0], node, state);
      if (start !== undefined) walk(0, start, [node], []);
    }
    if (shortest === undefined) return found;
    // Other parts of the match may use the edges of a shortest path again.
    return this.#shortest(pattern, found).map((one) => ({ ...one, used: state.used }));
  }

  value(expression: Expression, bound: ReadonlyMap<string, Value>): Value {
    const names = [...bound.keys()].join();
    const byNames = this.#compiled.get(expression) ?? new Map<string, Evaluate>();
    this.#compiled.set(expression, byNames);
    const evaluate = byNames.get(names) ?? this.#compile(expression, [...bound.keys()]);
    byNames.set(names, evaluate);
    return evaluate([...bound.values()]);
  }

  #compile(expression: Expression, names: readonly string[]): Evaluate {
    let scope = new Scope(new Frame());
    for (const name of names) ({ scope } = scope.with(name, 'value'));
    const refuse = (): never => {
      throw new Error('no patterns here');
    };
    const context: RunContext = {
      graph: this.#graph,
      parameters: {},
      budget: new Budget(DEFAULT_LIMITS, () => {}),
      now: TemporalInstant.ofEpoch(0),
      warn: () => {},
    };
    const nested = { pattern: refuse, patternComprehension: refuse, subquery: refuse };
    return new ExpressionCompiler(context, nested).compile(expression, scope);
  }

  /** All ways that a relationship of a pattern can be, from a node. */
  #trails(
    start: number,
    { direction, types, length, properties }: RelationshipPattern,
    used: ReadonlySet<number>,
    isShortest: boolean,
  ): { readonly nodes: readonly number[]; readonly edges: readonly number[] }[] {
    const { min, max = Number.POSITIVE_INFINITY } = length ?? { min: 1, max: 1 };
    const found: { nodes: readonly number[]; edges: readonly number[] }[] = [];
    const walk = (nodes: readonly number[], edges: readonly number[]): void => {
      if (edges.length >= min) found.push({ nodes, edges });
      if (edges.length >= max) return;
      const here = nodes.at(-1) as number;
      for (let edge = 0; edge < this.#graph.edgeCount; edge++) {
        if (edges.includes(edge) || (!isShortest && used.has(edge))) continue;
        const type = this.#graph.typeName(this.#graph.out.kinds[edge]);
        if (types.length > 0 && !types.includes(type)) continue;
        if (!this.#has(properties, (key) => this.#graph.edgeProperty(edge, key))) continue;
        const [from, to] = [this.#graph.startOf(edge), this.#graph.out.neighbors[edge]];
        if (direction !== 'left' && from === here) walk([...nodes, to], [...edges, edge]);
        if (direction !== 'right' && to === here && !(direction === 'both' && from === to))
          walk([...nodes, from], [...edges, edge]);
      }
    };
    walk([start], []);
    return found;
  }

  #bindTrail(
    { variable, length }: RelationshipPattern,
    edges: readonly number[],
    state: State,
  ): State | undefined {
    const used = new Set([...state.used, ...edges]);
    if (variable === undefined) return { ...state, used };
    const value =
      length === undefined
        ? new RelationshipValue(edges[0])
        : edges.map((edge) => new RelationshipValue(edge));
    const known = state.bound.get(variable);
    if (known !== undefined && equals(known, value, FREE) !== true) return undefined;
    return { used, bound: new Map([...state.bound, [variable, value]]) };
  }

  #bindNode({ variable, labels, properties }: NodePattern, node: number, state: State): State | undefined {
    const own = this.#graph.labelsOf(node);
    if (!labels.every((any) => any.some((label) => own.includes(label)))) return undefined;
    if (!this.#has(properties, (key) => this.#graph.nodeProperty(node, key))) return undefined;
    if (variable === undefined) return state;
    const known = state.bound.get(variable);
    if (known !== undefined) return known instanceof NodeValue && known.node === node ? state : undefined;
    return { ...state, bound: new Map([...state.bound, [variable, new NodeValue(node)]]) };
  }

  #has(properties: Expression | undefined, read: (key: string) => Value): boolean {
    if (properties === undefined) return true;
    const wanted = this.value(properties, new Map()) as ValueMap;
    return Object.entries(wanted).every(([key, value]) => equals(read(key), value, FREE) === true);
  }

  /** Keeps the shortest of all paths between two nodes. */
  #shortest({ shortest, variable, relationships }: PathPattern, states: readonly State[]): State[] {
    const name = variable as string;
    const pathOf = ({ bound }: State): PathValue => bound.get(name) as PathValue;
    const isLoop = (path: PathValue): boolean => path.edges.length > 0 && path.nodes[0] === path.nodes.at(-1);
    const byEnds = Map.groupBy(
      states.filter((state) => !isLoop(pathOf(state))),
      (state) => `${pathOf(state).nodes[0]} ${pathOf(state).nodes.at(-1)}`,
    );
    const most = relationships[0].length?.max ?? Number.POSITIVE_INFINITY;
    return [...byEnds.values()].flatMap((group) => {
      const least = Math.min(...group.map((state) => pathOf(state).edges.length));
      const best = group.filter((state) => pathOf(state).edges.length === least && least <= most);
      return shortest === 'one' ? best.slice(0, 1) : best;
    });
  }
}
