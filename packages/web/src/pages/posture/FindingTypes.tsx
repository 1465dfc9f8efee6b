/** Types of findings, with the new and resolved findings of the period. */
import type { PostureSummary } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Empty } from '../../parts/Answer.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { formatCount } from '../../text/formats.ts';
import { findingsPath } from '../findings/findingsPath.ts';

/** Number of initially listed types: those with the most open findings. */
const FOLDED = 10;

export function FindingTypes({ summary: { types } }: { readonly summary: PostureSummary }) {
  const [isWhole, setWhole] = useState(false);
  const sorted = types.toSorted((a, b) => b.count - b.part_count - (a.count - a.part_count));
  const shown = isWhole ? types : sorted.slice(0, FOLDED);
  const columns: Column<PostureSummary['types'][number]>[] = [
    {
      title: 'Type',
      cell: ({ title, finding }) => <Link href={findingsPath({ type: finding })}>{title}</Link>,
    },
    { title: 'Category', cell: ({ category }) => category },
    { title: 'ATT&CK', cell: ({ techniques }) => techniques.join(', ') },
    { title: 'Open', numeric: true, cell: ({ count, part_count }) => formatCount(count - part_count) },
    { title: 'Listed under other types', numeric: true, cell: ({ part_count }) => formatCount(part_count) },
    { title: 'New', numeric: true, cell: ({ came_count }) => formatCount(came_count) },
    { title: 'Resolved', numeric: true, cell: ({ went_count }) => formatCount(went_count) },
  ];
  return (
    <>
      <h2>Types of findings</h2>
      {types.length === 0 ? (
        <Empty title="No open findings" />
      ) : (
        <>
          <Table
            caption="Types of findings"
            columns={columns}
            rows={shown}
            keyOf={({ finding }) => finding}
          />
          {types.length > FOLDED && (
            <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole
                ? `Show the ${FOLDED} with most open findings`
                : `Show all ${formatCount(types.length)} types`}
            </button>
          )}
        </>
      )}
    </>
  );
}
