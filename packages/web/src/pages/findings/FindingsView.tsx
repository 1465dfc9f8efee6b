/** Every finding, filtered and sorted by the service; several can be accepted or assigned at once. */

import type { UnifiedFindingRow } from '@clew/api';
import { formatShare } from '@clew/model';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { pageIn } from '../../parts/PagedList.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { saveFile } from '../../parts/save.ts';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { download } from '../../service/client.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { capitalized, cleanText, shortText } from '../../text/cleanText.ts';
import { formatAgeShort, formatCount, formatMoment } from '../../text/formats.ts';
import { splitName } from '../../text/names.ts';
import { numberedPath } from '../fix/planFigures.ts';
import { BulkBar, isSelected, NONE_SELECTED, type Selection, toggled } from './BulkBar.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { CHOOSABLE, isShown, useKeptColumns } from './columns.ts';
import { findingFilters } from './filterChips.ts';
import { NoFindings } from './NoFindings.tsx';
import { rememberList } from './neighbors.ts';
import { PlanText } from './PlanText.tsx';
import { QueryBar } from './QueryBar.tsx';
import { QuickViews } from './QuickViews.tsx';
import { type FindingSentence, useFindingSentences } from './sentence.ts';
import { statusText } from './words.ts';

const PAGE = 50;

const URGENCY = ['urgency'];
export function FindingsView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const sort = address.get('sort');
  const page = pageIn(address, PAGE);
  const filters = findingFilters(address);
  const query = useAnswer(
    'ListAttackPathFindings',
    { query: { ...filters, sort_by: sort === undefined ? URGENCY : [sort], skip: page.skip, limit: PAGE } },
    { keep: true },
  );
  const [selection, setSelection] = useState<Selection>(NONE_SELECTED);
  const mayAccept = self?.may('risks/ManageRisks') ?? false;
  const sentenceOf = useFindingSentences(query.data?.data ?? []);
  const columns: Column<UnifiedFindingRow>[] = [
    ...(mayAccept
      ? [
          {
            title: 'Select',
            cell: (row: UnifiedFindingRow) => (
              <input
                type="checkbox"
                aria-label={`Select ${row.title}`}
                checked={isSelected(selection, row.id)}
                onChange={() => setSelection(toggled(selection, row, query.data?.data ?? []))}
              />
            ),
          },
        ]
      : []),
    {
      title: 'Severity',
      sort: 'severity',
      isClear: true,
      cell: ({ severity, severity_reason }) => <Severity severity={severity} reason={severity_reason} />,
    },
    {
      title: 'Finding',
      sort: 'title',
      grows: true,
      isClear: true,
      cell: (row) => <FindingCell id={row.id} {...sentenceOf(row)} />,
    },
    {
      title: 'Principal',
      sort: 'source_principal_name',
      cell: (row) =>
        row.finding_type === 'relationship' ? (
          <ShortName
            text={row.source_principal_name}
            id={row.source_principal_id}
            kind={row.source_principal_kind}
          />
        ) : (
          ''
        ),
    },
    {
      title: 'Target',
      sort: 'target_principal_name',
      cell: (row) => (
        <ShortName
          text={row.target_principal_name}
          id={row.target_principal_id}
          kind={row.target_principal_kind}
        />
      ),
    },
    {
      title: 'Exposure',
      sort: 'exposure_percentage',
      numeric: true,
      cell: ({ exposure_percentage, exposure_count, finding_type }) =>
        finding_type === 'relationship' ? (
          <span title={`${formatCount(exposure_count)} users and computers can exploit it`}>
            {formatShare(exposure_percentage)}
          </span>
        ) : (
          ''
        ),
    },
    {
      title: 'Impact',
      sort: 'impact_percentage',
      numeric: true,
      givesWay: 2,
      cell: ({ impact_percentage }) => formatShare(impact_percentage),
    },
    { title: 'Repair', givesWay: 1, isClear: true, cell: (row) => <RepairCell row={row} /> },
    {
      title: 'Zone',
      sort: 'zone_name',
      givesWay: 2,
      cell: ({ zone_name }) => <Name text={zone_name || 'Hygiene'} />,
    },
    {
      title: 'Age',
      sort: 'first_seen',
      numeric: true,
      cell: ({ first_seen }) => <span title={formatMoment(first_seen)}>{formatAgeShort(first_seen)}</span>,
    },
    {
      title: 'Owner',
      sort: 'owner_name',
      givesWay: 1,
      cell: ({ owner_name }) => (owner_name === null ? '' : <Name text={owner_name} />),
    },
    ...(address.get('status') === undefined
      ? []
      : [
          {
            title: 'Status',
            sort: 'status',
            cell: ({ status }: UnifiedFindingRow) => statusText(status),
          },
        ]),
  ];
  const rows = query.data?.data;
  useEffect(() => {
    if (rows !== undefined) rememberList(rows.map(({ id }) => id));
  }, [rows]);
  useRowKeys();
  useKey('x', () => {
    const id = idOf(document.activeElement);
    const row = rows?.find((one) => one.id === id);
    if (row !== undefined && mayAccept) setSelection(toggled(selection, row, rows ?? []));
  });
  const kept = useKeptColumns();
  const hidden = new Set(CHOOSABLE.filter((column) => !isShown(column, kept)).map(({ title }) => title));
  const shown = columns.filter(({ title }) => !hidden.has(title));
  return (
    <>
      <QuickViews address={address} />
      <Filters address={address} filters={filters} sort={sort} />
      <BulkBar filters={filters} shown={query.data} selection={selection} onSelect={setSelection} />
      <Answer query={query} what="the findings" lines={10}>
        {({ data, count }) =>
          data.length === 0 && page.skip === 0 ? (
            <NoFindings address={address} />
          ) : (
            <>
              <Table
                caption="Findings"
                columns={shown}
                rows={data}
                keyOf={({ id }) => id}
                sortedBy={sort}
                ownOrder="Priority: severity and plan"
                onSort={(by) => address.set({ sort: by, skip: undefined }, { replace: true })}
                isSelected={({ id }) => isSelected(selection, id)}
              />
              <Pager list="Findings" page={page} count={count} shown={data.length} />
            </>
          )
        }
      </Answer>
    </>
  );
}

