/**
 * Contracts labeled steps to a kernel: nodes that no choice of labels separates are merged. For every choice, the
 * kernel's target receives the same weight as the targets of the whole graph. If few labels can be removed, the
 * kernel of any graph has a few hundred nodes. Uses typed arrays and passes in linear time.
 *
 * 1. Nodes that do not reach a target are removed. Nodes that reach it over steps without labels are merged into
 *   the target.
 * 2. Cycles of steps without labels are merged into one node.
 * 3. Repeated until nothing changes: nodes that receive no weight are removed; steps that carry all labels of a
 *   parallel step are removed; a node whose only step has no label is merged into its end; nodes with equal steps
 *   are merged.
 */

import { NO_NODE } from '../columns/attackGraph.ts';
import { float64s, uint32s } from '../columns/largeArrays.ts';
import { RowPlaces } from '../columns/rowPlaces.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { findComponents } from './components.ts';
import type { LabeledSteps } from './labeledSteps.ts';
import type { LabelSet } from './labelSet.ts';
import { type MarkedSets, markSets, Rows } from './mutableRows.ts';
import { turnedRows } from './turnedRows.ts';

/** Marks a step that does not exist, instead of a set number. */
export const TAKEN_AWAY = 0xffff_ffff;

export interface WeighedTargets {
  readonly targets: ArrayLike<number>;
  /** Indexed by node. */
  readonly weights: Uint32Array;
}

/** Maps sets of labels to the sets of the kernel. */
export interface SetMap {
  /** Indexed by set of the steps: the set in the kernel, 0 if nothing removes the step, or `TAKEN_AWAY`. */
  readonly places: Uint32Array;
  /** Labels of each set, ascending; the first set is empty. */
  readonly sets: readonly LabelSet[];
}

export interface Kernel {
  readonly nodeCount: number;
  /** Steps grouped by start. Node 0 represents all targets, and has no steps. */
  readonly rows: Rows;
  /** Weight of each node; 0 for the target. */
  readonly weights: Uint32Array;
  /** Weight that reaches the target for every choice of labels. */
  readonly alwaysExposed: number;
  /** Indexed by node of the whole graph: its node in the kernel, `NO_NODE` for a node that does not reach a target. */
  readonly placeOf: Uint32Array;
}

/** @throws CanceledError */
export function contractSteps(
  steps: LabeledSteps,
  map: SetMap,
  { targets, weights }: WeighedTargets,
  cancel?: Cancel,
): Kernel {
  const placeOf = comingNodes(steps, map, targets, cancel);
  let rows = openRows(steps, map, placeOf);
  rows = joinedCircles(rows, placeOf, cancel);
  let own = uint32s(rows.nodeCount);
  for (let node = 0; node < weights.length; node++)
    if (weights[node] !== 0 && placeOf[node] !== NO_NODE) own[placeOf[node]] += weights[node];
  const sets = markSets(map.sets);
  for (;;) {
    throwIfCanceled(cancel);
    const into = mergesOf(rows, own, sets);
    const numbers = numbersOf(into);
    if (numbers.count === rows.nodeCount) break;
    rows = mergedRows(rows, into, numbers.of, numbers.count);
    const next = uint32s(numbers.count);
    for (let node = 0; node < own.length; node++)
      if (numbers.of[node] !== NO_NODE) next[numbers.of[node]] += own[node];
    own = next;
    for (let node = 0; node < placeOf.length; node++)
      if (placeOf[node] !== NO_NODE) placeOf[node] = numbers.of[placeOf[node]];
  }
  const alwaysExposed = own[0];
  own[0] = 0;
  return { nodeCount: rows.nodeCount, rows, weights: own, alwaysExposed, placeOf };
}

/** @returns 0 for nodes that reach a target over permanent steps, and numbers from 1 for other nodes that reach it */
function comingNodes(
  steps: LabeledSteps,
  { places }: SetMap,
  targets: ArrayLike<number>,
  cancel: Cancel | undefined,
): Uint32Array {
  const { nodeCount, offsets, starts, setOf } = steps;
  const placeOf = uint32s(nodeCount).fill(NO_NODE);
  const queue = uint32s(nodeCount);
  let tail = 0;
  for (let at = 0; at < targets.length; at++) {
    if (placeOf[targets[at]] === 0) continue;
    placeOf[targets[at]] = 0;
    queue[tail++] = targets[at];
  }
  for (let head = 0; head < tail; head++) {
    const node = queue[head];
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      if (places[setOf[at]] !== 0 || placeOf[starts[at]] === 0) continue;
      placeOf[starts[at]] = 0;
      queue[tail++] = starts[at];
    }
  }
  throwIfCanceled(cancel);
  const permanent = tail;
  for (let head = 0; head < tail; head++) {
    const node = queue[head];
    for (let at = offsets[node]; at < offsets[node + 1]; at++) {
      if (places[setOf[at]] === TAKEN_AWAY || placeOf[starts[at]] !== NO_NODE) continue;
      placeOf[starts[at]] = tail - permanent + 1;
      queue[tail++] = starts[at];
    }
  }
  return placeOf;
}

