/**
 * Plans variable-length relationships and shortest paths: as a reachability search if the trails are not read,
 * otherwise as trails.
 */
import { CypherError } from '../cypherError.ts';
import type { Row } from '../run/context.ts';
import type { Easiest, Expression } from '../syntax/ast.ts';
import { equals } from '../values/compare.ts';
import { NodeValue, type Value } from '../values/values.ts';
import { leadsTo, reachOnce } from './copies.ts';
import { easiest } from './easiest.ts';
import { edgesBetween } from './edgesBetween.ts';
import { edgesWithin } from './edgesWithin.ts';
import type { NodeElement, PathElement, RelationshipElement } from './elements.ts';
import { isDeterministic, namesIn } from './expressionReads.ts';
import { both, type InnerTests, takeInnerTests } from './innerConditions.ts';
import { LateConditions, lateConditions } from './lateConditions.ts';
import type { MatchState } from './matchState.ts';
import { reachApart } from './reachApart.ts';
import { shortest } from './shortest.ts';
import {
  distancesTo,
  type EdgeTest,
  givenTrail,
  type HopOptions,
  nodeAt,
  reach,
  type Step,
  type TrailOptions,
  trails,
} from './steps.ts';

/** Maximum share of nodes that may be ends, for a backward search to be worthwhile. */
const SELECTIVE = 1 / 8;

export class LongHops {
  readonly #state: MatchState;

  constructor(state: MatchState) {
    this.#state = state;
  }

