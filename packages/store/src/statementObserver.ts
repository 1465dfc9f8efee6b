/** Tells an observer about statements, such as one that records traces. This package knows nothing of what it does with them. */
import { finished, type Readable, type Writable } from 'node:stream';

/** @returns a function to call when the statement has ended; nothing if this one is of no interest */
export type StatementObserver = (operation: string) => ((hasFailed: boolean) => void) | undefined;

let observer: StatementObserver | undefined;

/** For all connections of this thread, from their next statement on. */
export function observeStatements(by: StatementObserver | undefined): void {
  observer = by;
}

const OPERATIONS = new Set([
  ...['select', 'insert', 'update', 'delete', 'with', 'copy', 'begin', 'commit', 'rollback', 'savepoint'],
  ...['set', 'lock', 'listen', 'notify', 'create', 'drop', 'alter', 'truncate', 'analyze', 'vacuum'],
]);

/** @returns the first word of a statement, and nothing else of it: the rest may hold names and secrets */
export function operationOf(text: string): string {
  const word = /^\s*(\w+)/.exec(text)?.[1].toLowerCase() ?? '';
  return OPERATIONS.has(word) ? word : 'other';
}

type Ended = (error: unknown, result: unknown) => void;

/** Runs a statement of `pg`, which takes a callback as its last argument, or answers with a promise, or with the stream of a COPY. */
export function observed(parameters: unknown[], run: (parameters: unknown[]) => unknown): unknown {
  const [statement] = parameters;
  const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
  const end = typeof text === 'string' ? observer?.(operationOf(text)) : undefined;
  if (end === undefined) return run(parameters);
  const callback = parameters.at(-1);
  if (typeof callback === 'function') {
    const ended: Ended = (error, result) => {
      end(error !== null && error !== undefined);
      (callback as Ended)(error, result);
    };
    return run([...parameters.slice(0, -1), ended]);
  }
  const answer = run(parameters);
  if (answer instanceof Promise)
    answer.then(
      () => end(false),
      () => end(true),
    );
  else if (isStream(answer)) finished(answer, (error) => end(error !== undefined && error !== null));
  return answer;
}

const isStream = (answer: unknown): answer is Readable | Writable =>
  typeof (answer as { pipe?: unknown } | null | undefined)?.pipe === 'function';
