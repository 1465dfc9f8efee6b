/** Assigns findings: one, several, or all that match the filters. */

import { MAX_NAMED_FINDINGS } from '@clew/api';
import { type FormEvent, useId } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import type { findingFilters } from './filterChips.ts';
import { canChange, MatchingText, useMatching } from './matching.tsx';

interface AssignDialogProps {
  readonly count: number;
  /** The owner of all of them now. */
  readonly owner: string | null;
  readonly of:
    | { readonly findings: readonly number[] }
    | { readonly matching: ReturnType<typeof findingFilters> };
  readonly onClose: (isDone: boolean) => void;
}

const NO_ONE = '';

export function AssignDialog({ count: selected, owner, of, onClose }: AssignDialogProps) {
  const self = useSelf();
  const matching = useMatching('matching' in of ? of.matching : undefined);
  const count = 'matching' in of ? (matching?.count ?? selected) : selected;
  const id = useId();
  const owners = useAnswer('ListAssignableUsers');
  const assign = useChange(async (chosen: string) => {
    const to = { owner: chosen === NO_ONE ? null : chosen };
    if ('matching' in of) {
      const body = { ...to, all_matching: true, expected: matching?.state };
      return (await call('AssignFindings', { query: of.matching, body })).data;
    }
    let all = { owner: null as { readonly name: string } | null, findings: 0 };
    for (let at = 0; at < of.findings.length; at += MAX_NAMED_FINDINGS) {
      const findings = of.findings.slice(at, at + MAX_NAMED_FINDINGS);
      const { data } = await call('AssignFindings', { body: { ...to, findings } });
      all = { owner: data.owner, findings: all.findings + data.findings };
    }
    return all;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    assign.mutate(String(new FormData(event.currentTarget).get('owner')), {
      onSuccess: ({ owner: now, findings: meant }) => {
        const findings = counted(meant, 'finding');
        notify(
          now === null
            ? `${findings} without an owner`
            : `${findings} assigned to ${shortText(cleanText(now.name), 60)}`,
        );
        onClose(true);
      },
    });
  };
  return (
    <Dialog
      title={count === 1 ? 'Assign this finding' : `Assign ${counted(count, 'finding')}`}
      onClose={() => onClose(false)}
    >
      <form onSubmit={submit} aria-busy={assign.isPending}>
        <Answer query={owners} what="the users" lines={2}>
          {({ data }) => (
            <p>
              <label htmlFor={id}>Owner</label>
              <select id={id} name="owner" defaultValue={owner ?? self?.user.id ?? NO_ONE}>
                <option value={NO_ONE}>No owner</option>
                {[...data]
                  .sort((a, b) => Number(b.id === self?.user.id) - Number(a.id === self?.user.id))
                  .map((user) => (
                    <option key={user.id} value={user.id}>
                      {shortText(cleanText(user.name), 60)}
                      {user.id === self?.user.id ? ' (you)' : ''}
                    </option>
                  ))}
              </select>
            </p>
          )}
        </Answer>
        {matching !== undefined && <MatchingText of={matching} />}
        <DialogActions
          words="Assign"
          pendingWords="Assigning…"
          isPending={assign.isPending}
          isDisabled={'matching' in of && !canChange(matching)}
          error={assign.error}
          onCancel={() => onClose(false)}
        />
      </form>
    </Dialog>
  );
}
