/** One stored report: its newest issue, or an earlier one. */
import { REPORT_SCHEDULES, type ReportRecord } from '@clew/api';
import { type RefObject, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Address, useAddress } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { notify } from '../../parts/notices.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatMoment } from '../../text/formats.ts';
import { ReportButtons } from './ReportButtons.tsx';
import { ReportDocument } from './ReportDocument.tsx';
import { SCHEDULE_WORDS, type Schedule } from './ScheduleDialog.tsx';
import { stateText } from './stateText.ts';

export default function KeptReportPage({ id }: { readonly id: number }) {
  const query = useAnswer('GetReport', { params: { report_id: id } });
  return (
    <div className="page reports">
      <Answer query={query} what="the report" lines={10}>
        {({ data }) => <Kept report={data} />}
      </Answer>
    </div>
  );
}

function Kept({ report }: { readonly report: ReportRecord }) {
  const { id, name, audience, days, masked, issues, schedule } = report;
  const self = useSelf();
  const address = useAddress();
  const [, navigate] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const document = useRef<HTMLElement>(null);
  const asked = address.number('issue', 0);
  const issue = issues.find((one) => one.id === asked) ?? issues[0];
  const params = { report_id: id };
  const touched = ['GetReport', 'ListReports'] as const;
  const change = useChange((to: Schedule) => call('UpdateReport', { params, body: { schedule: to } }), {
    touched,
    onSuccess: () => notify('Schedule changed'),
  });
  const make = useDialogChange(() => call('MakeReport', { params }, { wait: 60 }), {
    touched,
    onSuccess: () => notify('The report will be generated again'),
    onDone: () => address.set({ issue: undefined }),
  });
  const mayChange = report.is_own && self?.may('saved_queries/Write') === true;
  const mayDelete = mayChange || (self?.may('auth/ManageUsers') === true && self.may('saved_queries/Write'));
  const error = change.error ?? make.error;
  return (
    <>
      <div className="report-head">
        <p className="crumbs">
          <Link href="/reports">Reports</Link>
        </p>
        <h1>{cleanText(name)}</h1>
        {masked && <p className="mark">Masked: it has no real names</p>}
      </div>
      <div className="report-choices card">
        <p className="quiet">
          {audience === 'management' ? 'For management' : 'For operations'}, trend of {days} days,{' '}
          {stateText(report)}
        </p>
        {issues.length > 1 && <IssueChoice issues={issues} shown={issue?.id} address={address} />}
        {mayChange && (
          <label>
            Schedule
            <select
              value={schedule}
              disabled={change.isPending}
              onChange={({ target }) => change.mutate(target.value as Schedule)}
            >
              {REPORT_SCHEDULES.map((one) => (
                <option key={one} value={one}>
                  {SCHEDULE_WORDS[one]}
                </option>
              ))}
            </select>
          </label>
        )}
        {error !== null && (
          <p className="failure" role="alert">
            {describeError(error).text}
          </p>
        )}
        <div className="chips">
          <ReportButtons report={document} link={() => location.href} />
          {mayChange && (
            <button type="button" disabled={make.isPending} onClick={() => make.mutate()}>
              {make.isPending ? 'Making…' : 'Make again'}
            </button>
          )}
          {mayDelete && (
            <button type="button" className="ghost" onClick={() => setDeleting(true)}>
              Delete…
            </button>
          )}
        </div>
      </div>
      {issue === undefined ? (
        <Empty
          title="Nothing to show"
          action={{ words: 'Create a report of your environments', href: '/reports' }}
        >
          The content of this report covers environments outside your access.
        </Empty>
      ) : (
        <Issue report={id} issue={issue.id} document={document} />
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete the report?"
          words="Delete report"
          act={() => call('DeleteReport', { params })}
          touched={['ListReports']}
          notice="Report deleted"
          onDone={() => navigate('/reports')}
          onClose={() => setDeleting(false)}
        >
          <p>All its issues are deleted, too, and its link no longer works.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface IssueChoiceProps {
  /** Newest first. */
  readonly issues: ReportRecord['issues'];
  readonly shown: number | undefined;
  readonly address: Address;
}

function IssueChoice({ issues, shown, address }: IssueChoiceProps) {
  const newest = String(issues[0]?.id);
  return (
    <label>
      Made on
      <select
        value={shown}
        onChange={({ target }) => address.set({ issue: target.value === newest ? undefined : target.value })}
      >
        {issues.map(({ id, made_at }) => (
          <option key={id} value={id}>
            {formatMoment(made_at)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface IssueProps {
  readonly report: number;
  readonly issue: number;
  readonly document: RefObject<HTMLElement | null>;
}

function Issue({ report, issue, document }: IssueProps) {
  const query = useAnswer(
    'GetReportIssue',
    { params: { report_id: report, issue_id: issue } },
    { keep: true },
  );
  return (
    <Answer query={query} what="the report" lines={10}>
      {({ data }) => <ReportDocument ref={document} content={data.content} madeAt={data.made_at} />}
    </Answer>
  );
}
