/** Saved queries: run, rename and change them, share them with users, and watch their results. */
import type { AnswerOf } from '@clew/api';
import { useState } from 'react';
import { Waiting } from '../../parts/Answer.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Option } from '../../parts/FormField.tsx';
import { Name } from '../../parts/Name.tsx';
import { Table } from '../../parts/Table.tsx';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { describeError, isNotFound, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { realText } from '../../text/addressKeys.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCount } from '../../text/formats.ts';
import { cellText } from './cellText.ts';
import { parametersIn } from './queryText.ts';

type SavedQuery = AnswerOf<'ListSavedQueries'>['data'][number];
type Watch = AnswerOf<'GetQueryWatch'>['data'];

/** The open dialog of a query. */
type Opened = { readonly query: SavedQuery; readonly what: 'change' | 'share' | 'changes' } | undefined;

export function SavedQueries({
  isWanted,
  onPick,
}: {
  readonly isWanted: (...texts: readonly string[]) => boolean;
  readonly onPick: (query: string) => void;
}) {
  const self = useSelf();
  const mayWrite = self?.may('saved_queries/Write') ?? false;
  const saved = useAnswer('ListSavedQueries', { query: { scope: 'all' } });
  const watches = useAnswer('ListQueryWatches');
  const [opened, setOpened] = useState<Opened>();
  const remove = useChange((id: number) => call('DeleteSavedQuery', { params: { saved_query_id: id } }), {
    touched: ['ListSavedQueries', 'ListQueryWatches'],
  });
  const watch = useChange(
    async ({ id, isWatched }: { readonly id: number; readonly isWatched: boolean }) => {
      await call(isWatched ? 'UnwatchSavedQuery' : 'WatchSavedQuery', { params: { saved_query_id: id } });
    },
    { touched: ['ListQueryWatches'] },
  );
  const shown = (saved.data?.data ?? []).filter(({ name, query, description }) =>
    isWanted(name, query, description),
  );
  if (shown.length === 0) return null;
  const failure = remove.error ?? watch.error;
  return (
    <>
      <h3>Saved</h3>
      <ul className="plain-list">
        {shown.map((query) => {
          const { id, name, description, scope } = query;
          const watched = watches.data?.data.find(({ query_id }) => query_id === id);
          const open = (what: NonNullable<Opened>['what']) => setOpened({ query, what });
          return (
            <li key={`${scope}-${id}`} title={cleanText(description)}>
              <button type="button" className="plain" onClick={() => onPick(query.query)}>
                <Name text={name} />
              </button>
              <span className="quiet">{scope === 'owned' ? '' : ` (${scope})`}</span>
              {mayWrite && scope === 'owned' && (
                <>
                  <button type="button" className="plain" onClick={() => open('change')}>
                    Change…
                  </button>
                  <button type="button" className="plain" onClick={() => open('share')}>
                    Share…
                  </button>
                  {watched === undefined && parametersIn(query.query).length > 0 ? (
                    <span className="quiet">Has parameters, but a watch has no values for them.</span>
                  ) : (
                    <button
                      type="button"
                      className="plain"
                      aria-pressed={watched !== undefined}
                      disabled={watch.isPending}
                      title="Run it with each analysis, and show new and removed rows"
                      onClick={() => watch.mutate({ id, isWatched: watched !== undefined })}
                    >
                      {watched === undefined ? 'Watch' : 'Stop watching'}
                    </button>
                  )}
                  <button type="button" className="plain" onClick={() => remove.mutate(id)}>
                    Delete
                  </button>
                </>
              )}
              {watched !== undefined && <WatchLine watch={watched} onOpen={() => open('changes')} />}
            </li>
          );
        })}
      </ul>
      {failure !== null && (
        <p className="failure" role="alert">
          {describeError(failure).text}
        </p>
      )}
      {opened?.what === 'change' && (
        <ChangeDialog query={opened.query} onClose={() => setOpened(undefined)} />
      )}
      {opened?.what === 'share' && <ShareDialog query={opened.query} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'changes' && (
        <ChangesDialog query={opened.query} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

/** The last result of the watch, and whether it is current. */
function WatchLine({ watch, onOpen }: { readonly watch: Watch; readonly onOpen: () => void }) {
  const { error, found_at, row_count, last_change } = watch;
  return (
    <div className="quiet">
      {error !== null && <span className="failure">The last run failed: {cleanText(error)}. </span>}
      {found_at === null
        ? 'Waits for the next analysis.'
        : `${counted(row_count, 'row')}, found ${formatAge(found_at)}${last_change === null ? ', no change yet' : ''}. `}
      {last_change !== null && (
        <button type="button" className="plain" onClick={onOpen}>
          {formatCount(last_change.new_count)} new, {formatCount(last_change.gone_count)} gone{' '}
          {formatAge(last_change.at)}
        </button>
      )}
    </div>
  );
}

function ChangeDialog({ query, onClose }: { readonly query: SavedQuery; readonly onClose: () => void }) {
  return (
    <FormDialog
      title="Change the query"
      fields={[
        {
          ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 500 },
          value: query.name,
        },
        {
          ...{ type: 'long', name: 'description', label: 'Description', rows: 2, maxLength: 10_000 },
          value: query.description,
        },
        {
          ...{ type: 'long', name: 'query', label: 'Query', rows: 8, required: true, maxLength: 60_000 },
          value: query.query,
        },
      ]}
      words="Save"
      send={(values) =>
        call('UpdateSavedQuery', {
          params: { saved_query_id: query.id },
          body: {
            name: values.text('name'),
            description: values.text('description'),
            query: realText(values.exact('query')),
          },
        })
      }
      touched={['ListSavedQueries', 'ListQueryWatches']}
      onClose={onClose}
    />
  );
}

/** Shares with selected users, all users, or no one else. */
function ShareDialog({ query, onClose }: { readonly query: SavedQuery; readonly onClose: () => void }) {
  const self = useSelf();
  const params = { saved_query_id: query.id };
  const users = useAnswer('ListAssignableUsers');
  const permissions = useAnswer('GetSavedQueryPermissions', { params });
  // The query is not shared with anyone yet.
  const isUnshared = isNotFound(permissions.error);
  const current = isUnshared ? undefined : permissions.data?.data;
  const before = new Set(current?.shared_to_user_ids ?? []);
  const listed = users.data?.data ?? [];
  const others = [
    ...listed.filter(({ id }) => id !== self?.user.id),
    // The query stays shared with these users until they are deselected, even if the list omits them.
    ...[...before]
      .filter((id) => !listed.some((one) => one.id === id))
      .map((id) => ({ id, name: `User ${id}` })),
  ];
  const toAll = useDialogChange(
    () => call('ShareSavedQuery', { params, body: { public: true, user_ids: [] } }),
    {
      touched: SHARING,
      onDone: onClose,
    },
  );
  if (permissions.isPending || users.isPending)
    return (
      <Dialog title="Share the query" onClose={onClose}>
        <Waiting what="the users who see it" />
      </Dialog>
    );
  return (
    <FormDialog
      title="Share the query"
      fields={[
        {
          ...{ type: 'content', name: 'present' },
          content: (
            <p className="quiet">
              {current?.public === true
                ? 'All users see it.'
                : before.size === 0
                  ? 'No one else sees it.'
                  : `${counted(before.size, 'user sees', 'users see')} it.`}{' '}
              Only you can see the results of your watch.
            </p>
          ),
        },
        {
          ...{ type: 'some', name: 'user', label: 'Users who can see it', value: before },
          options: others.map(({ id, name }): Option => [id, cleanText(name)]),
        },
        {
          ...{ type: 'content', name: 'nobody', content: <p>No other users.</p> },
          when: () => users.isSuccess && others.length === 0,
        },
      ]}
      words={(values) => (values.all('user').length === 0 ? 'Stop sharing' : 'Share')}
      send={(values) => share(query.id, before, new Set(values.all('user')), current?.public === true)}
      // Without both answers, the form would remove shares that it does not show.
      isDisabled={users.data === undefined || (current === undefined && !isUnshared)}
      touched={SHARING}
      error={toAll.error ?? users.error ?? (isUnshared ? null : permissions.error)}
      onClose={onClose}
    >
      <button
        type="button"
        disabled={toAll.isPending || current?.public === true}
        onClick={() => toAll.mutate()}
      >
        Share with all
      </button>
    </FormDialog>
  );
}

const SHARING = ['ListSavedQueries', 'GetSavedQueryPermissions'] as const;

async function share(
  id: number,
  before: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  isPublic: boolean,
): Promise<void> {
  const params = { saved_query_id: id };
  const added = [...ids].filter((one) => !before.has(one));
  const gone = [...before].filter((one) => !ids.has(one));
  // A public query is unshared first.
  if (ids.size === 0 || isPublic) await call('ShareSavedQuery', { params, body: { user_ids: [] } });
  else if (gone.length > 0) await call('DeleteSavedQueryPermissions', { params, body: { user_ids: gone } });
  if (added.length > 0) await call('ShareSavedQuery', { params, body: { user_ids: added } });
}

const PAGE = 100;

function ChangesDialog({ query, onClose }: { readonly query: SavedQuery; readonly onClose: () => void }) {
  const params = { saved_query_id: query.id };
  const [limit, setLimit] = useState(PAGE);
  const watch = useAnswer('GetQueryWatch', { params });
  const changes = useAnswer('ListWatchChanges', { params, query: { limit } }, { keep: true });
  const state = watch.data?.data;
  const rows = changes.data?.data ?? [];
  const columns = (state?.columns ?? []).map((title, at) => ({
    title,
    cell: ({ row }: (typeof rows)[number]) => <Name text={cellText(row[at])} />,
  }));
  return (
    <Dialog title={`New and removed: ${cleanText(query.name)}`} onClose={onClose} wide>
      {state?.error != null && (
        <p className="failure">The last run failed: {cleanText(state.error)}. Earlier results are kept.</p>
      )}
      {state?.warnings.map((warning) => (
        <p key={warning}>{cleanText(warning)}</p>
      ))}
      <Table
        caption="New and removed rows"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Since', cell: ({ at }) => <span title={at}>{formatAge(at)}</span> },
          { title: '', cell: ({ type }) => type },
          ...columns,
        ]}
      />
      {changes.data !== undefined && changes.data.count > rows.length && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more of {formatCount(changes.data.count)}
        </button>
      )}
      {(changes.isError || watch.isError) && (
        <p role="alert">{describeError(changes.error ?? watch.error).text}</p>
      )}
    </Dialog>
  );
}
