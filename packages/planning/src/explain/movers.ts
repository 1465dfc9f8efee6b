/**
 * Finds the added and removed relations that changed the exposure of a zone: for each added relation, the number of principals
 * that can reach the zone only through it; for each removed relation, the number that could reach the zone again if it were
 * restored. Exposure is counted per forest: principals that reach members of the zone in the same forest.
 *
 * Rule: `docs/history.md#causes-of-exposure-changes`.
 */
import { type AnalysisContext, attackSteps, type EdgeRef } from '@clew/analysis';
import {
  changeEdges,
  condense,
  type EdgeFilter,
  LabeledStepsBuilder,
  type NodeSet,
  nodeGroups,
  ReachCounter,
  reachableNodes,
  selectSteps,
} from '@clew/graph';
import { forestExposures } from '../simulation/exposures.ts';
import type { AnalyzedWorld, RankedZone } from '../simulation/simulate.ts';

export interface RelationChanges {
  /** Added relations, which exist in the graph. */
  readonly came: readonly EdgeRef[];
  /** Removed relations, which existed before; both ends still exist. */
  readonly went: readonly EdgeRef[];
}

/** All changed relations between two objects. */
export interface Mover {
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly number[];
  readonly change: 'came' | 'went';
  /** Number of principals exposed only because of the addition, or kept out only by the removal. */
  readonly principals: number;
}

export interface Movers {
  /** Sorted by descending number of principals. */
  readonly movers: readonly Mover[];
  /** Principals exposed only because of all added relations together. */
  readonly cameTogether: number;
  /** Principals that would be exposed if all removed relations were restored. */
  readonly wentTogether: number;
}

interface Pair {
  readonly start: number;
  readonly end: number;
  readonly kinds: number[];
}

interface Question {
  readonly context: AnalysisContext;
  readonly steps: EdgeFilter;
  /** Members of the zone, in one forest. */
  readonly members: NodeSet;
  /** Principals of the forest outside the zone. */
  readonly counted: NodeSet;
  /** Nodes that reach the members now. */
  readonly upstream: NodeSet;
}

/** @param count maximum number of movers @throws CanceledError */
export function exposureMovers(
  { context }: AnalyzedWorld,
  { members, above }: RankedZone,
  changes: RelationChanges,
  count: number,
): Movers {
  const steps = attackSteps(context.graph);
  const [came, went] = [pairsOf(changes.came, steps), pairsOf(changes.went, steps)];
  const sums = new Map<string, Mover>();
  let [cameTogether, wentTogether] = [0, 0];
  for (const forest of forestExposures(context, { zone: members, above }, context.cancel)) {
    const question = { ...forest, context, steps };
    const here = [effectOfNew(question, came), effectOfGone(question, went, changes.went)] as const;
    cameTogether += here[0].together;
    wentTogether += here[1].together;
    for (const mover of here.flatMap((effect) => effect.movers)) {
      if (mover.principals === 0) continue;
      const key = `${mover.change} ${mover.start} ${mover.end}`;
      sums.set(key, { ...mover, principals: mover.principals + (sums.get(key)?.principals ?? 0) });
    }
  }
  const movers = [...sums.values()]
    .sort((a, b) => b.principals - a.principals || a.start - b.start || a.end - b.end)
    .slice(0, count);
  return { movers, cameTogether, wentTogether };
}

function pairsOf(edges: readonly EdgeRef[], steps: EdgeFilter): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const { start, kind, end } of edges) {
    if (steps.allows[kind] === 0 || start === end) continue;
    const pair = pairs.get(`${start} ${end}`) ?? { start, end, kinds: [] };
    pair.kinds.push(kind);
    pairs.set(`${start} ${end}`, pair);
  }
  return pairs;
}

interface Effect {
  readonly movers: readonly Mover[];
  readonly together: number;
}

/** Each pair of ends is a label: the dominator tree yields the nodes that a single label keeps out. */
function effectOfNew(
  { context, steps, members, counted, upstream }: Question,
  pairs: ReadonlyMap<string, Pair>,
): Effect {
  const isNear = [...pairs.values()].some(({ start, end }) => upstream.has(start) && upstream.has(end));
  if (!isNear) return { movers: [], together: 0 };
  const { attackGraph: graph, cancel } = context;
  const builder = new LabeledStepsBuilder(graph.nodeCount);
  const labeled: Pair[] = [];
  const { offsets, neighbors, kinds } = graph.out;
  upstream.forEach((start) => {
    for (let at = offsets[start]; at < offsets[start + 1]; ) {
      const end = neighbors[at];
      let open = 0;
      for (; at < offsets[start + 1] && neighbors[at] === end; at++) open += steps.allows[kinds[at]];
      if (open === 0 || end === start || !upstream.has(end)) continue;
      const pair = pairs.get(`${start} ${end}`);
      // If an older relation connects the same nodes, the new one has no effect.
      const isNew = pair !== undefined && pair.kinds.length === open;
      builder.add(start, end, isNew ? [labeled.push(pair) - 1] : []);
    }
  });
  if (labeled.length === 0) return { movers: [], together: 0 };
  const network = builder.build(labeled.length, cancel);
  const targets = members.toArray();
  const alone = network.countsOfSingles(targets, counted, new Set());
  const left = network.reach(targets, labeled.keys());
  return {
    movers: labeled.map((pair, label) => ({ ...pair, change: 'came', principals: alone[label] })),
    together: upstream.and(counted).filter((node) => left[node] === 0).size,
  };
}

function effectOfGone(
  { context, steps, members, counted, upstream }: Question,
  pairs: ReadonlyMap<string, Pair>,
  went: readonly EdgeRef[],
): Effect {
  const { attackGraph: graph, cancel } = context;
  const back = [...pairs.values()].filter(({ start, end }) => upstream.has(end) && !upstream.has(start));
  if (back.length === 0) return { movers: [], together: 0 };
  const backward = selectSteps(graph, { direction: 'in', filter: steps, cancel });
  const counter = new ReachCounter(condense(backward, cancel), cancel);
  const counts = counter.count(nodeGroups(back.map(({ start }) => [start])), counted.andNot(upstream));
  const whole = changeEdges(graph, { added: went });
  const before = reachableNodes(whole, members, { direction: 'in', filter: steps, cancel });
  return {
    movers: back.map((pair, at) => ({ ...pair, change: 'went', principals: counts[at] })),
    together: before.and(counted).andNot(upstream).size,
  };
}
