/** The selectors of a zone or a label: the selected objects, and whether the selector is enabled. */
import type { TagSelector } from '@clew/api';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { seedsText } from './seedsText.ts';
import { TOUCHED } from './zoneParts.ts';

interface SelectorsProps {
  /** Number of the zone or label. */
  readonly tag: number;
  readonly mayWrite: boolean;
  readonly onAdd: () => void;
  readonly onChange: (rule: TagSelector) => void;
}

export function Selectors({ tag, mayWrite, onAdd, onChange }: SelectorsProps) {
  const params = { asset_group_tag_id: tag };
  const query = useAnswer('GetAssetGroupTagSelectors', { params, query: { counts: true, limit: 200 } });
  const toggle = useChange(
    ({ id, disabled }: { id: number; disabled: boolean }) =>
      call('UpdateAssetGroupTagSelector', {
        params: { ...params, asset_group_tag_selector_id: id },
        body: { disabled },
      }),
    { touched: TOUCHED },
  );
  const remove = useChange(
    (id: number) =>
      call('DeleteAssetGroupTagSelector', { params: { ...params, asset_group_tag_selector_id: id } }),
    { touched: TOUCHED },
  );
  const actions: Column<TagSelector> = {
    title: 'Actions',
    cell: (rule) => (
      <Actions
        rule={rule}
        isPending={toggle.isPending}
        onToggle={() => toggle.mutate({ id: rule.id, disabled: rule.disabled_at === null })}
        onChange={() => onChange(rule)}
        onDelete={() => remove.mutate(rule.id)}
      />
    ),
  };
  const failed = [toggle, remove].find(({ isError }) => isError);
  return (
    <>
      {failed !== undefined && (
        <p className="failure" role="alert">
          {describeError(failed.error).text}
        </p>
      )}
      <Answer query={query} what="the selectors">
        {({ data }) =>
          data.selectors.length === 0 ? (
            <Empty
              title="No selector yet"
              example={<code>MATCH (g:Group) WHERE g.name STARTS WITH 'BACKUP' RETURN g</code>}
              action={mayWrite ? { words: 'Create the first selector…', onAct: onAdd } : undefined}
            >
              A selector lists objects, or finds them with a query.
            </Empty>
          ) : (
            <Table
              caption="Selectors"
              columns={mayWrite ? [...COLUMNS, actions] : COLUMNS}
              rows={data.selectors}
              keyOf={({ id }) => id}
            />
          )
        }
      </Answer>
    </>
  );
}

const COLUMNS: readonly Column<TagSelector>[] = [
  { title: 'Selector', cell: ({ name }) => <Name text={name} /> },
  {
    title: 'Source',
    grows: true,
    cell: ({ seeds, hidden_seeds = 0 }) =>
      seeds[0]?.type === 2 ? (
        <code>{cleanText(seeds[0].value).slice(0, 200)}</code>
      ) : (
        seedsText(seeds.length, hidden_seeds)
      ),
  },
  { title: 'Members', numeric: true, cell: ({ counts }) => formatCount(counts?.members ?? 0) },
  { title: 'State', isWhole: true, cell: (rule) => <State rule={rule} /> },
  { title: 'Changed by', cell: ({ updated_by }) => <Name text={updated_by} /> },
];

function State({ rule }: { readonly rule: TagSelector }) {
  const { disabled_at, query_error, query_warnings, query_milliseconds, query_started_at } = rule;
  return (
    <>
      {disabled_at === null ? 'on' : <span className="bad">off</span>}
      {query_error && <p className="bad">The query no longer works: {cleanText(query_error)}</p>}
      {query_warnings?.map((warning) => (
        <p key={warning}>The query selects nothing: {cleanText(warning)}</p>
      ))}
      {query_started_at && <p>The analysis is running its query</p>}
      {query_milliseconds !== undefined && (
        <p>The query took {(query_milliseconds / 1000).toFixed(1)} s in the last analysis</p>
      )}
    </>
  );
}

interface ActionsProps {
  readonly rule: TagSelector;
  readonly isPending: boolean;
  readonly onToggle: () => void;
  readonly onChange: () => void;
  readonly onDelete: () => void;
}

const mayToggle = ({ allow_disable, disabled_at }: TagSelector): boolean =>
  allow_disable || disabled_at !== null;
/** Built-in selectors and selectors of extensions cannot be changed here. */
const mayChange = ({ is_default, extension_id }: TagSelector): boolean =>
  !is_default && extension_id === undefined;

function Actions({ rule, isPending, onToggle, onChange, onDelete }: ActionsProps) {
  if (!mayToggle(rule) && !mayChange(rule)) return '';
  return (
    <div className="chips">
      {mayToggle(rule) && (
        <button type="button" disabled={isPending} onClick={onToggle}>
          {rule.disabled_at === null ? 'Turn off' : 'Turn on'}
        </button>
      )}
      {mayChange(rule) && (
        <>
          <button type="button" onClick={onChange}>
            Change…
          </button>
          <button type="button" onClick={onDelete}>
            Delete
          </button>
        </>
      )}
    </div>
  );
}
