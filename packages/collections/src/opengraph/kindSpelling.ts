/**
 * Finds kinds whose names differ only in case from a known kind: they are stored as new kinds, which is seldom
 * intended. Rule: `docs/reference/collections.md#opengraph-nodes`.
 */
import { EDGE_KINDS, NODE_KINDS } from '@clew/model';

/** Names of kinds that installed definitions declare. */
export interface DeclaredKinds {
  readonly nodes: Iterable<string>;
  readonly edges: Iterable<string>;
}

export class KindSpelling {
  readonly #nodes: Names;
  readonly #edges: Names;

  constructor({ nodes, edges }: DeclaredKinds = { nodes: [], edges: [] }) {
    this.#nodes = new Names([...NODE_KINDS.map(({ name }) => name), ...nodes]);
    this.#edges = new Names([...EDGE_KINDS.map(({ name }) => name), ...edges]);
  }

  /** @returns the reason of a note; `undefined` if there is no doubt about the name */
  nodeNote(name: unknown): string | undefined {
    return this.#nodes.note('node', name);
  }

  /** See `nodeNote`. */
  edgeNote(name: unknown): string | undefined {
    return this.#edges.note('relationship', name);
  }
}

class Names {
  readonly #known: ReadonlySet<string>;
  readonly #byLowerCase: ReadonlyMap<string, string>;

  constructor(known: readonly string[]) {
    this.#known = new Set(known);
    this.#byLowerCase = new Map(known.map((name) => [name.toLowerCase(), name]));
  }

  note(what: string, name: unknown): string | undefined {
    if (typeof name !== 'string' || this.#known.has(name)) return undefined;
    const meant = this.#byLowerCase.get(name.toLowerCase());
    if (meant === undefined) return undefined;
    return `the ${what} kind ${JSON.stringify(name)} is not known, and is stored as a new kind: did you mean ${meant}?`;
  }
}
