/**
 * The tree of combined nodes toward a zone: the objects that can take it over, combined for display. The root represents the members of the
 * zone. Every object with an attack path to one of them is in exactly one other node, together with all objects of its kind whose first
 * step uses the same kind of edge to the same combined node. So a path up the tree corresponds to the attack path of each object in it, and
 * nodes have few children for graphs of any size.
 *
 * First steps are those of shortest paths. Of several, the one to the first combined node is used, then the one with the first edge kind;
 * nodes are ordered by distance, parent, edge kind and kind. Equal graphs produce equal trees.
 *
 * Rule: `docs/reference/api.md#combined-nodes` only names these nodes; their contents are defined here. The counts agree with
 * `docs/findings.md#exposure-and-impact`: the principals in the whole tree of an environment are those of its exposure, and in the tree of
 * all environments those of all exposures together.
 */
import { createHash } from 'node:crypto';
import { attackGraph, attackSteps } from '@clew/analysis';
import { type AttackGraph, NO_NODE } from '@clew/graph';
import type { Meter } from '../meter.ts';
import { principalFinder } from '../principals.ts';
import { exposureFinder } from './exposureFinder.ts';
import { environmentFinder, forestFinder } from './nodeEnvironment.ts';

/** Number of sampled objects of a node, for recognition. */
export const SAMPLE_SIZE = 5;

export interface TreeRequest {
  /** Bitmaps of nodes. */
  readonly members: Uint32Array;
  /** Members of the zone and of more privileged ones, in all environments, which do not count as exposed. */
  readonly inside: Uint32Array;
  /** The root represents the forest of this environment, and its principals count. */
  readonly environment?: number;
  /** Nodes of other environments are neither counted nor named; absent: all are. */
  readonly visible?: ReadonlySet<number>;
}

/** Columns with one entry per combined node. The first is the root; parents precede their children. */
export interface CombinedTree {
  readonly size: number;
  /** Ids computed from the steps to the node, so that it keeps its id in later graphs. */
  readonly ids: Float64Array;
  readonly parents: Uint32Array;
  readonly edgeKinds: Uint16Array;
  /** A kind set with the displayed kind of all objects of the node. */
  readonly kindSets: Uint32Array;
  readonly depths: Uint32Array;
  /** Number of visible objects. */
  readonly objects: Uint32Array;
  /** Number of visible objects that count as exposed: principals outside the zone, with a path into it in their own forest. */
  readonly principals: Uint32Array;
  /** The same for this node and all its descendants. */
  readonly upstream: Uint32Array;
  /** Children of a node are adjacent: index of the first one, and their number. */
  readonly firstChild: Uint32Array;
  readonly childCounts: Uint32Array;
  /** `SAMPLE_SIZE` node numbers each, padded with `NO_NODE`. */
  readonly samples: Uint32Array;
}

interface Level {
  readonly nodes: readonly number[];
}

/** @param labels displayed kind by kind set */
export function combinedTree(
  graph: AttackGraph,
  labels: readonly string[],
  request: TreeRequest,
  meter: Meter,
): CombinedTree {
  const builder = new TreeBuilder(graph, labels, request, meter);
  let level = builder.plant();
  while (level.nodes.length > 0) level = builder.grow(level);
  return builder.finish();
}

const NONE = NO_NODE;
/** Reached in this step, not yet in a combined node. */
const PENDING = NO_NODE - 1;

/** Larger than object numbers, and exact in JSON. The root has the first one. */
const FIRST_ID = 2 ** 52;

/** The step to the parent in 52 bits: among a million nodes, two share an id in one of ten thousand graphs. */
function childId(parent: number, edgeKind: number, label: string): number {
  const digest = createHash('sha256').update(`${parent} ${edgeKind} ${label}`).digest();
  return FIRST_ID + Number(digest.readBigUInt64BE() >> 12n);
}

class TreeBuilder {
  readonly #graph: AttackGraph;
  readonly #request: TreeRequest;
  readonly #meter: Meter;
  readonly #allows: Uint8Array;
  /** Kind sets with the same displayed kind share a number. */
  readonly #labelOf: readonly number[];
  readonly #isPrincipal: (node: number) => boolean;
  readonly #environmentOf: (node: number) => number;
  readonly #forestOf: (environment: number) => number;
  #isCounted: (node: number) => boolean = () => false;
  /** Combined node of each node, or `NONE`, or `PENDING`. */
  readonly #placeOf: Uint32Array;
  readonly #stepKind: Uint16Array;
  readonly #stepParent: Uint32Array;
  readonly #parents: number[] = [];
  readonly #edgeKinds: number[] = [];
  readonly #kindSets: number[] = [];
  readonly #depths: number[] = [];
  readonly #objects: number[] = [];
  readonly #principals: number[] = [];
  readonly #samples: number[] = [];
  readonly #ids: number[] = [];
  readonly #labels: readonly string[];

