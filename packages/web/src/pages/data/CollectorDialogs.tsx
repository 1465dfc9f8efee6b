/** Dialogs for collectors that run as services: registration and schedules. */
import type { AnswerOf, CollectorClient, CollectorType } from '@clew/api';
import { useState } from 'react';
import { Dialog } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Option } from '../../parts/FormField.tsx';
import { notify } from '../../parts/notices.ts';
import { PastedCommand } from '../../parts/PastedCommand.tsx';
import { saveText } from '../../parts/save.ts';
import { TokenOnce } from '../../parts/TokenOnce.tsx';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { collectorCommand, serviceAddress, TOKEN_FILE, tokenFileText } from './collectCommands.ts';
import { scheduleWords } from './scheduleWords.ts';

/** Operations whose answers change with a collector. */
export const TOUCHED = ['ListClients', 'GetClientJobs'] as const;

/** A job that collects everything its collector supports. */
export const EVERYTHING = {
  session_collection: true,
  local_group_collection: true,
  ad_structure_collection: true,
  cert_services_collection: true,
};

/** A schedule in words; a rule that cannot be expressed in words is shown unchanged. */
export function Schedule({ rule }: { readonly rule: string }) {
  const words = scheduleWords(rule);
  return words === undefined ? <code>{cleanText(rule)}</code> : words;
}

const RULES: readonly Option[] = [
  ['FREQ=DAILY;INTERVAL=1', 'Every day'],
  ['FREQ=WEEKLY;INTERVAL=1', 'Every week'],
  ['FREQ=HOURLY;INTERVAL=4', 'Every 4 hours'],
];

interface ScheduleDialogProps {
  readonly client: CollectorClient;
  readonly onClose: () => void;
}

export function ScheduleDialog({ client, onClose }: ScheduleDialogProps) {
  const remove = useChange((id: number) => call('DeleteClientEvent', { params: { event_id: id } }), {
    touched: TOUCHED,
  });
  const present = (
    <ul className="plain-list">
      {client.events.map(({ id, rrule }) => (
        <li key={id}>
          <Schedule rule={rrule} />{' '}
          <button type="button" onClick={() => remove.mutate(id)}>
            Remove
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <FormDialog
      title={`Schedule of ${cleanText(client.name)}`}
      fields={[
        { type: 'content', name: 'present', content: present },
        { type: 'datetime-local', name: 'start', label: 'First run', required: true },
        { type: 'select', name: 'rule', label: 'Then', options: RULES },
      ]}
      words="Add schedule"
      send={(values) => {
        const stamp = new Date(values.text('start')).toISOString().replace(/[-:]|\.\d+/g, '');
        const rrule = `DTSTART:${stamp}\nRRULE:${values.text('rule')}`;
        return call('CreateClientSchedule', { body: { client_id: client.id, rrule, ...EVERYTHING } });
      }}
      touched={TOUCHED}
      error={remove.error}
      onClose={onClose}
    />
  );
}

const KINDS: readonly Option[] = [
  ['clew', 'Clew: Active Directory, from any Linux host'],
  ['sharphound', 'SharpHound: Active Directory'],
  ['azurehound', 'AzureHound: Entra ID and Azure'],
  ['openhound', 'OpenHound: other sources'],
];

const TOKEN_NOT_SHOWN =
  'The collector is registered, but its token could not be shown. Remove the collector, and register it again.';

export function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const [registered, setRegistered] = useState<Registered>();
  if (registered !== undefined) return <Token {...registered} onClose={onClose} />;
  return (
    <FormDialog
      title="Register a collector"
      fields={[
        { type: 'text', name: 'name', label: 'Name', required: true, maxLength: 256 },
        { type: 'select', name: 'type', label: 'Kind', options: KINDS },
      ]}
      words="Register collector"
      send={(values) =>
        call('CreateClient', {
          body: { name: values.text('name'), type: values.text('type') as CollectorType },
        })
      }
      touched={TOUCHED}
      onLate={() => notify(TOKEN_NOT_SHOWN)}
      onDone={({ data }) => setRegistered(data)}
      onClose={onClose}
    />
  );
}

type Registered = Pick<AnswerOf<'CreateClient'>['data'], 'token' | 'type'>;

function Token({ token, type, onClose }: Registered & { readonly onClose: () => void }) {
  return (
    <Dialog title="Register a collector" onClose={onClose}>
      <TokenOnce id={token.id} secret={token.key} onClose={onClose} />
      {type === 'clew' && (
        <>
          <p>
            Save the token as a file on the host that collects, and start the collector there, with the names
            of your domain controller and account:
          </p>
          <button type="button" onClick={() => saveText(TOKEN_FILE, tokenFileText(token), 'text/plain')}>
            Save the token as a file
          </button>
          <PastedCommand text={collectorCommand(serviceAddress(location.href))} />
        </>
      )}
    </Dialog>
  );
}
