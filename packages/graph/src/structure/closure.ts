/**
 * Transitive closure on demand: all nodes that a node reaches over the given steps, such as the effective members
 * of a group. Results are cached, shared by all nodes of a cycle, and reused by later walks. One closure serves
 * all rules that use the same steps.
 */

import { NodeSet } from '../columns/nodeSet.ts';
import { Uint32List } from '../columns/uint32List.ts';
import type { Steps } from '../search/steps.ts';
import { type CompactSteps, compactSteps } from './compactSteps.ts';
import { type Condensation, condense } from './condensation.ts';

export interface ClosureOptions {
  /** Maximum bytes of cached results; the least recently used are evicted first. Default: 256 MiB. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 256 * 2 ** 20;
/** Approximate memory overhead of a cached result, in addition to its members. */
const BYTES_PER_ANSWER = 200;

export class Closure {
  readonly #compact: CompactSteps;
  /** Contains only nodes with steps. */
  readonly #condensation: Condensation;
  readonly #nodeCount: number;
  readonly #blocked: NodeSet | undefined;
  readonly #empty: NodeSet;
  readonly #maxBytes: number;
  /** Keyed by component, least recently used first. */
  readonly #answers = new Map<number, NodeSet>();
  #bytes = 0;
  /** Indexed by component: number of the last walk that reached it. */
  readonly #walkOf: Uint32Array;
  readonly #queue: Uint32Array;
  #walk = 0;

  /** Computes a condensation of the nodes that have steps. */
  constructor(steps: Steps, options: ClosureOptions = {}) {
    this.#compact = compactSteps(steps);
    this.#condensation = condense(this.#compact.steps);
    this.#blocked = steps.blocked;
    this.#nodeCount = steps.nodeCount;
    this.#empty = NodeSet.empty(steps.nodeCount);
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#walkOf = new Uint32Array(this.#condensation.count);
    this.#queue = new Uint32Array(this.#condensation.count);
  }

  /** Bytes of cached results. */
  get keptBytes(): number {
    return this.#bytes;
  }

  /** @returns the nodes reached over one or more steps; includes `node` only if it lies on a cycle */
  of(node: number): NodeSet {
    const component = this.#componentOf(node);
    return component === undefined ? this.#empty : this.#answerOf(component);
  }

  /** Whether the node lies on a cycle. */
  isInCircle(node: number): boolean {
    const component = this.#componentOf(node);
    return component !== undefined && this.#condensation.cyclic[component] === 1;
  }

  /** @returns `node` and all nodes that it reaches; empty for a blocked node */
  withSelf(node: number): NodeSet {
    if (this.#blocked?.has(node)) return this.#empty;
    const reached = this.of(node);
    return reached.has(node) ? reached : reached.or(NodeSet.of(this.#nodeCount, [node]));
  }

  /** @returns the given nodes and all nodes that they reach, except blocked ones. */
  ofAll(nodes: Iterable<number>): NodeSet {
    const own: number[] = [];
    const sets: NodeSet[] = [];
    const components = new Set<number>();
    for (const node of nodes) {
      if (this.#blocked?.has(node)) continue;
      own.push(node);
      const component = this.#componentOf(node);
      if (component !== undefined) components.add(component);
    }
    for (const component of components) sets.push(this.#answerOf(component));
    sets.push(NodeSet.of(this.#nodeCount, own));
    return NodeSet.union(this.#nodeCount, sets);
  }

  /** @returns `undefined` for a node without steps */
  #componentOf(node: number): number | undefined {
    const number = this.#compact.numberOf(node);
    return number === undefined ? undefined : this.#condensation.componentOf[number];
  }

  #answerOf(component: number): NodeSet {
    if (this.#isLeaf(component)) return this.#empty;
    const kept = this.#answers.get(component);
    if (kept !== undefined) {
      // The order matters only when entries are about to be evicted. Maintaining it always would take longer
      // than the rest of a lookup.
      if (this.#bytes > this.#maxBytes / 2) {
        this.#answers.delete(component);
        this.#answers.set(component, kept);
      }
      return kept;
    }
    this.#answerSuccessors(component);
    const answer = this.#walkFrom(component);
    this.#keep(component, answer);
    return answer;
  }

  /** Most nodes are not groups and reach nothing, so nothing is cached for them. */
  #isLeaf(component: number): boolean {
    const { offsets, cyclic } = this.#condensation;
    return offsets[component] === offsets[component + 1] && cyclic[component] === 0;
  }

  /**
   * Computes the closure of all nodes that `root` reaches, leaves first, so each result combines a few others.
   * This helps only while they fit in the cache.
   */
  #answerSuccessors(root: number): void {
    const { offsets, successors } = this.#condensation;
    const trail = [root];
    const cursors = [offsets[root]];
    while (trail.length > 0) {
      if (this.#bytes > this.#maxBytes / 2) return;
      const component = trail[trail.length - 1];
      const edge = cursors[cursors.length - 1]++;
      if (edge < offsets[component + 1]) {
        const next = successors[edge];
        if (this.#isLeaf(next) || this.#answers.has(next)) continue;
        trail.push(next);
        cursors.push(offsets[next]);
      } else {
        trail.pop();
        cursors.pop();
        if (component !== root) this.#keep(component, this.#walkFrom(component));
      }
    }
  }

  /** Walks until it reaches cached results. */
  #walkFrom(root: number): NodeSet {
    const { offsets, successors, cyclic } = this.#condensation;
    const walk = this.#nextWalk();
    const queue = this.#queue;
    const sets: NodeSet[] = [];
    const nodes = new Uint32List();
    queue[0] = root;
    this.#walkOf[root] = walk;
    let used = 1;
    for (let at = 0; at < used; at++) {
      const component = queue[at];
      if (component !== root || cyclic[root] === 1) this.#appendMembers(component, nodes);
      if (this.#isLeaf(component)) continue;
      const kept = this.#answers.get(component);
      if (kept !== undefined) {
        sets.push(kept);
        continue;
      }
      for (let edge = offsets[component]; edge < offsets[component + 1]; edge++) {
        const next = successors[edge];
        if (this.#walkOf[next] === walk) continue;
        this.#walkOf[next] = walk;
        queue[used++] = next;
      }
    }
    return NodeSet.union(this.#nodeCount, [...sets, NodeSet.of(this.#nodeCount, nodes.toArray())]);
  }

  #appendMembers(component: number, nodes: Uint32List): void {
    const { memberOffsets, members } = this.#condensation;
    const { nodes: known } = this.#compact;
    for (let at = memberOffsets[component]; at < memberOffsets[component + 1]; at++)
      nodes.push(known === undefined ? members[at] : known[members[at]]);
  }

  #nextWalk(): number {
    if (this.#walk === 0xffff_ffff) {
      this.#walkOf.fill(0);
      this.#walk = 0;
    }
    return ++this.#walk;
  }

  #keep(component: number, answer: NodeSet): void {
    this.#answers.set(component, answer);
    this.#bytes += answer.byteLength + BYTES_PER_ANSWER;
    for (const [oldest, set] of this.#answers) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#answers.delete(oldest);
      this.#bytes -= set.byteLength + BYTES_PER_ANSWER;
    }
  }
}