  constructor(graph: AttackGraph, labels: readonly string[], request: TreeRequest, meter: Meter) {
    this.#graph = attackGraph(graph);
    this.#allows = attackSteps(graph).allows;
    this.#request = request;
    this.#meter = meter;
    const firstOf = new Map<string, number>();
    this.#labelOf = labels.map((label, kindSet) => {
      if (!firstOf.has(label)) firstOf.set(label, kindSet);
      return firstOf.get(label) as number;
    });
    this.#labels = labels;
    this.#environmentOf = environmentFinder(graph);
    this.#isPrincipal = principalFinder(graph, this.#environmentOf);
    this.#forestOf = forestFinder(graph);
    meter.spend(graph.nodeCount / 8);
    this.#placeOf = new Uint32Array(graph.nodeCount).fill(NONE);
    this.#stepKind = new Uint16Array(graph.nodeCount);
    this.#stepParent = new Uint32Array(graph.nodeCount);
  }

  /** The root, which exists even if the zone is empty. */
  plant(): Level {
    const { members, environment } = this.#request;
    const nodes: number[] = [];
    const forestOf = (node: number): number => this.#forestOf(this.#environmentOf(node));
    const forest = environment === undefined ? undefined : this.#forestOf(environment);
    this.#meter.spend(members.length);
    for (let word = 0; word < members.length; word++) {
      for (let bits = members[word]; bits !== 0; bits &= bits - 1) {
        const node = word * 32 + 31 - Math.clz32(bits & -bits);
        if (forest === undefined || forestOf(node) === forest) nodes.push(node);
      }
    }
    // Everything in the tree of an environment reaches its forest; in the tree of all environments, each object must reach its own forest.
    this.#isCounted =
      environment === undefined
        ? exposureFinder(this.#graph, nodes, forestOf, this.#meter)
        : (node) => this.#environmentOf(node) === environment;
    const place = this.#add({ parent: NONE, edgeKind: 0, kindSet: NONE, depth: 0 });
    for (const node of nodes) this.#put(node, place);
    return { nodes };
  }

  /** Adds all objects one step further away. */
  grow({ nodes }: Level): Level {
    const reached = this.#reach(nodes);
    const [kinds, parents, labels] = [this.#stepKind, this.#stepParent, this.#labelOf];
    const { kindSetOf } = this.#graph;
    this.#meter.spend(reached.length * 4);
    reached.sort(
      (a, b) =>
        parents[a] - parents[b] ||
        kinds[a] - kinds[b] ||
        labels[kindSetOf[a]] - labels[kindSetOf[b]] ||
        a - b,
    );
    let place = NONE;
    let last = NONE;
    for (const node of reached) {
      const isSame =
        last !== NONE &&
        parents[node] === parents[last] &&
        kinds[node] === kinds[last] &&
        labels[kindSetOf[node]] === labels[kindSetOf[last]];
      if (!isSame) {
        const parent = parents[node];
        const kindSet = labels[kindSetOf[node]];
        place = this.#add({ parent, edgeKind: kinds[node], kindSet, depth: this.#depths[parent] + 1 });
      }
      this.#put(node, place);
      last = node;
    }
    return { nodes: reached };
  }

  /** @returns unvisited nodes with a step to one of these, after recording their best step */
  #reach(nodes: readonly number[]): number[] {
    const { offsets, neighbors, kinds } = this.#graph.in;
    const reached: number[] = [];
    for (const node of nodes) {
      this.#meter.spend(1 + offsets[node + 1] - offsets[node]);
      const place = this.#placeOf[node];
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const start = neighbors[at];
        if (this.#allows[kinds[at]] === 0 || this.#placeOf[start] < PENDING) continue;
        const isNew = this.#placeOf[start] === NONE;
        if (isNew) {
          this.#placeOf[start] = PENDING;
          reached.push(start);
        }
        const isBetter =
          isNew ||
          place < this.#stepParent[start] ||
          (place === this.#stepParent[start] && kinds[at] < this.#stepKind[start]);
        if (!isBetter) continue;
        this.#stepParent[start] = place;
        this.#stepKind[start] = kinds[at];
      }
    }
    return reached;
  }

  #add(node: { parent: number; edgeKind: number; kindSet: number; depth: number }): number {
    const isRoot = node.parent === NONE;
    this.#ids.push(
      isRoot ? FIRST_ID : childId(this.#ids[node.parent], node.edgeKind, this.#labels[node.kindSet]),
    );
    this.#parents.push(node.parent);
    this.#edgeKinds.push(node.edgeKind);
    this.#kindSets.push(node.kindSet);
    this.#depths.push(node.depth);
    this.#objects.push(0);
    this.#principals.push(0);
    for (let at = 0; at < SAMPLE_SIZE; at++) this.#samples.push(NONE);
    return this.#parents.length - 1;
  }

  #put(node: number, place: number): void {
    this.#placeOf[node] = place;
    const { visible, inside } = this.#request;
    // A node without an environment is visible to users who may see all environments, as everywhere.
    if (visible !== undefined && !visible.has(this.#graph.environmentOf[node])) return;
    const at = this.#objects[place]++;
    if (at < SAMPLE_SIZE) this.#samples[place * SAMPLE_SIZE + at] = node;
    const isInside = ((inside[node >>> 5] >>> (node & 31)) & 1) === 1;
    // A principal without a known environment is not counted.
    if (!isInside && this.#isPrincipal(node) && this.#isCounted(node)) this.#principals[place]++;
  }

  finish(): CombinedTree {
    const size = this.#parents.length;
    const parents = Uint32Array.from(this.#parents);
    const upstream = Uint32Array.from(this.#principals);
    const firstChild = new Uint32Array(size);
    const childCounts = new Uint32Array(size);
    for (let place = size - 1; place > 0; place--) {
      upstream[parents[place]] += upstream[place];
      firstChild[parents[place]] = place;
      childCounts[parents[place]]++;
    }
    return {
      ...{ size, parents, upstream, firstChild, childCounts },
      ids: Float64Array.from(this.#ids),
      edgeKinds: Uint16Array.from(this.#edgeKinds),
      kindSets: Uint32Array.from(this.#kindSets),
      depths: Uint32Array.from(this.#depths),
      objects: Uint32Array.from(this.#objects),
      principals: Uint32Array.from(this.#principals),
      samples: Uint32Array.from(this.#samples),
    };
  }
}
