/**
 * Counts exposure independently over an export: the principals of each environment that reach a member of a zone in it. It shares no code
 * with the engine and imports nothing. Slow, but short enough for a review.
 */

// biome-ignore lint/suspicious/noExplicitAny: the export is read as a client finds it.
type Json = any;

/** The lists of kinds and zone members, which an export does not contain. */
export interface Kinds {
  readonly members: ReadonlySet<string>;
  /** Names of relationships that pass on control. */
  readonly traversable: ReadonlySet<string>;
  /** Kinds of environments, with their kinds of principals. */
  readonly principals: Readonly<Record<string, readonly string[]>>;
  /** In dependency order. */
  readonly derived?: readonly DerivedKind[];
}

/** A kind derived wherever a relationship of the first kind is followed by one of the second. */
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

/** Identities used by Windows itself, such as NETWORK SERVICE, which a collection has for each domain: no one signs in with them. */
const OF_WINDOWS = /(?:^|-)S-1-5-(?!21-)\d+$/;

/** `exposed of principals` by environment id, for environments with principals outside the zone. */
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

  /** Traversable relationships of kinds with this prefix. */
  relations(beginning: string): Relation[] {
    return this.#edges.filter(({ kind }) => kind.startsWith(beginning) && this.#kinds.traversable.has(kind));
  }

  /** All relationships except `without`, including derived ones. */
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

  /** Relationships of a kind, traversable or not. */
  ofKind(kind: string): Relation[] {
    return this.#edges.filter((edge) => edge.kind === kind);
  }

  /** @param without removed relationships */
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

  /** Domains that trust each other within a forest count as one. */
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
