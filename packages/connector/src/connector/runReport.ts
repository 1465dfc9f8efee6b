/** Result of one run of the connector. */
import type { Health } from '../state/connectorState.ts';
import type { DeliveryReport } from './delivery.ts';

export interface RunReport {
  /** `partial`: a later run continues; `failed`: nothing was read. */
  readonly status: 'complete' | 'partial' | 'failed';
  readonly created: number;
  readonly updated: number;
  readonly closed: number;
  /** Changes of started plans that were marked or unmarked; absent in runs for findings. */
  readonly marked?: number;
  readonly delivery: Omit<DeliveryReport, 'reason'>;
  readonly health: Health;
  /** Unread parts of the environments, one sentence each: the absence of findings does not mean safety. */
  readonly notRead: readonly string[];
  /** Relationships that were not reported again, one sentence for each job and environment: their findings may have ended. */
  readonly notReported: readonly string[];
  /** Errors, one line each. */
  readonly faults: readonly string[];
  readonly milliseconds: number;
}
