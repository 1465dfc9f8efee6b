/**
 * The condensation of a graph: one node per strongly connected component, and so acyclic. Results that thousands
 * of nodes share are computed once per component.
 */

import type { NodeSet } from '../columns/nodeSet.ts';
import { placesByRow, RowPlaces } from '../columns/rowPlaces.ts';
import { Uint32List } from '../columns/uint32List.ts';
import type { Cancel } from '../search/cancel.ts';
import type { Steps } from '../search/steps.ts';
import { type Components, findComponents } from './components.ts';

export interface Condensation extends Components {
  readonly nodeCount: number;
  /** The blocked nodes of the steps. */
  readonly blocked?: NodeSet;
  /** count + 1 entries; nodes of component c are at memberOffsets[c] .. memberOffsets[c + 1] - 1 of `members`. */
  readonly memberOffsets: Uint32Array;
  /** Ascending within each component. */
  readonly members: Uint32Array;
  /** count + 1 entries into `successors`. */
  readonly offsets: Uint32Array;
  /** Components one step ahead, without repetitions; all have smaller numbers. */
  readonly successors: Uint32Array;
  /** 1 for a component whose nodes reach themselves: several nodes, or one with a step to itself. */
  readonly cyclic: Uint8Array;
}

/** O(nodes + steps). @throws CanceledError */
export function condense(steps: Steps, cancel?: Cancel): Condensation {
  const components = findComponents(steps, cancel);
  const grouped = groupMembers(components);
  const links = linkComponents(steps, components, grouped);
  return { nodeCount: steps.nodeCount, blocked: steps.blocked, ...components, ...grouped, ...links };
}

/** Condenses the reversed steps. O(nodes + successors). */
export function reverseCondensation(condensation: Condensation): Condensation {
  const { count, nodeCount, blocked } = condensation;
  const last = count - 1;
  const componentOf = condensation.componentOf.map((component) => last - component);
  const rows = RowPlaces.visiting(count, (add) => {
    for (const successor of condensation.successors) add(last - successor);
  });
  const successors = new Uint32Array(condensation.successors.length);
  for (let component = 0; component < count; component++)
    for (let at = condensation.offsets[component]; at < condensation.offsets[component + 1]; at++)
      successors[rows.take(last - condensation.successors[at])] = last - component;
  return {
    ...{ nodeCount, blocked, count, componentOf, offsets: rows.offsets, successors },
    ...groupMembers({ count, componentOf }),
    cyclic: condensation.cyclic.slice().reverse(),
  };
}

function groupMembers({ count, componentOf }: Components) {
  const { offsets, places } = placesByRow(componentOf, count);
  return { memberOffsets: offsets, members: places };
}

function linkComponents(
  { ahead }: Steps,
  { count, componentOf }: Components,
  { memberOffsets, members }: ReturnType<typeof groupMembers>,
) {
  const offsets = new Uint32Array(count + 1);
  const successors = new Uint32List();
  const cyclic = new Uint8Array(count);
  /** For each component, the last component with a step to it, plus one. */
  const seenFrom = new Uint32Array(count);
  for (let component = 0; component < count; component++) {
    const memberEnd = memberOffsets[component + 1];
    for (let place = memberOffsets[component]; place < memberEnd; place++) {
      const node = members[place];
      for (let at = ahead.offsets[node]; at < ahead.offsets[node + 1]; at++) {
        const next = componentOf[ahead.targets[at]];
        if (next === component) cyclic[component] = 1;
        else if (seenFrom[next] !== component + 1) {
          seenFrom[next] = component + 1;
          successors.push(next);
        }
      }
    }
    offsets[component + 1] = successors.length;
  }
  return { offsets, successors: successors.toArray(), cyclic };
}
