/** Options that select which parts of the store a load reads. */
import type pg from 'pg';
import type { KnownRows } from './known/knownRows.ts';
import type { StoreEdge } from './storeEdge.ts';

export interface LoadOptions {
  /** Whether edges that analysis wrote back are loaded. */
  readonly derived: boolean;
  readonly moreEdges?: readonly StoreEdge[];
  /** Keys of node properties to load; none by default. */
  readonly nodeProperties?: readonly string[];
  /** Keys of edge properties to load, of edges of the given kinds only; none by default. */
  readonly edgeProperties?: { readonly keys: readonly string[]; readonly kinds: ReadonlySet<number> };
  /** Rows of earlier loads with the same options except `moreEdges`, which need not be read again. */
  readonly known?: KnownRows;
  /** Another connection with the same snapshot, for parallel queries; without it, queries run one after the other. */
  readonly beside?: pg.ClientBase;
  readonly signal?: AbortSignal;
}
