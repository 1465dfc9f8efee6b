/**
 * In which order the parts of a pattern are found. It begins where the fewest nodes fit, and goes on over relationships
 * from what is found; conditions are tested as soon as all that they read is there.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import { CypherError } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { equals } from '../values/compare.ts';
import { truth } from '../values/operators.ts';
import { isList, NodeValue, PathValue, RelationshipValue, type Value } from '../values/values.ts';
import { Anchors, labelSets } from './anchors.ts';
import type { Condition, Elements, NodeElement, PathElement, RelationshipElement } from './elements.ts';
import { namesIn } from './elements.ts';
import { shortest } from './shortest.ts';
import {
  distancesTo,
  type EdgeTest,
  givenHop,
  givenTrail,
  hop,
  type NodeTest,
  nodeAt,
  otherEnd,
  reach,
  type Step,
  type TrailOptions,
  trails,
  type Way,
} from './steps.ts';

/** One line of a plan, for people. */
export interface PlanLine {
  readonly step: string;
  readonly detail: string;
  /** Rows that the planner expects; absent where it does not know. */
  readonly estimate?: number;
  /** Rows that came of it, once it has run. */
  rows: number;
  /** Spent in this step alone, where that was asked for. */
  milliseconds?: number;
}

export interface PlanOptions {
  /** Nothing asks how often a node is found, so that ends of trails are enough. */
  readonly onlyEnds: boolean;
  readonly plan: (line: PlanLine) => void;
}

/** Of nodes that may be ends, at most this part of all is worth a search back from them. */
const SELECTIVE = 1 / 8;
const TYPE_COUNT = 0x1_0000;

export function planMatch(
  elements: Elements,
  compiler: ExpressionCompiler,
  context: RunContext,
  outer: Scope,
  options: PlanOptions,
): Step {
  return new MatchPlanner(elements, compiler, context, outer, options).plan();
}

class MatchPlanner {
  readonly #elements: Elements;
  readonly #compiler: ExpressionCompiler;
  readonly #context: RunContext;
  readonly #outer: Scope;
  readonly #options: PlanOptions;
  readonly #steps: Step[] = [];
  readonly #found = new Set<string>();
  readonly #open: Set<Condition>;
  readonly #anchors: Anchors;

  constructor(
    elements: Elements,
    compiler: ExpressionCompiler,
    context: RunContext,
    outer: Scope,
    options: PlanOptions,
  ) {
    this.#elements = elements;
    this.#compiler = compiler;
    this.#context = context;
    this.#outer = outer;
    this.#options = options;
    this.#open = new Set(elements.conditions);
    this.#anchors = new Anchors(elements, compiler, context, outer);
  }

