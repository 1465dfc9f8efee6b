/**
 * Lists several whole attack paths of a finding: those from the group at the start of its first path, easiest first, and the path
 * that most principals use. The searches for the first path already yield the remaining effort of each node, so no further search
 * is needed. At most `MAX_EXAMINED` relationships are examined to extend paths.
 *
 * Rule: `docs/findings.md#several-paths`.
 */
import type { EdgeRef } from '@clew/analysis';
import {
  type AttackGraph,
  type CheapestSteps,
  cheapestWay,
  NO_STEP,
  rowOf,
  type StepCosts,
  UNREACHABLE,
} from '@clew/graph';
import type { EffortTable } from '@clew/model';
import { type AnalyzedWorld, rankedZone } from '../simulation/simulate.ts';
import { placeOf } from './easiestPath.ts';
import { type FindingPath, type PathSearch, pathOf, searchPath } from './findingPath.ts';

/** Maximum number of listed paths. */
export const MAX_PATHS = 25;
/** Maximum number of partial paths per side (to the finding, and from it) to combine. */
const MAX_WAYS_OF_SIDE = 60;
/** Maximum number of relationships to examine per side. */
const MAX_EXAMINED = 100_000;

export interface UsedPath extends FindingPath {
  /** Principals outside the zone whose easiest path to the source ends with the same relationship; undefined if no principal has such a path. */
  readonly principals: number | undefined;
}

export interface FindingPaths {
  /** Easiest first. */
  readonly paths: readonly UsedPath[];
  /** Place of the path with the fewest steps. */
  readonly shortest: number;
  /** Place of the path that most principals use. */
  readonly mostUsed: number;
  /** Number of paths found, including unlisted ones. */
  readonly count: number;
  /** Whether no other loop-free path from the same start exists. */
  readonly isComplete: boolean;
  /** Principals outside the zone that can reach the source. */
  readonly principals: number;
}

/** @returns undefined if the relation is not a step of attack paths @throws CanceledError */
export function findingPaths(
  world: AnalyzedWorld,
  zone: number,
  finding: EdgeRef,
  table?: EffortTable,
): FindingPaths | undefined {
  const search = searchPath(world, zone, finding, table);
  if (search === undefined) return undefined;
  const { graph } = world.context;
  const { steps, toSource, toZone, start } = search;
  const before = easiestWays(graph, toSource, steps, start);
  const after = toZone === undefined ? NO_WAYS : easiestWays(graph, toZone, steps, finding.end);
  const use = usesOf(world, zone, toSource, finding.start);
  const used = (places: readonly number[]): number | undefined => {
    const last = places.at(-1);
    if (last === undefined) return use.own || undefined;
    const predecessor = graph.in.neighbors[last];
    const isTaken = use.next(predecessor) === finding.start;
    return (isTaken && use.carried[predecessor]) || undefined;
  };
  const whole = (places: readonly number[], rest: readonly number[]): UsedPath => ({
    ...pathOf(world, search, places, rest),
    principals: used(places),
  });
  const pairs = before.ways.flatMap((first) =>
    after.ways.filter((rest) => !meets(graph, first, rest, finding)).map((rest) => ({ first, rest })),
  );
  const effortOf = (places: readonly number[]): number =>
    places.reduce((sum, at) => sum + steps.ofPlace[at], 0);
  const ordered = pairs
    .map((pair) => ({
      ...pair,
      effort: effortOf(pair.first) + effortOf(pair.rest),
      length: pair.first.length + pair.rest.length,
    }))
    .sort((a, b) => a.effort - b.effort || a.length - b.length);
  const paths = ordered.slice(0, MAX_PATHS).map(({ first, rest }) => whole(first, rest));
  const most = whole(cheapestWay(graph, toSource, use.entry) ?? [], after.ways[0] ?? []);
  let mostUsed = paths.findIndex((path) => sameSteps(path, most));
  if (mostUsed < 0) {
    // The path starts at another group, or is not one of the easiest.
    mostUsed = Math.min(paths.length, MAX_PATHS - 1);
    paths.splice(mostUsed, 1, most);
  }
  const isListed = ordered.length > 0 && most.start === start;
  return {
    paths,
    shortest: paths.reduce((best, path, at) => (path.steps.length < paths[best].steps.length ? at : best), 0),
    mostUsed,
    count: Math.max(paths.length, ordered.length + (isListed ? 0 : 1)),
    isComplete: before.isComplete && after.isComplete && isListed,
    principals: use.all,
  };
}

const sameSteps = (a: FindingPath, b: FindingPath): boolean =>
  a.steps.length === b.steps.length &&
  a.steps.every(({ start, end }, at) => start === b.steps[at].start && end === b.steps[at].end);

/** Returns whether the second half visits a node of the first half, or the source, which would make a loop. */
function meets(
  graph: AttackGraph,
  first: readonly number[],
  rest: readonly number[],
  { start, end }: EdgeRef,
): boolean {
  if (rest.length === 0) return first.some((at) => graph.in.neighbors[at] === end);
  const nodes = new Set([start, ...first.map((at) => graph.in.neighbors[at])]);
  return nodes.has(end) || rest.some((at) => nodes.has(rowOf(graph.in.offsets, at)));
}

interface Ways {
  /** Places in the incoming rows, in path order. */
  readonly ways: readonly (readonly number[])[];
  /** Whether no other ways exist. */
  readonly isComplete: boolean;
}

const NO_WAYS: Ways = { ways: [[]], isComplete: true };

interface Partial {
  readonly node: number;
  /** Effort to reach the node. */
  readonly cost: number;
  /** Effort to reach the node plus the remaining effort. */
  readonly total: number;
  readonly length: number;
  readonly place: number;
  readonly before: Partial | undefined;
}

