/** "We can't change this": the subject, the reason, and the end date. The plan is then computed again without these changes. */
import type { CardRecord, NewConstraint } from '@clew/api';
import { useFieldDraft } from '../../parts/drafts.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Option } from '../../parts/FormField.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { cleanText, visibleText } from '../../text/cleanText.ts';

interface ConstraintDialogProps {
  /** Contains at least one choice. */
  readonly choices: readonly ConstraintChoice[];
  /** Distinguishes the draft of this reason from other drafts. */
  readonly subject: string;
  readonly words?: typeof WORDS;
  readonly onClose: () => void;
}

const WORDS = {
  title: "We can't change this",
  note: 'The plan is computed again without it, and shows the cost. You can undo this under “Left out and answered” in Fix first.',
  button: 'Leave it out',
};

export function ConstraintDialog({ choices, subject, words = WORDS, onClose }: ConstraintDialogProps) {
  const draft = useFieldDraft(`cannot change ${subject}`);
  return (
    <FormDialog
      title={words.title}
      fields={[
        {
          ...{ type: 'radio', name: 'what' },
          label: words === WORDS ? 'What cannot be changed?' : 'Question',
          options: choices.map(({ label }, at): Option => [String(at), label]),
        },
        {
          ...{ type: 'note', name: 'reason', label: 'Reason', required: true, maxLength: 2000, rows: 3 },
          draft,
        },
        {
          ...{ type: 'date', name: 'until', label: 'Until (empty: permanently)' },
          min: new Date().toISOString().slice(0, 10),
        },
        { type: 'content', name: 'note', content: <p className="quiet">{words.note}</p> },
      ]}
      words={words.button}
      send={(values) => {
        const until = values.text('until');
        const body = {
          ...(choices[Number(values.text('what'))] as ConstraintChoice).body,
          reason: values.text('reason'),
          ...(until !== '' && { until: `${until}T23:59:59Z` }),
        };
        return call('CreatePlanConstraint', { body });
      }}
      touched={['GetPlan', 'ListPlanConstraints', 'GetPathRepairs']}
      onSent={() => {
        draft.sent();
        notify('Saved. The plan is being computed again.');
      }}
      onClose={onClose}
    />
  );
}

export interface ConstraintChoice {
  readonly label: string;
  readonly body: Omit<NewConstraint, 'reason'>;
}

const MAX_TITLE = 400;

/** Choices: the whole card, one of its packages, or the object that it changes. */
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

/** With more objects, a separate list is shown. */
const MAX_OBJECTS = 5;
