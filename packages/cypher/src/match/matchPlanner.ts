/**
 * Plans the order in which the parts of a pattern are matched. It starts at the node with the fewest candidates,
 * and continues over relationships of matched nodes. Each condition is tested as soon as all values that it reads
 * are known.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Progress } from '../run/progress.ts';
import { NodeValue } from '../values/values.ts';
import { type Anchor, kept } from './anchors.ts';
import { eachOnce, isThere } from './copies.ts';
import type { Elements, NodeElement, RelationshipElement } from './elements.ts';
import { namesIn } from './expressionReads.ts';
import { LongHops } from './longHops.ts';
import { MatchState, type PlanOptions } from './matchState.ts';
import { nearest, rarest } from './nextPart.ts';
import { makePath } from './paths.ts';
import { shownNode } from './planLine.ts';
import { givenHop, hop, type NodeTest, nodeAt, type Step, type Way } from './steps.ts';
import { mayBeSame } from './wanted.ts';

export function planMatch(
  elements: Elements,
  compiler: ExpressionCompiler,
  context: RunContext,
  outer: Scope,
  options: PlanOptions,
): Step {
  return new MatchPlanner(new MatchState(elements, compiler, context, outer, options)).plan();
}

class MatchPlanner {
  readonly #state: MatchState;
  readonly #long: LongHops;

  constructor(state: MatchState) {
    this.#state = state;
    this.#long = new LongHops(state);
  }

  plan(): Step {
    for (const node of this.#state.elements.nodes) if (node.isGiven) this.#testGiven(node);
    this.#testConditions();
    /** Number of steps that produce rows; later steps only test whether a match exists. */
    let rest: number | undefined;
    const look = (): void => {
      if (this.#state.options.copiesMatter) return;
      if (rest === undefined && this.#hasAllThatIsAsked()) rest = this.#state.steps.length;
    };
    look();
    while (this.#state.left.size > 0) {
      this.#state.context.budget.spend(this.#state.left.size);
      const relationship = nearest(
        this.#state.left,
        (node) => this.#state.isFound(node),
        this.#state.anchors,
      );
      if (relationship === undefined) {
        this.#begin();
        look();
        continue;
      }
      this.#state.left.delete(relationship);
      this.#findOtherEnd(relationship);
      this.#follow(relationship);
      this.#testConditions();
      if (rest === undefined) this.#leaveOutCopies();
      look();
    }
    for (;;) {
      const node = this.#rarest(this.#state.elements.nodes.filter((one) => !this.#state.isFound(one)));
      if (node === undefined) break;
      this.#anchor(node);
      look();
    }
    const steps = this.#state.steps;
    for (const path of this.#state.elements.paths) {
      if (!this.#state.wanted.has(path.name)) continue;
      steps.push(makePath(path, this.#state.context.graph));
      this.#state.found.add(path.name);
    }
    this.#testConditions();
    if (rest !== undefined && rest < steps.length) steps.push(isThere(steps.splice(rest)));
    const turn = this.#state.turn;
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
    const { names } = this.#state.options;
    if (names === undefined) return false;
    const { nodes, relationships, paths } = this.#state.elements;
    const isMissing = ({ name }: { readonly name: string }): boolean =>
      names.has(name) && !this.#state.found.has(name) && this.#state.outer.find(name) === undefined;
    return ![...nodes, ...relationships, ...paths].some(isMissing);
  }

  /** Removes duplicate rows once a node is no longer read, since rows may then repeat. */
  #leaveOutCopies(): void {
    if (this.#state.options.copiesMatter || this.#state.left.size === 0) return;
    const { nodes, relationships } = this.#state.elements;
    const made = nodes.filter(({ name, isGiven }) => !isGiven && this.#state.found.has(name));
    const live = made.filter(({ name }) => this.#state.isLive(name));
    if (live.length === made.length || live.length === 0) return;
    const kept = relationships.filter(
      (relationship) =>
        !relationship.isGiven &&
        this.#state.found.has(relationship.name) &&
        (this.#state.isLive(relationship.name) ||
          [...this.#state.left].some((other) => mayBeSame(relationship, other))),
    );
    const slots = [...live, ...kept].map(({ slot }) => slot);
    this.#state.add(
      eachOnce(slots, this.#state.turn, this.#state.context.graph.nodeCount, this.#state.context.budget),
      {
        step: 'once',
        detail: live.map(shownNode).join(', '),
      },
    );
  }

  #testGiven(node: NodeElement): void {
    const test = this.#state.labelTest(node);
    if (test === undefined) return;
    this.#state.add(
      (next) => (row) => {
        const value = nodeAt(row, node.slot);
        return value === undefined || !test(value) || next(row);
      },
      { step: 'test', detail: shownNode(node) },
    );
  }

  #testConditions(): void {
    this.#state.context.budget.spend(this.#state.conditions.open.size);
    for (const condition of this.#state.conditions.open) {
      const { expression, needs } = condition;
      if (![...needs].every((name) => this.#state.found.has(name))) continue;
      this.#state.conditions.open.delete(condition);
      const evaluate = this.#state.late.reduce(
        (test, late) => late.noticed(condition, test),
        this.#state.conditions.test(expression),
      );
      this.#state.add((next) => (row) => !evaluate(row) || next(row), {
        step: 'filter',
        detail: [...namesIn(expression)].filter((name) => !name.startsWith(' ')).join(', '),
      });
    }
  }

  /** A shortest path to a single node is searched from both ends. */
  #findOtherEnd({ from, to, shortest: isShortest }: RelationshipElement): void {
    if (isShortest === undefined) return;
    for (const node of [from, to])
      if (!this.#state.isFound(node) && this.#state.anchors.of(node).estimate <= 1) this.#anchor(node);
  }

  /** Starts at the node with the fewest candidates if no remaining part is connected to the matched parts. */
  #begin(): void {
    const ends = [...new Set([...this.#state.left].flatMap(({ from, to }) => [from, to]))];
    this.#anchor(this.#rarest(ends) as NodeElement);
  }

  #rarest(nodes: readonly NodeElement[]): NodeElement | undefined {
    this.#state.context.budget.spend(nodes.length);
    return rarest(nodes, this.#state.anchors);
  }

  #anchor(node: NodeElement): void {
    const { estimate, detail, isFixed, every } = this.#state.anchors.of(node);
    const test = this.#state.labelTest(node);
    const { slot } = node;
    let find: Anchor['every'] = (row, visit) =>
      every(row, (found) => {
        if (test !== undefined && !test(found)) return true;
        row[slot] = new NodeValue(found);
        return visit(found);
      });
    this.#state.found.add(node.name);
    if (isFixed) find = kept(this.#passing(node, find), slot, this.#state.context);
    const progress = this.#progressOf(node, find);
    const begin: Step = (next) => (row) =>
      find(row, () => {
        const goesOn = next(row);
        if (progress !== undefined) progress.done++;
        return goesOn;
      });
    const line = {
      ...{ step: 'begin', detail: `${shownNode(node)} ${detail}` },
      // The estimate is hidden from users who may not see all nodes.
      ...(this.#state.context.graph.isHidden === undefined && { estimate }),
    };
    this.#state.add(begin, line, test);
    this.#testConditions();
  }

  /** @returns the progress tracking for the first step of a query */
  #progressOf(node: NodeElement, find: Anchor['every']): Progress['start'] {
    const { progress } = this.#state.context;
    const isFirst =
      this.#state.options.plan !== undefined &&
      this.#state.steps.length === 0 &&
      this.#state.outer.names.length === 0;
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

  /** Tests conditions on the node when it is found. */
  #passing(node: NodeElement, find: Anchor['every']): Anchor['every'] {
    const tests = this.#state.conditions.takeOf(node);
    if (tests.length === 0) return find;
    return (row, visit) => find(row, (found) => !tests.every((passes) => passes(row)) || visit(found));
  }

  #follow(relationship: RelationshipElement): void {
    const { graph, budget } = this.#state.context;
    const { pattern, slot, isGiven, name } = relationship;
    const isLong = pattern.length !== undefined || relationship.shortest !== undefined;
    if (isGiven && !isLong) {
      this.#followGiven(relationship);
      return;
    }
    const isFromFound = this.#state.isFound(relationship.from);
    // Trails are enumerated from the end with fewer candidates.
    const isReverse = !isFromFound;
    const [from, to] = isReverse
      ? [relationship.to, relationship.from]
      : [relationship.from, relationship.to];
    const isInto = this.#state.isFound(to);
    const way: Way = pattern.direction === 'both' ? 'both' : isReverse ? 'in' : 'out';
    const labelTest = this.#state.labelTest(to);
    const others = relationship.shortest === undefined ? this.#othersOf(relationship) : [];
    const isNumberWanted = this.#state.wanted.has(name) || this.#state.isUsedElsewhere(relationship);
    const options = {
      ...{ graph, budget, way, isInto, others },
      types: this.#state.typesOf(relationship),
      from: from.slot,
      to: to.slot,
      test: ((node) => labelTest === undefined || labelTest(node)) satisfies NodeTest,
      slot: isNumberWanted ? slot : undefined,
    };
    const detail = `${shownNode(from)} ${way === 'in' ? '<-' : '-'}[${pattern.types.slice(0, 3).join('|')}${pattern.types.length > 3 ? '|…' : ''}]${way === 'out' ? '->' : '-'} ${shownNode(to)}`;
    if (isLong)
      this.#long.follow(relationship, options, to, isReverse !== (pattern.direction === 'left'), detail);
    else this.#state.add(hop(options), { step: isInto ? 'join' : 'hop', detail });
    this.#state.found.add(to.name);
    this.#state.found.add(relationship.name);
  }

  #followGiven({ pattern, slot, from, to, name, ...rest }: RelationshipElement): void {
    const { graph, budget } = this.#state.context;
    const [fromTest, toTest] = [from, to].map((node) => this.#state.labelTest(node));
    const [isFromFound, isToFound] = [this.#state.isFound(from), this.#state.isFound(to)];
    const fits = (row: Row, start: number, end: number): boolean => {
      if (from === to && start !== end) return false;
      if (isFromFound ? nodeAt(row, from.slot) !== start : fromTest !== undefined && !fromTest(start))
        return false;
      return isToFound ? nodeAt(row, to.slot) === end : toTest === undefined || toTest(end);
    };
    const options = {
      ...{ graph, budget, isInto: false, test: () => true, slot },
      types: this.#state.typesOf({ pattern, slot, from, to, name, ...rest }),
      way: (pattern.direction === 'both' ? 'both' : 'out') as Way,
      from: from.slot,
      to: to.slot,
      others: this.#state.elements.relationships
        .filter((other) => other.name !== name && this.#state.found.has(other.name))
        .map((other) => other.slot),
    };
    this.#state.add(givenHop(options, slot, fits), { step: 'hop', detail: `over the known ${name}` });
    for (const element of [from.name, to.name, name]) this.#state.found.add(element);
  }

  /** Slots of relationships matched earlier that could be the same edge. */
  #othersOf(relationship: RelationshipElement): number[] {
    const others: number[] = [];
    this.#state.context.budget.spend(this.#state.elements.relationships.length);
    for (const other of this.#state.elements.relationships)
      if (other !== relationship && this.#state.found.has(other.name) && mayBeSame(relationship, other))
        others.push(other.slot);
    return others;
  }
}
