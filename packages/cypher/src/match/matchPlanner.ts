/**
 * Plans the order in which the parts of a pattern are found. It begins where the fewest nodes fit, and continues over relationships from
 * the nodes found; conditions are tested as soon as all values that they read are known.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import type { Uses } from '../compile/uses.ts';
import { CypherError } from '../cypherError.ts';
import { noType } from '../names/unknownNames.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Progress } from '../run/progress.ts';
import type { Expression } from '../syntax/ast.ts';
import { equals } from '../values/compare.ts';
import { NodeValue, type Value } from '../values/values.ts';
import { type Anchor, Anchors, kept, labelSets } from './anchors.ts';
import { eachOnce, isThere, leadsTo, reachOnce, type Turn } from './copies.ts';
import { edgesBetween } from './edgesBetween.ts';
import { edgesWithin } from './edgesWithin.ts';
import type { Elements, NodeElement, RelationshipElement } from './elements.ts';
import { isDeterministic, namesIn } from './expressionReads.ts';
import { FollowedTypes } from './followedTypes.ts';
import { both, type InnerTests, takeInnerTests } from './innerConditions.ts';
import { nearest, rarest } from './nextPart.ts';
import { OpenConditions } from './openConditions.ts';
import { makePath } from './paths.ts';
import { countedStep, type PlanLine, type Stage, shownNode } from './planLine.ts';
import { shortest } from './shortest.ts';
import {
  distancesTo,
  type EdgeTest,
  givenHop,
  givenTrail,
  type HopOptions,
  hop,
  type NodeTest,
  nodeAt,
  reach,
  type Step,
  type TrailOptions,
  trails,
  type Way,
} from './steps.ts';
import { mayBeSame, wantedOf } from './wanted.ts';

export interface PlanOptions extends Uses {
  /** Gets the steps in their order; absent for a match within an expression. */
  readonly plan?: (stage: Stage) => void;
}

