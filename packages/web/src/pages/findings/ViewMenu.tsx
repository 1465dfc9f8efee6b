/** Saved views, and the columns of the list. */
import type { ViewRecord } from '@clew/api';
import { type FormEvent, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Menu } from '../../parts/Menu.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { CHOOSABLE, isShown, showColumn, showColumns, shownColumns, useKeptColumns } from './columns.ts';
import { viewPath, viewQuery } from './savedViews.ts';
import { useViews } from './useViews.ts';

const MAX_NAME = 60;

export function ColumnMenu() {
  const kept = useKeptColumns();
  return (
    <Menu title="Columns">
      {CHOOSABLE.map((column) => (
        <label key={column.title}>
          <input
            type="checkbox"
            checked={isShown(column, kept)}
            onChange={({ target }) => showColumn(column, target.checked)}
          />{' '}
          {column.title}
        </label>
      ))}
    </Menu>
  );
}

export function ViewMenu() {
  const views = useViews();
  const isAdministrator = useSelf()?.user.roles.some(({ name }) => name === 'Administrator') ?? false;
  const search = useSearch();
  const [saving, setSaving] = useState(false);
  const current = viewQuery(search);
  const remove = useChange(
    ({ id }: ViewRecord) => call('DeleteView', { params: { view_id: id } }),
    ['ListViews'],
  );
  return (
    <>
      <Menu title="Views">
        {views.length === 0 && <p className="quiet">Filters that you save are listed here.</p>}
        {views.map((view) => (
          <p key={view.id} className="pair">
            <span>
              <Link
                href={viewPath(view)}
                aria-current={viewQuery(view.query) === current ? 'true' : undefined}
                onClick={() => showColumns(view.columns)}
              >
                {cleanText(view.name)}
              </Link>
              <Sharing view={view} />
            </span>
            {(view.is_own || isAdministrator) && (
              <button
                type="button"
                className="plain"
                disabled={remove.isPending}
                onClick={() =>
                  remove.mutate(view, {
                    onSuccess: () => notify(`The view ${cleanText(view.name)} is removed`),
                  })
                }
              >
                Remove<span className="unseen"> {cleanText(view.name)}</span>
              </button>
            )}
          </p>
        ))}
        <button type="button" onClick={() => setSaving(true)}>
          Save this view…
        </button>
      </Menu>
      {saving && <SaveDialog search={search} views={views} onClose={() => setSaving(false)} />}
    </>
  );
}

function Sharing({ view: { is_own, shared, owner } }: { readonly view: ViewRecord }) {
  if (!is_own)
    return (
      <small>
        {' '}
        by <Name text={owner} />
      </small>
    );
  return shared ? <small> shared</small> : null;
}

interface SaveDialogProps {
  readonly search: string;
  readonly views: readonly ViewRecord[];
  readonly onClose: () => void;
}

function SaveDialog({ search, views, onClose }: SaveDialogProps) {
  const mayShare = useSelf()?.may('saved_queries/Write') ?? false;
  const query = viewQuery(search);
  const opened = views.find((view) => view.is_own && viewQuery(view.query) === query);
  const save = useChange(
    async ({ name, shared }: { readonly name: string; readonly shared: boolean }) => {
      const known = views.find((view) => view.is_own && view.name === name);
      const content = { query, columns: shownColumns(), ...(mayShare && { shared }) };
      if (known === undefined) await call('CreateView', { body: { name, page: 'findings', ...content } });
      else await call('UpdateView', { params: { view_id: known.id }, body: content });
    },
    ['ListViews'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const name = String(fields.get('name')).trim();
    save.mutate(
      { name, shared: fields.has('shared') },
      {
        onSuccess: () => {
          notify(`The view ${cleanText(name)} is saved`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={MAX_NAME} pattern=".*\S.*" defaultValue={opened?.name} />
        </label>
        {mayShare && (
          <label>
            <input type="checkbox" name="shared" defaultChecked={opened?.shared ?? false} /> Share: all users
            see it
          </label>
        )}
        <p className="quiet">
          Its filters, order, groups and columns are saved. The same name again replaces it.
        </p>
        <DialogActions words="Save" isPending={save.isPending} error={save.error} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
