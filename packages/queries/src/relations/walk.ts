/**
 * Traverses a relation in the graph, breadth-first over pairs of node and state: every pair is expanded once, so the cost is bounded by the
 * edges of the reached nodes times the states, whatever the number of paths.
 *
 * Memory of a thread: one byte per node, and five bytes per reached pair. The 550,000 members of an everyone group in a directory of 1 M
 * nodes and 10 M edges take about 20 ms (packages/explore/bench/queries.bench.ts).
 */
import { NO_NODE } from '@clew/graph';
import type { Meter } from '../meter.ts';
import type { QueryData } from '../queryData.ts';
import {
  type Arm,
  type CompiledRelation,
  type CompiledStep,
  compileRelation,
  MAX_STATES,
} from './compile.ts';
import type { Relation } from './relation.ts';

/** Called for every valid step, including those to visited pairs. The number of a pair is node * 8 + state. */
export interface StepRecorder {
  /** @param position of the edge in the columns of its direction; `NO_NODE` for a step without an edge */
  record(fromPair: number, toPair: number, inward: boolean, position: number): void;
}

const RESULT_BIT = 1 << MAX_STATES;

/**
 * @returns the results in ascending order of node numbers, without `root`
 * @throws OverBudget or CanceledError from the meter
 */
export function evaluateRelation(
  data: QueryData,
  relation: Relation,
  root: number,
  meter: Meter,
  recorder?: StepRecorder,
): Uint32Array {
  const walk = new Walk(data, compileRelation(data, relation), root, meter, recorder);
  try {
    walk.run();
    return walk.results();
  } finally {
    walk.release();
  }
}

/** Memory for traversals of this thread, kept between them. A traversal never yields, so one set is sufficient. */
const scratch = {
  /** One byte per node, all zero between traversals. */
  met: new Uint8Array(0),
  nodes: new Uint32Array(256),
  states: new Uint8Array(256),
};

class Walk {
  readonly #data: QueryData;
  readonly #relation: CompiledRelation;
  readonly #root: number;
  readonly #meter: Meter;
  readonly #recorder: StepRecorder | undefined;
  /** States in which each node was visited, as bits, and whether it is a result. */
  readonly #met: Uint8Array;
  /** Pairs in visiting order. */
  #nodes = scratch.nodes;
  #states = scratch.states;
  #tail = 0;
  #resultCount = 0;

  constructor(
    data: QueryData,
    relation: CompiledRelation,
    root: number,
    meter: Meter,
    recorder: StepRecorder | undefined,
  ) {
    if (scratch.met.length < data.graph.nodeCount) scratch.met = new Uint8Array(data.graph.nodeCount);
    this.#data = data;
    this.#relation = relation;
    this.#root = root;
    this.#meter = meter;
    this.#recorder = recorder;
    this.#met = scratch.met;
  }

  run(): void {
    const { arms, environmentSteps, begins } = this.#relation;
    const { kindSetOf } = this.#data.graph;
    this.#meet(this.#root, begins[kindSetOf[this.#root]]);
    for (let head = 0; head < this.#tail; head++) {
      const node = this.#nodes[head];
      const state = this.#states[head];
      for (const arm of arms[state]) {
        const allowed = arm.stepsByKindSet[kindSetOf[node]];
        if (allowed !== 0) this.#followEdges(node, state, arm, allowed);
      }
      for (const { to, members } of environmentSteps[state])
        this.#followEnvironment(node, state, to, members);
    }
  }

