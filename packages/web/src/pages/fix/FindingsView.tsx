/** Every finding, filtered and sorted by the service; several can be accepted at once. */
import type { UnifiedFindingRow } from '@clew/api';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { EnvironmentChoice, ZoneChoice } from '../../parts/Choices.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { saveFile } from '../../parts/save.ts';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { download } from '../../service/client.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { formatAge, formatShare } from '../../text/formats.ts';
import { AcceptDialog } from './AcceptDialog.tsx';

const PAGE = 50;

const URGENCY = ['urgency'];

/** Filters of the address as parameters of the operation. */
export function findingFilters(address: Address) {
  const is = (name: string) => {
    const value = address.get(name);
    return value === undefined ? undefined : `eq:${value}`;
  };
  return {
    environment_id: is('env'),
    asset_group_tag_id: is('zone'),
    severity: is('severity'),
    finding: is('type'),
    group_id: is('cause'),
    target_principal_id: is('about'),
    repair: is('repair'),
    status: is('status'),
  };
}

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
            title: 'Choose',
            cell: (row: UnifiedFindingRow) => (
              <input
                type="checkbox"
                aria-label={`Choose ${row.title}`}
                checked={chosen.has(row.id)}
                onChange={() => setChosen(toggled(chosen, row))}
              />
            ),
          },
        ]
      : []),
    { title: 'Severity', sort: 'severity', cell: ({ severity }) => <Severity severity={severity} /> },
    {
      title: 'Finding',
      sort: 'title',
      cell: ({ id, title, severity_reason = '', closed_by = '', not_closed = '' }) => (
        <>
          <Link href={`/finding/${id}`}>{title}</Link>
          <br />
          <small>{[severity_reason, closed_by, not_closed].filter((text) => text !== '').join(' · ')}</small>
        </>
      ),
    },
    {
      title: 'From',
      sort: 'source_principal_name',
      cell: (row) =>
        row.finding_type === 'relationship' ? (
          <Name text={row.source_principal_name} id={row.source_principal_id} />
        ) : (
          ''
        ),
    },
    {
      title: 'Object',
      sort: 'target_principal_name',
      cell: (row) => <Name text={row.target_principal_name} id={row.target_principal_id} />,
    },
    {
      title: 'Exposure',
      sort: 'exposure_percentage',
      numeric: true,
      cell: ({ exposure_percentage }) => formatShare(exposure_percentage),
    },
    {
      title: 'Impact',
      sort: 'impact_percentage',
      numeric: true,
      cell: ({ impact_percentage }) => formatShare(impact_percentage),
    },
    { title: 'Zone', sort: 'zone_name', cell: ({ zone_name }) => <Name text={zone_name || 'Hygiene'} /> },
    { title: 'Environment', sort: 'environment_name', cell: (row) => <Name text={row.environment_name} /> },
    { title: 'First seen', sort: 'first_seen', cell: ({ first_seen }) => formatAge(first_seen) },
    { title: 'State', sort: 'status', cell: ({ status }) => status },
  ];
  return (
    <>
      <Filters address={address} filters={filters} sort={sort} />
      {chosen.size > 0 && (
        <p className="bar">
          <button type="button" className="main" onClick={() => setAccepting(true)}>
            Accept {chosen.size} …
          </button>
          <button type="button" onClick={() => setChosen(new Map())}>
            Choose none
          </button>
        </p>
      )}
      <Answer query={query} what="the findings" lines={10}>
        {({ data, count }) =>
          data.length === 0 && skip === 0 ? (
            <NoFindings address={address} />
          ) : (
            <>
              <Table
                caption="Findings"
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
                sortedBy={sort}
                onSort={(by) => address.set({ sort: by, skip: undefined }, { replace: true })}
                isSelected={({ id }) => chosen.has(id)}
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

function toggled(chosen: ReadonlyMap<number, UnifiedFindingRow>, row: UnifiedFindingRow) {
  const next = new Map(chosen);
  if (!next.delete(row.id)) next.set(row.id, row);
  return next;
}

const FILTERS = ['env', 'zone', 'severity', 'type', 'cause', 'about', 'repair', 'status'];

function NoFindings({ address }: { readonly address: Address }) {
  const used = FILTERS.filter((name) => address.get(name) !== undefined);
  return (
    <Empty title={used.length === 0 ? 'There are no findings' : 'No finding fits the filters'}>
      {used.length === 0 ? (
        <p>Either nothing was collected yet, or nothing of what was collected is dangerous.</p>
      ) : (
        <button
          type="button"
          onClick={() => address.set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          Without filters
        </button>
      )}
    </Empty>
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
      <EnvironmentChoice address={address} />
      <ZoneChoice address={address} hygiene />
      <Choice
        address={address}
        name="severity"
        title="Severity"
        values={['critical', 'high', 'moderate', 'low'].map((value) => [value, value])}
      />
      <Choice
        address={address}
        name="type"
        title="Type"
        values={(types.data?.data ?? []).map(({ finding, title }) => [finding, title])}
      />
      <Choice
        address={address}
        name="status"
        title="State"
        all="open"
        values={['active', 'accepted', 'remediated', 'orphaned', 'deprecated'].map((value) => [value, value])}
      />
      {['cause', 'about', 'repair']
        .filter((name) => address.get(name) !== undefined)
        .map((name) => (
          <button
            key={name}
            type="button"
            className="chip"
            onClick={() => address.set({ [name]: undefined })}
          >
            {name === 'cause'
              ? 'of one cause'
              : name === 'repair'
                ? 'closed by one repair'
                : 'about one object'}{' '}
            <span aria-hidden="true">✕</span>
            <span className="unseen">: remove this filter</span>
          </button>
        ))}
      <button type="button" disabled={busy} onClick={() => void exportCsv()}>
        {busy ? 'Exporting …' : 'Export CSV'}
      </button>
      {failure !== undefined && <span role="alert">{failure}</span>}
    </div>
  );
}

export function Choice({
  address,
  name,
  title,
  values,
  all = 'all',
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
  pathTo('fix', { view: 'findings', ...filters });
