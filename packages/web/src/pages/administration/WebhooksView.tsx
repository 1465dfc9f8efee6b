/** Webhooks: addresses with their events, and failed deliveries. */
import { SEVERITIES, type Webhook, type WebhookDelivery, type WebhookRequest } from '@clew/api';
import { type FormEvent, useCallback, useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatCount, formatMoment } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

const TOUCHED = ['ListWebhooks', 'ListWebhookDeliveries'] as const;

type EventType = WebhookRequest['event_types'][number];

const EVENTS: Readonly<Record<EventType, string>> = {
  'finding.opened': 'A finding opened',
  'finding.changed': 'A finding changed',
  'finding.accepted': 'A finding was accepted',
  'finding.resolved': 'A finding was resolved',
  'posture.worsened': 'Exposure rose',
  'watch.changed': 'A watched query found something else',
  'collection.late': 'A collection is late',
  'job.failed': 'A job failed',
};
const EVENT_NAMES = Object.keys(EVENTS) as readonly EventType[];

type Opened = { readonly what: 'change' | 'remove' | 'deliveries'; readonly webhook: Webhook } | 'new';

export function WebhooksView() {
  const mayWrite = useSelf()?.may('app/WriteAppConfig') ?? false;
  const query = useAnswer('ListWebhooks');
  const [opened, setOpened] = useState<Opened>();
  const add = useCallback(() => setOpened('new'), []);
  const test = useChange(
    (id: string) => call('TestWebhook', { params: { webhook_id: id } }),
    ['ListWebhookDeliveries'],
  );
  const close = () => setOpened(undefined);
  const columns: Column<Webhook>[] = [
    { title: 'Name', cell: ({ name }) => <Name text={name} /> },
    { title: 'Address', cell: ({ url }) => <Name text={url} /> },
    {
      title: 'Events',
      grows: true,
      cell: ({ event_types }) => event_types.map((type) => EVENTS[type] ?? type).join(', '),
    },
    {
      title: 'State',
      cell: ({ enabled, disabled_reason }) =>
        enabled ? (
          'on'
        ) : (
          <span className="bad">off{disabled_reason && `: ${cleanText(disabled_reason)}`}</span>
        ),
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
    {
      title: 'Actions',
      cell: (webhook) => (
        <div className="chips">
          <button type="button" onClick={() => setOpened({ what: 'deliveries', webhook })}>
            Deliveries
          </button>
          {mayWrite && (
            <>
              <button
                type="button"
                disabled={test.isPending}
                onClick={() =>
                  test.mutate(webhook.id, { onSuccess: () => notify('A test event is on its way') })
                }
              >
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
        <p className="quiet">Each event is sent to an https address, and signed with a secret.</p>
      </PartHead>
      {test.isError && (
        <p className="failure" role="alert">
          {describeError(test.error).text}
        </p>
      )}
      <Answer query={query} what="the webhooks" lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No webhook yet">
              <p>Send what opens and closes to a SIEM, a chat or a ticket system.</p>
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
        <Deliveries webhook={opened.webhook} mayWrite={mayWrite} onClose={close} />
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

function WebhookDialog({ webhook, onClose }: { readonly webhook?: Webhook; readonly onClose: () => void }) {
  const environments = useAnswer('GetAvailableDomains');
  const save = useChange(
    (body: WebhookRequest) =>
      webhook === undefined
        ? call('CreateWebhook', { body })
        : call('UpdateWebhook', { params: { webhook_id: webhook.id }, body }),
    TOUCHED,
  );
  const replace = useChange(
    () => call('ReplaceWebhookSecret', { params: { webhook_id: webhook!.id } }),
    TOUCHED,
  );
  const secret = save.data?.data.secret || replace.data?.data.secret;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const environment = String(fields.get('environment'));
    const percent = String(fields.get('exposure')).trim();
    save.mutate(
      {
        name: String(fields.get('name')).trim(),
        url: String(fields.get('url')).trim(),
        event_types: fields.getAll('event') as EventType[],
        minimum_severity: String(fields.get('severity')) as WebhookRequest['minimum_severity'],
        environments: environment === '' ? null : [environment],
        exposure_threshold: percent === '' ? null : Number(percent) / 100,
        enabled: webhook === undefined || fields.has('enabled'),
      },
      { onSuccess: ({ data }) => (data.secret === '' ? onClose() : undefined) },
    );
  };
  if (secret !== undefined && secret !== '')
    return (
      <Dialog title="Secret of the webhook" onClose={onClose}>
        <p>
          <strong>The secret is shown now and never again.</strong> The receiver checks signatures with it.
        </p>
        <p>
          <code>{secret}</code>
        </p>
        <DialogActions words="I have kept it" onAct={onClose} />
      </Dialog>
    );
  const chosen = new Set<string>(webhook?.event_types ?? ['finding.opened', 'finding.resolved']);
  return (
    <Dialog
      title={webhook === undefined ? 'New webhook' : `Change ${cleanText(webhook.name)}`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} defaultValue={webhook?.name} />
        </label>
        <label>
          Address (https)
          <input name="url" type="url" required maxLength={2000} defaultValue={webhook?.url} />
        </label>
        <fieldset>
          <legend>Events</legend>
          {EVENT_NAMES.map((type) => (
            <label key={type} title={type}>
              <input type="checkbox" name="event" value={type} defaultChecked={chosen.has(type)} />{' '}
              {EVENTS[type]}
            </label>
          ))}
        </fieldset>
        <label>
          Findings of at least
          <select name="severity" defaultValue={webhook?.minimum_severity ?? 'low'}>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {severity}
              </option>
            ))}
          </select>
        </label>
        <label>
          Environment
          <select
            name="environment"
            key={environments.data?.data.length ?? 0}
            defaultValue={webhook?.environments?.[0] ?? ''}
          >
            <option value="">all environments</option>
            {(environments.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {cleanText(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Exposure that rose above
          <span className="with-unit">
            <input
              name="exposure"
              type="number"
              min={0}
              max={100}
              step={0.1}
              defaultValue={
                webhook?.exposure_threshold == null ? '' : Math.round(webhook.exposure_threshold * 1000) / 10
              }
            />
            %
          </span>
        </label>
        {webhook !== undefined && (
          <label>
            <input type="checkbox" name="enabled" defaultChecked={webhook.enabled} /> on
          </label>
        )}
        <DialogActions
          words={webhook === undefined ? 'Create webhook' : 'Save webhook'}
          isPending={save.isPending}
          error={save.error ?? replace.error}
          onCancel={onClose}
        >
          {webhook !== undefined && (
            <button type="button" disabled={replace.isPending} onClick={() => replace.mutate(undefined)}>
              Replace secret
            </button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

const SHOWN = 50;

function Deliveries({
  webhook,
  mayWrite,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}) {
  const query = useAnswer(
    'ListWebhookDeliveries',
    { params: { webhook_id: webhook.id }, query: { limit: SHOWN } },
    { every: 5000, keep: true },
  );
  const retry = useChange(
    (id: string) => call('RetryWebhookDelivery', { params: { webhook_id: webhook.id, delivery_id: id } }),
    TOUCHED,
  );
  const columns: Column<WebhookDelivery>[] = [
    { title: 'Time', cell: ({ created_at }) => formatMoment(created_at) },
    {
      title: 'Event',
      cell: ({ event_type }) => EVENTS[event_type as EventType] ?? event_type,
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
            <Empty title="Nothing was sent yet" />
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
