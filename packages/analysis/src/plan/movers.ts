/**
 * Which of the relations that came or went moved the exposure of a zone: for each that came, how many principals come in
 * over it alone; for each that went, how many would come in again with it.
 *
 * Rule: `docs/history.md#what-moved-the-exposure`.
 */
import {
  changeEdges,
  condense,
  type EdgeFilter,
  LabelledStepsBuilder,
  type NodeSet,
  nodeGroups,
  ReachCounter,
  reachableNodes,
  selectSteps,
} from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { EdgeRef } from '../edgeRef.ts';
import { attackSteps } from '../findings/attackSteps.ts';
import type { AnalysedWorld, RankedZone } from './simulate.ts';

export interface RelationChanges {
  /** Are in the graph. */
  readonly came: readonly EdgeRef[];
  /** Were in an earlier one; both ends are in this one. */
  readonly went: readonly EdgeRef[];
}

/** All changed relations from one object to another. */
export interface Mover {
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly number[];
  readonly change: 'came' | 'went';
  /** That come in only because it came, or no longer because it went. */
  readonly principals: number;
}

export interface Movers {
  /** Those with most principals first. */
  readonly movers: readonly Mover[];
  /** Principals that come in only because of what came, all of it together. */
  readonly cameTogether: number;
  /** Principals that would come in if all was back that went. */
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
  readonly members: NodeSet;
  readonly counted: NodeSet;
  /** What comes to the zone now. */
  readonly upstream: NodeSet;
}

/** @param count of movers at most @throws CancelledError */
export function exposureMovers(
  { context, principals }: AnalysedWorld,
  { members, above }: RankedZone,
  changes: RelationChanges,
  count: number,
): Movers {
  const steps = attackSteps();
  const { attackGraph: graph, cancel } = context;
  const upstream = reachableNodes(graph, members, { direction: 'in', filter: steps, cancel });
  const question = { context, steps, members, counted: principals.andNot(above), upstream };
  const came = effectOfNew(question, pairsOf(changes.came, steps));
  const went = effectOfGone(question, pairsOf(changes.went, steps), changes.went);
  const movers = [...came.movers, ...went.movers]
    .filter((mover) => mover.principals > 0)
    .sort((a, b) => b.principals - a.principals || a.start - b.start || a.end - b.end)
    .slice(0, count);
  return { movers, cameTogether: came.together, wentTogether: went.together };
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

/** Each pair of ends is a label: what a label alone keeps out shows in the tree of dominators. */
function effectOfNew(
  { context, steps, members, counted, upstream }: Question,
  pairs: ReadonlyMap<string, Pair>,
): Effect {
  const { attackGraph: graph, cancel } = context;
  const builder = new LabelledStepsBuilder(graph.nodeCount);
  const labelled: Pair[] = [];
  const { offsets, neighbours, kinds } = graph.out;
  upstream.forEach((start) => {
    for (let at = offsets[start]; at < offsets[start + 1]; ) {
      const end = neighbours[at];
      let open = 0;
      for (; at < offsets[start + 1] && neighbours[at] === end; at++) open += steps.allows[kinds[at]];
      if (open === 0 || end === start || !upstream.has(end)) continue;
      const pair = pairs.get(`${start} ${end}`);
      // Where an older relation leads the same way, the new one changes nothing.
      const isNew = pair !== undefined && pair.kinds.length === open;
      builder.add(start, end, isNew ? [labelled.push(pair) - 1] : []);
    }
  });
  if (labelled.length === 0) return { movers: [], together: 0 };
  const network = builder.build(labelled.length, cancel);
  const targets = members.toArray();
  const alone = network.countsOfSingles(targets, counted, new Set());
  const left = network.reach(targets, labelled.keys());
  return {
    movers: labelled.map((pair, label) => ({ ...pair, change: 'came', principals: alone[label] })),
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
