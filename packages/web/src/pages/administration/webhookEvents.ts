/** Webhook events in words, and the differences of a changed webhook. */
import type { WebhookRequest } from '@clew/api';

/** Operations whose answers change with a webhook. */
export const TOUCHED = ['ListWebhooks', 'ListWebhookDeliveries'] as const;

export type EventType = WebhookRequest['event_types'][number];

const EVENTS: Readonly<Record<EventType, string>> = {
  'finding.opened': 'A finding opened',
  'finding.changed': 'A finding changed',
  'finding.accepted': 'A finding was accepted',
  'finding.resolved': 'A finding was resolved',
  'finding.overdue': 'A finding is overdue',
  'posture.worsened': 'Exposure rose',
  'watch.changed': 'The results of a watched query changed',
  'collection.late': 'A collection is late',
  'job.failed': 'A job failed',
  'report.made': 'A scheduled report was created',
  'report.failed': 'A scheduled report could not be created',
  'repair.done': 'A repair of a started plan is done',
  'repair.undone': 'Changes of a repair of a started plan exist again',
  'repair.contradicted': 'A repair was marked as done, but a collection does not show it',
  'acceptance.ends': 'An accepted risk ends within 14 days',
  'repair.overdue': 'A repair of a started plan is overdue',
};
export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventType[];

/** @param type an unknown type, such as one from a later version, is shown by its name */
export const eventWords = (type: string): string =>
  Object.hasOwn(EVENTS, type) ? EVENTS[type as EventType] : type;
