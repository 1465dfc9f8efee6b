/** Webhooks: receivers of changes. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { paging, uuidId } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { WEBHOOK_DELIVERY_COLUMNS, Webhook, WebhookDelivery, WebhookRequest } from '../schemas/webhooks.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Webhooks';
const READ = ['app/ReadAppConfig'] as const;
const WRITE = ['app/WriteAppConfig'] as const;
const WebhookPath = Type.Object({ webhook_id: uuidId('The id of the webhook') });
const DeliveryPath = Type.Object({
  webhook_id: uuidId('The id of the webhook'),
  delivery_id: uuidId('The id of the delivery'),
});

export const webhookRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/webhooks',
    operationId: 'ListWebhooks',
    tag: TAG,
    summary: 'List webhooks',
    access: READ,
    responses: { 200: dataOf(Type.Array(Webhook)) },
  },
  {
    method: 'POST',
    path: '/api/v2/webhooks',
    operationId: 'CreateWebhook',
    tag: TAG,
    summary: 'Send changes to an address; its secret is shown here and never again',
    access: WRITE,
    bodyKind: 'json',
    body: WebhookRequest,
    responses: { 201: dataOf(Webhook) },
  },
  {
    method: 'GET',
    path: '/api/v2/webhooks/{webhook_id}',
    operationId: 'GetWebhook',
    tag: TAG,
    summary: 'A webhook',
    access: READ,
    params: WebhookPath,
    responses: { 200: dataOf(Webhook) },
    errors: [404],
  },
  {
    method: 'PUT',
    path: '/api/v2/webhooks/{webhook_id}',
    operationId: 'UpdateWebhook',
    tag: TAG,
    summary:
      'Change a webhook; one that the service switched off is switched on again unless `enabled` is false',
    access: WRITE,
    params: WebhookPath,
    bodyKind: 'json',
    body: WebhookRequest,
    responses: { 200: dataOf(Webhook) },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/webhooks/{webhook_id}',
    operationId: 'DeleteWebhook',
    tag: TAG,
    summary: 'Remove a webhook, with its waiting deliveries',
    access: WRITE,
    params: WebhookPath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'PUT',
    path: '/api/v2/webhooks/{webhook_id}/secret',
    operationId: 'ReplaceWebhookSecret',
    tag: TAG,
    summary: 'Another secret; for 24 hours the one before signs, too',
    access: WRITE,
    params: WebhookPath,
    responses: { 200: dataOf(Webhook) },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/webhooks/{webhook_id}/test',
    operationId: 'TestWebhook',
    tag: TAG,
    summary: 'Send an event that means nothing',
    access: WRITE,
    params: WebhookPath,
    responses: { 202: dataOf(WebhookDelivery) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/webhooks/{webhook_id}/deliveries',
    operationId: 'ListWebhookDeliveries',
    tag: TAG,
    summary: 'Deliveries of a webhook, the newest first; `status=eq:dead` are those that failed',
    access: READ,
    params: WebhookPath,
    query: Type.Object({ ...listParameters(WEBHOOK_DELIVERY_COLUMNS), ...paging(10) }),
    columns: WEBHOOK_DELIVERY_COLUMNS,
    responses: { 200: pageOf(WebhookDelivery) },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
    operationId: 'RetryWebhookDelivery',
    tag: TAG,
    summary: 'Try a delivery again now',
    access: WRITE,
    params: DeliveryPath,
    responses: { 202: dataOf(WebhookDelivery) },
    errors: [404],
  },
]);
