/** What every host platform offers the connector: takes an alert, and says of each of its events what became of it. */
import type { Alert } from '../findings/alerts.ts';

export type Outcome =
  | { readonly result: 'delivered'; readonly hostId?: string }
  /** The host had it already. */
  | { readonly result: 'duplicate'; readonly hostId?: string }
  /** It will never take it. */
  | { readonly result: 'rejected'; readonly reason: string }
  | {
      readonly result: 'retry';
      readonly reason: string;
      /** Milliseconds that the host asks for. */
      readonly afterMs?: number;
    };

export interface HostPlatform {
  readonly name: string;
  /** Looks whether the host takes messages with these settings, as far as it can tell without one. @throws in words */
  test(signal?: AbortSignal): Promise<void>;
  /** What `test` cannot check, in words. */
  readonly untested?: string;
  /**
   * Hands an alert over.
   * @returns one outcome for each event, in their order. What it throws counts as "try again" for all.
   */
  deliver(alert: Alert, signal?: AbortSignal): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}
