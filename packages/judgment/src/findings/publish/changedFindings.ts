/**
 * Determines which findings of a generation differ from the previous one in visible values: only these are written. Node numbers may differ
 * between the two, so nodes are matched by store id.
 */
import type { FindingsResult, ForeignExposure } from '@clew/analysis';
import { type AttackGraph, findNodeByStoreId, NO_NODE, textBytes } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import type { NodeLabels } from '../zones/publishZones.ts';

/** Findings, and the graph used to display them. */
export interface ShownFindings {
  readonly graph: AttackGraph;
  readonly labels: NodeLabels;
  readonly result: FindingsResult;
}

export interface ChangedFindings {
  /** Places of new findings and of findings with other visible values. */
  readonly changed: readonly number[];
  /** Places in the previous findings of those that no longer exist. */
  readonly gone: readonly number[];
}

export function changedFindings(before: ShownFindings, after: ShownFindings): ChangedFindings {
  const places = new PlacesByKey(keysOf(before));
  const keys = keysOf(after);
  const comparison = new Comparison(before, after);
  const changed: number[] = [];
  const isGone = new Uint8Array(before.result.found.count).fill(1);
  for (let at = 0; at < after.result.found.count; at++) {
    const known = places.find(keys, at);
    if (known === undefined || !comparison.isSame(known, at)) changed.push(at);
    if (known !== undefined) isGone[known] = 0;
  }
  return { changed, gone: [...isGone.keys()].filter((at) => isGone[at] === 1) };
}

/** The key of a finding: environment, zone, type, source and target. */
const KEY_LENGTH = 5;

/** @returns the concatenated keys of all findings; nodes by their store ids, 0 for none */
function keysOf({ graph, result: { found, environments } }: ShownFindings): Uint32Array {
  const storeId = (node: number): number => (node === NO_NODE ? 0 : graph.storeIds[node]);
  const keys = new Uint32Array(found.count * KEY_LENGTH);
  for (let at = 0; at < found.count; at++) {
    const first = at * KEY_LENGTH;
    keys[first] = storeId(environments.nodes[found.environments[at]]);
    keys[first + 1] = found.zones[at];
    keys[first + 2] = found.types[at];
    keys[first + 3] = storeId(found.sources[at]);
    keys[first + 4] = storeId(found.targets[at]);
  }
  return keys;
}

/** Open-addressing hash table of findings by key: hundreds of thousands of strings would be slow. */
class PlacesByKey {
  readonly #keys: Uint32Array;
  /** Place plus one; 0 for an empty slot. The load factor is below one half. */
  readonly #slots: Uint32Array;

  /** @param keys distinct keys */
  constructor(keys: Uint32Array) {
    const count = keys.length / KEY_LENGTH;
    this.#keys = keys;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(count * 2 + 2)));
    for (let at = 0; at < count; at++) this.#slots[this.#slotOf(keys, at)] = at + 1;
  }

  find(keys: Uint32Array, at: number): number | undefined {
    const found = this.#slots[this.#slotOf(keys, at)];
    return found === 0 ? undefined : found - 1;
  }

  /** @returns the slot of the key, or a free one */
  #slotOf(keys: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(keys, at) & mask;
    while (this.#slots[slot] !== 0 && !this.#isKey(this.#slots[slot] - 1, keys, at)) slot = (slot + 1) & mask;
    return slot;
  }

  #isKey(known: number, keys: Uint32Array, at: number): boolean {
    for (let part = 0; part < KEY_LENGTH; part++)
      if (this.#keys[known * KEY_LENGTH + part] !== keys[at * KEY_LENGTH + part]) return false;
    return true;
  }
}

function hashOf(keys: Uint32Array, at: number): number {
  let hash = 0;
  for (let part = 0; part < KEY_LENGTH; part++) {
    hash = Math.imul(hash ^ keys[at * KEY_LENGTH + part], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

const REASON_PARTS = ['rows', 'basis', 'counts', 'wholes', 'efforts'] as const;

const UNKNOWN = 0;
const SAME = 1;
const OTHER = 2;

class Comparison {
  readonly #before: ShownFindings;
  readonly #after: ShownFindings;
  /** Whether a node looks the same as in the earlier graph, indexed by node of the later one. */
  readonly #nodes: Uint8Array;
  /** The findings that represent others, keyed by represented finding. */
  readonly #leads: ReadonlyMap<ShownFindings, ReadonlyMap<number, string>>;

  constructor(before: ShownFindings, after: ShownFindings) {
    this.#before = before;
    this.#after = after;
    this.#nodes = new Uint8Array(after.graph.nodeCount);
    this.#leads = new Map([before, after].map((findings) => [findings, leadsOf(findings)]));
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
      REASON_PARTS.every((part) => old.ratings.reasons[part][was] === now.ratings.reasons[part][is]) &&
      this.#partOf(this.#before, was) === this.#partOf(this.#after, is) &&
      this.#isShownAlike(now.found.sources[is]) &&
      this.#isShownAlike(now.found.targets[is]) &&
      listed(this.#before, was) === listed(this.#after, is)
    );
  }

  #partOf(findings: ShownFindings, at: number): string | undefined {
    return this.#leads.get(findings)?.get(at);
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

function leadsOf(findings: ShownFindings): ReadonlyMap<number, string> {
  const { parts } = findings.result.ratings;
  if (parts.size === 0) return new Map();
  const keys = keysOf(findings);
  const keyOf = (at: number): string => keys.subarray(at * KEY_LENGTH, (at + 1) * KEY_LENGTH).join(' ');
  return new Map(
    [...parts].flatMap(([lead, own]) => {
      const key = keyOf(lead);
      return own.map((part) => [part, key] as const);
    }),
  );
}

/** Values that few findings have: other groups with the same right, exposure from other environments, and represented findings. */
function listed({ graph, result: { found, ratings, environments } }: ShownFindings, at: number): string {
  const [also, foreign, parts] = [found.alsoFrom.get(at), ratings.foreign.get(at), ratings.parts.get(at)];
  if (also === undefined && foreign === undefined && parts === undefined) return '';
  const groups = (also ?? []).map((group) => graph.storeIds[group]);
  const others = (foreign ?? []).map(({ environment, count, share }: ForeignExposure) => [
    graph.storeIds[environments.nodes[environment]],
    count,
    share,
  ]);
  return JSON.stringify([groups, others, (parts ?? []).map((part) => found.types[part])]);
}
