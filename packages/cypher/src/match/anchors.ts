/** Where a match may begin at a node: by what the graph finds at once, by a label, or among all. */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import type { LabelSet } from '../graph/propertyGraph.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { isList, type Value } from '../values/values.ts';
import { type Condition, type Elements, type NodeElement, namesIn } from './elements.ts';

/** Where to begin at a node, and how many fit. */
export interface Anchor {
  readonly estimate: number;
  readonly detail: string;
  readonly every: (row: Row, visit: (node: number) => boolean) => boolean;
}

export class Anchors {
  readonly #conditions: readonly Condition[];
  readonly #compiler: ExpressionCompiler;
  readonly #context: RunContext;
  readonly #outer: Scope;
  readonly #known = new Map<NodeElement, Anchor>();

  constructor({ conditions }: Elements, compiler: ExpressionCompiler, context: RunContext, outer: Scope) {
    this.#conditions = conditions;
    this.#compiler = compiler;
    this.#context = context;
    this.#outer = outer;
  }

  /** @returns the one that the fewest nodes fit */
  of(node: NodeElement): Anchor {
    let anchor = this.#known.get(node);
    if (anchor === undefined) {
      anchor = this.#findAnchor(node);
      this.#known.set(node, anchor);
    }
    return anchor;
  }

  #findAnchor(node: NodeElement): Anchor {
    const { graph, budget } = this.#context;
    const anchors: Anchor[] = [];
    for (const condition of this.#conditions) {
      const anchor = this.#seekOf(node, condition);
      if (anchor !== undefined) anchors.push(anchor);
    }
    for (const names of node.labels) {
      const sets = labelSets(names, this.#context);
      if (sets.length === 0) return { estimate: 0, detail: 'of no label that is there', every: () => true };
      if (sets.length > 1) continue;
      anchors.push({
        estimate: sets[0].size,
        detail: 'by label',
        every: (_row, visit) =>
          sets[0].every((found) => {
            budget.spend(1);
            return visit(found);
          }),
      });
    }
    anchors.push({
      estimate: graph.nodeCount,
      detail: 'among all nodes',
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
    // Conditions on the node alone make it fewer; how many fewer is not known.
    const own = this.#conditions.filter(({ needs }) => needs.size === 1 && needs.has(node.name)).length;
    return { ...best, estimate: best.estimate / (1 + own) };
  }

  /** `n.objectid = 'x'` and the like, where the graph finds such nodes without looking at all. */
  #seekOf(node: NodeElement, { expression, needs }: Condition): Anchor | undefined {
    const { graph } = this.#context;
    if (expression.type !== 'binary' || !needs.has(node.name)) return undefined;
    const { operator, left, right } = expression;
    const sides =
      operator === '='
        ? [
            [left, right],
            [right, left],
          ]
        : [[left, right]];
    for (const [side, other] of sides) {
      const byId = operator === '=' ? this.#seekId(node, side, other) : undefined;
      if (byId !== undefined) return byId;
      if (side.type !== 'property' || side.of.type !== 'variable' || side.of.name !== node.name) continue;
      const reads = [...namesIn(other)];
      if (reads.some((name) => this.#outer.find(name) === undefined)) continue;
      const { key } = side;
      const find = this.#finder(operator, key);
      if (find === undefined) continue;
      const value = this.#compiler.compile(other, this.#outer);
      if (reads.length > 0) {
        const anyRow = graph.seek?.(key, '');
        if (anyRow === undefined || operator === 'ENDS WITH') continue;
        const every: Anchor['every'] = (row, visit) => (find(value(row)) ?? []).every(visit);
        return { estimate: 1, detail: `by ${key}`, every };
      }
      const nodes = find(value([]));
      if (nodes === undefined) continue;
      return { estimate: nodes.length, detail: `by ${key}`, every: (_row, visit) => nodes.every(visit) };
    }
    return undefined;
  }

  /** `id(n) = 1`. */
  #seekId(node: NodeElement, side: Expression, other: Expression): Anchor | undefined {
    if (side.type !== 'call' || side.name !== 'id' || side.args.length !== 1) return undefined;
    const [of] = side.args;
    if (of.type !== 'variable' || of.name !== node.name) return undefined;
    if ([...namesIn(other)].some((name) => this.#outer.find(name) === undefined)) return undefined;
    const { graph } = this.#context;
    const value = this.#compiler.compile(other, this.#outer);
    return {
      estimate: 1,
      detail: 'by id',
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

/** @returns the sets of those labels that some node carries */
export function labelSets(names: readonly string[], { graph, warn }: RunContext): LabelSet[] {
  const sets: LabelSet[] = [];
  for (const name of names) {
    const set = graph.label(name);
    if (set === undefined) warn(`no node carries the label ${name}`);
    else sets.push(set);
  }
  return sets;
}