  plan(): Step {
    for (const node of this.#elements.nodes) if (node.isGiven) this.#testGiven(node);
    this.#testConditions();
    const left = new Set(this.#elements.relationships);
    while (left.size > 0) {
      const relationship = this.#nextRelationship(left);
      if (relationship === undefined) {
        this.#begin(left);
        continue;
      }
      left.delete(relationship);
      this.#findOtherEnd(relationship);
      this.#follow(relationship);
      this.#testConditions();
    }
    for (const node of this.#elements.nodes) if (!this.#isFound(node)) this.#anchor(node);
    for (const path of this.#elements.paths) this.#makePath(path);
    this.#testConditions();
    const steps = this.#steps;
    return (next) => steps.reduceRight((following, step) => step(following), next);
  }

  #isFound(node: NodeElement): boolean {
    return node.isGiven || this.#found.has(node.name);
  }

  #add(step: Step, line: Omit<PlanLine, 'rows'>): void {
    const counted: PlanLine = { ...line, rows: 0 };
    this.#options.plan(counted);
    if (this.#context.profile) {
      this.#steps.push(timed(step, counted));
      return;
    }
    this.#steps.push((next) =>
      step((row) => {
        counted.rows++;
        return next(row);
      }),
    );
  }

  #testGiven(node: NodeElement): void {
    const test = this.#labelTest(node);
    if (test === undefined) return;
    this.#add(
      (next) => (row) => {
        const value = nodeAt(row, node.slot);
        return value === undefined || !test(value) || next(row);
      },
      { step: 'test', detail: shown(node) },
    );
  }

  #testConditions(): void {
    for (const condition of this.#open) {
      const { expression, needs } = condition;
      if (![...needs].every((name) => this.#found.has(name))) continue;
      this.#open.delete(condition);
      const evaluate = this.#condition(expression);
      this.#add((next) => (row) => !evaluate(row) || next(row), {
        step: 'filter',
        detail: [...namesIn(expression)].filter((name) => !name.startsWith(' ')).join(', '),
      });
    }
  }

  #condition(expression: Expression): (row: Row) => boolean {
    if (expression.type === 'call' && expression.name === ' fits')
      return this.#fits(expression.args[0], expression.args[1]);
    const evaluate = this.#compiler.compileCondition(expression, this.#elements.scope);
    return (row) => truth(evaluate(row), 'WHERE') === true;
  }

  /** `(n $properties)`. */
  #fits(variable: Expression, properties: Expression): (row: Row) => boolean {
    const wanted = this.#compiler.compile(properties, this.#elements.scope);
    const entity = this.#compiler.compile(variable, this.#elements.scope);
    const { graph } = this.#context;
    return (row) => {
      const value = entity(row);
      return Object.entries((wanted(row) ?? {}) as Record<string, Value>).every(([key, one]) => {
        const has =
          value instanceof NodeValue
            ? graph.nodeProperty(value.node, key)
            : graph.edgeProperty((value as RelationshipValue).edge, key);
        return equals(has, one) === true;
      });
    };
  }

  /** The one that costs the least from what is found; nothing where none is near. */
  #nextRelationship(left: ReadonlySet<RelationshipElement>): RelationshipElement | undefined {
    let best: { relationship: RelationshipElement; cost: number } | undefined;
    for (const relationship of left) {
      const cost = this.#cost(relationship);
      if (cost !== undefined && (best === undefined || cost < best.cost)) best = { relationship, cost };
    }
    return best?.relationship;
  }

  #cost({ from, to, pattern, isGiven, shortest: isShortest }: RelationshipElement): number | undefined {
    const ends = Number(this.#isFound(from)) + Number(this.#isFound(to));
    const isLong = pattern.length !== undefined || isShortest !== undefined;
    if (isGiven && !isLong) return 0;
    if (ends === 0) return undefined;
    if (isShortest !== undefined) return ends === 2 ? 30 : 40;
    if (isLong) return ends === 2 ? 10 : 20;
    return ends === 2 ? 1 : 5;
  }

  /** A shortest path to one node alone is searched for from both ends. */
  #findOtherEnd({ from, to, shortest: isShortest }: RelationshipElement): void {
    if (isShortest === undefined) return;
    for (const node of [from, to])
      if (!this.#isFound(node) && this.#anchors.of(node).estimate <= 1) this.#anchor(node);
  }

  /** No part of what is left touches what is found: begins at the node that the fewest fit. */
  #begin(left: ReadonlySet<RelationshipElement>): void {
    const candidates = [...new Set([...left].flatMap(({ from, to }) => [from, to]))];
    const estimates = candidates.map((node) => this.#anchors.of(node).estimate);
    this.#anchor(candidates[estimates.indexOf(Math.min(...estimates))]);
  }

  #anchor(node: NodeElement): void {
    const { estimate, detail, every } = this.#anchors.of(node);
    const test = this.#labelTest(node);
    const { slot } = node;
    this.#add(
      (next) => (row) =>
        every(row, (found) => {
          if (test !== undefined && !test(found)) return true;
          row[slot] = new NodeValue(found);
          return next(row);
        }),
      {
        ...{ step: 'begin', detail: `${shown(node)} ${detail}` },
        // How many there are is not for one who may not see all.
        ...(this.#context.graph.isHidden === undefined && { estimate }),
      },
    );
    this.#found.add(node.name);
    this.#testConditions();
  }

  /** @returns nothing where all nodes fit */
  #labelTest({ labels }: NodeElement): ((node: number) => boolean) | undefined {
    if (labels.length === 0) return undefined;
    const all = labels.map((names) => labelSets(names, this.#context));
    if (all.length === 1 && all[0].length === 1) {
      const [[only]] = all;
      return (node) => only.has(node);
    }
    return (node) => all.every((any) => any.some((set) => set.has(node)));
  }

  #typesOf({ pattern }: RelationshipElement): Uint8Array | undefined {
    if (pattern.types.length === 0) return undefined;
    const allowed = new Uint8Array(TYPE_COUNT);
    for (const name of pattern.types) {
      const numbers = this.#context.graph.types(name);
      if (numbers.length === 0) this.#context.warn(`no relationship is of the type ${name}`);
      for (const number of numbers) allowed[number] = 1;
    }
    return allowed;
  }

  #follow(relationship: RelationshipElement): void {
    const { graph, budget } = this.#context;
    const { pattern, slot, isGiven, isWanted } = relationship;
    const isLong = pattern.length !== undefined || relationship.shortest !== undefined;
    if (isGiven && !isLong) {
      this.#followGiven(relationship);
      return;
    }
    const isFromFound = this.#isFound(relationship.from);
    // Trails are enumerated from the end that fewer fit.
    const isReverse = !isFromFound;
    const [from, to] = isReverse
      ? [relationship.to, relationship.from]
      : [relationship.from, relationship.to];
    const isInto = this.#isFound(to);
    const way: Way = pattern.direction === 'both' ? 'both' : isReverse ? 'in' : 'out';
    const labelTest = this.#labelTest(to);
    const others = relationship.shortest === undefined ? this.#othersOf(relationship) : [];
    const isNumberWanted = isWanted || this.#isUsedElsewhere(relationship);
    const options = {
      ...{ graph, budget, way, isInto, others },
      types: this.#typesOf(relationship),
      from: from.slot,
      to: to.slot,
      test: ((node) => labelTest === undefined || labelTest(node)) satisfies NodeTest,
      slot: isNumberWanted ? slot : undefined,
    };
    const detail = `${shown(from)} ${way === 'in' ? '<-' : '-'}[${pattern.types.slice(0, 3).join('|')}${pattern.types.length > 3 ? '|…' : ''}]${way === 'out' ? '->' : '-'} ${shown(to)}`;
    if (isLong)
      this.#followLong(relationship, options, to, isReverse !== (pattern.direction === 'left'), detail);
    else this.#add(hop(options), { step: isInto ? 'join' : 'hop', detail });
    this.#found.add(to.name);
    this.#found.add(relationship.name);
  }

  #followGiven({ pattern, slot, from, to, name, ...rest }: RelationshipElement): void {
    const { graph, budget } = this.#context;
    const [fromTest, toTest] = [from, to].map((node) => this.#labelTest(node));
    const [isFromFound, isToFound] = [this.#isFound(from), this.#isFound(to)];
    const fits = (row: Row, start: number, end: number): boolean => {
      if (from === to && start !== end) return false;
      if (isFromFound ? nodeAt(row, from.slot) !== start : fromTest !== undefined && !fromTest(start))
        return false;
      return isToFound ? nodeAt(row, to.slot) === end : toTest === undefined || toTest(end);
    };
    const options = {
      ...{ graph, budget, isInto: false, test: () => true, slot },
      types: this.#typesOf({ pattern, slot, from, to, name, ...rest }),
      way: (pattern.direction === 'both' ? 'both' : 'out') as Way,
      from: from.slot,
      to: to.slot,
      others: this.#elements.relationships
        .filter((other) => other.name !== name && this.#found.has(other.name))
        .map((other) => other.slot),
    };
    this.#add(givenHop(options, slot, fits), { step: 'hop', detail: `over the known ${name}` });
    for (const element of [from.name, to.name, name]) this.#found.add(element);
  }

  /** Relationships found before that could be the same. */
  #othersOf(relationship: RelationshipElement): number[] {
    const others: number[] = [];
    for (const other of this.#elements.relationships)
      if (other !== relationship && this.#found.has(other.name) && mayBeSame(relationship, other))
        others.push(other.slot);
    return others;
  }

  #isUsedElsewhere(relationship: RelationshipElement): boolean {
    const others = this.#elements.relationships.filter((other) => other !== relationship);
    if (others.some((other) => mayBeSame(relationship, other))) return true;
    return this.#elements.conditions.some(({ needs }) => needs.has(relationship.name));
  }

  #followLong(
    relationship: RelationshipElement,
    hopOptions: Omit<TrailOptions, 'min' | 'max' | 'isBackward' | 'edgeTest' | 'distances' | 'onCut'>,
    to: NodeElement,
    isBackward: boolean,
    detail: string,
  ): void {
    const { pattern } = relationship;
    const { min = 1, max = Number.POSITIVE_INFINITY } = pattern.length ?? { min: 1, max: 1 };
    const options: TrailOptions = {
      ...hopOptions,
      ...{ min, max, isBackward },
      edgeTest: this.#edgeTest(relationship),
      distances: undefined,
      onCut: () =>
        this.#context.warn(
          `paths of more than ${this.#context.budget.limits.pathLength} relationships were not followed`,
        ),
    };
    if (relationship.isGiven) {
      this.#add(givenTrail(options, relationship.slot), { step: 'trail', detail });
      return;
    }
    if (relationship.shortest !== undefined) {
      if (min > 1) throw new CypherError('meaning', 'a shortest path begins at length 0 or 1', pattern.at);
      const inner = this.#innerTests(relationship);
      this.#add(
        shortest({
          ...options,
          all: relationship.shortest === 'all',
          edgeTest: both(options.edgeTest, inner.edgeTest),
          innerTest: inner.nodeTest,
        }),
        { step: 'shortest', detail },
      );
      return;
    }
    // Without direction a walk may go back over its own edge, which a trail may not.
    const isReach = this.#options.onlyEnds && options.slot === undefined && options.others.length === 0;
    if (isReach && min <= 1 && options.way !== 'both') {
      this.#add(reach(options), { step: 'reach', detail });
      return;
    }
    this.#add(trails({ ...options, distances: this.#distances(options, to) }), { step: 'trail', detail });
  }

  /** Where few nodes may be the end, a search back from them tells which ways lead there. */
  #distances(options: TrailOptions, to: NodeElement): TrailOptions['distances'] {
    const { graph } = this.#context;
    if (options.max < 3) return undefined;
    const find = (targets: Iterable<number>): Uint16Array => distancesTo(options, targets);
    if (options.isInto) {
      let known: { readonly target: number; readonly distances: Uint16Array } | undefined;
      return (row) => {
        const target = nodeAt(row, options.to) as number;
        if (known?.target !== target) known = { target, distances: find([target]) };
        return known.distances;
      };
    }
    const anchor = this.#anchors.of(to);
    if (anchor.estimate > graph.nodeCount * SELECTIVE) return undefined;
    const tests = [...this.#open].filter(({ needs }) => needs.size === 1 && needs.has(to.name));
    let distances: Uint16Array | undefined;
    return (row) => {
      if (distances === undefined) {
        const own = [...row];
        const passes = tests.map(({ expression }) => this.#condition(expression));
        const targets: number[] = [];
        anchor.every(own, (node) => {
          own[to.slot] = new NodeValue(node);
          if (options.test(node, own) && passes.every((test) => test(own))) targets.push(node);
          return true;
        });
        distances = find(targets);
      }
      return distances;
    };
  }

  /** Properties inside of the pattern hold for each relationship. */
  #edgeTest({ pattern }: RelationshipElement): EdgeTest | undefined {
    const { properties } = pattern;
    if (properties === undefined || pattern.length === undefined) return undefined;
    const { graph } = this.#context;
    const evaluate = this.#compiler.compile(properties, this.#outer);
    return (edge, row) =>
      Object.entries((evaluate(row) ?? {}) as Record<string, Value>).every(
        ([key, value]) => equals(graph.edgeProperty(edge, key), value) === true,
      );
  }

  /**
   * `all(n IN nodes(p) WHERE ...)` and `none` of a shortest path belong to the search: paths go around what they forbid.
   */
  #innerTests(relationship: RelationshipElement): { nodeTest?: NodeTest; edgeTest?: EdgeTest } {
    const path = this.#elements.paths.find(({ relationships }) => relationships.includes(relationship));
    let nodeTest: NodeTest | undefined;
    let edgeTest: EdgeTest | undefined;
    for (const condition of this.#open) {
      const inner = this.#innerTest(condition, relationship, path);
      if (inner === undefined) continue;
      this.#open.delete(condition);
      if (inner.of === 'nodes') nodeTest = both(nodeTest, inner.test);
      else edgeTest = both(edgeTest, inner.test);
    }
    return { ...(nodeTest && { nodeTest }), ...(edgeTest && { edgeTest }) };
  }

  #innerTest(
    { expression, needs }: Condition,
    relationship: RelationshipElement,
    path: PathElement | undefined,
  ):
    | { readonly of: 'nodes' | 'relationships'; readonly test: (number: number, row: Row) => boolean }
    | undefined {
    if (
      expression.type !== 'quantifier' ||
      (expression.quantifier !== 'all' && expression.quantifier !== 'none')
    )
      return undefined;
    const { list, variable, where, quantifier } = expression;
    const isOwn =
      needs.size === 1 && [...needs].every((name) => name === path?.name || name === relationship.name);
    if (!isOwn || namesIn(where).has(path?.name ?? '')) return undefined;
    const isList = list.type === 'variable' && list.name === relationship.name;
    const isCall =
      list.type === 'call' && list.args[0]?.type === 'variable' && list.args[0].name === path?.name;
    if (!isList && !isCall) return undefined;
    const of = isCall && list.name === 'nodes' ? 'nodes' : 'relationships';
    if (isCall && !['nodes', 'relationships', 'rels'].includes(list.name)) return undefined;
    const { scope, variable: item } = this.#outer.with(variable, of === 'nodes' ? 'node' : 'relationship');
    const evaluate = this.#compiler.compile(where, scope);
    const wanted = quantifier === 'all';
    return {
      of,
      test: (number, row) => {
        row[item.slot] = of === 'nodes' ? new NodeValue(number) : new RelationshipValue(number);
        return truth(evaluate(row), quantifier) === wanted;
      },
    };
  }

  #makePath({ slot, name, nodes, relationships }: PathElement): void {
    const { graph } = this.#context;
    this.#steps.push((next) => (row) => {
      const start = nodeAt(row, nodes[0].slot);
      if (start === undefined) return true;
      row[slot] = pathOf(row, start, relationships, graph);
      return next(row);
    });
    this.#found.add(name);
  }
}