  /** @returns the results; if they are a large part of the graph, they are read from the marks instead of being sorted */
  results(): Uint32Array {
    const found = new Uint32Array(this.#resultCount);
    let used = 0;
    if (this.#resultCount > this.#data.graph.nodeCount / 32) {
      for (let node = 0; node < this.#data.graph.nodeCount; node++) {
        if (this.#met[node] >= RESULT_BIT) found[used++] = node;
      }
      return found;
    }
    for (let at = 0; at < this.#tail; at++) {
      const node = this.#nodes[at];
      if (this.#met[node] < RESULT_BIT) continue;
      this.#met[node] &= ~RESULT_BIT;
      found[used++] = node;
    }
    return found.sort();
  }

  /** Must be called once at the end, even after an error. */
  release(): void {
    if (this.#tail > this.#data.graph.nodeCount / 32) this.#met.fill(0, 0, this.#data.graph.nodeCount);
    else for (let at = 0; at < this.#tail; at++) this.#met[this.#nodes[at]] = 0;
  }

  #followEdges(node: number, state: number, arm: Arm, allowed: number): void {
    const { offsets, neighbors, kinds } = arm.adjacency;
    const { stepsByKind, stepsOfOtherKinds, plainStep } = arm;
    const end = offsets[node + 1];
    this.#meter.spend(end - offsets[node] + 1);
    if (plainStep !== undefined && this.#recorder === undefined) {
      this.#followPlainly(offsets[node], end, arm, plainStep);
      return;
    }
    for (let position = offsets[node]; position < end; position++) {
      const kind = kinds[position];
      const steps = (kind < stepsByKind.length ? stepsByKind[kind] : stepsOfOtherKinds) & allowed;
      if (steps !== 0) this.#takeSteps(steps, node, state, neighbors[position], arm, position);
    }
  }

  /** Like `#follow` for one step without a condition: optimized for hubs with a million members. */
  #followPlainly(from: number, end: number, arm: Arm, { to: state, onto }: CompiledStep): void {
    const { neighbors, kinds } = arm.adjacency;
    const { stepsByKind, stepsOfOtherKinds } = arm;
    const { kindSetOf } = this.#data.graph;
    const met = this.#met;
    const bit = 1 << state;
    for (let position = from; position < end; position++) {
      const kind = kinds[position];
      if ((kind < stepsByKind.length ? stepsByKind[kind] : stepsOfOtherKinds) === 0) continue;
      const to = neighbors[position];
      if ((met[to] & bit) !== 0 || (onto !== undefined && onto[kindSetOf[to]] === 0)) continue;
      this.#meetFirst(to, state, bit);
    }
  }

  #takeSteps(bits: number, node: number, state: number, to: number, arm: Arm, position: number): void {
    for (let index = 0; bits !== 0; index++, bits >>>= 1) {
      if ((bits & 1) === 0) continue;
      const step = arm.steps[index];
      if (step.onto !== undefined && step.onto[this.#data.graph.kindSetOf[to]] === 0) continue;
      if (step.when !== undefined && !step.when(this.#data, node, to, arm.adjacency.flags[position]))
        continue;
      this.#recorder?.record(node * 8 + state, to * 8 + step.to, arm.inward, position);
      this.#meet(to, step.to);
    }
  }

  #followEnvironment(environment: number, state: number, to: number, members: Uint8Array): void {
    const { nodeCount, environmentOf, kindSetOf } = this.#data.graph;
    // Checking a node costs a fraction of checking an edge, because the columns are read sequentially.
    this.#meter.spend(nodeCount >>> 2);
    for (let node = 0; node < nodeCount; node++) {
      if (environmentOf[node] !== environment || members[kindSetOf[node]] === 0) continue;
      this.#recorder?.record(environment * 8 + state, node * 8 + to, false, NO_NODE);
      this.#meet(node, to);
    }
  }

  #meet(node: number, state: number): void {
    const bit = 1 << state;
    if ((this.#met[node] & bit) === 0) this.#meetFirst(node, state, bit);
  }

  #meetFirst(node: number, state: number, bit: number): void {
    const met = this.#met[node];
    this.#met[node] = met | bit;
    if (this.#tail === this.#nodes.length) this.#grow();
    this.#nodes[this.#tail] = node;
    this.#states[this.#tail++] = state;
    if ((bit & this.#relation.accepts) !== 0 && met < RESULT_BIT && this.#isResult(node)) {
      this.#met[node] |= RESULT_BIT;
      this.#resultCount++;
    }
  }

  #isResult(node: number): boolean {
    const { kinds, keep } = this.#relation;
    if (node === this.#root) return false;
    if (kinds !== undefined && kinds[this.#data.graph.kindSetOf[node]] === 0) return false;
    return keep === undefined || keep(this.#data, node, this.#root);
  }

  #grow(): void {
    scratch.nodes = new Uint32Array(this.#nodes.length * 2);
    scratch.nodes.set(this.#nodes);
    this.#nodes = scratch.nodes;
    scratch.states = new Uint8Array(this.#states.length * 2);
    scratch.states.set(this.#states);
    this.#states = scratch.states;
  }
}
