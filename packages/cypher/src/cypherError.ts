/** A query error with a message for its author. */

/**
 * `syntax`: not parsable. `meaning`: parsable, but invalid. `refused`: writes data, or uses an unsupported
 * feature. `value`: a value is invalid for its use. `limit`: exceeds a cost limit.
 */
export type CypherErrorKind = 'syntax' | 'meaning' | 'refused' | 'value' | 'limit';

export class CypherError extends Error {
  override readonly name = 'CypherError';
  readonly kind: CypherErrorKind;
  /** Offset in the query text, in UTF-16 units. */
  readonly offset: number | undefined;

  constructor(kind: CypherErrorKind, message: string, offset?: number) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

/** @returns `line 2:7 message`. Lines start at 1 and columns at 0, as BloodHound clients expect */
export const placedMessage = ({ message, offset }: CypherError, query: string): string =>
  offset === undefined ? message : placedText(message, query, offset);

/** @param offset offset in the query, in UTF-16 units */
export function placedText(message: string, query: string, offset: number): string {
  const before = query.slice(0, offset).split('\n');
  return `line ${before.length}:${(before.at(-1) as string).length} ${message}`;
}
