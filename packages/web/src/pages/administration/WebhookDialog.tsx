/** Creates or changes a webhook; the secret is shown once. */
import { SEVERITIES, type Webhook, type WebhookRequest } from '@clew/api';
import { useState } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field, Option } from '../../parts/FormField.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { notify } from '../../parts/notices.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { capitalized, cleanText } from '../../text/cleanText.ts';
import { EVENT_NAMES, type EventType, eventWords, TOUCHED } from './webhookEvents.ts';

interface WebhookDialogProps {
  /** The webhook to change; absent for a new one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const environments = useAnswer('GetAvailableDomains');
  const [secret, setSecret] = useState('');
  const onLate = ({ data }: { readonly data: Webhook }) => {
    if (data.secret !== '')
      notify(
        `${cleanText(data.name)}: its secret could not be shown. Replace it when you change the webhook.`,
      );
  };
  const onDone = ({ data }: { readonly data: Webhook }) =>
    data.secret === '' ? onClose() : setSecret(data.secret);
  const replace = useDialogChange(
    () => call('ReplaceWebhookSecret', { params: { webhook_id: webhook!.id } }),
    {
      touched: TOUCHED,
      ...{ onDone, onLate },
    },
  );
  if (secret !== '')
    return (
      <Dialog title="Secret of the webhook" onClose={onClose}>
        <p>
          <strong>The secret is shown only once, now.</strong> The receiver verifies signatures with it.
        </p>
        <p>
          <code>{secret}</code>
        </p>
        <DialogActions words="I have saved it" onAct={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : `Change ${cleanText(webhook.name)}`}
      fields={fieldsOf(
        webhook,
        (environments.data?.data ?? []).map(({ id, name }): Option => [id, cleanText(name)]),
      )}
      words={webhook === undefined ? 'Create webhook' : 'Save webhook'}
      send={(values) => {
        const body = requestOf(values, webhook === undefined);
        return webhook === undefined
          ? call('CreateWebhook', { body })
          : call('UpdateWebhook', { params: { webhook_id: webhook.id }, body });
      }}
      touched={TOUCHED}
      onLate={onLate}
      onDone={onDone}
      error={replace.error}
      onClose={onClose}
    >
      {webhook !== undefined && (
        <button type="button" disabled={replace.isPending} onClick={() => replace.mutate()}>
          Replace secret
        </button>
      )}
    </FormDialog>
  );
}

const EVENTS = EVENT_NAMES.map((type): Option => [type, eventWords(type)]);
const FIRST_EVENTS: readonly EventType[] = ['finding.opened', 'finding.resolved'];

/** @param environments environments of the service, once loaded */
function fieldsOf(webhook: Webhook | undefined, environments: readonly Option[]): readonly Field[] {
  const threshold = webhook?.exposure_threshold;
  return [
    {
      ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
      value: webhook?.name,
    },
    {
      ...{ type: 'url', name: 'url', label: 'Address (https)', required: true, maxLength: 2000 },
      value: webhook?.url,
    },
    {
      ...{ type: 'some', name: 'event', label: 'Events', options: EVENTS },
      value: new Set(webhook?.event_types ?? FIRST_EVENTS),
    },
    {
      ...{ type: 'select', name: 'severity', label: 'Minimum severity of findings' },
      options: SEVERITIES.map((severity): Option => [severity, capitalized(severity)]),
      value: webhook?.minimum_severity ?? 'low',
    },
    {
      ...{ type: 'select', name: 'environment', label: 'Environment' },
      options: [['', 'All environments'], ...environments],
      value: webhook?.environments?.[0] ?? '',
    },
    {
      ...{ type: 'number', name: 'exposure', label: 'Exposure rises above', unit: '%' },
      ...{ min: 0, max: 100, step: 0.1 },
      value: threshold == null ? '' : Math.round(threshold * 1000) / 10,
    },
    {
      type: 'check',
      name: 'enabled',
      label: 'On',
      value: webhook?.enabled,
      when: () => webhook !== undefined,
    },
  ];
}

function requestOf(values: FormValues, isNew: boolean): WebhookRequest {
  const environment = values.text('environment');
  const percent = values.text('exposure');
  return {
    name: values.text('name'),
    url: values.text('url'),
    event_types: values.all('event') as EventType[],
    minimum_severity: values.text('severity') as WebhookRequest['minimum_severity'],
    environments: environment === '' ? null : [environment],
    exposure_threshold: percent === '' ? null : Number(percent) / 100,
    enabled: isNew || values.has('enabled'),
  };
}
