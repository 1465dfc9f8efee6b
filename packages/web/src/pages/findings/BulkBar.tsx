/** Acts on several findings at once: the selected ones, or all that match the filters. */
import type { UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { useKey } from '../../parts/keys.ts';
import { useAnswer } from '../../service/queries.ts';
import { formatCount } from '../../text/formats.ts';
import { AcceptDialog, ReopenDialog } from './AcceptDialog.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import type { findingFilters } from './filterChips.ts';

type Rows = ReadonlyMap<number, UnifiedFindingRow>;

/** Matching findings are not loaded, because there may be a million of them. */
export type Selection = Rows | 'all';

export const NONE_SELECTED: Selection = new Map();

export const isSelected = (selection: Selection, id: number): boolean =>
  selection === 'all' || selection.has(id);

interface BulkBarProps {
  readonly filters: ReturnType<typeof findingFilters>;
  readonly shown: { readonly data: readonly UnifiedFindingRow[]; readonly count: number } | undefined;
  /** Similar findings share a row, so more findings may match than there are rows. */
  readonly isCountOfRows: boolean;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

export function BulkBar({ filters, shown: listed, isCountOfRows, selection, onSelect }: BulkBarProps) {
  const all = useAnswer(
    'ListAttackPathFindings',
    { query: { ...filters, limit: 1 } },
    { enabled: isCountOfRows && selection !== NONE_SELECTED },
  );
  const shown = listed && { data: listed.data, count: isCountOfRows ? (all.data?.count ?? 0) : listed.count };
  const [open, setOpen] = useState<'accept' | 'reopen' | 'assign'>();
  const count = selection === 'all' ? (shown?.count ?? 0) : selection.size;
  const areAccepted = filters.status === 'eq:accepted';
  const rows = selection === 'all' ? [] : [...selection.values()];
  const of = selection === 'all' ? { matching: filters } : { findings: rows };
  useKey('a', count > 0 ? () => setOpen('accept') : undefined);
  useKey('o', count > 0 ? () => setOpen('assign') : undefined);
  const close = (isDone: boolean) => {
    setOpen(undefined);
    if (isDone) onSelect(NONE_SELECTED);
  };
  return (
    <>
      {count > 0 && (
        <div className="bar bulk" role="toolbar" aria-label="Selected findings">
          <strong>{formatCount(count)} selected</strong>
          {selection !== 'all' && <SelectAll {...{ shown, onSelect }} chosen={selection} />}
          <button type="button" className="main" onClick={() => setOpen('accept')}>
            Accept risk of {formatCount(count)}…
          </button>
          {areAccepted && (
            <button type="button" onClick={() => setOpen('reopen')}>
              Reopen {formatCount(count)}…
            </button>
          )}
          <button type="button" onClick={() => setOpen('assign')}>
            Assign…
          </button>
          <button type="button" onClick={() => onSelect(NONE_SELECTED)}>
            Clear
          </button>
        </div>
      )}
      {open === 'accept' && (
        <AcceptDialog
          about={rows
            .map(({ title }) => title)
            .slice(0, 5)
            .join('; ')}
          of={of}
          onClose={close}
        />
      )}
      {open === 'reopen' && <ReopenDialog of={of} onClose={close} />}
      {open === 'assign' && (
        <AssignDialog
          count={count}
          owner={commonOwner(selection)}
          of={selection === 'all' ? { matching: filters } : { findings: [...selection.keys()] }}
          onClose={close}
        />
      )}
    </>
  );
}

/** The common owner of the selected findings; `undefined` if they differ. */
function commonOwner(selection: Selection): string | null {
  if (selection === 'all') return null;
  const owners = new Set([...selection.values()].map(({ owner_id }) => owner_id));
  return owners.size === 1 ? ([...owners][0] ?? null) : null;
}

interface SelectAllProps extends Pick<BulkBarProps, 'shown' | 'onSelect'> {
  readonly chosen: Rows;
}

/** Selects the findings of the page, and on a second click all matching findings. */
function SelectAll({ shown, chosen, onSelect }: SelectAllProps) {
  if (shown === undefined || shown.data.length === 0) return null;
  const { data, count } = shown;
  if (!data.every(({ id }) => chosen.has(id)))
    return (
      <button type="button" onClick={() => onSelect(new Map([...chosen, ...byId(data)]))}>
        Select all {data.length} shown
      </button>
    );
  if (chosen.size >= count) return null;
  return (
    <button type="button" onClick={() => onSelect('all')}>
      Select all {formatCount(count)} matching
    </button>
  );
}

const byId = (rows: readonly UnifiedFindingRow[]): Rows => new Map(rows.map((row) => [row.id, row]));

/** If all are selected, the first click on a row keeps the other rows of the page selected. */
export function toggled(
  selection: Selection,
  row: UnifiedFindingRow,
  shown: readonly UnifiedFindingRow[],
): Selection {
  const next = new Map(selection === 'all' ? byId(shown) : selection);
  if (!next.delete(row.id)) next.set(row.id, row);
  return next;
}
