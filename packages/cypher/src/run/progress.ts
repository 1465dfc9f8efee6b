/** How far a query has come: of the nodes at which its first match begins, those from which all was found. */
import { CypherError } from '../cypherError.ts';

export interface Progress {
  /** A limit ended it. */
  isPart?: boolean;
  /** The first match begins here; absent before it does, and where it does not begin in the graph. */
  start?: {
    readonly shown: string;
    done: number;
    /** Looks for all of them. */
    readonly total: () => number;
  };
}

/** @returns a description, for people, of the part of the answer that is given @throws the error that ends a canceled query */
export function shownProgress({ start }: Progress, reason: string): string {
  if (start === undefined) return `the answer is a part: ${reason}`;
  const total = totalOf(start);
  const done = start.done.toLocaleString('en-US');
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`;
  return `the answer is a part, complete for ${done}${of} starts ${start.shown}: ${reason}`;
}

/** @returns nothing where a limit ends the count, too */
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
