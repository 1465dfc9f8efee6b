/** Counts the collected and derived nodes and edges of a generation by kind. */
import { type AttackGraph, addCount, KIND_COUNT } from '@clew/graph';
import { EdgeFlag, edgeKindById, nodeKindById } from '@clew/model';
import type { KindCounts } from './generation.ts';

export interface CountedKinds {
  readonly collected: KindCounts;
  readonly derived: KindCounts;
}

/** Nodes are counted under each of their kinds; edges that were both collected and derived count as collected. */
export class KindCounter {
  readonly #nodes = { collected: new Map<number, number>(), derived: new Map<number, number>() };
  readonly #totals = { collected: 0, derived: 0 };

  /** @param collected kinds from collectors @param derived kinds added only by analysis */
  addNode(collected: readonly number[], derived: readonly number[], isDerived: boolean): void {
    this.#totals[isDerived ? 'derived' : 'collected']++;
    for (const kind of collected) increase(this.#nodes[isDerived ? 'derived' : 'collected'], kind);
    for (const kind of derived) increase(this.#nodes.derived, kind);
  }

  /** @param names of custom kinds by number */
  finish(
    graph: AttackGraph,
    names: { readonly nodes: ReadonlyMap<number, string>; readonly edges: ReadonlyMap<number, string> },
  ): CountedKinds {
    const edges = countEdges(graph);
    const nodeName = (kind: number) => nodeKindById(kind)?.name ?? names.nodes.get(kind) ?? `kind ${kind}`;
    const edgeName = (kind: number) => edgeKindById(kind)?.name ?? names.edges.get(kind) ?? `kind ${kind}`;
    const counts = (part: 'collected' | 'derived'): KindCounts => ({
      nodes: named(this.#nodes[part], nodeName),
      edges: named(edges[part], edgeName),
      total_nodes: this.#totals[part],
      total_edges: [...edges[part].values()].reduce((sum, count) => sum + count, 0),
    });
    return { collected: counts('collected'), derived: counts('derived') };
  }
}

/** Counts the edges by kind. */
function countEdges({ out: { kinds, flags } }: AttackGraph): Record<keyof CountedKinds, Map<number, number>> {
  // First the counts of all collected kinds, then those of all derived kinds.
  const counts = new Uint32Array(2 * KIND_COUNT);
  for (let edge = 0; edge < kinds.length; edge++)
    counts[kinds[edge] + ((flags[edge] & EdgeFlag.Derived) === 0 ? 0 : KIND_COUNT)]++;
  const found = { collected: new Map<number, number>(), derived: new Map<number, number>() };
  for (const [at, count] of counts.entries())
    if (count > 0) (at < KIND_COUNT ? found.collected : found.derived).set(at % KIND_COUNT, count);
  return found;
}

function increase(counts: Map<number, number>, kind: number): void {
  addCount(counts, kind);
}

/** Sorted by name, so that equal counts have equal text. */
function named(counts: ReadonlyMap<number, number>, name: (kind: number) => string): Record<string, number> {
  const entries = [...counts].map(([kind, count]) => [name(kind), count] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
