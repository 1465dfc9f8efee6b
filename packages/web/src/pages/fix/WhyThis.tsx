/** The reasons for the cost of a change, the users of the removed access, alternatives, and questions for users. */
import type { PackageRecord, QuestionRecord } from '@clew/api';
import { useState } from 'react';
import { useSaid } from '../../parts/oneDomain.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, visibleText } from '../../text/cleanText.ts';
import { type ConstraintChoice, ConstraintDialog } from './ConstraintDialog.tsx';

/** Rows of the facts of a change. */
export function WhyThis({ one }: { readonly one: PackageRecord }) {
  const said = useSaid();
  const { why, uses, not_this } = one;
  return (
    <>
      {why !== '' && (
        <>
          <dt>Why this</dt>
          <dd>{said(why)}</dd>
        </>
      )}
      {uses !== null && uses.text !== '' && (
        <>
          <dt>Who uses it</dt>
          <dd>{said(uses.text)}</dd>
        </>
      )}
      {not_this.length > 0 && (
        <>
          <dt>Why not that</dt>
          <dd>
            <ul className="plain-list">
              {not_this.map(({ text, packages }) => (
                <li key={packages.map(({ key }) => key).join(' ')}>{said(text)}</li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </>
  );
}

/** Questions that the data cannot decide; an answer is stored, and the plan is computed again with it. */
export function Questions({ one }: { readonly one: PackageRecord }) {
  const self = useSelf();
  const said = useSaid();
  const [answered, setAnswered] = useState<{ question: QuestionRecord; isNeeded: boolean }>();
  if (one.questions.length === 0) return null;
  return (
    <div className="questions">
      {one.questions.map((question) => (
        <div key={`${question.kind} ${question.question}`} className="question">
          <p>
            <strong>{said(question.question)}</strong> {said(question.unneeded.text)}{' '}
            {said(question.needed.text)}
          </p>
          {self?.may('graphdb/Mutate') && (
            <p className="answers">
              <button type="button" onClick={() => setAnswered({ question, isNeeded: false })}>
                No one needs it…
              </button>
              <button type="button" onClick={() => setAnswered({ question, isNeeded: true })}>
                Someone needs it…
              </button>
            </p>
          )}
        </div>
      ))}
      {answered !== undefined && (
        <ConstraintDialog
          choices={[choiceOf(one, answered.question, answered.isNeeded)]}
          subject={`${one.key} ${answered.question.kind}`}
          words={answered.isNeeded ? NEEDED : UNNEEDED}
          onClose={() => setAnswered(undefined)}
        />
      )}
    </div>
  );
}

const UNNEEDED = {
  title: 'No one needs it',
  note: 'The change then costs only its work, and the plan is computed again. You can withdraw the answer under “Left out and answered” in Fix first.',
  button: 'Keep the answer',
};
const NEEDED = {
  title: 'Someone needs it',
  note: 'The plan is computed again without the change. You can withdraw the answer under “Left out and answered” in Fix first.',
  button: 'Keep the answer',
};

const MAX_TITLE = 400;

const choiceOf = (
  { title }: PackageRecord,
  { question, references }: QuestionRecord,
  isNeeded: boolean,
): ConstraintChoice => ({
  label: cleanText(question),
  body: {
    subject: isNeeded ? 'repairs' : 'unneeded',
    repairs: references,
    title: visibleText(title).slice(0, MAX_TITLE),
  },
});
