/** The cheapest labels whose steps, removed, leave no path from any source to any target. */
import type { NodeSet } from '../columns/nodeSet.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { withScratch } from '../search/scratch.ts';
import { type FlowingStep, type FlowSteps, MaximumFlow, type Residual } from './maximumFlow.ts';

/** Labels, ascending. A plain list: of millions of sets most have one label, and a typed array takes ten times as much. */
export type LabelSet = readonly number[];

/** Steps with the set of labels that each carries. */
export interface CutSteps extends FlowSteps {
  /** Place in `sets` of each step. */
  readonly setOf: Uint32Array;
  readonly sets: readonly LabelSet[];
}

export interface CutRules {
  /** Cost of each label, > 0. */
  readonly costs: Float64Array;
  /** Labels that are removed already. */
  readonly taken: ReadonlySet<number>;
  readonly maxCost: number;
  readonly cancel: Cancel | undefined;
}

const NO_LABEL = -1;
/** Nodes handled between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/**
 * Finds a cheapest cut; among several, the one nearest to the targets.
 * @returns labels, ascending; nothing when no cut costs `maxCost` or less
 * @throws CanceledError
 */
export function cheapestLabels(
  steps: CutSteps,
  sources: NodeSet,
  targets: NodeSet,
  { costs, taken, maxCost, cancel }: CutRules,
): readonly number[] | undefined {
  /** Indexed by set: the label that a step with it costs. */
  const labelOf = steps.sets.map((labels) => cheapestOf(labels, costs));
  const capacities = steps.sets.map((labels, set) => {
    if (labels.some((label) => taken.has(label))) return 0;
    return labels.length === 0 ? Number.POSITIVE_INFINITY : costs[labelOf[set]];
  });
  const residual = new LabeledResidual(steps, capacities);
  if (sources.intersects(targets) || hasEndlessWay(steps, residual, sources, targets, cancel))
    return undefined;
  return withScratch(steps.nodeCount, (scratch) => {
    const maximum = new MaximumFlow(steps, residual, sources, targets, scratch, cancel);
    maximum.run(maxCost);
    if (maximum.flow > maxCost) return undefined;
    const side = maximum.targetSide();
    const cut = new Set<number>();
    for (const place of residual.flowingPlaces()) {
      if (side.has(residual.endAt(place)) && !side.has(steps.starts[place]))
        cut.add(labelOf[steps.setOf[place]]);
    }
    return [...cut].sort((a, b) => a - b);
  });
}

/** @returns the first of the cheapest labels */
function cheapestOf(labels: LabelSet, costs: Float64Array): number {
  let best = NO_LABEL;
  for (const label of labels) if (best === NO_LABEL || costs[label] < costs[best]) best = label;
  return best;
}

/** @returns whether steps that nothing removes lead from a source to a target */
function hasEndlessWay(
  { nodeCount, offsets, starts }: CutSteps,
  residual: Residual,
  sources: NodeSet,
  targets: NodeSet,
  cancel: Cancel | undefined,
): boolean {
  const isReached = new Uint8Array(nodeCount);
  const queue = [...targets];
  for (const target of queue) isReached[target] = 1;
  for (const [count, node] of queue.entries()) {
    if (count % CANCEL_INTERVAL === 0) throwIfCanceled(cancel);
    for (let place = offsets[node]; place < offsets[node + 1]; place++) {
      const start = starts[place];
      if (isReached[start] === 1 || residual.roomAt(place, node) !== Number.POSITIVE_INFINITY) continue;
      if (sources.has(start)) return true;
      isReached[start] = 1;
      queue.push(start);
    }
  }
  return false;
}

/** Only steps that carry flow are written down. */
class LabeledResidual implements Residual {
  readonly #steps: CutSteps;
  readonly #capacities: readonly number[];
  /** Flow by place, > 0. */
  readonly #flows = new Map<number, number>();
  readonly #flowing = new Map<number, Map<number, FlowingStep>>();
  readonly #ends = new Map<number, number>();

  /** @param capacities by set of labels */
  constructor(steps: CutSteps, capacities: readonly number[]) {
    this.#steps = steps;
    this.#capacities = capacities;
  }

  roomAt(place: number, end: number): number {
    if (this.#steps.starts[place] === end) return 0;
    const capacity = this.#capacities[this.#steps.setOf[place]];
    return this.#flows.size === 0 ? capacity : capacity - this.flowAt(place);
  }

  flowAt(place: number): number {
    return this.#flows.get(place) ?? 0;
  }

  flowingFrom(node: number): readonly FlowingStep[] {
    return [...(this.#flowing.get(node)?.values() ?? [])];
  }

  flowingPlaces(): Iterable<number> {
    return this.#flows.keys();
  }

  /** @returns the end of a step that has carried flow */
  endAt(place: number): number {
    return this.#ends.get(place) as number;
  }

  addFlow(place: number, end: number, amount: number): void {
    const start = this.#steps.starts[place];
    const flow = this.flowAt(place) + amount;
    const flowing = this.#flowing.get(start) ?? new Map<number, FlowingStep>();
    this.#flowing.set(start, flowing);
    this.#ends.set(place, end);
    if (flow === 0) {
      this.#flows.delete(place);
      flowing.delete(place);
    } else {
      this.#flows.set(place, flow);
      flowing.set(place, { place, end });
    }
  }
}
