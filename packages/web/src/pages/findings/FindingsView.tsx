/** Every finding, filtered and sorted by the service; several can be accepted at once. */

import type { UnifiedFindingRow } from '@clew/api';
import { formatShare } from '@clew/model';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { saveFile } from '../../parts/save.ts';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { call, download } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { capitalized, cleanText, shortText } from '../../text/cleanText.ts';
import { formatAgeShort, formatCount, formatMoment } from '../../text/formats.ts';
import { splitName } from '../../text/names.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { CHIP_NAMES, chipsOf, findingFilters } from './filterChips.ts';
import { QueryBar } from './QueryBar.tsx';
import { useKeptViews } from './savedViews.ts';
import { ViewMenu } from './ViewMenu.tsx';
import { statusText } from './words.ts';

const PAGE = 50;

const URGENCY = ['urgency'];
/** Columns that can be hidden; the finding itself is always shown. */
const CHOOSABLE: readonly string[] = ['Principal', 'Target', 'Exposure', 'Impact', 'Zone', 'Age'];

export function FindingsView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const sort = address.get('sort');
  const skip = address.number('skip', 0);
  const filters = findingFilters(address);
  const query = useAnswer(
    'ListAttackPathFindings',
    { query: { ...filters, sort_by: sort === undefined ? URGENCY : [sort], skip, limit: PAGE } },
    { keep: true },
  );
  const [chosen, setChosen] = useState<ReadonlyMap<number, UnifiedFindingRow>>(new Map());
  const [accepting, setAccepting] = useState(false);
  const mayAccept = self?.may('risks/ManageRisks') ?? false;
  const columns: Column<UnifiedFindingRow>[] = [
    ...(mayAccept
      ? [
          {
            title: 'Select',
            cell: (row: UnifiedFindingRow) => (
              <input
                type="checkbox"
                aria-label={`Select ${row.title}`}
                checked={chosen.has(row.id)}
                onChange={() => setChosen(toggled(chosen, row))}
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
    { title: 'Finding', sort: 'title', grows: true, isClear: true, cell: (row) => <FindingCell row={row} /> },
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
      cell: ({ impact_percentage }) => formatShare(impact_percentage),
    },
    {
      title: 'Zone',
      sort: 'zone_name',
      cell: ({ zone_name }) => <Name text={zone_name || 'Hygiene'} />,
    },
    {
      title: 'Age',
      sort: 'first_seen',
      numeric: true,
      cell: ({ first_seen }) => <span title={formatMoment(first_seen)}>{formatAgeShort(first_seen)}</span>,
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
  const { without } = useKeptViews();
  const shown = columns.filter(({ title }) => !without.includes(title) || !CHOOSABLE.includes(title));
  return (
    <>
      <Filters address={address} filters={filters} sort={sort} />
      {chosen.size > 0 && (
        <div className="bar bulk" role="toolbar" aria-label="Selected findings">
          <strong>{chosen.size} selected</strong>
          <SelectAll filters={filters} shown={query.data} chosen={chosen} onChoose={setChosen} />
          <button type="button" className="main" onClick={() => setAccepting(true)}>
            Accept risk of {chosen.size}…
          </button>
          <button type="button" onClick={() => setChosen(new Map())}>
            Clear
          </button>
        </div>
      )}
      <Answer query={query} what="the findings" lines={10}>
        {({ data, count }) =>
          data.length === 0 && skip === 0 ? (
            <NoFindings address={address} />
          ) : (
            <>
              <Table
                caption="Findings"
                columns={shown}
                rows={data}
                keyOf={({ id }) => id}
                sortedBy={sort}
                onSort={(by) => address.set({ sort: by, skip: undefined }, { replace: true })}
                isSelected={({ id }) => chosen.has(id)}
                isFixed
              />
              <Pager
                {...{ skip, count, limit: PAGE, shown: data.length }}
                onSkip={(to) => address.set({ skip: to || undefined })}
              />
            </>
          )
        }
      </Answer>
      {accepting && (
        <AcceptDialog
          about={[...chosen.values()]
            .map(({ title }) => title)
            .slice(0, 5)
            .join('; ')}
          of={{ findings: [...chosen.values()] }}
          onClose={() => {
            setAccepting(false);
            setChosen(new Map());
          }}
        />
      )}
    </>
  );
}

/** The type, and below it its repair in the plan. */
function FindingCell({ row }: { readonly row: UnifiedFindingRow }) {
  const { id, title, closed_by, not_closed } = row;
  const repair = closed_by ?? not_closed;
  return (
    <>
      <Link href={`/finding/${id}`}>{title}</Link>
      {repair !== undefined && (
        <small className="one-line" title={cleanText(repair)}>
          {capitalized(cleanText(repair))}
        </small>
      )}
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

/** Acceptance is one request for each: more are narrowed with filters first. */
const MAX_SELECTED = 1000;

interface SelectAllProps {
  readonly filters: ReturnType<typeof findingFilters>;
  readonly shown: { readonly data: readonly UnifiedFindingRow[]; readonly count: number } | undefined;
  readonly chosen: ReadonlyMap<number, UnifiedFindingRow>;
  readonly onChoose: (chosen: ReadonlyMap<number, UnifiedFindingRow>) => void;
}

/** Selects the findings of the page, then all that match the filters. */
function SelectAll({ filters, shown, chosen, onChoose }: SelectAllProps) {
  const all = useChange(async () => {
    const { data } = await call('ListAttackPathFindings', {
      query: { ...filters, sort_by: URGENCY, limit: MAX_SELECTED },
    });
    onChoose(byId(data));
  }, []);
  if (shown === undefined || shown.data.length === 0) return null;
  const { data, count } = shown;
  if (!data.every(({ id }) => chosen.has(id)))
    return (
      <button type="button" onClick={() => onChoose(new Map([...chosen, ...byId(data)]))}>
        Select all {data.length} shown
      </button>
    );
  if (chosen.size >= count) return null;
  if (count > MAX_SELECTED)
    return <span className="quiet">Filter to {formatCount(MAX_SELECTED)} or fewer to select all</span>;
  return (
    <button type="button" disabled={all.isPending} onClick={() => all.mutate(undefined)}>
      Select all {formatCount(count)} matching
    </button>
  );
}

const byId = (rows: readonly UnifiedFindingRow[]) => new Map(rows.map((row) => [row.id, row]));

function toggled(chosen: ReadonlyMap<number, UnifiedFindingRow>, row: UnifiedFindingRow) {
  const next = new Map(chosen);
  if (!next.delete(row.id)) next.set(row.id, row);
  return next;
}

const FILTERS = ['env', 'zone', ...CHIP_NAMES];

function NoFindings({ address }: { readonly address: Address }) {
  const used = FILTERS.filter((name) => address.get(name) !== undefined);
  return (
    <Empty title={used.length === 0 ? 'No open findings' : 'No finding matches the filters'}>
      {used.length === 0 ? (
        <NothingFound />
      ) : (
        <div className="chips">
          {chipsOf(address, []).map(({ name, words }) => (
            <button
              key={name}
              type="button"
              onClick={() => address.set({ [name]: undefined, skip: undefined })}
            >
              Without {cleanText(words)}
            </button>
          ))}
          <button
            type="button"
            onClick={() => address.set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
          >
            Clear all filters
          </button>
        </div>
      )}
    </Empty>
  );
}

/** Whether there is no data, or nothing wrong in it. */
function NothingFound() {
  const environments = useAnswer('GetAvailableDomains').data?.data;
  if (environments === undefined) return null;
  if (environments.some(({ collected }) => collected))
    return <p>The newest analysis found nothing to repair.</p>;
  return (
    <>
      <p>Nothing was collected yet.</p>
      <Link className="button" href={pathTo('data', { view: 'uploads' })}>
        Upload collections
      </Link>
    </>
  );
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
      <QueryBar address={address} types={types.data?.data ?? []} />
      <button type="button" disabled={busy} onClick={() => void exportCsv()}>
        {busy ? 'Exporting…' : 'Export CSV'}
      </button>
      <ViewMenu columns={CHOOSABLE} />
      {failure !== undefined && <span role="alert">{failure}</span>}
    </div>
  );
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

/** Where all findings of something are listed. */
export const findingsPath = (filters: Readonly<Record<string, string | undefined>>): string =>
  pathTo('findings', filters);
