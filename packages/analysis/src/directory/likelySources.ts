/**
 * Finds likely sources of inherited entries for which no container is known: for an entry that a container passes on only to its users,
 * computers or groups, collectors report the copies but not the original. The source is always a container above. The likely one is the
 * lowest that covers all similar entries around: above it, the share of objects of the kind with the entry drops.
 *
 * Rule: `docs/plan.md#packages`.
 */
import { addCount, getOrMake } from '@clew/graph';
import { EdgeFlag } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { inherits } from './passedOn.ts';

/** A container above is equally likely if at least this part of the share remains. */
const SAME_SHARE = 0.9;

export interface LikelyInput {
  /** Container of each node; a value that is not a node if missing, or if there are several. */
  readonly containers: Uint32Array;
  /** The kind of an object among those that an entry may apply to; undefined for others. */
  readonly kindOf: (node: number) => string | undefined;
  /** Whether the entry is known to come from a container. */
  readonly isKnown: (start: number, kind: number, end: number) => boolean;
}

/** Number of objects per container, at any depth. */
type Counts = ReadonlyMap<number, number>;

export class LikelySources {
  readonly #context: AnalysisContext;
  readonly #input: LikelyInput;
  /** Objects that inherit, by kind. */
  #all: ReadonlyMap<string, Counts> | undefined;
  /** Objects with an entry, keyed by holder and right packed into one number, then by kind. */
  readonly #having = new Map<number, ReadonlyMap<string, Counts>>();

  constructor(context: AnalysisContext, input: LikelyInput) {
    this.#context = context;
    this.#input = input;
  }

  /** @returns undefined for an object without a container */
  of(start: number, kind: number, end: number): number | undefined {
    const objectKind = this.#input.kindOf(end);
    const first = this.#above(end);
    if (objectKind === undefined || first === undefined) return undefined;
    const having = this.#havingOf(start, kind).get(objectKind) as Counts;
    const all = this.#allOf(objectKind);
    let found = first;
    for (let place = this.#next(first); place !== undefined; place = this.#next(place)) {
      const [here, there] = [having.get(place) ?? 0, having.get(found) ?? 0];
      if (here * (all.get(found) ?? 0) < SAME_SHARE * there * (all.get(place) ?? 0)) break;
      if (here > there) found = place;
    }
    return found;
  }

  #above(node: number): number | undefined {
    const container = this.#input.containers[node] as number;
    return container < this.#context.graph.nodeCount ? container : undefined;
  }

  /** The container above, if it passes entries on to this one. */
  #next(container: number): number | undefined {
    return inherits(this.#context, container) ? this.#above(container) : undefined;
  }

  #allOf(kind: string): Counts {
    this.#all ??= this.#counted(
      function* (this: LikelySources) {
        const { nodeCount } = this.#context.graph;
        for (let node = 0; node < nodeCount; node++)
          if ((this.#input.containers[node] as number) < nodeCount && inherits(this.#context, node))
            yield node;
      }.call(this),
    );
    return this.#all.get(kind) ?? NONE;
  }

  #havingOf(start: number, kind: number): ReadonlyMap<string, Counts> {
    const { graph } = this.#context;
    const key = kind * graph.nodeCount + start;
    let having = this.#having.get(key);
    if (having === undefined) {
      const { isKnown } = this.#input;
      const { offsets, neighbors, kinds, flags } = graph.out;
      having = this.#counted(
        (function* () {
          for (let at = offsets[start] as number; at < (offsets[start + 1] as number); at++) {
            if (kinds[at] !== kind || ((flags[at] as number) & EdgeFlag.Inherited) === 0) continue;
            const end = neighbors[at] as number;
            if (!isKnown(start, kind, end)) yield end;
          }
        })(),
      );
      this.#having.set(key, having);
    }
    return having;
  }

  /** Counts per direct container first, because containers are few. */
  #counted(nodes: Iterable<number>): ReadonlyMap<string, Counts> {
    const direct = new Map<string, Map<number, number>>();
    for (const node of nodes) {
      const [kind, container] = [this.#input.kindOf(node), this.#above(node)];
      if (kind === undefined || container === undefined) continue;
      const counts = getOrMake(direct, kind, () => new Map());
      addCount(counts, container);
    }
    return new Map([...direct].map(([kind, counts]) => [kind, this.#passedUp(counts)]));
  }

  #passedUp(direct: Counts): Counts {
    const counts = new Map<number, number>();
    for (const [container, count] of direct) {
      // Cyclic containers.
      const seen = new Set<number>();
      for (let at: number | undefined = container; at !== undefined && !seen.has(at); at = this.#next(at)) {
        seen.add(at);
        addCount(counts, at, count);
      }
    }
    return counts;
  }
}

const NONE: Counts = new Map();
