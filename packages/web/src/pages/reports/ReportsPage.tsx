/** Reports for others, as one page to read, print, or save as a file. */
import { useRef } from 'react';
import { useAddress } from '../../address.ts';
import { notify } from '../../parts/notices.ts';
import { Period } from '../../parts/Period.tsx';
import { saveFile } from '../../parts/save.ts';
import { queryClient } from '../../service/queries.ts';
import { setMasked, useMasked } from '../../text/masking.ts';
import { type Audience, ReportDocument } from './ReportDocument.tsx';
import { reportFile } from './reportFile.ts';

const AUDIENCES: readonly (readonly [Audience, string])[] = [
  ['management', 'Management'],
  ['operations', 'Operations'],
];

export default function ReportsPage() {
  const address = useAddress();
  const audience: Audience = address.get('for') === 'operations' ? 'operations' : 'management';
  const isMasked = useMasked();
  const report = useRef<HTMLElement>(null);
  const save = () => {
    if (report.current === null) return;
    saveFile(
      `clew-report-${new Date().toISOString().slice(0, 10)}.html`,
      new Blob([reportFile(report.current)], { type: 'text/html' }),
    );
    notify('The report is saved as one file. It needs no network, and prints on A4.');
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
              setMasked(target.checked);
              void queryClient.resetQueries();
            }}
          />{' '}
          Masked: no real names
        </label>
        <div className="chips">
          <button type="button" className="main" onClick={save}>
            Download HTML
          </button>
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </div>
      </div>
      <ReportDocument ref={report} address={address} audience={audience} />
    </div>
  );
}
