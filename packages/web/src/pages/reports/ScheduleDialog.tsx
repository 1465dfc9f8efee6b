/** Keeps the report with its choices, and has the service make it again. */
import { REPORT_SCHEDULES, type ReportRecord } from '@clew/api';
import type { FormEvent } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import type { Audience } from './LiveReport.tsx';

export type Schedule = ReportRecord['schedule'];

export const SCHEDULE_WORDS: Readonly<Record<Schedule, string>> = {
  none: 'Not on a schedule',
  weekly: 'Weekly, on Mondays at 06:00 UTC',
  monthly: 'Monthly, on the first day at 06:00 UTC',
};

export interface ReportChoices {
  readonly audience: Audience;
  readonly zone: number;
  readonly environment: string | undefined;
  readonly days: number;
  readonly masked: boolean;
}

interface ScheduleDialogProps {
  readonly choices: ReportChoices;
  readonly onKept: (report: ReportRecord) => void;
  readonly onClose: () => void;
}

export function ScheduleDialog({ choices, onKept, onClose }: ScheduleDialogProps) {
  const { audience, zone, environment, days, masked } = choices;
  const keep = useChange(
    ({ name, schedule }: { readonly name: string; readonly schedule: Schedule }) =>
      call(
        'CreateReport',
        {
          body: {
            ...{ name, schedule, audience, days, masked },
            asset_group_tag_id: zone,
            ...(environment !== undefined && { environment_id: environment }),
          },
        },
        { wait: 60 },
      ),
    ['ListReports'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const schedule = REPORT_SCHEDULES.find((one) => one === fields.get('schedule')) ?? 'none';
    keep.mutate(
      { name: String(fields.get('name')).trim(), schedule },
      {
        onSuccess: ({ data }) => {
          notify('The report is kept');
          onKept(data);
        },
      },
    );
  };
  return (
    <Dialog title="Schedule the report" onClose={onClose}>
      <form onSubmit={submit} aria-busy={keep.isPending}>
        <p>
          The report is kept with these choices under an address of its own, and made again with your rights
          at that time. The newest 12 are kept.
          {masked && ' It is masked when it is made: its real names are not kept.'}
        </p>
        <label>
          Name
          <input
            name="name"
            required
            maxLength={200}
            defaultValue={audience === 'management' ? 'Report for management' : 'Report for operations'}
          />
        </label>
        <fieldset className="choices">
          <legend>Schedule</legend>
          {(['weekly', 'monthly', 'none'] as const).map((schedule) => (
            <label key={schedule}>
              <input type="radio" name="schedule" value={schedule} defaultChecked={schedule === 'weekly'} />{' '}
              {schedule === 'none' ? 'Now, and on request' : SCHEDULE_WORDS[schedule]}
            </label>
          ))}
        </fieldset>
        <DialogActions
          words="Keep report"
          pendingWords="Making…"
          isPending={keep.isPending}
          error={keep.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
