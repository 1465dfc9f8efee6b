/** Messages between the event loop and a query thread. */
import type { Cancel } from '@clew/graph';
import type { QueryData } from '../queryData.ts';

export interface RunMessage {
  readonly id: number;
  readonly task: string;
  readonly args: unknown;
  readonly generation: number;
  /** Sent with the first task of a generation; all older ones except the last are then released. */
  readonly data?: QueryData;
  readonly cancel: Cancel;
}

/** Releases all generations except one. */
export interface ForgetMessage {
  readonly keep: number;
}

/** Asks the thread to end after earlier messages. */
export interface EndMessage {
  readonly end: true;
}

export type ThreadMessage = RunMessage | ForgetMessage | EndMessage;

export type ResultMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };

/** Number of generations kept in a thread: the current one, and the one of running requests. */
export const GENERATIONS_KEPT = 2;
