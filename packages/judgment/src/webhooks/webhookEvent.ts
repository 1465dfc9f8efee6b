/** An event of a webhook, and limits that all kinds of events share. */
import type { WebhookRequest } from '@clew/api';
import type { WebhookTable } from '@clew/store';
import type { Selectable } from 'kysely';

export type WebhookRow = Selectable<WebhookTable>;
export type EventType = WebhookRequest['event_types'][number];

export interface WebhookEvent {
  readonly type: EventType | 'webhook.test';
  /** RFC 3339. */
  readonly timestamp: string;
  /** Identifies the event: no second event of a webhook has it. */
  readonly cause: string;
  readonly data: object;
}

/** Receivers take bodies of 20 kB. */
export const NAME_LENGTH = 200;
/** Events that are older are not reported. */
export const NEWS_HOURS = 24;
