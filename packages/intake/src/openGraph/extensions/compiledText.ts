/** Whether a text of a definition is a query or a pattern, and which relationships a pattern reads. */
import { CypherError, derivation, parse, placedMessage } from '@clew/cypher';
import type { CompiledText, QueryText } from './compiledQueries.ts';

export function compiledText({ text, ends }: QueryText): CompiledText {
  try {
    if (ends !== undefined) return { types: derivation({ pattern: text, ...ends }).types };
    parse(text);
    return {};
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return { fault: `cannot be used: ${placedMessage(error, text)}` };
  }
}
