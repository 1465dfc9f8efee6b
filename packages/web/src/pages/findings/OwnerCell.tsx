/** The owner of a finding of a list, changed in place. */
import type { UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
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
  readonly owners: readonly Owner[];
}

export function OwnerCell({ row, owners }: OwnerCellProps) {
  const self = useSelf();
  const [isOpen, setOpen] = useState(false);
  const assign = useChange((owner: string | null) =>
    call('AssignFindings', { body: { owner, findings: [row.id] } }),
  );
  const mayAssign = (self?.may('risks/ManageRisks') ?? false) && owners.length > 0 && !isClosed(row);
  const name = row.owner_name === null ? undefined : <Name text={row.owner_name} />;
  if (!mayAssign) return name ?? '';
  if (!isOpen)
    return (
      <button
        type="button"
        className={name === undefined ? 'plain in-place unset' : 'plain in-place'}
        title="Change the owner"
        onClick={() => setOpen(true)}
      >
        {name ?? 'No owner'}
      </button>
    );
  const choose = (value: string): void => {
    setOpen(false);
    assign.mutate(value === NO_ONE ? null : value, {
      onSuccess: ({ data: { owner, bulk_change_id } }) =>
        notify(owner === null ? 'No owner' : `Assigned to ${shortText(cleanText(owner.name), 60)}`, {
          undo: undoOf(bulk_change_id),
        }),
      onError: (error) => notify(describeError(error).text),
    });
  };
  return (
    <select
      className="in-place"
      aria-label="Owner"
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
      autoFocus
      defaultValue={row.owner_id ?? NO_ONE}
      onChange={({ target }) => choose(target.value)}
      onBlur={() => setOpen(false)}
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
  );
}
