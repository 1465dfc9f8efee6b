/** The card next to a saved drawing: its name, owner, missing parts, and actions. */
import type { NewDrawing, OpenedDrawing } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { copyExactly } from '../../parts/copy.ts';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatMoment } from '../../text/formats.ts';
import { isMasked } from '../../text/masking.ts';
import { SaveDrawing } from './SaveDrawing.tsx';
import { missingText, shownDescription, shownTitle } from './savedDrawing.ts';

interface DrawingCardProps {
  readonly opened: OpenedDrawing;
  /** The current content of the drawing. */
  readonly content: () => Pick<NewDrawing, 'address' | 'objects' | 'relationships'>;
  /** Called when it was saved again, renamed or shared. */
  readonly onChanged: () => void;
  /** Called when it was deleted. */
  readonly onDeleted: () => void;
}

export function DrawingCard({ opened, content, onChanged, onDeleted }: DrawingCardProps) {
  const self = useSelf();
  const [open, setOpen] = useState<'change' | 'delete'>();
  const { id, owner, is_own, shared, updated_at, hidden_objects: hidden } = opened;
  const name = shownTitle(opened);
  const description = shownDescription(opened);
  const save = useChange(
    () => call('UpdateDrawing', { params: { drawing_id: id }, body: { content: content() } }),
    {
      touched: ['ListDrawings', 'GetDrawing'],
      onSuccess: () => {
        notify(`${name} is saved as currently drawn`);
        onChanged();
      },
    },
  );
  const mayDelete = is_own || self?.user.roles.some((role) => role.name === 'Administrator') === true;
  const missing = missingText(opened);
  const copy = () => copyExactly(location.href, 'The link is copied');
  return (
    <section className="saved-drawing" aria-label="Saved drawing">
      <h2>
        <Name text={name} />
      </h2>
      {description !== '' && <p>{cleanText(description)}</p>}
      <p className="quiet" title={formatMoment(updated_at)}>
        {is_own ? 'Yours' : <>Of {cleanText(owner)}</>}, {shared ? 'shared with all users' : 'private'}, saved{' '}
        {formatAge(updated_at)}
      </p>
      {missing !== undefined && (
        <p className="warning" role="status">
          {missing}: dashed.
        </p>
      )}
      {hidden > 0 && (
        <p className="quiet">
          Not shown: {counted(hidden, 'object')} that your access does not cover, or that no longer{' '}
          {hidden === 1 ? 'exists' : 'exist'}.
        </p>
      )}
      <div className="chips">
        {opened.address !== '' && (
          <Link className="button" href={`/explore?${opened.address}`}>
            Ask again
          </Link>
        )}
        <button type="button" onClick={() => void copy()}>
          Copy link
        </button>
        {is_own && (
          <>
            <button type="button" disabled={save.isPending} onClick={() => save.mutate()}>
              Save changes
            </button>
            {!isMasked() && (
              <button type="button" onClick={() => setOpen('change')}>
                Rename or share…
              </button>
            )}
          </>
        )}
        {mayDelete && (
          <button type="button" onClick={() => setOpen('delete')}>
            Delete…
          </button>
        )}
      </div>
      {save.isError && (
        <p className="failure" role="alert">
          {describeError(save.error).text}
        </p>
      )}
      {open === 'change' && (
        <SaveDrawing drawing={opened} onSaved={onChanged} onClose={() => setOpen(undefined)} />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete the drawing?"
          words="Delete drawing"
          act={() => call('DeleteDrawing', { params: { drawing_id: id } })}
          touched={['ListDrawings']}
          notice={`${name} is deleted`}
          onDone={onDeleted}
          onClose={() => setOpen(undefined)}
        >
          <p>{shared ? 'Other users can no longer see it. ' : ''}Its objects stay in the graph.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Drawings to open: your own and shared ones. */
export function SavedDrawings() {
  const query = useAnswer('ListDrawings');
  const drawings = query.data?.data ?? [];
  if (drawings.length === 0) return null;
  return (
    <section aria-label="Saved drawings">
      <h3>Saved drawings</h3>
      <ul className="plain-list">
        {drawings.map(({ id, name, is_own, owner, shared, description, object_count, updated_at }) => (
          <li key={id} title={cleanText(shownDescription({ description }))}>
            <Link href={`/explore?drawing=${id}`}>
              <Name text={shownTitle({ id, name })} />
            </Link>{' '}
            <small className="quiet">
              {is_own ? (shared ? 'shared, ' : '') : `of ${cleanText(owner)}, `}
              {counted(object_count, 'object')}, {formatAge(updated_at)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