/** Takes the time of a step, less that of the steps that follow it. */
function timed(step: Step, line: PlanLine): Step {
  line.milliseconds = 0;
  const spend = (sign: 1 | -1, began: number): void => {
    line.milliseconds = (line.milliseconds as number) + sign * (performance.now() - began);
  };
  return (next) => {
    const run = step((row) => {
      line.rows++;
      const began = performance.now();
      try {
        return next(row);
      } finally {
        spend(-1, began);
      }
    });
    return (row) => {
      const began = performance.now();
      try {
        return run(row);
      } finally {
        spend(1, began);
      }
    };
  };
}

function pathOf(
  row: Row,
  start: number,
  relationships: readonly RelationshipElement[],
  graph: PropertyGraph,
): PathValue {
  const nodes = [start];
  const edges: number[] = [];
  for (const { slot } of relationships) {
    const value = row[slot];
    for (const one of isList(value) ? value : [value]) {
      const { edge } = one as RelationshipValue;
      nodes.push(otherEnd(graph, edge, nodes[nodes.length - 1]));
      edges.push(edge);
    }
  }
  return new PathValue(nodes, edges);
}

/** Whether both may be one edge: within one MATCH they must not. */
function mayBeSame(a: RelationshipElement, b: RelationshipElement): boolean {
  if (a.shortest !== undefined || b.shortest !== undefined) return false;
  const [some, others] = [a.pattern.types, b.pattern.types];
  if (some.length === 0 || others.length === 0) return true;
  // A shortcut stands for many types.
  return (
    some.some((type) => others.includes(type)) ||
    [...some, ...others].some((type) => type.endsWith('_ATTACK_PATHS'))
  );
}

function both<Test extends (number: number, row: Row) => boolean>(
  a: Test | undefined,
  b: Test | undefined,
): Test | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return ((number, row) => a(number, row) && b(number, row)) as Test;
}

function shown({ name, labels }: NodeElement): string {
  return `(${name.startsWith(' ') ? '' : name}${labels.map((any) => `:${any.join('|')}`).join('')})`;
}
