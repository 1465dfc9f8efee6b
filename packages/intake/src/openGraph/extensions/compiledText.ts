/**
 * Compiles a text of a definition, and determines whether it is valid, the names that it uses, and the
 * relationships that a pattern reads.
 */
import { CypherError, derivation, outlineOf, placedMessage, type QueryOutline } from '@clew/cypher';

export interface QueryText {
  readonly text: string;
  /** Names of the ends in a pattern; absent for a query. */
  readonly ends?: { readonly start: string; readonly end: string };
  /** Whether parameters get their values when the query runs. */
  readonly takesParameters?: boolean;
}

export interface CompiledText {
  /** Why the text cannot be used. */
  readonly fault?: string;
  /** Relationship types that a pattern reads. */
  readonly types?: ReadonlySet<string>;
  /** Absent if there is an error. */
  readonly outline?: QueryOutline;
}

export function compiledText({ text, ends, takesParameters = false }: QueryText): CompiledText {
  try {
    if (ends === undefined) return { outline: outlineOf(text, takesParameters) };
    const { types, query } = derivation({ pattern: text, ...ends });
    return { types, outline: outlineOf(query, false) };
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return { fault: `cannot be used: ${placedMessage(error, text)}` };
  }
}
