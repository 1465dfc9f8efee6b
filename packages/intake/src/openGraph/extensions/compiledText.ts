/** Whether a text of a definition is a query or a pattern, and which relationships a pattern reads. */
import { CypherError, derivation, parse, placedMessage } from '@clew/cypher';

export interface QueryText {
  readonly text: string;
  /** Names in a pattern; absent for a query. */
  readonly ends?: { readonly start: string; readonly end: string };
}

export interface CompiledText {
  /** Why it cannot be used. */
  readonly fault?: string;
  /** Relationship types that a pattern reads. */
  readonly types?: ReadonlySet<string>;
}

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
