/** Options that select which parts of the store a load reads. */
import type pg from 'pg';
import type { KnownRows } from './known/knownRows.ts';
import type { StoreEdge } from './storeEdge.ts';

export interface LoadOptions {
  /** Whether to load edges that analysis wrote. */
  readonly derived: boolean;
  readonly moreEdges?: readonly StoreEdge[];
  /** Keys of node properties to load; none by default. */
  readonly nodeProperties?: readonly string[];
  /** Keys of edge properties to load, only for edges of the given kinds; none by default. */
  readonly edgeProperties?: { readonly keys: readonly string[]; readonly kinds: ReadonlySet<number> };
  /** Rows of earlier loads with the same options except `moreEdges`, which need not be read again. */
  readonly known?: KnownRows;
  /** Another connection with the same snapshot, for parallel queries; without it, queries run in sequence. */
  readonly beside?: pg.ClientBase;
  readonly signal?: AbortSignal;
}
