/**
 * The state of a finding in a list, editable in place: an open finding can be accepted with a reason, an accepted one reopened.
 */
import type { UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { notify } from '../../parts/notices.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { shortText } from '../../text/cleanText.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { changeAcceptance } from './changeAcceptance.ts';
import { isClosed } from './finding.ts';
import { MadeChanges } from './manyChanges.ts';
import { undoOf } from './undoChange.ts';
import { statusText } from './words.ts';

interface StateCellProps {
  readonly row: UnifiedFindingRow;
  /** The finding as a sentence. */
  readonly about: string;
}

export function StateCell({ row, about }: StateCellProps) {
  const mayChange = useSelf()?.may('risks/ManageRisks') ?? false;
  const [isAccepting, setAccepting] = useState(false);
  const [made] = useState(() => new MadeChanges());
  const reopen = useChange(() => changeAcceptance({ findings: [row] }, { accepted: false }, made), {
    onSuccess: () => notify(`Reopened: ${shortText(about, 100)}`, { undo: undoOf(made, 'AcceptFindings') }),
    onError: (error) => notify(describeError(error).text),
  });
  if (!mayChange || isClosed(row)) return statusText(row.status);
  const isOpen = row.status === 'active';
  return (
    <>
      {!isOpen && `${statusText(row.status)} `}
      <button
        type="button"
        className="plain in-place"
        title={isOpen ? 'Accept the risk' : 'Reopen the finding'}
        disabled={reopen.isPending}
        onClick={() => (isOpen ? setAccepting(true) : reopen.mutate())}
      >
        {isOpen ? statusText(row.status) : 'Reopen'}
      </button>
      {isAccepting && (
        <AcceptDialog about={about} of={{ findings: [row] }} onClose={() => setAccepting(false)} />
      )}
    </>
  );
}
