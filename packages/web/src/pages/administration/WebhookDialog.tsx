/** A new webhook, or a change of one; the secret is shown once. */
import { SEVERITIES, type Webhook, type WebhookRequest } from '@clew/api';
import type { FormEvent } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { call } from '../../service/client.ts';
import { useAnswer, useChange } from '../../service/queries.ts';
import { capitalized, cleanText } from '../../text/cleanText.ts';
import { EVENT_NAMES, type EventType, eventWords, TOUCHED } from './webhookEvents.ts';

interface WebhookDialogProps {
  /** The webhook that is changed; a new one without it. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
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
        <DialogActions words="I have saved it" onAct={onClose} />
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
              {eventWords(type)}
            </label>
          ))}
        </fieldset>
        <label>
          Minimum severity of findings
          <select name="severity" defaultValue={webhook?.minimum_severity ?? 'low'}>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {capitalized(severity)}
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
            <option value="">All environments</option>
            {(environments.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {cleanText(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Exposure rises above
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
            <input type="checkbox" name="enabled" defaultChecked={webhook.enabled} /> On
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
