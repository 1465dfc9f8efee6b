/** Saved views and the columns of the list. */
import { type FormEvent, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Menu } from '../../parts/Menu.tsx';
import { notify } from '../../parts/notices.ts';
import { cleanText } from '../../text/cleanText.ts';
import {
  type ChoosableColumn,
  isShown,
  MAX_NAME,
  removeView,
  saveView,
  showColumn,
  useKeptViews,
  viewQuery,
} from './savedViews.ts';

export function ViewMenu({ columns }: { readonly columns: readonly ChoosableColumn[] }) {
  const kept = useKeptViews();
  const { views } = kept;
  const search = useSearch();
  const [saving, setSaving] = useState(false);
  const current = viewQuery(search);
  return (
    <>
      <Menu title="Views">
        {views.length === 0 && <p className="quiet">Filters that you save are listed here.</p>}
        {views.map(({ name, query }) => (
          <p key={name} className="pair">
            <Link
              href={query === '' ? '/findings' : `/findings?${query}`}
              aria-current={query === current ? 'true' : undefined}
            >
              {cleanText(name)}
            </Link>
            <button type="button" className="plain" onClick={() => removeView(name)}>
              Remove<span className="unseen"> {cleanText(name)}</span>
            </button>
          </p>
        ))}
        <button type="button" onClick={() => setSaving(true)}>
          Save this view…
        </button>
      </Menu>
      <Menu title="Columns">
        {columns.map((column) => (
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
      {saving && <SaveDialog search={search} onClose={() => setSaving(false)} />}
    </>
  );
}

function SaveDialog({ search, onClose }: { readonly search: string; readonly onClose: () => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name'));
    if (!saveView(name, search)) {
      notify('There are too many views. Remove one first.');
      return;
    }
    notify(`The view ${name.trim()} is saved at this browser`);
    onClose();
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={MAX_NAME} />
        </label>
        <p className="quiet">
          Its filters and order are kept at this browser. The same name again replaces it.
        </p>
        <DialogActions words="Save" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
