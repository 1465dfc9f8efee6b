/** A webhook event, and limits shared by all kinds of events. */
import type { WebhookRequest } from '@clew/api';
import type { WebhookTable } from '@clew/store';
import type { Selectable } from 'kysely';

export type WebhookRow = Selectable<WebhookTable>;
export type EventType = WebhookRequest['event_types'][number];

export interface WebhookEvent {
  readonly type: EventType | 'webhook.test';
  /** RFC 3339. */
  readonly timestamp: string;
  /** Identifies the event uniquely within a webhook. */
  readonly cause: string;
  readonly data: object;
}

/** Receivers accept bodies of up to 20 kB. */
export const NAME_LENGTH = 200;
/** Maximum number of findings or changes in an event; the change feed and the proof of a plan have all of them. */
export const MAX_NAMED = 25;
/** Older events are not reported. */
export const NEWS_HOURS = 24;
