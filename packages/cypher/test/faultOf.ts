import { CypherError, placedMessage } from '../src/cypherError.ts';
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import { runQuery } from '../src/runQuery.ts';

/** @returns the message of a query's error with its position; an empty text if the query succeeds */
export function faultOf(query: string, graph: PropertyGraph): string {
  try {
    runQuery(query, graph);
    return '';
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return placedMessage(error, query);
  }
}
