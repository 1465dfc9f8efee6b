/** Deliveries of a webhook, newest first; failed ones can be sent again. */
import type { Webhook, WebhookDelivery } from '@clew/api';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { Moment } from '../../parts/Moment.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { eventWords, TOUCHED } from './webhookEvents.ts';

const SHOWN = 50;

interface WebhookDeliveriesProps {
  readonly webhook: Webhook;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

export function WebhookDeliveries({ webhook, mayWrite, onClose }: WebhookDeliveriesProps) {
  const query = useAnswer(
    'ListWebhookDeliveries',
    { params: { webhook_id: webhook.id }, query: { limit: SHOWN } },
    { every: 5000, keep: true },
  );
  const retry = useChange(
    (id: string) => call('RetryWebhookDelivery', { params: { webhook_id: webhook.id, delivery_id: id } }),
    { touched: TOUCHED },
  );
  const columns: Column<WebhookDelivery>[] = [
    { title: 'Time', cell: ({ created_at }) => <Moment at={created_at} withSeconds /> },
    {
      title: 'Event',
      cell: ({ event_type }) => eventWords(event_type),
    },
    {
      title: 'State',
      cell: ({ status, attempts }) =>
        status === 'dead' ? (
          <span className="bad">not delivered</span>
        ) : status === 'waiting' ? (
          `waiting, ${formatCount(attempts)} tried`
        ) : (
          'delivered'
        ),
    },
    {
      title: 'Answer',
      cell: ({ last_status, last_error }) => cleanText(last_error) || (last_status ?? '–'),
    },
    {
      title: 'Actions',
      cell: ({ id, status }) =>
        mayWrite && status === 'dead' ? (
          <button type="button" disabled={retry.isPending} onClick={() => retry.mutate(id)}>
            Retry
          </button>
        ) : (
          ''
        ),
    },
  ];
  return (
    <Dialog title={`Deliveries to ${cleanText(webhook.name)}`} onClose={onClose} wide>
      {retry.isError && <p role="alert">{describeError(retry.error).text}</p>}
      <Answer query={query} what="the deliveries">
        {({ data, count }) =>
          data.length === 0 ? (
            <Empty title="Nothing was sent yet" example="“A finding opened: delivered, response 200”">
              Events since the webhook was created are listed here. “Test” sends one now.
            </Empty>
          ) : (
            <>
              <Table caption="Deliveries" columns={columns} rows={data} keyOf={({ id }) => id} />
              <p className="quiet">
                {formatCount(data.length)} of {formatCount(count)} shown, the newest first
              </p>
            </>
          )
        }
      </Answer>
    </Dialog>
  );
}
