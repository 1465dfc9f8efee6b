/** Assigns findings: one, several, or all that match the filters. */

import type { AnswerOf } from '@clew/api';
import { useState } from 'react';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Option } from '../../parts/FormField.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import type { findingFilters } from './filterChips.ts';
import { changeNamed, MadeChanges } from './manyChanges.ts';
import { canChange, MatchingText, useMatching } from './matching.tsx';
import { notifyUnfinished, undoOf } from './undoChange.ts';

interface AssignDialogProps {
  readonly count: number;
  /** The common current owner. */
  readonly owner: string | null;
  readonly of:
    | { readonly findings: readonly number[] }
    | { readonly matching: ReturnType<typeof findingFilters> };
  readonly onClose: (isDone: boolean) => void;
}

const NO_ONE = '';

export function AssignDialog({ count: selected, owner, of, onClose }: AssignDialogProps) {
  const self = useSelf();
  const [made] = useState(() => new MadeChanges());
  const matching = useMatching('matching' in of ? of.matching : undefined);
  const count = 'matching' in of ? (matching?.count ?? selected) : selected;
  const owners = useAnswer('ListAssignableUsers');
  const isSelf = (id: string): boolean => id === self?.user.id;
  const users = [...(owners.data?.data ?? [])]
    .sort((a, b) => Number(isSelf(b.id)) - Number(isSelf(a.id)))
    .map(({ id, name }): Option => [id, `${shortText(cleanText(name), 60)}${isSelf(id) ? ' (you)' : ''}`]);
  return (
    <FormDialog
      title={count === 1 ? 'Assign this finding' : `Assign ${counted(count, 'finding')}`}
      fields={[
        {
          ...{ type: 'select', name: 'owner', label: 'Owner', options: [[NO_ONE, 'No owner'], ...users] },
          value: owner ?? self?.user.id ?? NO_ONE,
        },
        {
          ...{ type: 'content', name: 'matching' },
          content: matching !== undefined && <MatchingText of={matching} />,
        },
      ]}
      words="Assign"
      pendingWords="Assigning…"
      isDisabled={!owners.isSuccess || ('matching' in of && !canChange(matching))}
      send={(values) => assign(of, values.text('owner'), made, matching?.state)}
      onSent={({ owner: now, findings: meant }) => {
        const findings = counted(meant, 'finding');
        notify(
          now === null
            ? `${findings} without an owner`
            : `${findings} assigned to ${shortText(cleanText(now.name), 60)}`,
          { undo: undoOf(made, 'AssignFindings') },
        );
      }}
      onDone={() => onClose(true)}
      error={owners.error}
      onClose={() => {
        notifyUnfinished(made, 'AssignFindings');
        onClose(false);
      }}
    />
  );
}

/** @param expected the state of the findings when they were counted */
async function assign(
  of: AssignDialogProps['of'],
  chosen: string,
  made: MadeChanges,
  expected: string | undefined,
) {
  const to = { owner: chosen === NO_ONE ? null : chosen };
  if ('matching' in of) {
    const body = { ...to, all_matching: true, expected };
    const { data } = await call('AssignFindings', { query: of.matching, body });
    made.add(data.bulk_change_id);
    return data;
  }
  return sumOf(
    await changeNamed(
      of.findings,
      made,
      async (findings) => (await call('AssignFindings', { body: { ...to, findings } })).data,
    ),
  );
}

/** Sums the results of all requests. */
const sumOf = (answers: readonly AnswerOf<'AssignFindings'>['data'][]) => ({
  owner: answers[0]?.owner ?? null,
  findings: answers.reduce((sum, { findings }) => sum + findings, 0),
});
