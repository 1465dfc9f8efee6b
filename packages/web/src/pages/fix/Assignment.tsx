/** Owner, due date and notes of a repair of a started plan; users who may save plans can change them. */
import type { AdoptedRepair, NewPlanRepair } from '@clew/api';
import { type FormEvent, useId } from 'react';
import { useDraft } from '../../parts/drafts.ts';
import { MentionField } from '../../parts/MentionField.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate, formatDay } from '../../text/formats.ts';
import { useMasked } from '../../text/masking.ts';
import type { StartedRepair } from './startedRepair.ts';

export function Assignment({ started }: { readonly started: StartedRepair }) {
  const self = useSelf();
  // A text field would show unmasked names in the notes.
  const isMasked = useMasked();
  const { plan, repair } = started;
  const mayAssign = self?.may('saved_queries/Write') && self.may('auth/ReadUsersMinimal');
  return (
    <>
      <p className="quiet">
        {stateText(repair)} in the plan <Name text={plan.name} />
      </p>
      {mayAssign && !isMasked ? (
        <AssignmentForm key={`${plan.plan_id} ${repair.updated?.at}`} started={started} />
      ) : (
        <Assigned repair={repair} />
      )}
      {repair.updated !== null && (
        <p className="quiet">
          Set by <Name text={repair.updated.by} /> on {formatDate(repair.updated.at)}
        </p>
      )}
    </>
  );
}

function stateText({ done_count, changes }: AdoptedRepair): string {
  if (done_count === changes.length) return '✓ Verified by a later analysis';
  return done_count === 0 ? '○ To do' : `${done_count} of ${counted(changes.length, 'change')} done`;
}

/** Describes an assignment in one line. */
export const assignedText = ({ owner, due, overdue }: AdoptedRepair): string =>
  `${owner === null ? 'No owner' : cleanText(owner.name)}, ${due === null ? 'no due date' : `${overdue ? 'overdue since' : 'due'} ${formatDay(due)}`}`;

function Assigned({ repair: { owner, due, overdue, notes } }: { readonly repair: AdoptedRepair }) {
  return (
    <>
      <p className="pair">
        <span className="quiet">Owner</span>
        <strong>{owner === null ? 'None' : <Name text={owner.name} />}</strong>
      </p>
      <p className="pair">
        <span className="quiet">Due</span>
        <strong>
          {due === null ? 'No date' : formatDay(due)}
          {overdue && ', overdue'}
        </strong>
      </p>
      {notes !== '' && (
        <p className="notes">
          <NoteText text={notes} />
        </p>
      )}
    </>
  );
}

function AssignmentForm({ started: { plan, repair } }: { readonly started: StartedRepair }) {
  const id = useId();
  const users = useAnswer('ListAssignableUsers');
  const { owner } = repair;
  // The day of its findings holds until a user sets another.
  const due = repair.due_by === 'user' ? repair.due : null;
  const [notes, setNotes] = useDraft(`repair ${plan.plan_id} ${repair.number}`, repair.notes);
  const save = useChange(
    (body: NewPlanRepair) =>
      call('UpdatePlanRepair', { params: { plan_id: plan.plan_id, repair: repair.number }, body }),
    {
      touched: ['ListAdoptedPlans'],
      onSuccess: () => {
        setNotes(repair.notes);
        notify('Saved');
      },
    },
  );
  const all = users.data?.data ?? [];
  const choices = owner === null || all.some((user) => user.id === owner.id) ? all : [owner, ...all];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string | null => String(fields.get(name) ?? '') || null;
    const [chosen, day] = [text('owner'), text('due')];
    const body = {
      ...(chosen !== (owner?.id ?? null) && { owner_id: chosen }),
      ...(day !== due && { due: day }),
      ...(notes !== repair.notes && { notes }),
    };
    if (Object.keys(body).length === 0) return;
    save.mutate(body);
  };
  const hint =
    repair.due === null || (repair.due_by === 'user' && !repair.overdue)
      ? undefined
      : `${repair.overdue ? 'Overdue since' : 'Due'} ${formatDay(repair.due)}${repair.due_by === 'findings' ? ' by the service levels of its findings' : ''}`;
  return (
    <form className="assignment-form" onSubmit={submit} aria-busy={save.isPending}>
      <label>
        Owner
        {/* The list loads after the page, so the default value is applied again with it. */}
        <select key={choices.length} name="owner" defaultValue={owner?.id ?? ''}>
          <option value="">None</option>
          {choices.map((user) => (
            <option key={user.id} value={user.id}>
              {cleanText(user.name)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Due
        <input
          name="due"
          type="date"
          defaultValue={due ?? ''}
          aria-describedby={hint === undefined ? undefined : `${id}-due`}
        />
      </label>
      {hint !== undefined && (
        <p id={`${id}-due`} className={repair.overdue ? 'warn' : 'quiet'}>
          {hint}
        </p>
      )}
      <MentionField
        className="wide"
        label="Notes"
        rows={3}
        maxLength={4000}
        value={notes}
        onChange={({ target }) => setNotes(target.value)}
      />
      {(save.isError || users.isError) && (
        <p className="failure" role="alert">
          {describeError(save.error ?? users.error).text}
        </p>
      )}
      <button type="submit" disabled={save.isPending}>
        {save.isPending ? 'Saving…' : 'Save'}
      </button>
    </form>
  );
}
