/** How far a query has come: of the nodes at which its first match begins, those from which all was found. */
import { CypherError } from '../cypherError.ts';

export interface Progress {
  /** A limit ended it. */
  isPart?: boolean;
  /** The first match begins here; absent before it does, and where it begins at nothing of the graph. */
  start?: {
    readonly shown: string;
    done: number;
    /** Looks for all of them. */
    readonly total: () => number;
  };
}

/** @returns for people, which part of the answer is there @throws what ends a query while all starts are counted */
export function shownProgress({ start }: Progress, reason: string): string {
  if (start === undefined) return `the answer is a part: ${reason}`;
  const [done, total] = [start.done, start.total()].map((number) => number.toLocaleString('en-US'));
  return `the answer is a part, complete for ${done} of ${total} starts ${start.shown}: ${reason}`;
}

export const isLimit = (error: unknown): error is CypherError =>
  error instanceof CypherError && error.kind === 'limit';
