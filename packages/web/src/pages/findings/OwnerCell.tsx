/** The owner of a finding in a list, editable in place. */
import type { UnifiedFindingRow } from '@clew/api';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import type { Owner } from './filterChips.ts';
import { isClosed } from './finding.ts';
import { undoOf } from './undoChange.ts';

const NO_ONE = '';

interface OwnerCellProps {
  readonly row: UnifiedFindingRow;
  /** The finding as a sentence, for the notice. */
  readonly about: string;
  readonly owners: readonly Owner[];
  readonly mayManage: boolean;
}

/** A list has many of these cells, so only an open one asks the service. */
export function OwnerCell({ mayManage, ...props }: OwnerCellProps) {
  const { row, owners } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const name = row.owner_name === null ? undefined : <Name text={row.owner_name} />;
  if (!mayManage || owners.length === 0 || isClosed(row)) return name ?? '';
  if (!isOpen)
    return (
      <button
        ref={button}
        type="button"
        className={name === undefined ? 'plain in-place unset' : 'plain in-place'}
        title="Change the owner"
        onClick={() => setOpen(true)}
      >
        {name ?? 'No owner'}
      </button>
    );
  const close = (): void => {
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  return <OwnerEditor {...props} onClose={close} onLeave={() => setOpen(false)} />;
}

interface OwnerEditorProps extends Omit<OwnerCellProps, 'mayManage'> {
  readonly onClose: () => void;
  /** Called when the focus has already moved elsewhere. */
  readonly onLeave: () => void;
}

function OwnerEditor({ row, about, owners, onClose, onLeave }: OwnerEditorProps) {
  const assign = useChange(
    (owner: string | null) => call('AssignFindings', { body: { owner, findings: [row.id] } }),
    {
      onSuccess: ({ data: { owner, bulk_change_id } }) => {
        const now = owner === null ? 'No owner' : `Assigned to ${shortText(cleanText(owner.name), 60)}`;
        notify(`${now}: ${shortText(about, 100)}`, { undo: undoOf(bulk_change_id, 'AssignFindings') });
      },
      onError: (error) => notify(describeError(error).text),
    },
  );
  const save = (value: string): void => {
    if (value !== (row.owner_id ?? NO_ONE)) assign.mutate(value === NO_ONE ? null : value);
    onClose();
  };
  return <OwnerForm row={row} owners={owners} onSave={save} onClose={onClose} onLeave={onLeave} />;
}

interface OwnerFormProps extends Omit<OwnerEditorProps, 'about'> {
  /** @param value an id, or an empty text for no owner */
  readonly onSave: (value: string) => void;
}

/** Arrow keys only select: nothing changes before Enter or the button. Escape cancels. */
function OwnerForm({ row, owners, onSave, onClose, onLeave }: OwnerFormProps) {
  const self = useSelf();
  const now = row.owner_id ?? NO_ONE;
  const [value, setValue] = useState(now);
  return (
    <form
      className="in-place-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(value);
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave();
      }}
    >
      <select
        className="in-place"
        aria-label="Owner"
        // biome-ignore lint/a11y/noAutofocus: it replaces the pressed button
        autoFocus
        value={value}
        onChange={({ target }) => setValue(target.value)}
        onKeyDown={(event) => {
          // In some browsers, this handler gets the Enter of an open list before the selection.
          const isEnter = event.key === 'Enter' && value !== now;
          if (!isEnter && event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          if (isEnter) onSave(value);
          else onClose();
        }}
      >
        <option value={NO_ONE}>No owner</option>
        {[...owners]
          .sort((a, b) => Number(b.id === self?.user.id) - Number(a.id === self?.user.id))
          .map(({ id, name: text }) => (
            <option key={id} value={id}>
              {shortText(cleanText(text), 60)}
              {id === self?.user.id ? ' (you)' : ''}
            </option>
          ))}
      </select>
      {/* Prevents a press from moving the focus: some browsers do not focus buttons, and the form would lose the focus. */}
      <button type="submit" className="in-place" onMouseDown={(event) => event.preventDefault()}>
        Save
      </button>
    </form>
  );
}
