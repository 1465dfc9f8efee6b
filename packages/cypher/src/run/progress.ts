/** Progress of a query: how many of the start nodes of its first match are complete. */
import { CypherError } from '../cypherError.ts';

export interface Progress {
  /** Whether a limit ended the query. */
  isPart?: boolean;
  /** Set when the first match starts; absent if it does not start in the graph. */
  start?: {
    readonly shown: string;
    done: number;
    /** Counts all start nodes. */
    readonly total: () => number;
  };
}

/**
 * @returns a description, for users, of the part that the answer covers @throws the error that ends a canceled
 * query
 */
export function shownProgress({ start }: Progress, reason: string): string {
  if (start === undefined) return `the answer is partial: ${reason}`;
  const total = totalOf(start);
  const done = start.done.toLocaleString('en-US');
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`;
  return `the answer is partial, complete for ${done}${of} starts ${start.shown}: ${reason}`;
}

/** @returns `undefined` if a limit ends the count, too */
function totalOf(start: NonNullable<Progress['start']>): number | undefined {
  try {
    return start.total();
  } catch (error) {
    if (!isLimit(error)) throw error;
    return undefined;
  }
}

export const isLimit = (error: unknown): error is CypherError =>
  error instanceof CypherError && error.kind === 'limit';
