/**
 * Queries that select members of zones: run on the graph of a generation while it is made. Zones are those of the
 * generation before, so that a query may ask for them. Rule: `docs/cypher.md#selectors`.
 */
import {
  CypherError,
  isList,
  isMap,
  NodeValue,
  PathValue,
  placedMessage,
  propertyReads,
  runQuery,
  type Value,
} from '@clew/cypher';
import { emptyGeneration, type Generation, noMarks, type PublishedZone } from '@clew/generation';
import type { AttackGraph } from '@clew/graph';
import { queryDataOf } from '@clew/queries';
import type pg from 'pg';
import { attackPropertyGraph } from './attackPropertyGraph.ts';
import { NameIndex } from './nameIndex.ts';
import { PropertyColumns } from './propertyColumns.ts';

export interface SelectorQuery {
  readonly selectorId: number;
  readonly query: string;
}

/** What one selects, or why it selects nothing. */
export type Selected = { readonly nodes: readonly number[] } | { readonly error: string };

/** A selector is looked at with each generation: it may cost less than a query that a person waits for. */
export const SELECTOR_LIMITS = { steps: 200_000_000, rows: 1_000_000, results: 1_000_000 };
const SELECTOR_MS = 30_000;

export interface SelectorGraph {
  readonly graph: AttackGraph;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  readonly zones: readonly PublishedZone[];
}

/** @returns by selector; a fault of one is no fault of the others */
export async function runSelectorQueries(
  client: pg.ClientBase,
  { graph, customNodeKinds, customEdgeKinds, zones }: SelectorGraph,
  selectors: readonly SelectorQuery[],
): Promise<ReadonlyMap<number, Selected>> {
  const results = new Map<number, Selected>();
  if (selectors.length === 0) return results;
  const marks = noMarks(graph.nodeCount);
  const generation: Generation = {
    ...emptyGeneration(),
    graph,
    marks,
    zones,
    customNodeKinds,
    customEdgeKinds,
  };
  const data = queryDataOf(generation);
  const columns = new PropertyColumns(data);
  let index: NameIndex | undefined;
  const names = (): NameIndex => {
    index ??= new NameIndex(graph);
    return index;
  };
  for (const { selectorId, query } of selectors) {
    const before = results.get(selectorId);
    if (before !== undefined && 'error' in before) continue;
    const deadline = Date.now() + SELECTOR_MS;
    try {
      const select = () =>
        runQuery(query, attackPropertyGraph({ generation, data, columns, names }), {
          limits: SELECTOR_LIMITS,
          look: () => {
            if (Date.now() > deadline)
              throw new CypherError('limit', `it takes more than ${SELECTOR_MS / 1000} s`);
          },
        });
      const { rows } = await columns.withProperties(client, propertyReads(query), select);
      results.set(selectorId, { nodes: [...(before?.nodes ?? []), ...nodesIn(rows)] });
    } catch (error) {
      if (!(error instanceof CypherError)) throw error;
      results.set(selectorId, { error: placedMessage(error, query) });
    }
  }
  return results;
}

/** Objects that rows name, also those of paths and in lists; relationships name none. */
export function nodesIn(rows: readonly (readonly Value[])[]): Set<number> {
  const nodes = new Set<number>();
  const take = (value: Value): void => {
    if (value instanceof NodeValue) nodes.add(value.node);
    else if (value instanceof PathValue) for (const node of value.nodes) nodes.add(node);
    else if (isList(value)) value.forEach(take);
    else if (isMap(value)) Object.values(value).forEach(take);
  };
  for (const row of rows) row.forEach(take);
  return nodes;
}
