/** Buttons to save, print and link a report. */
import type { RefObject } from 'react';
import { notify } from '../../parts/notices.ts';
import { saveFile } from '../../parts/save.ts';
import { reportFile } from './reportFile.ts';

interface ReportButtonsProps {
  readonly report: RefObject<HTMLElement | null>;
  /** Returns an address that shows the same report. */
  readonly link: () => string;
}

export function ReportButtons({ report, link }: ReportButtonsProps) {
  const save = () => {
    if (report.current === null) return;
    saveFile(
      `clew-report-${new Date().toISOString().slice(0, 10)}.html`,
      new Blob([reportFile(report.current)], { type: 'text/html' }),
    );
    notify('The report is saved as one file. It needs no network, and prints on A4.');
  };
  const copy = () =>
    navigator.clipboard.writeText(link()).then(
      () => notify('Link copied'),
      () => notify('Could not copy. The link is in the address bar.'),
    );
  return (
    <>
      <button type="button" className="main" onClick={save}>
        Download HTML
      </button>
      <button type="button" onClick={() => print()}>
        Print
      </button>
      <button type="button" onClick={() => void copy()}>
        Copy link
      </button>
    </>
  );
}
