/** Edges emitted by a rule. A rule emits them in any order, with duplicates; sealing sorts them into canonical order without duplicates. */
import { EdgeFlag, EdgeKind, type EdgeKindName, type Properties } from '@clew/model';
import { orderOfPairs } from './orderOfPairs.ts';

/** Derived edges of one kind in ascending order of (start, end), each pair once. */
export interface DerivedKindEdges {
  readonly kind: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Bits of `EdgeFlag`; `Derived` is always set. */
  readonly flags: Uint8Array;
  /** Properties other than flags, by position of the edge; most edges have none. */
  readonly properties: ReadonlyMap<number, Properties>;
}

/** All derived edges in ascending order of (kind, start, end): parallel columns, an `EdgeChunk` of the graph. */
export interface DerivedEdges {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly kinds: Uint16Array;
  readonly ends: Uint32Array;
  readonly flags: Uint8Array;
  /** Properties other than flags, by position of the edge; most edges have none. */
  readonly properties: ReadonlyMap<number, Properties>;
}

/** Collects the edges that a rule derives. */
export class EdgeSink {
  readonly #columns: Map<EdgeKindName, Columns>;
  readonly #selfEdges: boolean;

  /** @param selfEdges keeps edges from a node to itself; otherwise they are dropped */
  constructor(kinds: readonly EdgeKindName[], selfEdges: boolean) {
    this.#columns = new Map(kinds.map((kind) => [kind, new Columns()]));
    this.#selfEdges = selfEdges;
  }

  /**
   * @param flags bits of `EdgeFlag` in addition to `Derived`; those of duplicates are combined
   * @param properties the first properties among duplicates are kept
   */
  add(kind: EdgeKindName, start: number, end: number, flags = 0, properties?: Properties): void {
    const columns = this.#columns.get(kind);
    if (columns === undefined) throw new Error(`the rule does not say that it produces ${kind}`);
    if (start === end && !this.#selfEdges) return;
    columns.append(start, end, flags | EdgeFlag.Derived, properties);
  }

  /** Adds an edge from every start to every end. */
  addProduct(kind: EdgeKindName, starts: Iterable<number>, ends: Iterable<number>): void {
    const targets = [...ends];
    for (const start of starts) for (const end of targets) this.add(kind, start, end);
  }

  /** @returns one entry per kind that the rule produces, including kinds without edges */
  seal(): DerivedKindEdges[] {
    return [...this.#columns].map(([kind, columns]) => columns.seal(EdgeKind[kind]));
  }
}

class Columns {
  #starts = new Uint32Array(64);
  #ends = new Uint32Array(64);
  #flags = new Uint8Array(64);
  readonly #properties = new Map<number, Properties>();
  #count = 0;

  append(start: number, end: number, flags: number, properties: Properties | undefined): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#flags[this.#count] = flags;
    if (properties !== undefined) this.#properties.set(this.#count, properties);
    this.#count++;
  }

  seal(kind: number): DerivedKindEdges {
    const order = orderOfPairs(this.#starts.subarray(0, this.#count), this.#ends.subarray(0, this.#count));
    const starts = new Uint32Array(this.#count);
    const ends = new Uint32Array(this.#count);
    const flags = new Uint8Array(this.#count);
    const properties = new Map<number, Properties>();
    let last = -1;
    for (const from of order) {
      if (last < 0 || starts[last] !== this.#starts[from] || ends[last] !== this.#ends[from]) {
        last++;
        starts[last] = this.#starts[from];
        ends[last] = this.#ends[from];
      }
      flags[last] |= this.#flags[from];
      const own = this.#properties.get(from);
      if (own !== undefined && !properties.has(last)) properties.set(last, own);
    }
    const count = last + 1;
    return {
      kind,
      starts: starts.slice(0, count),
      ends: ends.slice(0, count),
      flags: flags.slice(0, count),
      properties,
    };
  }

  #grow(): void {
    const size = this.#count * 2;
    const [starts, ends, flags] = [this.#starts, this.#ends, this.#flags];
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
    this.#flags = new Uint8Array(size);
    this.#starts.set(starts);
    this.#ends.set(ends);
    this.#flags.set(flags);
  }
}

/** @param parts in any order, each kind at most once */
export function mergeDerivedEdges(parts: readonly DerivedKindEdges[]): DerivedEdges {
  const ordered = [...parts].sort((a, b) => a.kind - b.kind);
  const count = ordered.reduce((sum, part) => sum + part.starts.length, 0);
  const edges = {
    count,
    starts: new Uint32Array(count),
    kinds: new Uint16Array(count),
    ends: new Uint32Array(count),
    flags: new Uint8Array(count),
    properties: new Map<number, Properties>(),
  };
  let at = 0;
  for (const part of ordered) {
    edges.starts.set(part.starts, at);
    edges.ends.set(part.ends, at);
    edges.flags.set(part.flags, at);
    edges.kinds.fill(part.kind, at, at + part.starts.length);
    for (const [position, properties] of part.properties) edges.properties.set(at + position, properties);
    at += part.starts.length;
  }
  return edges;
}
