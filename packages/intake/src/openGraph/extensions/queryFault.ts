/** Whether a text of a definition is a query. */
import { CypherError, parse, placedMessage } from '@clew/cypher';

/** @returns why the text is not a query; nothing where it is one */
export function queryFault(query: string): string | undefined {
  try {
    parse(query);
    return undefined;
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return `cannot be used: ${placedMessage(error, query)}`;
  }
}
