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
  /** Rows of earlier loads, which then need not be read again; those had the same options except for `moreEdges`. */
  readonly known?: KnownRows;
  /** Another connection that sees the same rows, to ask two things at a time of; without it one follows the other. */
  readonly beside?: pg.ClientBase;
  readonly signal?: AbortSignal;
}
