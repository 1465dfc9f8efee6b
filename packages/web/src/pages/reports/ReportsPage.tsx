/** Reports for other readers, as a page to read, print, or save as a file. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useAddress } from '../../address.ts';
import { Period } from '../../parts/Period.tsx';
import { queryClient } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { isMasked as isMaskedNow, setMasked, useMasked } from '../../text/masking.ts';
import { zoneOf } from '../fix/usePlan.ts';
import { DEFAULT_DAYS } from '../posture/times.ts';
import { KeptReports } from './KeptReports.tsx';
import { type Audience, LiveReport } from './LiveReport.tsx';
import { ReportButtons } from './ReportButtons.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';

const AUDIENCES: readonly (readonly [Audience, string])[] = [
  ['management', 'Management'],
  ['operations', 'Operations'],
];

export default function ReportsPage() {
  const address = useAddress();
  const audience: Audience = address.get('for') === 'operations' ? 'operations' : 'management';
  const isMasked = useMasked();
  const report = useRef<HTMLElement>(null);
  const [scheduling, setScheduling] = useState(false);
  const [, navigate] = useLocation();
  const self = useSelf();
  const mask = useCallback((on: boolean) => {
    setMasked(on);
    void queryClient.resetQueries();
  }, []);
  // Whether the link is that of a masked report, which opens masked.
  const asksMasked = address.get('masked') !== undefined;
  useEffect(() => {
    if (asksMasked && !isMaskedNow()) mask(true);
  }, [asksMasked, mask]);
  const choices = {
    ...{ audience, masked: isMasked, zone: zoneOf(address), environment: address.get('env') },
    days: address.number('days', DEFAULT_DAYS) || DEFAULT_DAYS,
  };
  const link = (): string => {
    const url = new URL(location.href);
    if (isMasked) url.searchParams.set('masked', 'yes');
    return url.href;
  };
  return (
    <div className="page reports">
      <h1>Report</h1>
      <div className="report-choices card">
        <fieldset>
          <legend>Readers</legend>
          {AUDIENCES.map(([value, title]) => (
            <label key={value}>
              <input
                type="radio"
                name="audience"
                checked={audience === value}
                onChange={() => address.set({ for: value === 'management' ? undefined : value })}
              />{' '}
              {title}
            </label>
          ))}
        </fieldset>
        <div>
          <p className="field-title">Period</p>
          <Period address={address} />
        </div>
        <label>
          <input
            type="checkbox"
            checked={isMasked}
            onChange={({ target }) => {
              if (!target.checked) address.set({ masked: undefined }, { replace: true });
              mask(target.checked);
            }}
          />{' '}
          Masked: no real names
        </label>
        <div className="chips">
          <ReportButtons report={report} link={link} />
          {self?.may('saved_queries/Write') && (
            <button type="button" onClick={() => setScheduling(true)}>
              Schedule…
            </button>
          )}
        </div>
        <KeptReports />
      </div>
      <LiveReport ref={report} address={address} audience={audience} />
      {scheduling && (
        <ScheduleDialog
          choices={choices}
          onKept={({ id }) => navigate(`/reports/${id}`)}
          onClose={() => setScheduling(false)}
        />
      )}
    </div>
  );
}
