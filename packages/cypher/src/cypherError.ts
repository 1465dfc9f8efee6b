/** An error of a query, in words for the person who wrote it. */

/**
 * `syntax`: it cannot be read. `meaning`: it can be read but not run. `refused`: it writes, or uses an unsupported feature. `value`: a
 * value does not fit its use. `limit`: it costs more than it may.
 */
export type CypherErrorKind = 'syntax' | 'meaning' | 'refused' | 'value' | 'limit';

export class CypherError extends Error {
  override readonly name = 'CypherError';
  readonly kind: CypherErrorKind;
  /** Offset in the text of the query, in UTF-16 units. */
  readonly offset: number | undefined;

  constructor(kind: CypherErrorKind, message: string, offset?: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

/** @returns `line 2:7 message`: lines count from 1, columns from 0, as clients of this field know it */
export const placedMessage = ({ message, offset }: CypherError, query: string): string =>
  offset === undefined ? message : placedText(message, query, offset);

/** @param offset in the query, in UTF-16 units */
export function placedText(message: string, query: string, offset: number): string {
  const before = query.slice(0, offset).split('\n');
  return `line ${before.length}:${(before.at(-1) as string).length} ${message}`;
}
