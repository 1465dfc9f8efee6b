/**
 * A related list as a graph. Its nodes are the entity and the entries of the list, so the graph shows exactly what the list counts. If an
 * entry is connected only through other objects (a group between a user and the objects it controls), a `way` replaces the edges and names
 * the objects in between. With `connecting`, those objects and their edges are shown as well.
 */
import { addTo, findEdge, NO_NODE } from '@clew/graph';
import type { Meter } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import { compileRelation } from './compile.ts';
import type { Relation } from './relation.ts';
import { evaluateRelation, type StepRecorder } from './walk.ts';

/** The shortest path between two nodes of the graph through nodes that it does not show. */
export interface Way {
  /** In edge direction. */
  readonly start: number;
  readonly end: number;
  /** Kinds of its edges, from start to end. */
  readonly kinds: readonly number[];
  /** Intermediate nodes, from start to end. */
  readonly through: readonly number[];
}

export interface RelationGraph {
  readonly root: number;
  /** Entries of the list, ascending. */
  readonly results: Uint32Array;
  /** Nodes shown only because ways use them, ascending. */
  readonly connecting: Uint32Array;
  /** Numbers of edges between shown nodes, ascending. */
  readonly edges: Uint32Array;
  readonly ways: readonly Way[];
}

/** There are more nodes or edges than one answer can show. */
export class GraphTooLarge extends Error {
  override readonly name = 'GraphTooLarge';
}

/** Maximum number of steps in a graph: about 50 bytes each while it is built, 400 in the answer. */
export const MAX_GRAPH_STEPS = 100_000;

/** Building a step takes about 2 us, as long as visiting this many edges. */
const UNITS_PER_STEP = 40;

/** @throws GraphTooLarge, and the errors of the meter */
export function relationGraph(
  data: QueryData,
  relation: Relation,
  root: number,
  options: { readonly connecting: boolean; readonly maxSteps?: number },
  meter: Meter,
): RelationGraph {
  const trace = new Trace(options.maxSteps ?? MAX_GRAPH_STEPS, meter);
  const results = evaluateRelation(data, relation, root, meter, trace);
  if (results.length > trace.maxSteps) throw new GraphTooLarge();

  const found = new Set(results);
  const accepts = compileRelation(data, relation).accepts;
  const isAccepted = (pair: number): boolean => ((accepts >>> (pair & 7)) & 1) === 1 && found.has(pair >>> 3);
  const leading = trace.stepsToward(isAccepted);
  const isShown = options.connecting
    ? () => true
    : (node: number): boolean => node === root || found.has(node);

  const edges = new Set<number>();
  const connecting = new Set<number>();
  const attached = new Set<number>();
  for (const step of leading) {
    const from = trace.from[step] >>> 3;
    const to = trace.to[step] >>> 3;
    if (!isShown(from) || !isShown(to)) continue;
    for (const node of [from, to]) if (node !== root && !found.has(node)) connecting.add(node);
    if (isAccepted(trace.to[step])) attached.add(to);
    if (trace.positions[step] !== NO_NODE) edges.add(trace.edgeNumber(data, step));
  }
  const ways: Way[] = [];
  for (const [node, pair] of trace.firstPairs(isAccepted)) {
    if (!attached.has(node)) ways.push(trace.wayTo(data, pair, isShown));
  }
  return {
    root,
    results,
    connecting: Uint32Array.from(connecting).sort(),
    edges: Uint32Array.from(edges).sort(),
    ways: ways.sort((a, b) => a.start - b.start || a.end - b.end),
  };
}

/** All valid steps of a traversal, in order. */
class Trace implements StepRecorder {
  readonly maxSteps: number;
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly positions: number[] = [];
  readonly #inward: boolean[] = [];
  readonly #meter: Meter;
  /** Keyed by pair: the step that first reached it. */
  readonly #firstStep = new Map<number, number>();

  constructor(maxSteps: number, meter: Meter) {
    this.maxSteps = maxSteps;
    this.#meter = meter;
  }

  record(fromPair: number, toPair: number, inward: boolean, position: number): void {
    if (this.from.length === this.maxSteps) throw new GraphTooLarge();
    this.#meter.spend(UNITS_PER_STEP);
    if (!this.#firstStep.has(toPair)) this.#firstStep.set(toPair, this.from.length);
    this.from.push(fromPair);
    this.to.push(toPair);
    this.positions.push(position);
    this.#inward.push(inward);
  }

  /** @returns the steps of traversals that end at such a pair, in order */
  stepsToward(isAccepted: (pair: number) => boolean): number[] {
    const arriving = new Map<number, number[]>();
    this.to.forEach((pair, step) => {
      addTo(arriving, pair, step);
    });
    const open = [...arriving.keys()].filter(isAccepted);
    const leading = new Set(open);
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      for (const step of arriving.get(pair) ?? []) {
        if (leading.has(this.from[step])) continue;
        leading.add(this.from[step]);
        open.push(this.from[step]);
      }
    }
    return [...this.to.keys()].filter((step) => leading.has(this.to[step]));
  }

  /** @returns each node visited in such a pair, with its first pair */
  firstPairs(isAccepted: (pair: number) => boolean): Map<number, number> {
    const first = new Map<number, number>();
    for (const pair of this.#firstStep.keys()) {
      if (isAccepted(pair) && !first.has(pair >>> 3)) first.set(pair >>> 3, pair);
    }
    return first;
  }

  edgeNumber(data: QueryData, step: number): number {
    const position = this.positions[step];
    if (!this.#inward[step]) return position;
    const start = data.graph.in.neighbors[position];
    return findEdge(data.graph, start, data.graph.in.kinds[position], this.from[step] >>> 3);
  }

  /** Follows the first steps back to the nearest shown node. */
  wayTo(data: QueryData, pair: number, isShown: (node: number) => boolean): Way {
    const kinds: number[] = [];
    const nodes = [pair >>> 3];
    let inward = false;
    do {
      const step = this.#firstStep.get(pair) as number;
      const position = this.positions[step];
      if (position !== NO_NODE) {
        inward = this.#inward[step];
        kinds.push(data.graph[inward ? 'in' : 'out'].kinds[position]);
      }
      pair = this.from[step];
      nodes.push(pair >>> 3);
    } while (!isShown(pair >>> 3));
    if (!inward) {
      kinds.reverse();
      nodes.reverse();
    }
    return { start: nodes[0], end: nodes[nodes.length - 1], kinds, through: nodes.slice(1, -1) };
  }
}
