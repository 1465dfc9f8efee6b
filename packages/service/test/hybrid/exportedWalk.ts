/**
 * An independent count of exposure, over an export: who of each environment reaches a member of a zone in it. It shares no code with
 * the engine and imports nothing: its own reading of the file, its own walk. Slow, and short enough to be checked by eye.
 */

// biome-ignore lint/suspicious/noExplicitAny: the export is read as a client finds it.
type Json = any;

/** The lists of kinds and of the members of the zone, which an export does not have. */
export interface Kinds {
  readonly members: ReadonlySet<string>;
  /** Names of relationships that pass control on. */
  readonly traversable: ReadonlySet<string>;
  /** Kinds of environments, with the kinds of their principals. */
  readonly principals: Readonly<Record<string, readonly string[]>>;
  /** Each after those that it follows from. */
  readonly derived?: readonly DerivedKind[];
}

/** A kind that follows wherever a relationship of the one kind leads to one of the other. */
export interface DerivedKind {
  readonly kind: string;
  readonly first: string;
  readonly second: string;
}

export interface Relation {
  readonly source_id: string;
  readonly kind: string;
  readonly target_id: string;
}

/** Identities that Windows itself uses, such as NETWORK SERVICE, of which a collection has one for each domain: no one signs in as these. */
const OF_WINDOWS = /(?:^|-)S-1-5-(?!21-)\d+$/;

/** `exposed of principals`, by the id of the environment; of environments that have principals outside the zone. */
export type Exposures = Readonly<Record<string, string>>;

export class ExportedWalk {
  readonly #nodes = new Map<string, Json>();
  readonly #edges: Relation[] = [];
  readonly #kinds: Kinds;

  constructor(text: string, kinds: Kinds) {
    this.#kinds = kinds;
    const { graph } = JSON.parse(text);
    for (const node of graph.nodes) this.#nodes.set(node.id, node);
    for (const { start, kind, end } of graph.edges)
      this.#edges.push({ source_id: start.value, kind, target_id: end.value });
  }

  /** Traversable relationships of kinds with this beginning. */
  relations(beginning: string): Relation[] {
    return this.#edges.filter(({ kind }) => kind.startsWith(beginning) && this.#kinds.traversable.has(kind));
  }

  /** All relationships that are left once some are removed, with those that follow from the others. */
  left(without: readonly Relation[]): Relation[] {
    const keyOf = ({ source_id, kind, target_id }: Relation) => `${source_id} ${kind} ${target_id}`;
    const gone = new Set(without.map(keyOf));
    const { derived = [] } = this.#kinds;
    const left = this.#edges.filter(
      (edge) => !gone.has(keyOf(edge)) && derived.every(({ kind }) => kind !== edge.kind),
    );
    for (const { kind, first, second } of derived) {
      const made = new Map<string, Relation>();
      for (const one of left.filter((edge) => edge.kind === first))
        for (const two of left.filter((edge) => edge.kind === second && edge.source_id === one.target_id)) {
          const edge = { source_id: one.source_id, kind, target_id: two.target_id };
          if (edge.source_id !== edge.target_id && !gone.has(keyOf(edge))) made.set(keyOf(edge), edge);
        }
      left.push(...made.values());
    }
    return left;
  }

  /** Relationships of a kind, whether they pass control on or not. */
  ofKind(kind: string): Relation[] {
    return this.#edges.filter((edge) => edge.kind === kind);
  }

  /** @param without relationships that are removed */
  exposures(without: readonly Relation[] = []): Exposures {
    const sourcesOf = new Map<string, string[]>();
    for (const edge of this.left(without)) {
      if (!this.#kinds.traversable.has(edge.kind)) continue;
      const sources = sourcesOf.get(edge.target_id);
      if (sources === undefined) sourcesOf.set(edge.target_id, [edge.source_id]);
      else sources.push(edge.source_id);
    }
    const environments = [...this.#nodes.values()].filter(
      ({ kinds }) => this.#principalKindsOf(kinds) !== undefined,
    );
    const found: Record<string, string> = {};
    for (const { id, kinds } of environments) {
      const forest = this.#forestOf(id);
      const reached = new Set<string>();
      const targets = [...this.#nodes.values()].filter(
        (node) => this.#kinds.members.has(node.id) && forest.has(this.#environmentOf(node)),
      );
      const open: string[] = targets.map((node) => node.id);
      for (const target of open)
        for (const source of sourcesOf.get(target) ?? []) {
          if (reached.has(source)) continue;
          reached.add(source);
          open.push(source);
        }
      const own = this.#principalKindsOf(kinds) as readonly string[];
      const principals = [...this.#nodes.values()].filter(
        (node) =>
          this.#environmentOf(node) === id &&
          !this.#kinds.members.has(node.id) &&
          !OF_WINDOWS.test(node.id) &&
          node.kinds.some((kind: string) => own.includes(kind)),
      );
      const exposed = principals.filter((node) => reached.has(node.id));
      if (principals.length > 0) found[id] = `${exposed.length} of ${principals.length}`;
    }
    return found;
  }

  #principalKindsOf(kinds: readonly string[]): readonly string[] | undefined {
    const [kind] = kinds.filter((one) => this.#kinds.principals[one] !== undefined);
    return kind === undefined ? undefined : this.#kinds.principals[kind];
  }

  #environmentOf(node: Json): string {
    const { environmentid, domainsid } = node.properties;
    return environmentid ?? domainsid ?? '';
  }

  /** Domains that trust each other inside a forest are one. */
  #forestOf(environment: string): ReadonlySet<string> {
    const forest = new Set([environment]);
    for (let size = 0; size < forest.size; ) {
      size = forest.size;
      for (const { source_id, kind, target_id } of this.#edges) {
        if (kind !== 'SameForestTrust') continue;
        if (forest.has(source_id)) forest.add(target_id);
        if (forest.has(target_id)) forest.add(source_id);
      }
    }
    return forest;
  }
}
