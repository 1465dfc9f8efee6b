/** Webhooks: addresses with their events, and failed deliveries. */
import type { Webhook } from '@clew/api';
import { useCallback, useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatCount } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';
import { WebhookDeliveries } from './WebhookDeliveries.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { eventWords, TOUCHED } from './webhookEvents.ts';

type Opened = { readonly what: 'change' | 'remove' | 'deliveries'; readonly webhook: Webhook } | 'new';

export function WebhooksView() {
  const mayWrite = useSelf()?.may('app/WriteAppConfig') ?? false;
  const query = useAnswer('ListWebhooks');
  const [opened, setOpened] = useState<Opened>();
  const add = useCallback(() => setOpened('new'), []);
  const test = useChange(({ id }: Webhook) => call('TestWebhook', { params: { webhook_id: id } }), {
    touched: ['ListWebhookDeliveries'],
    // The list of deliveries shows whether the test arrived.
    onSuccess: (_, webhook) => {
      notify('A test event is being sent');
      setOpened((now) => now ?? { what: 'deliveries', webhook });
    },
  });
  const close = () => setOpened(undefined);
  const columns: Column<Webhook>[] = [
    ...COLUMNS,
    {
      title: 'Actions',
      cell: (webhook) => (
        <div className="chips">
          <button type="button" onClick={() => setOpened({ what: 'deliveries', webhook })}>
            Deliveries
          </button>
          {mayWrite && (
            <>
              <button type="button" disabled={test.isPending} onClick={() => test.mutate(webhook)}>
                Test
              </button>
              <button type="button" onClick={() => setOpened({ what: 'change', webhook })}>
                Change…
              </button>
              <button type="button" onClick={() => setOpened({ what: 'remove', webhook })}>
                Remove…
              </button>
            </>
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <PartHead title="Webhooks" words={mayWrite ? 'New webhook…' : undefined} onAdd={add}>
        <p className="quiet">Each event is sent to an https address, signed with a secret.</p>
      </PartHead>
      {test.isError && (
        <p className="failure" role="alert">
          {describeError(test.error).text}
        </p>
      )}
      <Answer query={query} what="the webhooks" lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title="No webhook yet"
              example="“SIEM, https://siem.example/clew: findings that open”"
              action={mayWrite ? { words: 'Create the first webhook…', onAct: add } : undefined}
            >
              A webhook sends opened and closed findings to a SIEM, a chat or a ticket system.
            </Empty>
          ) : (
            <Table caption="Webhooks" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      {opened === 'new' && <WebhookDialog onClose={close} />}
      {typeof opened === 'object' && opened.what === 'change' && (
        <WebhookDialog webhook={opened.webhook} onClose={close} />
      )}
      {typeof opened === 'object' && opened.what === 'deliveries' && (
        <WebhookDeliveries webhook={opened.webhook} mayWrite={mayWrite} onClose={close} />
      )}
      {typeof opened === 'object' && opened.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${cleanText(opened.webhook.name)}?`}
          words="Remove webhook"
          act={() => call('DeleteWebhook', { params: { webhook_id: opened.webhook.id } })}
          touched={TOUCHED}
          notice="The webhook is removed"
          onClose={close}
        >
          <p>Its waiting deliveries are deleted.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { title: 'Name', cell: ({ name }) => <Name text={name} /> },
  { title: 'Address', cell: ({ url }) => <Name text={url} /> },
  {
    title: 'Events',
    grows: true,
    cell: ({ event_types }) => event_types.map(eventWords).join(', '),
  },
  {
    title: 'State',
    cell: ({ enabled, disabled_reason }) =>
      enabled ? 'on' : <span className="bad">off{disabled_reason && `: ${cleanText(disabled_reason)}`}</span>,
  },
  {
    title: 'Delivered',
    cell: ({ last_delivered_at: at }) => (at === null ? 'never' : formatAge(at)),
  },
  {
    title: 'Not delivered',
    numeric: true,
    cell: ({ waiting, dead }) =>
      dead > 0 ? (
        <span className="bad">{formatCount(dead)}</span>
      ) : waiting > 0 ? (
        `${formatCount(waiting)} waiting`
      ) : (
        '0'
      ),
  },
];