  follow(
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
        this.#state.context.warn(
          `paths of more than ${this.#state.context.budget.limits.pathLength} relationships were not followed`,
        ),
    };
    if (relationship.isGiven) {
      this.#state.add(givenTrail(options, relationship.slot), { step: 'trail', detail });
      return;
    }
    if (relationship.shortest !== undefined) {
      if (typeof relationship.shortest === 'object') {
        this.#addEasiest(relationship, relationship.shortest, options, to, detail);
        return;
      }
      if (min > 1) throw new CypherError('meaning', 'a shortest path begins at length 0 or 1', pattern.at);
      const inner = this.#innerTests(relationship);
      // If the path is not read, any one path suffices.
      const isPathRead = this.#state.options.copiesMatter || options.slot !== undefined;
      if (!isPathRead && !options.isInto && inner.nodeTest === undefined) {
        const edgeTest = both(options.edgeTest, inner.edgeTest);
        this.#addReach({ ...options, edgeTest, isApart: min === 1 }, to, detail);
        return;
      }
      const ends = options.isInto ? undefined : this.#endsOf(options, to);
      const test = options.isInto ? options.test : this.#state.conditions.within(options.test, to);
      const search = shortest({
        ...options,
        ...{ test, ends },
        all: relationship.shortest === 'all',
        edgeTest: both(options.edgeTest, inner.edgeTest),
        innerTest: inner.nodeTest,
        isFixed: inner.isFixed && (pattern.properties === undefined || isConstant(pattern.properties)),
        isUnion: relationship.shortest === 'one' && !options.isInto && this.#isGraphOfPaths(),
      });
      this.#state.add(this.#watched(search, relationship, options), { step: 'shortest', detail });
      return;
    }
    // Without direction, a walk may return over the same edge, which a trail may not.
    const isReach =
      !this.#state.options.copiesMatter && options.slot === undefined && options.others.length === 0;
    if (isReach && min <= 1 && options.way !== 'both') {
      this.#addReach(options, to, detail);
      return;
    }
    const isAnyEnd = !options.isInto && to.labels.length === 0 && relationship.from !== relationship.to;
    if (isAnyEnd && min <= 1 && this.#isGraphOfPaths()) {
      this.#state.add(edgesWithin(options), { step: 'edges within', detail });
      return;
    }
    const ends = relationship.from === relationship.to ? undefined : this.#endsOfGraph(options, to, min);
    if (ends !== undefined) {
      const before = this.#state.steps.splice(0);
      this.#state.add(edgesBetween(before, options, ends), { step: 'edges between', detail });
      return;
    }
    const isShortFirst = this.#state.options.takesFirst;
    this.#state.add(trails({ ...options, ...this.#distances(options, to), isShortFirst }), {
      step: 'trail',
      detail,
    });
  }

  #addEasiest(
    relationship: RelationshipElement,
    { count, by, at: byAt }: Easiest,
    options: TrailOptions,
    to: NodeElement,
    detail: string,
  ): void {
    const { pattern } = relationship;
    if (pattern.length === undefined || options.min > 1 || options.max !== Number.POSITIVE_INFINITY)
      throw new CypherError('refused', 'an easiest path has any length: write * or *0..', pattern.at);
    const inner = this.#innerTests(relationship);
    const search = easiest({
      ...{ ...options, count, by, byAt },
      test: options.isInto ? options.test : this.#state.conditions.within(options.test, to),
      edgeTest: both(options.edgeTest, inner.edgeTest),
      innerTest: inner.nodeTest,
      isFixed: inner.isFixed && (pattern.properties === undefined || isConstant(pattern.properties)),
    });
    this.#state.add(this.#watched(search, relationship, options), {
      step: 'easiest',
      detail: `${detail} by ${by}`,
    });
  }

  /** Warns if conditions that are tested after the search remove all its paths between two nodes. */
  #watched(search: Step, relationship: RelationshipElement, { from, to }: HopOptions): Step {
    const conditions = lateConditions(this.#state.conditions.open, relationship, this.#pathOf(relationship));
    if (conditions.length === 0) return search;
    const others = relationship.shortest === 'one' || relationship.shortest === 'all' ? 'longer' : 'further';
    const late = new LateConditions(conditions, (at) =>
      this.#state.context.warn(
        `${others} paths were not searched: this condition removed all paths that were found between two nodes; only all(...) and none(...) of the nodes or relationships of a path are part of the search`,
        at,
      ),
    );
    this.#state.late.push(late);
    return late.search(search, from, to);
  }

  /** Whether only the parts of the match's single path are needed, and no remaining condition reads its ends. */
  #isGraphOfPaths(openOfEnd = 0): boolean {
    const { names, isGraph } = this.#state.options;
    const { relationships, paths } = this.#state.elements;
    const [path] = paths;
    if (!isGraph || relationships.length !== 1 || paths.length !== 1 || path.list !== undefined) return false;
    return this.#state.conditions.open.size === openOfEnd && names?.size === 1 && names.has(path.name);
  }

  /**
   * @returns all nodes at which the trails of a graph may end, if only their edges are needed and each match has
   * its own starts; applies conditions that read only the end
   */
  #endsOfGraph(options: TrailOptions, to: NodeElement, min: number): (() => readonly number[]) | undefined {
    if (options.isInto || options.edgeTest !== undefined || min > 1 || this.#state.outer.names.length > 0)
      return undefined;
    const own = new Set(this.#state.conditions.of(to));
    const others = [...this.#state.conditions.open].filter((condition) => !own.has(condition));
    if (others.length > 0 || !this.#isGraphOfPaths(own.size)) return undefined;
    const ends = this.#endsOf(options, to);
    if (ends !== undefined) for (const condition of own) this.#state.conditions.open.delete(condition);
    return ends;
  }

  #addReach(options: TrailOptions, to: NodeElement, detail: string): void {
    const { names } = this.#state.options;
    const own = [...this.#state.conditions.open].filter(({ needs }) => needs.has(to.name));
    const isAlone =
      names?.has(to.name) === false &&
      own.every(({ needs, isFixed }) => needs.size === 1 && isFixed) &&
      ![...this.#state.left].some(({ from, to: end }) => from === to || end === to);
    const ends =
      isAlone && !options.isInto && options.edgeTest === undefined ? this.#endsOf(options, to) : undefined;
    if (ends !== undefined) {
      const test = this.#state.conditions.within(options.test, to);
      this.#state.add(leadsTo({ ...options, test }, ends), { step: 'leads to', detail });
      return;
    }
    this.#state.found.add(to.name);
    const live = this.#state.elements.nodes.filter(
      (node) => !node.isGiven && this.#state.found.has(node.name) && this.#state.isLive(node.name),
    );
    const isOnly =
      !options.isInto && options.max === Number.POSITIVE_INFINITY && options.edgeTest === undefined;
    const isOnce = isOnly && live.every((node) => node === to) && !this.#state.keepsRelationships();
    if (isOnce && options.isApart && live.length > 0) {
      const before = this.#state.steps.splice(0);
      this.#state.add(reachApart(before, options), { step: 'reach once', detail });
    } else if (isOnce && !options.isApart)
      this.#state.add(reachOnce(options, this.#state.turn), { step: 'reach once', detail });
    else this.#state.add(reach(options), { step: 'reach', detail });
  }

  /** All possible end nodes, if they are the same for every row. */
  #endsOf(options: HopOptions, to: NodeElement): (() => readonly number[]) | undefined {
    const anchor = this.#state.anchors.alone(to);
    if (!anchor.isFixed) return undefined;
    const tests = this.#state.conditions.of(to);
    const passes = tests.map(({ expression }) => this.#state.conditions.test(expression));
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

  /** Searches backward from the possible end nodes to find the nodes that lead to them. */
  #distances(options: TrailOptions, to: NodeElement): Pick<TrailOptions, 'distances' | 'isSelective'> {
    const { graph } = this.#state.context;
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
      isSelective: this.#state.anchors.alone(to).estimate <= graph.nodeCount * SELECTIVE,
      distances: () => {
        distances ??= distancesTo(options, ends());
        return distances;
      },
    };
  }

  /** Properties inside the pattern apply to each relationship. */
  #edgeTest({ pattern }: RelationshipElement): EdgeTest | undefined {
    const { properties } = pattern;
    if (properties === undefined || pattern.length === undefined) return undefined;
    const { graph, budget } = this.#state.context;
    const evaluate = this.#state.compiler.compile(properties, this.#state.outer);
    return (edge, row) =>
      Object.entries((evaluate(row) ?? {}) as Record<string, Value>).every(
        ([key, value]) => equals(graph.edgeProperty(edge, key), value, budget) === true,
      );
  }

  #innerTests(relationship: RelationshipElement): InnerTests {
    return takeInnerTests(
      this.#state.conditions.open,
      relationship,
      this.#pathOf(relationship),
      this.#state.compiler,
      this.#state.outer,
    );
  }

  #pathOf(relationship: RelationshipElement): PathElement | undefined {
    return this.#state.elements.paths.find(
      ({ relationships, list }) => list === undefined && relationships.includes(relationship),
    );
  }
}

const isConstant = (expression: Expression): boolean =>
  namesIn(expression).size === 0 && isDeterministic(expression);