function openRows(
  { nodeCount, offsets, starts, setOf }: LabeledSteps,
  { places, sets }: SetMap,
  placeOf: Uint32Array,
): Rows {
  let count = 1;
  for (let node = 0; node < nodeCount; node++)
    if (placeOf[node] !== NO_NODE && placeOf[node] >= count) count = placeOf[node] + 1;
  const eachStep = (visit: (start: number, end: number, set: number) => void): void => {
    for (let node = 0; node < nodeCount; node++) {
      const end = placeOf[node];
      if (end === NO_NODE) continue;
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const start = placeOf[starts[at]];
        if (start === NO_NODE || start === 0 || start === end) continue;
        const set = places[setOf[at]];
        if (set !== TAKEN_AWAY) visit(start, end, set);
      }
    }
  };
  const rows = RowPlaces.visiting(count, eachStep);
  const keys = float64s(rows.size);
  eachStep((start, end, set) => {
    keys[rows.take(start)] = end * sets.length + set;
  });
  return new Rows(rows.offsets, keys, sets.length);
}

/** Merges cycles of steps without labels. Writes the new numbers into `placeOf`. */
function joinedCircles(rows: Rows, placeOf: Uint32Array, cancel: Cancel | undefined): Rows {
  const { nodeCount } = rows;
  const ahead = rows.endsWithout();
  const steps = { nodeCount, ahead, behind: turnedRows(ahead) };
  const { count, componentOf } = findComponents(steps, cancel);
  if (count === nodeCount) return rows;
  const into = uint32s(nodeCount);
  for (let node = 0; node < nodeCount; node++) into[node] = node;
  const first = uint32s(count).fill(NO_NODE);
  for (let node = 0; node < nodeCount; node++) {
    const component = componentOf[node];
    if (first[component] === NO_NODE) first[component] = node;
    else into[node] = first[component];
  }
  const numbers = numbersOf(into);
  for (let node = 0; node < placeOf.length; node++)
    if (placeOf[node] !== NO_NODE) placeOf[node] = numbers.of[placeOf[node]];
  return rows.renumbered(numbers.of, numbers.count, () => true);
}

/**
 * Also cleans the rows. @returns for each node: itself, the node that it is merged into, or `NO_NODE` if it
 * receives no weight
 */
function mergesOf(rows: Rows, weights: Uint32Array, sets: MarkedSets): Uint32Array {
  const { nodeCount } = rows;
  const isFed = rows.reachedFrom(weights);
  const into = uint32s(nodeCount).fill(NO_NODE);
  into[0] = 0;
  const size = 2 ** Math.ceil(Math.log2(nodeCount * 2 + 2));
  const table = uint32s(size);
  for (let node = 1; node < nodeCount; node++) {
    if (isFed[node] === 0) continue;
    rows.clean(node, sets);
    const only = rows.onlyEnd(node);
    if (only !== undefined) {
      into[node] = only;
      continue;
    }
    let slot = rows.hash(node) & (size - 1);
    while (table[slot] !== 0 && !rows.areEqual(table[slot], node)) slot = (slot + 1) & (size - 1);
    if (table[slot] === 0) table[slot] = node;
    into[node] = table[slot];
  }
  return into;
}

/** Numbers the remaining nodes; chains of merges are resolved. */
function numbersOf(into: Uint32Array): { readonly of: Uint32Array; readonly count: number } {
  const of = uint32s(into.length).fill(NO_NODE);
  let count = 0;
  for (let node = 0; node < into.length; node++) if (into[node] === node) of[node] = count++;
  for (let node = 0; node < into.length; node++) {
    let end = node;
    while (end !== NO_NODE && into[end] !== end) end = into[end];
    if (end === NO_NODE) continue;
    for (let at = node; at !== end; ) {
      const next = into[at];
      into[at] = end;
      at = next;
    }
    of[node] = of[end];
  }
  return { of, count };
}

const mergedRows = (rows: Rows, into: Uint32Array, of: Uint32Array, count: number): Rows =>
  rows.renumbered(of, count, (node) => into[node] === node);
