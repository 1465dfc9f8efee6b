/** Overdue findings and accepted risks that end soon, in a report. */
import type { ReportContent } from '@clew/api';
import { Breakable } from '../../parts/Breakable.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatDay } from '../../text/formats.ts';

type Deadlines = NonNullable<ReportContent['deadlines']>;
type Deadline = Deadlines['overdue'][number];

export function ReportDeadlines({ deadlines }: { readonly deadlines: Deadlines }) {
  const { overdue_count, overdue, ending_count, ending } = deadlines;
  if (overdue_count + ending_count === 0) return null;
  return (
    <section>
      <h2>Deadlines</h2>
      {overdue_count > 0 && (
        <Listed
          text={`${counted(overdue_count, 'finding')} overdue`}
          rows={overdue}
          count={overdue_count}
          day="overdue since"
          by="owner"
        />
      )}
      {ending_count > 0 && (
        <Listed
          text={`${counted(ending_count, 'accepted risk')} ${ending_count === 1 ? 'ends' : 'end'} within 14 days`}
          rows={ending}
          count={ending_count}
          day="accepted until"
          by="accepted by"
        />
      )}
    </section>
  );
}

function evidenceText({ template = null, file_count = 0 }: Deadline): string {
  const parts = [
    ...(template === null ? [] : [`template ${template}`]),
    ...(file_count === 0 ? [] : [`${counted(file_count, 'file')} attached`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}

interface ListedProps {
  readonly text: string;
  readonly rows: readonly Deadline[];
  readonly count: number;
  readonly day: string;
  readonly by: string;
}

function Listed({ text, rows, count, day, by }: ListedProps) {
  return (
    <>
      <p>{text}:</p>
      <ul>
        {rows.map((row, at) => (
          // Masked rows may be equal.
          <li key={at}>
            <Breakable
              text={cleanText(
                `${row.title}: ${row.source === null ? '' : `${row.source} → `}${row.target} (${row.severity}), ${day} ${formatDay(row.day)}${row.by === null ? '' : `, ${by} ${row.by}`}${evidenceText(row)}`,
              )}
            />
          </li>
        ))}
      </ul>
      {rows.length < count && <p className="quiet">And {formatCount(count - rows.length)} more.</p>}
    </>
  );
}
