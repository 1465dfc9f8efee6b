/** Webhooks, and the messages to them. */
import type { Generated } from 'kysely';
import type { GeneratedTimestamp, Timestamp } from './columnTypes.ts';

export interface WebhookTable {
  id: string;
  name: string;
  url: string;
  /** Encrypted. */
  secret: Buffer;
  /** Also used for signatures until it expires. */
  previous_secret: Buffer | null;
  previous_secret_until: Timestamp | null;
  event_types: string[];
  /** Null for all. */
  environments: string[] | null;
  /** 0 low to 3 critical. */
  minimum_severity: Generated<number>;
  /** 0..1; null for never. */
  exposure_threshold: number | null;
  enabled: Generated<boolean>;
  /** Why the service disabled it. */
  disabled_reason: Generated<string>;
  feed_instant: Timestamp;
  feed_id: number;
  /** When overdue findings were last looked up for it. */
  overdue_at: Timestamp | null;
  created_by: string;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

export interface WebhookDeliveryTable {
  id: string;
  webhook_id: string;
  /** Ensures that the same change is sent once. */
  cause: string;
  event_type: string;
  body: string;
  status: Generated<'waiting' | 'delivered' | 'dead'>;
  attempts: Generated<number>;
  next_attempt_at: GeneratedTimestamp;
  last_status: number | null;
  last_error: Generated<string>;
  created_at: GeneratedTimestamp;
  ended_at: Timestamp | null;
}

export interface WebhookTables {
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}
