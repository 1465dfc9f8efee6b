/**
 * Which findings of a generation are other than those of the one before, as they are shown: what publishing has to write.
 * Node numbers may differ between the two; store ids say which nodes are the same.
 */
import type { FindingsResult, ForeignExposure } from '@clew/analysis';
import { type AttackGraph, findNodeByStoreId, NO_NODE, textBytes } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import type { NodeLabels } from '../zones/publishZones.ts';

/** Findings, and the graph that they are shown with. */
export interface ShownFindings {
  readonly graph: AttackGraph;
  readonly labels: NodeLabels;
  readonly result: FindingsResult;
}

export interface ChangedFindings {
  /** Places of findings that are new, or of which something else is shown. */
  readonly changed: readonly number[];
  /** Places, in the findings before, of those that are no more. */
  readonly gone: readonly number[];
}

export function changedFindings(before: ShownFindings, after: ShownFindings): ChangedFindings {
  const placeOf = new Map<string, number>();
  for (let at = 0; at < before.result.found.count; at++) placeOf.set(keyOf(before, at), at);
  const comparison = new Comparison(before, after);
  const changed: number[] = [];
  for (let at = 0; at < after.result.found.count; at++) {
    const key = keyOf(after, at);
    const known = placeOf.get(key);
    if (known === undefined || !comparison.isSame(known, at)) changed.push(at);
    placeOf.delete(key);
  }
  return { changed, gone: [...placeOf.values()] };
}

/** What a finding is about. */
function keyOf({ graph, result: { found, environments } }: ShownFindings, at: number): string {
  const storeId = (node: number): number => (node === NO_NODE ? 0 : graph.storeIds[node]);
  const environment = storeId(environments.nodes[found.environments[at]]);
  const ends = `${storeId(found.sources[at])} ${storeId(found.targets[at])}`;
  return `${environment} ${found.zones[at]} ${found.types[at]} ${ends}`;
}

const UNKNOWN = 0;
const SAME = 1;
const OTHER = 2;

class Comparison {
  readonly #before: ShownFindings;
  readonly #after: ShownFindings;
  /** By node of the later graph, whether it is shown as in the earlier one. */
  readonly #nodes: Uint8Array;

  constructor(before: ShownFindings, after: ShownFindings) {
    this.#before = before;
    this.#after = after;
    this.#nodes = new Uint8Array(after.graph.nodeCount);
  }

  /** @param was, is places of the same finding */
  isSame(was: number, is: number): boolean {
    const [old, now] = [this.#before.result, this.#after.result];
    return (
      old.found.edgeKinds[was] === now.found.edgeKinds[is] &&
      ((old.found.edgeFlags[was] ^ now.found.edgeFlags[is]) & EdgeFlag.Inherited) === 0 &&
      old.ratings.exposureCounts[was] === now.ratings.exposureCounts[is] &&
      old.ratings.exposures[was] === now.ratings.exposures[is] &&
      old.ratings.impactCounts[was] === now.ratings.impactCounts[is] &&
      old.ratings.impacts[was] === now.ratings.impacts[is] &&
      old.ratings.severities[was] === now.ratings.severities[is] &&
      this.#isShownAlike(now.found.sources[is]) &&
      this.#isShownAlike(now.found.targets[is]) &&
      listed(this.#before, was) === listed(this.#after, is)
    );
  }

  #isShownAlike(node: number): boolean {
    if (node === NO_NODE) return true;
    if (this.#nodes[node] === UNKNOWN) this.#nodes[node] = this.#compare(node) ? SAME : OTHER;
    return this.#nodes[node] === SAME;
  }

  #compare(node: number): boolean {
    const [before, after] = [this.#before, this.#after];
    const was = findNodeByStoreId(before.graph, after.graph.storeIds[node]);
    if (was === NO_NODE) return false;
    const home = ({ graph, labels }: ShownFindings, of: number): number => {
      const environment = labels.environmentOf(of);
      return environment === NO_NODE ? NO_NODE : graph.storeIds[environment];
    };
    return (
      before.labels.kindOf(was) === after.labels.kindOf(node) &&
      home(before, was) === home(after, node) &&
      Buffer.compare(textBytes(before.graph.names, was), textBytes(after.graph.names, node)) === 0
    );
  }
}

/** What few findings have: other groups that hold the same right, and exposure from elsewhere. */
function listed({ graph, result: { found, ratings, environments } }: ShownFindings, at: number): string {
  const [also, foreign] = [found.alsoFrom.get(at), ratings.foreign.get(at)];
  if (also === undefined && foreign === undefined) return '';
  const groups = (also ?? []).map((group) => graph.storeIds[group]);
  const others = (foreign ?? []).map(({ environment, count, share }: ForeignExposure) => [
    graph.storeIds[environments.nodes[environment]],
    count,
    share,
  ]);
  return JSON.stringify([groups, others]);
}
