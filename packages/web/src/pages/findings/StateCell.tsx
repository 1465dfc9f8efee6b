/**
 * The state of a finding in a list, editable in place: an open finding can be accepted with a reason, an accepted one reopened.
 */
import type { UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { notify } from '../../parts/notices.ts';
import { describeError, useChange } from '../../service/queries.ts';
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
  readonly mayManage: boolean;
}

/** A list has many of these cells, so the parts that ask the service exist only while they are needed. */
export function StateCell({ row, about, mayManage }: StateCellProps) {
  const [isAccepting, setAccepting] = useState(false);
  if (!mayManage || isClosed(row)) return statusText(row.status);
  if (row.status !== 'active')
    return (
      <>
        {statusText(row.status)} <Reopen row={row} about={about} />
      </>
    );
  return (
    <>
      <button
        type="button"
        className="plain in-place"
        title="Accept the risk"
        onClick={() => setAccepting(true)}
      >
        {statusText(row.status)}
      </button>
      {isAccepting && (
        <AcceptDialog about={about} of={{ findings: [row] }} onClose={() => setAccepting(false)} />
      )}
    </>
  );
}

function Reopen({ row, about }: Pick<StateCellProps, 'row' | 'about'>) {
  const [made] = useState(() => new MadeChanges());
  const reopen = useChange(() => changeAcceptance({ findings: [row] }, { accepted: false }, made), {
    onSuccess: () => notify(`Reopened: ${shortText(about, 100)}`, { undo: undoOf(made, 'AcceptFindings') }),
    onError: (error) => notify(describeError(error).text),
  });
  return (
    <button
      type="button"
      className="plain in-place"
      title="Reopen the finding"
      disabled={reopen.isPending}
      onClick={() => reopen.mutate()}
    >
      Reopen
    </button>
  );
}
