/** Saved views and the columns of the list. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { notify } from '../../parts/notices.ts';
import { cleanText } from '../../text/cleanText.ts';
import { MAX_NAME, removeView, saveView, showColumn, useKeptViews, viewQuery } from './savedViews.ts';

export function ViewMenu({ columns }: { readonly columns: readonly string[] }) {
  const { views, without } = useKeptViews();
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
        {columns.map((title) => (
          <label key={title}>
            <input
              type="checkbox"
              checked={!without.includes(title)}
              onChange={({ target }) => showColumn(title, target.checked)}
            />{' '}
            {title}
          </label>
        ))}
      </Menu>
      {saving && <SaveDialog search={search} onClose={() => setSaving(false)} />}
    </>
  );
}

/** Closes when one clicks or goes elsewhere. */
function Menu({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (menu.current !== null && !menu.current.contains(event.target as Node)) menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, []);
  return (
    <details
      ref={menu}
      className="menu list-menu"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && menu.current !== null) menu.current.open = false;
      }}
    >
      <summary className="button">{title}</summary>
      <div className="menu-items">{children}</div>
    </details>
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
