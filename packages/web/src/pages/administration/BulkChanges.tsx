/** Changes of findings of the last day, each with an undo button. */
import type { BulkChange } from '@clew/api';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Moment } from '../../parts/Moment.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatMoment } from '../../text/formats.ts';
import { undoAll } from '../findings/undoChange.ts';
import { undoneText } from '../findings/undoneText.ts';

const DONE: Readonly<Record<BulkChange['action'], string>> = {
  AcceptFindings: 'Acceptance of findings',
  AssignFindings: 'Owner of findings',
};

export function BulkChanges() {
  const [undoing, setUndoing] = useState<BulkChange>();
  const changes = useAnswer('ListBulkChanges').data?.data ?? [];
  if (changes.length === 0) return null;
  const columns: Column<BulkChange>[] = [
    { title: 'Time', cell: ({ changed_at }) => <Moment at={changed_at} /> },
    { title: 'Who', cell: ({ changed_by }) => <Name text={changed_by} /> },
    { title: 'What', cell: ({ action }) => DONE[action] },
    { title: 'Findings', cell: ({ findings }) => findings },
    {
      title: 'Undo until',
      grows: true,
      cell: (change) =>
        change.undone_at === null ? (
          change.can_undo ? (
            <>
              {formatMoment(change.until)}{' '}
              <button type="button" onClick={() => setUndoing(change)}>
                Undo…
              </button>
            </>
          ) : (
            <span className="quiet">Nothing to undo: all its findings changed again or ended</span>
          )
        ) : (
          <>
            undone by <Name text={change.undone_by ?? ''} />
          </>
        ),
    },
  ];
  return (
    <section>
      <h2>Changes of findings in the last day</h2>
      <Table
        caption="Changes of findings in the last day"
        columns={columns}
        rows={changes}
        keyOf={({ id }) => id}
      />
      {undoing !== undefined && (
        <ConfirmDialog
          title="Undo the change?"
          words="Undo"
          act={async () => notify(undoneText(undoing.action, await undoAll([undoing.id])))}
          onClose={() => setUndoing(undefined)}
        >
          <p>
            Restores the {undoing.action === 'AcceptFindings' ? 'acceptance' : 'owner'} of{' '}
            {counted(undoing.findings, 'finding')}. Findings stay unchanged if they changed again or ended in
            the meantime
            {undoing.action === 'AcceptFindings'
              ? ', or if their earlier acceptance needs a second approver. Changes that were left out of the plan are in it again.'
              : '.'}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
