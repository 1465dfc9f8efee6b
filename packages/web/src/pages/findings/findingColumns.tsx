/** The columns of the list of findings. A row of several findings fills only the columns that they share. */
import type { FindingGroup, UnifiedFindingRow } from '@clew/api';
import { formatShare } from '@clew/model';
import { PanelRight } from 'lucide';
import { Icon } from '../../parts/Icon.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import type { Column } from '../../parts/Table.tsx';
import { formatAgeShort, formatDay, formatMoment } from '../../text/formats.ts';
import { ExposureCell, FindingCell, GroupCell, RepairCell, ShortName } from './FindingCells.tsx';
import type { Owner } from './filterChips.ts';
import { OwnerCell } from './OwnerCell.tsx';
import { StateCell } from './StateCell.tsx';
import { type FindingSentence, lineOf } from './sentence.ts';
import type { Listed } from './useListed.ts';
import { dueWords } from './words.ts';

interface FindingColumns {
  readonly mayManage: boolean;
  readonly owners: readonly Owner[];
  /** A service level gives findings a due day. */
  readonly hasDue: boolean;
  readonly sentenceOf: (row: UnifiedFindingRow) => FindingSentence;
  readonly isOpen: (group: FindingGroup) => boolean;
  readonly toggle: (group: FindingGroup) => void;
  readonly isChosen: (id: number) => boolean;
  readonly onSelect: (id: number) => void;
  readonly onPeek: (id: number) => void;
}

/** Wraps cells for single findings; they are empty in rows of several findings. */
const single =
  (cell: (row: UnifiedFindingRow) => React.ReactNode) =>
  ({ row, group }: Listed) =>
    group === undefined ? cell(row) : '';

export function findingColumns(parts: FindingColumns): Column<Listed>[] {
  const { mayManage, owners, sentenceOf } = parts;
  return [
    ...(mayManage ? [selectColumn(parts)] : []),
    {
      title: 'Severity',
      sort: 'severity',
      isClear: true,
      cell: ({ row }) => <Severity severity={row.severity} reason={row.severity_reason} isQuiet />,
    },
    {
      title: 'Finding',
      sort: 'title',
      grows: true,
      isClear: true,
      cell: ({ row, group, isInside }) =>
        group === undefined ? (
          <FindingCell id={row.id} isInside={isInside} {...sentenceOf(row)} />
        ) : (
          <GroupCell group={group} isOpen={parts.isOpen(group)} onToggle={() => parts.toggle(group)} />
        ),
    },
    {
      title: 'Principal',
      sort: 'source_principal_name',
      cell: single((row) => (row.finding_type === 'relationship' ? <End row={row} end="source" /> : '')),
    },
    {
      title: 'Target',
      sort: 'target_principal_name',
      cell: single((row) => <End row={row} end="target" />),
    },
    {
      title: 'Exposure',
      sort: 'exposure_percentage',
      numeric: true,
      cell: ({ row, group }) =>
        row.finding_type === 'relationship' ? (
          <ExposureCell row={row} isOfSeveral={group !== undefined} />
        ) : (
          ''
        ),
    },
    {
      title: 'Impact',
      sort: 'impact_percentage',
      numeric: true,
      givesWay: 2,
      cell: ({ row }) => formatShare(row.impact_percentage),
    },
    { title: 'Repair', givesWay: 1, isClear: true, cell: ({ row }) => <RepairCell row={row} /> },
    {
      title: 'Zone',
      sort: 'zone_name',
      givesWay: 2,
      cell: ({ row }) => <Name text={row.zone_name || 'Hygiene'} />,
    },
    {
      title: 'Age',
      sort: 'first_seen',
      numeric: true,
      cell: single(({ first_seen }) => (
        <span title={formatMoment(first_seen)}>{formatAgeShort(first_seen)}</span>
      )),
    },
    ...(parts.hasDue ? [DUE] : []),
    {
      title: 'Owner',
      sort: 'owner_name',
      givesWay: 1,
      cell: single((row) => (
        <OwnerCell row={row} about={lineOf(row, sentenceOf(row))} owners={owners} mayManage={mayManage} />
      )),
    },
    {
      title: 'State',
      sort: 'status',
      givesWay: 1,
      cell: single((row) => (
        <StateCell row={row} about={lineOf(row, sentenceOf(row))} mayManage={mayManage} />
      )),
    },
    {
      title: 'Preview',
      isClear: true,
      cell: single((row) => (
        <button
          type="button"
          className="ghost peek-button"
          aria-label={`Preview: ${sentenceOf(row).text}`}
          title="Preview (space bar)"
          onClick={() => parts.onPeek(row.id)}
        >
          <Icon of={PanelRight} size={14} />
        </button>
      )),
    },
  ];
}

const DUE: Column<Listed> = {
  title: 'Due',
  sort: 'due',
  givesWay: 1,
  cell: single(({ due, overdue }) =>
    due === undefined ? (
      ''
    ) : (
      <span className={overdue ? 'warning' : undefined} title={dueWords(due, overdue)}>
        {formatDay(due)}
      </span>
    ),
  ),
};

const selectColumn = ({ isChosen, onSelect }: FindingColumns): Column<Listed> => ({
  title: 'Select',
  cell: single((row) => (
    <input
      type="checkbox"
      aria-label={`Select ${row.title}`}
      checked={isChosen(row.id)}
      onChange={() => onSelect(row.id)}
    />
  )),
});

const End = ({ row, end }: { readonly row: UnifiedFindingRow; readonly end: 'source' | 'target' }) => (
  <ShortName
    text={row[`${end}_principal_name`]}
    id={row[`${end}_principal_id`]}
    kind={row[`${end}_principal_kind`]}
  />
);
