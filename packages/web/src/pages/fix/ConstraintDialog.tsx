/** "We can't change this": the subject, the reason, and the end. The plan is made again around it. */
import type { CardRecord, NewConstraint } from '@clew/api';
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { useFieldDraft } from '../../parts/drafts.ts';
import { MentionField } from '../../parts/MentionField.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText, visibleText } from '../../text/cleanText.ts';

interface ConstraintDialogProps {
  /** At least one. */
  readonly choices: readonly ConstraintChoice[];
  /** Distinguishes the draft of its reason from others. */
  readonly subject: string;
  readonly words?: typeof WORDS;
  readonly onClose: () => void;
}

const WORDS = {
  title: "We can't change this",
  note: 'The plan is made again without it, and shows the cost. You can undo it under “Left out and answered” in Fix first.',
  button: 'Leave it out',
};

export function ConstraintDialog({ choices, subject, words = WORDS, onClose }: ConstraintDialogProps) {
  const [chosen, setChosen] = useState(0);
  const draft = useFieldDraft(`cannot change ${subject}`);
  const create = useChange(
    (body: NewConstraint) => call('CreatePlanConstraint', { body }),
    ['GetPlan', 'ListPlanConstraints', 'GetPathRepairs'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const until = String(fields.get('until'));
    create.mutate(
      {
        ...(choices[chosen] as ConstraintChoice).body,
        reason: String(fields.get('reason')).trim(),
        ...(until !== '' && { until: `${until}T23:59:59Z` }),
      },
      {
        onSuccess: () => {
          draft.sent();
          notify('Kept. The plan is being made again.');
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form onSubmit={submit} aria-busy={create.isPending}>
        <fieldset className="choices">
          <legend>{words === WORDS ? 'What cannot be changed?' : 'Question'}</legend>
          {choices.map(({ label }, at) => (
            <label key={label}>
              <input type="radio" name="what" checked={chosen === at} onChange={() => setChosen(at)} />{' '}
              {label}
            </label>
          ))}
        </fieldset>
        <MentionField label="Reason" name="reason" required maxLength={2000} rows={3} {...draft.field} />
        <label>
          Until (empty: for good)
          <input name="until" type="date" min={new Date().toISOString().slice(0, 10)} />
        </label>
        <p className="quiet">{words.note}</p>
        <DialogActions
          words={words.button}
          isPending={create.isPending}
          error={create.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

export interface ConstraintChoice {
  readonly label: string;
  readonly body: Omit<NewConstraint, 'reason'>;
}

const MAX_TITLE = 400;

/** The whole card, one package of it, or the object that it changes. */
export function choicesOfCard({ packages }: CardRecord): ConstraintChoice[] {
  const ofRepairs = (label: string, some: typeof packages): ConstraintChoice => ({
    label,
    body: {
      subject: 'repairs',
      repairs: some.flatMap(({ references }) => references),
      title: visibleText(some.map(({ title }) => title).join('; ')).slice(0, MAX_TITLE),
    },
  });
  const objects = new Map(
    packages.flatMap(({ changes }) => changes.map(({ object }) => [object.object_id, object.name] as const)),
  );
  return [
    ...(packages.length > 1 ? [ofRepairs('Any of these changes', packages)] : []),
    ...packages.map((one) => ofRepairs(cleanText(one.title), [one])),
    ...[...objects].slice(0, MAX_OBJECTS).map(([object_id, name]) => ({
      label: `Anything about ${cleanText(name)}`,
      body: { subject: 'object' as const, object_id },
    })),
  ];
}

/** More items need a separate list. */
const MAX_OBJECTS = 5;
