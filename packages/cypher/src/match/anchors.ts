/** Finds the nodes at which a match can start: by an index of the graph, by label, or by scanning all nodes. */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import type { LabelSet } from '../graph/propertyGraph.ts';
import { noLabel } from '../names/unknownNames.ts';
import type { Spends } from '../run/budget.ts';
import type { Evaluate, Row, RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { isList, NodeValue, type Value } from '../values/values.ts';
import type { Condition, Elements, NodeElement } from './elements.ts';
import { isDeterministic, namesIn } from './expressionReads.ts';
import { ValueIndex } from './joins.ts';

/** A way to find start nodes, with an estimate of their number. */
export interface Anchor {
  readonly estimate: number;
  readonly detail: string;
  /** Whether the result is the same for every row. */
  readonly isFixed: boolean;
  readonly every: (row: Row, visit: (node: number) => boolean) => boolean;
}

/** Detail of an anchor with an unknown label, which causes a separate warning. */
export const NO_LABEL = 'of an unknown label';

/** Estimated number of nodes that are equal to a value from another part of the match. */
const JOINED = 2;

export class Anchors {
  readonly #conditions: readonly Condition[];
  readonly #compiler: ExpressionCompiler;
  readonly #context: RunContext;
  readonly #outer: Scope;
  readonly #scope: Scope;
  readonly #known = new Map<NodeElement, Anchor>();
  /** Names of the match that already have a value when the anchor is used. */
  readonly #found: ReadonlySet<string>;

  constructor(
    { conditions, scope }: Elements,
    compiler: ExpressionCompiler,
    context: RunContext,
    outer: Scope,
    found: ReadonlySet<string>,
  ) {
    this.#conditions = conditions;
    this.#scope = scope;
    this.#found = found;
    this.#compiler = compiler;
    this.#context = context;
    this.#outer = outer;
  }

  /** @returns the anchor with the fewest estimated nodes */
  of(node: NodeElement): Anchor {
    const alone = this.alone(node);
    const joined = this.#conditions.flatMap((condition) => this.#joinOf(node, condition, alone) ?? []);
    return joined.reduce((least, anchor) => (anchor.estimate < least.estimate ? anchor : least), alone);
  }

  /** Like `of`, but uses only facts known before the match starts. */
  alone(node: NodeElement): Anchor {
    let anchor = this.#known.get(node);
    if (anchor === undefined) {
      anchor = this.#findAnchor(node);
      this.#known.set(node, anchor);
    }
    return anchor;
  }

  /** Handles `n = m`, `f(n) = g(m)` and `n.objectid IN m.list`, if all names in the other side are bound. */
  #joinOf(node: NodeElement, { expression, needs }: Condition, alone: Anchor): Anchor | undefined {
    const { graph } = this.#context;
    if (expression.type !== 'binary' || !needs.has(node.name) || !isDeterministic(expression))
      return undefined;
    const { operator, left, right } = expression;
    if (operator !== '=' && operator !== 'IN') return undefined;
    for (const [side, other] of operator === '=' ? bothWays(left, right) : [[left, right]]) {
      const reads = [...namesIn(other)];
      const isKnown = (name: string): boolean =>
        this.#found.has(name) || this.#outer.find(name) !== undefined;
      if (reads.length === 0 || !reads.every(isKnown)) continue;
      const isOfRow = !reads.some((name) => this.#found.has(name));
      const value = this.#compiler.compile(other, this.#scope);
      if (side.type === 'variable' && side.name === node.name && operator === '=') {
        const every: Anchor['every'] = (row, visit) => {
          const same = value(row);
          return !(same instanceof NodeValue) || visit(same.node);
        };
        return { estimate: 1, detail: 'that is the same', isFixed: false, every };
      }
      const key = keyOfNode(side, node);
      const find = key === undefined ? undefined : this.#finder(operator, key);
      if (key !== undefined && find !== undefined && graph.seek?.(key, '') !== undefined)
        return {
          ...{ estimate: 1, detail: `by ${key}`, isFixed: false },
          every: (row, visit) => (find(value(row)) ?? []).every(visit),
        };
      if (operator !== '=' || !alone.isFixed || alone.estimate <= JOINED) continue;
      if ([...namesIn(side)].some((name) => name !== node.name)) continue;
      if (!namesIn(side).has(node.name)) continue;
      return this.#joinedByValue(node, side, value, alone, isOfRow);
    }
    return undefined;
  }

  /** @param isOfRow whether the other side has one value per input row: the index is built only for the second row */
  #joinedByValue(
    node: NodeElement,
    side: Expression,
    value: Evaluate,
    alone: Anchor,
    isOfRow: boolean,
  ): Anchor {
    const { budget } = this.#context;
    const evaluate = this.#compiler.compile(side, this.#scope);
    let index: ValueIndex | undefined;
    let isFirst = isOfRow;
    const by = keyOfNode(side, node) ?? 'a value';
    return {
      ...{ estimate: JOINED, detail: `${alone.detail}, joined by ${by}`, isFixed: false },
      every: (row, visit) => {
        if (isFirst) {
          isFirst = false;
          return alone.every(row, visit);
        }
        if (index === undefined) {
          const own: Row = [];
          const valueAt = (found: number): Value => {
            own[node.slot] = new NodeValue(found);
            return evaluate(own);
          };
          index = new ValueIndex(valueAt, (visitAll) => alone.every(own, visitAll), budget);
        }
        const nodes = index.candidates(value(row));
        budget.spend(nodes.length + 1);
        return nodes.every(visit);
      },
    };
  }

  #findAnchor(node: NodeElement): Anchor {
    const { graph, budget } = this.#context;
    const anchors: Anchor[] = [];
    budget.spend(2 * this.#conditions.length);
    for (const condition of this.#conditions) {
      const anchor = this.#seekOf(node, condition);
      if (anchor !== undefined) anchors.push(anchor);
    }
    for (const names of node.labels) {
      const sets = labelSets(names, this.#context);
      if (sets.length === 0) return { estimate: 0, detail: NO_LABEL, isFixed: true, every: () => true };
      anchors.push({
        estimate: sets.reduce((sum, set) => sum + set.size, 0),
        detail: 'by label',
        isFixed: true,
        every: (_row, visit) => everyOf(sets, budget, visit),
      });
    }
    anchors.push({
      estimate: graph.nodeCount,
      detail: 'among all nodes',
      isFixed: true,
      every: (_row, visit) => {
        for (let found = 0; found < graph.nodeCount; found++) {
          budget.spend(1);
          if (graph.isHidden?.(found)) continue;
          if (!visit(found)) return false;
        }
        return true;
      },
    });
    const best = anchors.reduce((least, anchor) => (anchor.estimate < least.estimate ? anchor : least));
    // Conditions on the node reduce the number by an unknown factor.
    const own = this.#conditions.filter(({ needs }) => needs.size === 1 && needs.has(node.name)).length;
    return { ...best, estimate: best.estimate / (1 + own) };
  }

  /** Handles `n.objectid = 'x'` and similar conditions, if the graph has an index for them. */
  #seekOf(node: NodeElement, { expression, needs }: Condition): Anchor | undefined {
    const { graph } = this.#context;
    if (expression.type !== 'binary' || !needs.has(node.name)) return undefined;
    const { operator, left, right } = expression;
    const sides = operator === '=' ? bothWays(left, right) : [[left, right]];
    for (const [side, other] of sides) {
      const byId = operator === '=' ? this.#seekId(node, side, other) : undefined;
      if (byId !== undefined) return byId;
      if (side.type !== 'property' || side.of.type !== 'variable' || side.of.name !== node.name) continue;
      const reads = [...namesIn(other)];
      if (reads.some((name) => this.#outer.find(name) === undefined)) continue;
      // A nondeterministic value differs for each node, so an index cannot be used.
      if (!isDeterministic(other)) continue;
      const { key } = side;
      const find = this.#finder(operator, key);
      if (find === undefined) continue;
      const value = this.#compiler.compile(other, this.#outer);
      if (reads.length > 0) {
        const anyRow = graph.seek?.(key, '');
        if (anyRow === undefined || operator === 'ENDS WITH') continue;
        const every: Anchor['every'] = (row, visit) => (find(value(row)) ?? []).every(visit);
        return { estimate: 1, detail: `by ${key}`, isFixed: false, every };
      }
      const nodes = find(value([]));
      if (nodes === undefined) continue;
      return {
        ...{ estimate: nodes.length, detail: `by ${key}`, isFixed: true },
        every: (_row, visit) => nodes.every(visit),
      };
    }
    return undefined;
  }

  /** Handles `id(n) = 1`. */
  #seekId(node: NodeElement, side: Expression, other: Expression): Anchor | undefined {
    if (side.type !== 'call' || side.name !== 'id' || side.args.length !== 1) return undefined;
    const [of] = side.args;
    if (of.type !== 'variable' || of.name !== node.name) return undefined;
    if ([...namesIn(other)].some((name) => this.#outer.find(name) === undefined)) return undefined;
    if (!isDeterministic(other)) return undefined;
    const { graph } = this.#context;
    const value = this.#compiler.compile(other, this.#outer);
    return {
      estimate: 1,
      detail: 'by id',
      isFixed: namesIn(other).size === 0,
      every: (row, visit) => {
        const id = value(row);
        const found = typeof id === 'number' ? graph.nodeWithId(id) : undefined;
        return found === undefined || visit(found);
      },
    };
  }

  #finder(operator: string, key: string): ((value: Value) => readonly number[] | undefined) | undefined {
    const { graph } = this.#context;
    const seek = (value: Value): readonly number[] | undefined => graph.seek?.(key, value);
    if (operator === '=') return seek;
    if (operator === 'ENDS WITH')
      return (value) => (typeof value === 'string' ? graph.seekSuffix?.(key, value) : undefined);
    if (operator !== 'IN') return undefined;
    return (value) => {
      if (!isList(value)) return undefined;
      const found = value.map(seek);
      if (found.includes(undefined)) return undefined;
      return [...new Set(found.flat() as number[])].sort((a, b) => a - b);
    };
  }
}

/** @returns the key, if the expression is a property of the node itself */
const keyOfNode = (side: Expression, { name }: NodeElement): string | undefined =>
  side.type === 'property' && side.of.type === 'variable' && side.of.name === name ? side.key : undefined;

const bothWays = (left: Expression, right: Expression): readonly (readonly [Expression, Expression])[] => [
  [left, right],
  [right, left],
];

/** Visits each node of any of the sets once. */
function everyOf(sets: readonly LabelSet[], budget: Spends, visit: (node: number) => boolean): boolean {
  return sets.every((set, at) => {
    const before = sets.slice(0, at);
    return set.every((node) => {
      budget.spend(sets.length);
      return before.some((other) => other.has(node)) || visit(node);
    });
  });
}

/** @returns the sets of the labels that at least one node has */
export function labelSets(names: readonly string[], { graph, warn }: RunContext): LabelSet[] {
  const sets: LabelSet[] = [];
  for (const name of names) {
    const set = graph.label(name);
    if (set === undefined) warn(noLabel(name, graph));
    else sets.push(set);
  }
  return sets;
}

/** Caches the nodes found for the first row, for all later rows. */
export function kept(find: Anchor['every'], slot: number, { budget }: RunContext): Anchor['every'] {
  let known: readonly number[] | undefined;
  return (row, visit) => {
    if (known === undefined) {
      const found: number[] = [];
      const isWhole = find(row, (node) => {
        found.push(node);
        return visit(node);
      });
      if (isWhole) known = found;
      return isWhole;
    }
    for (const node of known) {
      budget.spend(1);
      row[slot] = new NodeValue(node);
      if (!visit(node)) return false;
    }
    return true;
  };
}