/** The sentence leads to the finding; the type follows it, and is cut first. */
function FindingCell({ id, text, type }: FindingSentence & { readonly id: number }) {
  return (
    <>
      <Link href={`/finding/${id}`}>
        <bdi>{shortText(text, 200)}</bdi>
      </Link>{' '}
      <small>{type}</small>
    </>
  );
}

/** The card of the plan that closes it, in a word; on a phone, and on hover, as a sentence. */
function RepairCell({ row }: { readonly row: UnifiedFindingRow }) {
  const { repair, lowered_repair, closed_by, lowered_by, not_closed } = row;
  const reason = closed_by ?? lowered_by ?? not_closed;
  if (reason === undefined) return '';
  const words = capitalized(cleanText(reason));
  return (
    <>
      <span className="in-row" title={words}>
        {repair !== undefined ? (
          <Link href={numberedPath(repair)}>Repair {repair}</Link>
        ) : lowered_repair !== undefined ? (
          <>
            Less after <Link href={numberedPath(lowered_repair)}>repair {lowered_repair}</Link>
          </>
        ) : (
          <span className="quiet">not in plan</span>
        )}
      </span>
      <span className="in-card quiet">
        <PlanText text={words} />
      </span>
    </>
  );
}

/** The name without its domain; both on hover. */
function ShortName({
  text,
  id,
  kind,
}: {
  readonly text: string;
  readonly id: string;
  readonly kind: string;
}) {
  const whole = cleanText(text === '' ? id : text);
  const { name, domain } = splitName(whole, kind);
  return (
    <span className="short-name" title={shortText(whole, 1000)}>
      <bdi>{shortText(name, 80)}</bdi>
      {domain !== undefined && (
        <small>
          <bdi>{shortText(domain, 80)}</bdi>
        </small>
      )}
    </span>
  );
}

const LINKS = '.table-box tbody a[href*="/finding/"], .row-cards a[href*="/finding/"]';

const idOf = (element: Element | null): number =>
  Number(element?.closest('a[href*="/finding/"]')?.getAttribute('href')?.split('/').at(-1));

/** `j` and `k` go from row to row. */
function useRowKeys(): void {
  const step = (by: number) => () => {
    const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKey('j', step(1));
  useKey('k', step(-1));
}

function Filters({
  address,
  filters,
  sort,
}: {
  readonly address: Address;
  readonly filters: ReturnType<typeof findingFilters>;
  readonly sort: string | undefined;
}) {
  const types = useAnswer('ListAttackPathFindingTypes');
  const owners = useOwners();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const exportCsv = async () => {
    const query = new URLSearchParams({ Accept: 'text/csv' });
    for (const [name, value] of Object.entries(filters)) if (value !== undefined) query.append(name, value);
    for (const by of sort === undefined ? URGENCY : [sort]) query.append('sort_by', by);
    setBusy(true);
    setFailure(undefined);
    try {
      saveFile('clew-findings.csv', await download(`/api/v2/attack-paths/findings?${query}`, 'text/csv'));
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="bar filters">
      <QueryBar address={address} types={types.data?.data ?? []} owners={owners} />
      <button type="button" disabled={busy} onClick={() => void exportCsv()}>
        {busy ? 'Exporting…' : 'Export CSV'}
      </button>
      <ColumnMenu />
      {failure !== undefined && <span role="alert">{failure}</span>}
    </div>
  );
}

function useOwners() {
  const maySee = useSelf()?.may('auth/ReadUsersMinimal') ?? false;
  return useAnswer('ListAssignableUsers', {}, { enabled: maySee }).data?.data ?? [];
}

export function Choice({
  address,
  name,
  title,
  values,
  all = 'All',
}: {
  readonly address: Address;
  readonly name: string;
  readonly title: string;
  readonly values: readonly (readonly [value: string, words: string])[];
  readonly all?: string;
}) {
  const id = useId();
  return (
    <span className="choice">
      <label htmlFor={id}>{title}</label>
      <select
        id={id}
        value={address.get(name) ?? ''}
        onChange={({ target }) => address.set({ [name]: target.value, skip: undefined })}
      >
        <option value="">{all}</option>
        {values.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </span>
  );
}
