/** Messages between the event loop and a query thread. */
import type { Cancel } from '@clew/graph';
import type { QueryData } from '../queryData.ts';

export interface RunMessage {
  readonly id: number;
  readonly task: string;
  readonly args: unknown;
  readonly generation: number;
  /** Sent with the first task of a generation; all older ones but the last are forgotten then. */
  readonly data?: QueryData;
  readonly cancel: Cancel;
}

/** Releases every generation but one. */
export interface ForgetMessage {
  readonly keep: number;
}

/** Asks the thread to end after the earlier messages. */
export interface EndMessage {
  readonly end: true;
}

export type ThreadMessage = RunMessage | ForgetMessage | EndMessage;

export type ResultMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };

/** Generations that a thread keeps: the current one, and the one that requests may have begun with. */
export const GENERATIONS_KEPT = 2;
