/** Whether a text of a definition is a query or a pattern that can be run, what it names, and which relationships a pattern reads. */
import { CypherError, derivation, outlineOf, placedMessage, type QueryOutline } from '@clew/cypher';

export interface QueryText {
  readonly text: string;
  /** Names in a pattern; absent for a query. */
  readonly ends?: { readonly start: string; readonly end: string };
  /** Values of parameters come when it is run. */
  readonly takesParameters?: boolean;
}

export interface CompiledText {
  /** Why it cannot be used. */
  readonly fault?: string;
  /** Relationship types that a pattern reads. */
  readonly types?: ReadonlySet<string>;
  /** Absent where there is a fault. */
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
