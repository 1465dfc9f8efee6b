/** Saved views of a page: named filters, private or shared with all users. */
import { MAX_VIEW_NAME, type ViewPage, type ViewRecord } from '@clew/api';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { call } from '../service/client.ts';
import { describeError, useAnswer, useChange } from '../service/queries.ts';
import { useSelf } from '../service/self.ts';
import { cleanText } from '../text/cleanText.ts';
import { FormDialog } from './FormDialog.tsx';
import { Menu } from './Menu.tsx';
import { Name } from './Name.tsx';
import { notify } from './notices.ts';
import { viewPath, viewQuery } from './viewAddress.ts';

/** Access to the selected columns of a list. */
export interface ViewColumns {
  /** Titles of the selected columns; null for the default columns. */
  readonly shown: () => readonly string[] | null;
  readonly show: (titles: readonly string[] | null) => void;
}

interface ViewMenuProps {
  readonly page: ViewPage;
  readonly columns?: ViewColumns;
}

export function ViewMenu({ page, columns }: ViewMenuProps) {
  const views = useAnswer('ListViews', { query: { page } }).data?.data ?? [];
  const isAdministrator = useSelf()?.user.roles.some(({ name }) => name === 'Administrator') ?? false;
  const search = useSearch();
  const [saving, setSaving] = useState(false);
  const current = viewQuery(page, search);
  const remove = useChange(({ id }: ViewRecord) => call('DeleteView', { params: { view_id: id } }), {
    touched: ['ListViews'],
    onSuccess: (_, { name }) => notify(`The view ${cleanText(name)} is removed`),
    onError: (error) => notify(describeError(error).text),
  });
  return (
    <>
      <Menu title="Views">
        {views.length === 0 && <p className="quiet">Your saved filters are listed here.</p>}
        {views.map((view) => (
          <p key={view.id} className="pair">
            <span>
              <Link
                href={viewPath(view)}
                aria-current={viewQuery(page, view.query) === current ? 'true' : undefined}
                onClick={() => columns?.show(view.columns)}
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
                onClick={() => remove.mutate(view)}
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
      {saving && <SaveDialog {...{ page, columns, search, views }} onClose={() => setSaving(false)} />}
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

interface SaveDialogProps extends ViewMenuProps {
  readonly search: string;
  readonly views: readonly ViewRecord[];
  readonly onClose: () => void;
}

function SaveDialog({ page, columns, search, views, onClose }: SaveDialogProps) {
  const mayShare = useSelf()?.may('saved_queries/Write') ?? false;
  const query = viewQuery(page, search);
  const opened = views.find((view) => view.is_own && viewQuery(page, view.query) === query);
  const saved =
    columns === undefined ? 'Its filters are saved.' : 'Its filters, order, groups and columns are saved.';
  return (
    <FormDialog
      title="Save this view"
      fields={[
        {
          ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: MAX_VIEW_NAME },
          ...{ pattern: '.*\\S.*', value: opened?.name },
        },
        {
          ...{ type: 'check', name: 'shared', label: 'Share: all users see it', value: opened?.shared },
          when: () => mayShare,
        },
        {
          ...{ type: 'content', name: 'about' },
          content: <p className="quiet">{saved} If you use the same name again, the view is replaced.</p>,
        },
      ]}
      words="Save"
      send={async (values) => {
        const name = values.text('name');
        const known = views.find((view) => view.is_own && view.name === name);
        const titles = columns?.shown() ?? null;
        const shared = mayShare && { shared: values.has('shared') };
        const content = { query, columns: titles && [...titles], ...shared };
        if (known === undefined) await call('CreateView', { body: { name, page, ...content } });
        else await call('UpdateView', { params: { view_id: known.id }, body: content });
        return name;
      }}
      touched={['ListViews']}
      onSent={(name) => notify(`The view ${cleanText(name)} is saved`)}
      onClose={onClose}
    />
  );
}
