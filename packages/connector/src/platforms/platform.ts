/** The interface of every host platform: delivers an alert, and returns the outcome of each of its events. */
import type { Alert } from '../findings/alerts.ts';

export type Outcome =
  | { readonly result: 'delivered'; readonly hostId?: string }
  /** The host already had it. */
  | { readonly result: 'duplicate'; readonly hostId?: string }
  /** The host will never accept it. */
  | { readonly result: 'rejected'; readonly reason: string }
  | {
      readonly result: 'retry';
      readonly reason: string;
      /** Milliseconds that the host requests. */
      readonly afterMs?: number;
    };

/** The destination of a connector: a host platform for findings, or a system for work (`tickets/workSystem.ts`). */
export interface Destination {
  readonly name: string;
  /**
   * Checks whether the host accepts messages with these settings, as far as possible without sending one. @throws an error with
   * an explanation
   */
  test(signal?: AbortSignal): Promise<void>;
  /** Explains which settings `test` cannot check. */
  readonly untested?: string;
  close(): Promise<void>;
}

export interface HostPlatform extends Destination {
  /**
   * Delivers an alert. @returns one outcome for each event, in order. An exception means "try again" for all events.
   */
  deliver(alert: Alert, signal?: AbortSignal): Promise<readonly Outcome[]>;
}
