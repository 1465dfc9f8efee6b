/** All findings, filtered and sorted by the service; several can be accepted or assigned at once. */

import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { saveFile } from '../../parts/save.ts';
import { Pager, Table } from '../../parts/Table.tsx';
import { download } from '../../service/client.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { counted } from '../../text/formats.ts';
import { BulkBar, isSelected, NONE_SELECTED, type Selection, toggled } from './BulkBar.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { CHOOSABLE, isShown, useKeptColumns } from './columns.ts';
import { FROM_START, findingFilters } from './filterChips.ts';
import { findingColumns } from './findingColumns.tsx';
import { findingsPath } from './findingsPath.ts';
import { NoFindings } from './NoFindings.tsx';
import { rememberList } from './neighbors.ts';
import { Peek } from './Peek.tsx';
import { QueryBar } from './QueryBar.tsx';
import { QuickViews } from './QuickViews.tsx';
import { idOf, usePeekKeys, useRowKeys } from './rowKeys.ts';
import { useFindingSentences } from './sentence.ts';
import { keyOfListed, MAX_INSIDE, PAGE, URGENCY, useListed } from './useListed.ts';
import { useOwners } from './useOwners.ts';

export function FindingsView({ address }: { readonly address: Address }) {
  const mayManage = useSelf()?.may('risks/ManageRisks') ?? false;
  const owners = useOwners();
  const [sort, skip] = [address.get('sort'), address.number('skip', 0)];
  const filters = findingFilters(address);
  const { query, rows, isFolded, isOpen, toggle, insideOf } = useListed(address);
  const [selection, setSelection] = useState<Selection>(NONE_SELECTED);
  const sentenceOf = useFindingSentences(rows?.map(({ row }) => row) ?? []);
  const singles = rows?.flatMap(({ row, group }) => (group === undefined ? [row] : []));
  const ids = singles?.map(({ id }) => id).join();
  useEffect(() => {
    if (ids !== undefined && ids !== '') rememberList(ids.split(',').map(Number));
  }, [ids]);
  const peeked = address.number('peek', 0) || undefined;
  const peek = (id: number | undefined) => address.set({ peek: id }, { replace: true });
  useRowKeys();
  const closePeek = usePeekKeys(peeked, peek);
  const select = (id: number): void => {
    const row = singles?.find((one) => one.id === id);
    if (row !== undefined && mayManage) setSelection(toggled(selection, row, singles ?? []));
  };
  useKey('x', () => select(idOf(document.activeElement)));
  const kept = useKeptColumns();
  const hidden = new Set(CHOOSABLE.filter((column) => !isShown(column, kept)).map(({ title }) => title));
  const columns = findingColumns({
    ...{ mayManage, owners, sentenceOf, isOpen, toggle, onPeek: peek, onSelect: select },
    hasDue: rows?.some(({ row }) => row.due !== undefined) ?? false,
    isChosen: (id) => isSelected(selection, id),
  }).filter(({ title }) => !hidden.has(title));
  const shownRow = rows?.find(({ row, group }) => group === undefined && row.id === peeked)?.row;
  const cut = rows?.filter(({ group }) => group !== undefined && group.count > MAX_INSIDE && isOpen(group));
  return (
    <>
      <QuickViews address={address} />
      <Filters address={address} filters={filters} sort={sort} />
      <BulkBar
        filters={filters}
        shown={singles && query.data && { data: singles, count: query.data.count }}
        isCountOfRows={isFolded}
        selection={selection}
        onSelect={setSelection}
      />
      <p className="unseen" role="status">
        {shownRow !== undefined && `Preview: ${sentenceOf(shownRow).text}`}
      </p>
      <Answer query={query} what="the findings" lines={10}>
        {({ data, count }) =>
          data.length === 0 && skip === 0 ? (
            <NoFindings address={address} />
          ) : (
            <div className={shownRow === undefined ? undefined : 'with-peek'}>
              <Table
                caption="Findings"
                columns={columns}
                rows={rows ?? []}
                keyOf={keyOfListed}
                sortedBy={sort}
                ownOrder="Priority: severity and plan"
                onSort={(by) =>
                  address.set({ sort: by, skip: undefined, open: undefined }, { replace: true })
                }
                isSelected={({ row, group }) => group === undefined && isSelected(selection, row.id)}
                below={({ group }) => group && insideState(insideOf(group))}
              />
              {shownRow !== undefined && (
                <Peek
                  {...{ row: shownRow, sentence: sentenceOf(shownRow), owners, mayManage }}
                  onClose={closePeek}
                />
              )}
              {cut?.map(({ group }) => (
                <p key={group?.key} className="quiet">
                  {MAX_INSIDE} of {counted(group?.count ?? 0, 'finding')} similar findings are shown.{' '}
                  <Link href={findingsPath({ similar: group?.key })}>List all of them</Link>
                </p>
              ))}
              <Pager
                list="Findings"
                page={{
                  ...{ skip, limit: PAGE },
                  onSkip: (to) => address.set({ skip: to || undefined, open: undefined }),
                }}
                noun={isFolded ? 'rows' : undefined}
                count={count}
                shown={data.length}
              />
            </div>
          )
        }
      </Answer>
    </>
  );
}

/** @returns a loading or error state for the findings of an opened group; `undefined` once they are loaded */
function insideState(inside: UseQueryResult<unknown> | undefined): React.ReactNode {
  if (inside === undefined || (inside.data !== undefined && inside.error === null)) return null;
  return (
    <Answer query={inside} what="the findings of this row" lines={2}>
      {() => null}
    </Answer>
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
        onChange={({ target }) => address.set({ [name]: target.value, ...FROM_START })}
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