/** Largest part of all nodes for which a search back from possible ends is worthwhile. */
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
  /** Types that are followed, by their names: 64 KiB each. */
  readonly #types = new Map<string, FollowedTypes>();
  readonly #conditions: OpenConditions;
  readonly #anchors: Anchors;
  /** Relationships and paths whose values are asked for. */
  readonly #wanted: ReadonlySet<string>;
  readonly #left: Set<RelationshipElement>;
  readonly #turn: Turn = { now: 0 };

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
    this.#conditions = new OpenConditions(elements, compiler, context, options.plan !== undefined);
    this.#anchors = new Anchors(elements, compiler, context, outer, this.#found);
    this.#left = new Set(elements.relationships);
    this.#wanted = wantedOf(elements, options.names);
  }

  plan(): Step {
    for (const node of this.#elements.nodes) if (node.isGiven) this.#testGiven(node);
    this.#testConditions();
    /** Steps of which it is enough that they find something. */
    let rest: number | undefined;
    const look = (): void => {
      if (this.#options.copiesMatter) return;
      if (rest === undefined && this.#hasAllThatIsAsked()) rest = this.#steps.length;
    };
    look();
    while (this.#left.size > 0) {
      this.#context.budget.spend(this.#left.size);
      const relationship = nearest(this.#left, (node) => this.#isFound(node), this.#anchors);
      if (relationship === undefined) {
        this.#begin();
        look();
        continue;
      }
      this.#left.delete(relationship);
      this.#findOtherEnd(relationship);
      this.#follow(relationship);
      this.#testConditions();
      if (rest === undefined) this.#leaveOutCopies();
      look();
    }
    for (;;) {
      const node = this.#rarest(this.#elements.nodes.filter((one) => !this.#isFound(one)));
      if (node === undefined) break;
      this.#anchor(node);
      look();
    }
    const steps = this.#steps;
    for (const path of this.#elements.paths) {
      if (!this.#wanted.has(path.name)) continue;
      steps.push(makePath(path, this.#context.graph));
      this.#found.add(path.name);
    }
    this.#testConditions();
    if (rest !== undefined && rest < steps.length) steps.push(isThere(steps.splice(rest)));
    const turn = this.#turn;
    return (next) => {
      const first = steps.reduceRight((following, step) => step(following), next);
      return (row) => {
        turn.now++;
        return first(row);
      };
    };
  }

  /** Whether all values that later clauses read are found. */
  #hasAllThatIsAsked(): boolean {
    const { names } = this.#options;
    if (names === undefined) return false;
    const { nodes, relationships, paths } = this.#elements;
    const isMissing = ({ name }: { readonly name: string }): boolean =>
      names.has(name) && !this.#found.has(name) && this.#outer.find(name) === undefined;
    return ![...nodes, ...relationships, ...paths].some(isMissing);
  }

  /** Whether a later part of the match reads this part. */
  #isLive(name: string): boolean {
    const { names } = this.#options;
    if (names === undefined || names.has(name)) return true;
    for (const { needs } of this.#conditions.open) if (needs.has(name)) return true;
    for (const { from, to } of this.#left) if (from.name === name || to.name === name) return true;
    return this.#elements.paths.some(
      (path) =>
        this.#wanted.has(path.name) &&
        [...path.nodes, ...path.relationships].some((element) => element.name === name),
    );
  }

  /** Where a node is read no more, the same may come several times. */
  #leaveOutCopies(): void {
    if (this.#options.copiesMatter || this.#left.size === 0) return;
    const { nodes, relationships } = this.#elements;
    const made = nodes.filter(({ name, isGiven }) => !isGiven && this.#found.has(name));
    const live = made.filter(({ name }) => this.#isLive(name));
    if (live.length === made.length || live.length === 0) return;
    const kept = relationships.filter(
      (relationship) =>
        !relationship.isGiven &&
        this.#found.has(relationship.name) &&
        (this.#isLive(relationship.name) || [...this.#left].some((other) => mayBeSame(relationship, other))),
    );
    const slots = [...live, ...kept].map(({ slot }) => slot);
    this.#add(eachOnce(slots, this.#turn, this.#context.graph.nodeCount, this.#context.budget), {
      step: 'once',
      detail: live.map(shownNode).join(', '),
    });
  }

  #isFound(node: NodeElement): boolean {
    return node.isGiven || this.#found.has(node.name);
  }

  #add(step: Step, line: Omit<PlanLine, 'rows'>): void {
    const counted: PlanLine = { ...line, rows: 0 };
    this.#options.plan?.({ line: counted, conditions: this.#conditions.takeCounts() });
    this.#steps.push(countedStep(step, counted, this.#context.profile === true));
  }

  #testGiven(node: NodeElement): void {
    const test = this.#labelTest(node);
    if (test === undefined) return;
    this.#add(
      (next) => (row) => {
        const value = nodeAt(row, node.slot);
        return value === undefined || !test(value) || next(row);
      },
      { step: 'test', detail: shownNode(node) },
    );
  }

  #testConditions(): void {
    this.#context.budget.spend(this.#conditions.open.size);
    for (const condition of this.#conditions.open) {
      const { expression, needs } = condition;
      if (![...needs].every((name) => this.#found.has(name))) continue;
      this.#conditions.open.delete(condition);
      const evaluate = this.#conditions.test(expression);
      this.#add((next) => (row) => !evaluate(row) || next(row), {
        step: 'filter',
        detail: [...namesIn(expression)].filter((name) => !name.startsWith(' ')).join(', '),
      });
    }
  }

  /** A shortest path to one node alone is searched for from both ends. */
  #findOtherEnd({ from, to, shortest: isShortest }: RelationshipElement): void {
    if (isShortest === undefined) return;
    for (const node of [from, to])
      if (!this.#isFound(node) && this.#anchors.of(node).estimate <= 1) this.#anchor(node);
  }

  /** No remaining part touches the parts found: begins at the node that the fewest fit. */
  #begin(): void {
    const ends = [...new Set([...this.#left].flatMap(({ from, to }) => [from, to]))];
    this.#anchor(this.#rarest(ends) as NodeElement);
  }

  #rarest(nodes: readonly NodeElement[]): NodeElement | undefined {
    this.#context.budget.spend(nodes.length);
    return rarest(nodes, this.#anchors);
  }

  #anchor(node: NodeElement): void {
    const { estimate, detail, isFixed, every } = this.#anchors.of(node);
    const test = this.#labelTest(node);
    const { slot } = node;
    let find: Anchor['every'] = (row, visit) =>
      every(row, (found) => {
        if (test !== undefined && !test(found)) return true;
        row[slot] = new NodeValue(found);
        return visit(found);
      });
    this.#found.add(node.name);
    if (isFixed) find = kept(this.#passing(node, find), slot, this.#context);
    const progress = this.#progressOf(node, find);
    const begin: Step = (next) => (row) =>
      find(row, () => {
        const goesOn = next(row);
        if (progress !== undefined) progress.done++;
        return goesOn;
      });
    this.#add(begin, {
      ...{ step: 'begin', detail: `${shownNode(node)} ${detail}` },
      // How many there are is not for one who may not see all.
      ...(this.#context.graph.isHidden === undefined && { estimate }),
    });
    this.#testConditions();
  }

  /** @returns the progress of the first step of a query */
  #progressOf(node: NodeElement, find: Anchor['every']): Progress['start'] {
    const { progress } = this.#context;
    const isFirst =
      this.#options.plan !== undefined && this.#steps.length === 0 && this.#outer.names.length === 0;
    if (progress === undefined || !isFirst || progress.start !== undefined) return undefined;
    progress.start = {
      shown: shownNode(node),
      done: 0,
      total: () => {
        let total = 0;
        find([], () => {
          total++;
          return true;
        });
        return total;
      },
    };
    return progress.start;
  }

  /** Conditions on the node alone are tested where it is found. */
  #passing(node: NodeElement, find: Anchor['every']): Anchor['every'] {
    const tests = this.#conditions.takeOf(node);
    if (tests.length === 0) return find;
    return (row, visit) => find(row, (found) => !tests.every((passes) => passes(row)) || visit(found));
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

  #typesOf({ pattern }: RelationshipElement): FollowedTypes | undefined {
    if (pattern.types.length === 0) return undefined;
    const key = pattern.types.join('|');
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    this.#context.budget.reserve(TYPE_COUNT);
    const allowed = new Uint8Array(TYPE_COUNT);
    const followed = new FollowedTypes(allowed);
    this.#types.set(key, followed);
    for (const name of pattern.types) {
      const numbers = this.#context.graph.types(name);
      if (numbers.length === 0) this.#context.warn(noType(name, this.#context.graph));
      for (const number of numbers) allowed[number] = 1;
    }
    return followed;
  }

  #follow(relationship: RelationshipElement): void {
    const { graph, budget } = this.#context;
    const { pattern, slot, isGiven, name } = relationship;
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
    const isNumberWanted = this.#wanted.has(name) || this.#isUsedElsewhere(relationship);
    const options = {
      ...{ graph, budget, way, isInto, others },
      types: this.#typesOf(relationship),
      from: from.slot,
      to: to.slot,
      test: ((node) => labelTest === undefined || labelTest(node)) satisfies NodeTest,
      slot: isNumberWanted ? slot : undefined,
    };
    const detail = `${shownNode(from)} ${way === 'in' ? '<-' : '-'}[${pattern.types.slice(0, 3).join('|')}${pattern.types.length > 3 ? '|…' : ''}]${way === 'out' ? '->' : '-'} ${shownNode(to)}`;
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
    this.#context.budget.spend(this.#elements.relationships.length);
    for (const other of this.#elements.relationships)
      if (other !== relationship && this.#found.has(other.name) && mayBeSame(relationship, other))
        others.push(other.slot);
    return others;
  }

  #isUsedElsewhere(relationship: RelationshipElement): boolean {
    const { relationships, conditions } = this.#elements;
    this.#context.budget.spend(relationships.length + conditions.length);
    const others = relationships.filter((other) => other !== relationship);
    if (others.some((other) => mayBeSame(relationship, other))) return true;
    return conditions.some(({ needs }) => needs.has(relationship.name));
  }

  #followLong(
    relationship: RelationshipElement,
    hopOptions: HopOptions,
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
      isSelective: false,
      isShortFirst: false,
      isApart: false,
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
      // Where no one reads the path, it is enough that there is one.
      const isPathRead = this.#options.copiesMatter || options.slot !== undefined;
      if (!isPathRead && !options.isInto && inner.nodeTest === undefined) {
        const edgeTest = both(options.edgeTest, inner.edgeTest);
        this.#addReach({ ...options, edgeTest, isApart: min === 1 }, to, detail);
        return;
      }
      const ends = options.isInto ? undefined : this.#endsOf(options, to);
      const test = options.isInto ? options.test : this.#conditions.within(options.test, to);
      this.#add(
        shortest({
          ...options,
          ...{ test, ends },
          all: relationship.shortest === 'all',
          edgeTest: both(options.edgeTest, inner.edgeTest),
          innerTest: inner.nodeTest,
          isFixed: inner.isFixed && (pattern.properties === undefined || isConstant(pattern.properties)),
          isUnion: relationship.shortest === 'one' && !options.isInto && this.#isGraphOfPaths(),
        }),
        { step: 'shortest', detail },
      );
      return;
    }
    // Without direction a walk may go back over its own edge, which a trail may not.
    const isReach = !this.#options.copiesMatter && options.slot === undefined && options.others.length === 0;
    if (isReach && min <= 1 && options.way !== 'both') {
      this.#addReach(options, to, detail);
      return;
    }
    const isAnyEnd = !options.isInto && to.labels.length === 0 && relationship.from !== relationship.to;
    if (isAnyEnd && min <= 1 && this.#isGraphOfPaths()) {
      this.#add(edgesWithin(options), { step: 'edges within', detail });
      return;
    }
    const ends = relationship.from === relationship.to ? undefined : this.#endsOfGraph(options, to, min);
    if (ends !== undefined) {
      const before = this.#steps.splice(0);
      this.#add(edgesBetween(before, options, ends), { step: 'edges between', detail });
      return;
    }
    const isShortFirst = this.#options.takesFirst;
    this.#add(trails({ ...options, ...this.#distances(options, to), isShortFirst }), {
      step: 'trail',
      detail,
    });
  }

  /**
   * @returns all nodes at which the trails of a graph may end, where only their edges are needed and each match has beginnings of its own;
   * conditions on the end alone are tested by it
   */
  #endsOfGraph(options: TrailOptions, to: NodeElement, min: number): (() => readonly number[]) | undefined {
    if (options.isInto || options.edgeTest !== undefined || min > 1 || this.#outer.names.length > 0)
      return undefined;
    const own = new Set(this.#conditions.of(to));
    const others = [...this.#conditions.open].filter((condition) => !own.has(condition));
    if (others.length > 0 || !this.#isGraphOfPaths(own.size)) return undefined;
    const ends = this.#endsOf(options, to);
    if (ends !== undefined) for (const condition of own) this.#conditions.open.delete(condition);
    return ends;
  }

  /** Whether only the parts of the match's single path are needed, and no remaining condition reads its ends. */
  #isGraphOfPaths(openOfEnd = 0): boolean {
    const { names, isGraph } = this.#options;
    const { relationships, paths } = this.#elements;
    const [path] = paths;
    if (!isGraph || relationships.length !== 1 || paths.length !== 1 || path.list !== undefined) return false;
    return this.#conditions.open.size === openOfEnd && names?.size === 1 && names.has(path.name);
  }

  #addReach(options: TrailOptions, to: NodeElement, detail: string): void {
    const { names } = this.#options;
    const own = [...this.#conditions.open].filter(({ needs }) => needs.has(to.name));
    const isAlone =
      names?.has(to.name) === false &&
      own.every(({ needs, isFixed }) => needs.size === 1 && isFixed) &&
      ![...this.#left].some(({ from, to: end }) => from === to || end === to);
    const ends =
      isAlone && !options.isInto && options.edgeTest === undefined ? this.#endsOf(options, to) : undefined;
    if (ends !== undefined) {
      const test = this.#conditions.within(options.test, to);
      this.#add(leadsTo({ ...options, test }, ends), { step: 'leads to', detail });
      return;
    }
    this.#found.add(to.name);
    const live = this.#elements.nodes.filter(
      (node) => !node.isGiven && this.#found.has(node.name) && this.#isLive(node.name),
    );
    const isOnly =
      !options.isInto && options.max === Number.POSITIVE_INFINITY && options.edgeTest === undefined;
    if (isOnly && live.every((node) => node === to) && !this.#keepsRelationships())
      this.#add(reachOnce(options, this.#turn), { step: 'reach once', detail });
    else this.#add(reach(options), { step: 'reach', detail });
  }

  /** Whether relationships that were found are read later on. */
  #keepsRelationships(): boolean {
    return this.#elements.relationships.some(
      (relationship) =>
        !relationship.isGiven &&
        this.#found.has(relationship.name) &&
        (this.#isLive(relationship.name) || [...this.#left].some((other) => mayBeSame(relationship, other))),
    );
  }

  /** All nodes that may be an end, where they are the same for every row. */
  #endsOf(options: HopOptions, to: NodeElement): (() => readonly number[]) | undefined {
    const anchor = this.#anchors.alone(to);
    if (!anchor.isFixed) return undefined;
    const tests = this.#conditions.of(to);
    const passes = tests.map(({ expression }) => this.#conditions.test(expression));
    let ends: number[] | undefined;
    return () => {
      if (ends !== undefined) return ends;
      const found: number[] = [];
      const own: Row = [];
      anchor.every(own, (node) => {
        own[to.slot] = new NodeValue(node);
        if (options.test(node, own) && passes.every((test) => test(own))) found.push(node);
        return true;
      });
      ends = found;
      return ends;
    };
  }

  /** Searches back from the nodes that may be the end, to find the nodes that lead there. */
  #distances(options: TrailOptions, to: NodeElement): Pick<TrailOptions, 'distances' | 'isSelective'> {
    const { graph } = this.#context;
    const none = { distances: undefined, isSelective: false };
    if (options.max < 3) return none;
    if (options.isInto) {
      let known: { readonly target: number; readonly distances: Uint16Array } | undefined;
      return {
        isSelective: true,
        distances: (row) => {
          const target = nodeAt(row, options.to) as number;
          if (known?.target !== target) known = { target, distances: distancesTo(options, [target]) };
          return known.distances;
        },
      };
    }
    const ends = this.#endsOf(options, to);
    if (ends === undefined) return none;
    let distances: Uint16Array | undefined;
    return {
      isSelective: this.#anchors.alone(to).estimate <= graph.nodeCount * SELECTIVE,
      distances: () => {
        distances ??= distancesTo(options, ends());
        return distances;
      },
    };
  }

  /** Properties inside of the pattern hold for each relationship. */
  #edgeTest({ pattern }: RelationshipElement): EdgeTest | undefined {
    const { properties } = pattern;
    if (properties === undefined || pattern.length === undefined) return undefined;
    const { graph, budget } = this.#context;
    const evaluate = this.#compiler.compile(properties, this.#outer);
    return (edge, row) =>
      Object.entries((evaluate(row) ?? {}) as Record<string, Value>).every(
        ([key, value]) => equals(graph.edgeProperty(edge, key), value, budget) === true,
      );
  }

  #innerTests(relationship: RelationshipElement): InnerTests {
    const path = this.#elements.paths.find(
      ({ relationships, list }) => list === undefined && relationships.includes(relationship),
    );
    return takeInnerTests(this.#conditions.open, relationship, path, this.#compiler, this.#outer);
  }
}

const isConstant = (expression: Expression): boolean =>
  namesIn(expression).size === 0 && isDeterministic(expression);
