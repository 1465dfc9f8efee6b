/** Stores the report with its options, and lets the service create new issues on schedule. */
import { REPORT_SCHEDULES, type ReportRecord } from '@clew/api';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Option } from '../../parts/FormField.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
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
  return (
    <FormDialog
      title="Schedule the report"
      fields={[
        {
          ...{ type: 'content', name: 'about' },
          content: (
            <p>
              The report is stored with these choices under its own address, and generated again with your
              rights at that time. The latest 12 issues are kept.
              {masked && ' Names are masked when the report is generated: its real names are not stored.'}
            </p>
          ),
        },
        {
          ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
          value: audience === 'management' ? 'Report for management' : 'Report for operations',
        },
        { type: 'radio', name: 'schedule', label: 'Schedule', options: SCHEDULES },
      ]}
      words="Keep report"
      pendingWords="Making…"
      send={(values) =>
        call(
          'CreateReport',
          {
            body: {
              name: values.text('name'),
              schedule: REPORT_SCHEDULES.find((one) => one === values.text('schedule')) ?? 'none',
              ...{ audience, days, masked },
              asset_group_tag_id: zone,
              ...(environment !== undefined && { environment_id: environment }),
            },
          },
          { wait: 60 },
        )
      }
      touched={['ListReports']}
      onSent={() => notify('The report is stored')}
      onDone={({ data }) => onKept(data)}
      onClose={onClose}
    />
  );
}

const SCHEDULES = (['weekly', 'monthly', 'none'] as const).map(
  (schedule): Option => [schedule, schedule === 'none' ? 'Now, and on request' : SCHEDULE_WORDS[schedule]],
);
