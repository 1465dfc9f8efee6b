/** The state of a finding of a list, changed in place: an open one is accepted, with a reason, an accepted one reopened. */
import type { UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { notify } from '../../parts/notices.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { changeAcceptance } from './changeAcceptance.ts';
import { isClosed } from './finding.ts';
import { undoOf } from './undoChange.ts';
import { statusText } from './words.ts';

export function StateCell({ row }: { readonly row: UnifiedFindingRow }) {
  const mayChange = useSelf()?.may('risks/ManageRisks') ?? false;
  const [isAccepting, setAccepting] = useState(false);
  const reopen = useChange(() => changeAcceptance({ findings: [row] }, { accepted: false }, undefined));
  if (!mayChange || isClosed(row)) return statusText(row.status);
  const isOpen = row.status === 'active';
  const change = (): void => {
    if (isOpen) setAccepting(true);
    else
      reopen.mutate(undefined, {
        onSuccess: ({ bulk_change_id }) => notify('Finding reopened', { undo: undoOf(bulk_change_id) }),
        onError: (error) => notify(describeError(error).text),
      });
  };
  return (
    <>
      <select className="in-place" aria-label="State" value={row.status} onChange={change}>
        <option value="active">{isOpen ? 'Open' : 'Reopen'}</option>
        <option value="accepted">{isOpen ? 'Accept risk…' : 'Accepted'}</option>
      </select>
      {isAccepting && (
        <AcceptDialog about={row.title} of={{ findings: [row] }} onClose={() => setAccepting(false)} />
      )}
    </>
  );
}