/**
 * Enumerates loop-free paths from a node to the targets of a search, easiest first: the search is an exact heuristic for the remaining
 * effort (A*).
 */
function easiestWays(
  graph: AttackGraph,
  { costs, firstPlaces }: CheapestSteps,
  { ofPlace }: StepCosts,
  from: number,
): Ways {
  if (costs[from] === UNREACHABLE) return { ways: [], isComplete: true };
  const { offsets, neighbors, kinds } = graph.out;
  const waiting = new Queue();
  waiting.add({ node: from, cost: 0, total: costs[from], length: 0, place: UNREACHABLE, before: undefined });
  const ways: number[][] = [];
  let examined = 0;
  for (let one = waiting.take(); one !== undefined; one = waiting.take()) {
    const { node, cost, length } = one;
    // A target has no next step.
    if (firstPlaces[node] === UNREACHABLE) {
      ways.push(placesOf(one));
      if (ways.length === MAX_WAYS_OF_SIDE) return { ways, isComplete: waiting.isEmpty };
      continue;
    }
    for (let at = offsets[node]; at < offsets[node + 1]; ) {
      const end = neighbors[at];
      // Relationships between the same ends form one step, with the effort of the easiest.
      let [place, effort] = [UNREACHABLE, NO_STEP];
      for (; at < offsets[node + 1] && neighbors[at] === end; at++) {
        if (++examined > MAX_EXAMINED) return { ways, isComplete: false };
        if (costs[end] === UNREACHABLE) continue;
        const found = placeOf(graph.in, node, kinds[at], end);
        if (ofPlace[found] < effort) [place, effort] = [found, ofPlace[found]];
      }
      if (effort === NO_STEP || isOn(one, end)) continue;
      const reached = cost + effort;
      waiting.add({
        node: end,
        cost: reached,
        total: reached + costs[end],
        length: length + 1,
        place,
        before: one,
      });
    }
  }
  return { ways, isComplete: true };
}

function placesOf(last: Partial): number[] {
  const places: number[] = [];
  for (let one: Partial | undefined = last; one?.before !== undefined; one = one.before)
    places.push(one.place);
  return places.reverse();
}

function isOn(last: Partial, node: number): boolean {
  for (let one: Partial | undefined = last; one !== undefined; one = one.before)
    if (one.node === node) return true;
  return false;
}

/** Priority queue: least total first; among equal totals, the longest path, which is nearest to its end. */
class Queue {
  readonly #heap: Partial[] = [];

  get isEmpty(): boolean {
    return this.#heap.length === 0;
  }

  add(one: Partial): void {
    const heap = this.#heap;
    let at = heap.push(one) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(one, heap[above]); above = (at - 1) >> 1) {
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = one;
  }

  take(): Partial | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++;
      if (!isBefore(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Partial, b: Partial): boolean =>
  a.total < b.total || (a.total === b.total && a.length > b.length);

interface Uses {
  /** Number of principals whose easiest path to the source visits a node, indexed by node. */
  readonly carried: Uint32Array;
  /** The next node on the easiest path of a node. */
  next(node: number): number;
  /** 1 if the source itself is such a principal. */
  readonly own: number;
  readonly all: number;
  /** The common group of most principals, or the single principal. */
  readonly entry: number;
}

const GROUPS = ['Group', 'AZGroup'] as const;

function usesOf(
  world: AnalyzedWorld,
  zone: number,
  { costs, firstPlaces }: PathSearch['toSource'],
  source: number,
): Uses {
  const { context } = world;
  const { nodeCount, in: rows } = context.graph;
  const above = rankedZone(world, zone)?.above;
  const principals = above === undefined ? world.principals : world.principals.andNot(above);
  const next = (node: number): number => rowOf(rows.offsets, firstPlaces[node]);
  const carried = new Uint32Array(nodeCount);
  const pending = new Uint32Array(nodeCount);
  const order: number[] = [];
  const isReaching = (node: number): boolean => costs[node] !== UNREACHABLE;
  principals.forEach((node) => {
    if (isReaching(node)) carried[node] = 1;
  });
  const own = carried[source];
  const nexts = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++)
    if (isReaching(node) && firstPlaces[node] !== UNREACHABLE) {
      nexts[node] = next(node);
      pending[nexts[node]]++;
    }
  for (let node = 0; node < nodeCount; node++)
    if (isReaching(node) && firstPlaces[node] !== UNREACHABLE && pending[node] === 0) order.push(node);
  for (const node of order) {
    const to = nexts[node];
    carried[to] += carried[node];
    if (--pending[to] === 0 && firstPlaces[to] !== UNREACHABLE) order.push(to);
  }
  const isGroup = GROUPS.map((kind) => context.nodesOf(kind)).reduce((all, some) => all.or(some));
  let entry = source;
  for (;;) {
    const heaviest = heaviestBefore(entry);
    if (heaviest === undefined) break;
    // Members of the group have only the group in common, so the path starts there.
    if (entry !== source && isGroup.has(entry) && carried[heaviest] * 2 < carried[entry]) break;
    entry = heaviest;
  }
  return { carried, next, own, all: carried[source], entry };

  function heaviestBefore(node: number): number | undefined {
    let best: number | undefined;
    for (let at = rows.offsets[node]; at < rows.offsets[node + 1]; at++) {
      const before = rows.neighbors[at];
      if (firstPlaces[before] !== at || carried[before] === 0) continue;
      if (best === undefined || carried[before] > carried[best]) best = before;
    }
    return best;
  }
}
