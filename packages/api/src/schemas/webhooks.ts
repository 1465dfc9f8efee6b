/** Receivers of changes (`docs/reference/webhooks.md`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { nullable, SEVERITIES, Severity, Time } from './common.ts';

export const WEBHOOK_EVENT_TYPES = [
  'finding.opened',
  'finding.changed',
  'finding.accepted',
  'finding.resolved',
  'finding.overdue',
  'posture.worsened',
  'watch.changed',
  'collection.late',
  'job.failed',
  'report.made',
  'report.failed',
  'repair.done',
  'repair.undone',
  'repair.contradicted',
  'repair.overdue',
  'acceptance.ends',
] as const;

const EventType = Type.Enum([...WEBHOOK_EVENT_TYPES]);

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'A fraction from 0 to 1' });

export const WebhookRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Address that receives the events; https only',
  }),
  event_types: Type.Array(EventType, { minItems: 1 }),
  environments: Type.Optional(
    nullable(Type.Array(Type.String(), { minItems: 1, description: 'Object ids; if absent, all' })),
  ),
  minimum_severity: Type.Optional(Severity),
  exposure_threshold: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'For `posture.worsened`: sent when the exposure exceeds this value',
      }),
    ),
  ),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookRequest = Static<typeof WebhookRequest>;

/** Missing members stay unchanged. */
export const WebhookChange = Type.Object({
  ...WebhookRequest.properties,
  name: Type.Optional(WebhookRequest.properties.name),
  url: Type.Optional(WebhookRequest.properties.url),
  event_types: Type.Optional(WebhookRequest.properties.event_types),
});
export type WebhookChange = Static<typeof WebhookChange>;

export const Webhook = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  url: Type.String(),
  event_types: Type.Array(EventType),
  environments: nullable(Type.Array(Type.String())),
  minimum_severity: Severity,
  exposure_threshold: nullable(Share),
  enabled: Type.Boolean(),
  disabled_reason: Type.String({ description: 'Why the service turned it off; otherwise empty' }),
  secret: Type.String({ description: 'Shown when it is created; otherwise empty' }),
  waiting: Type.Integer({ minimum: 0, description: 'Number of events that have not been delivered yet' }),
  dead: Type.Integer({ minimum: 0, description: 'Number of events that could not be delivered' }),
  last_delivered_at: nullable(Time),
  created_by: Type.String(),
  created_at: Time,
  updated_at: Time,
});
export type Webhook = Static<typeof Webhook>;

export const WEBHOOK_COLUMNS = {
  ...{ id: column('uuid'), name: column('string'), url: column('string'), enabled: column('boolean') },
  minimum_severity: column('string', { words: SEVERITIES }),
  ...{ exposure_threshold: column('number'), disabled_reason: column('string') },
  ...{ waiting: column('integer'), dead: column('integer'), last_delivered_at: column('time') },
  ...{ created_by: column('string'), created_at: column('time'), updated_at: column('time') },
} as const;

export const WebhookDelivery = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Also `webhook-id` of the request' }),
  webhook_id: Type.String({ format: 'uuid' }),
  event_type: Type.String(),
  status: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('dead')]),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Time,
  last_status: nullable(Type.Integer({ description: 'Status of the last answer' })),
  last_error: Type.String(),
  created_at: Time,
  ended_at: nullable(Time),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WEBHOOK_DELIVERY_COLUMNS = {
  event_type: column('string'),
  status: column('string', { words: ['waiting', 'delivered', 'dead'] }),
  attempts: column('integer'),
  last_status: column('integer'),
  created_at: column('time'),
} as const;
