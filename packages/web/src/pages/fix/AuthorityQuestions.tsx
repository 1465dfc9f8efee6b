/** Questions about certification authorities that collectors cannot answer: whether the update against ADCSESC15 is installed. */

import type { AuthorityQuestionRecord, PlanRecord } from '@clew/api';
import { principalsText } from '@clew/model';
import { notify } from '../../parts/notices.ts';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate } from '../../text/formats.ts';

/** `undefined` withdraws the answer. */
interface Answer {
  readonly authority_id: string;
  readonly is_updated: boolean | undefined;
}

async function keep({ authority_id, is_updated }: Answer): Promise<void> {
  const params = { authority_id };
  if (is_updated === undefined) await call('WithdrawAuthorityAnswer', { params });
  else await call('AnswerAuthorityQuestion', { params, body: { is_updated } });
}

export function AuthorityQuestions({ plan }: { readonly plan: PlanRecord }) {
  const self = useSelf();
  const change = useChange(keep, {
    touched: ['GetPlan'],
    onSuccess: (_, { is_updated }) =>
      notify(
        `${is_updated === undefined ? 'Withdrawn' : 'Saved'}. A new analysis will follow, then the plan.`,
      ),
  });
  if (plan.authority_questions.length === 0) return null;
  const answer = (authority_id: string, is_updated: boolean | undefined) =>
    change.mutate({ authority_id, is_updated });
  return (
    <section className="card authority-questions" aria-labelledby="authority-questions">
      <h2 id="authority-questions">Certification authorities</h2>
      <ul className="plain-list">
        {plan.authority_questions.map((asked) => (
          <li key={asked.authority.object_id}>
            <p>
              <strong>{cleanText(asked.question)}</strong> {principalsText(asked.principal_count)} may enroll
              in{' '}
              {asked.templates.slice(0, MAX_TEMPLATES).map((template, at) => (
                <span key={template.object_id}>
                  {at > 0 && ', '}
                  <ObjectLink object={template} />
                </span>
              ))}
              {asked.template_count > MAX_TEMPLATES &&
                ` and ${counted(asked.template_count - MAX_TEMPLATES, 'more template')}`}{' '}
              at <ObjectLink object={asked.authority} /> and, without the update, log on as anyone
              (ADCSESC15).
            </p>
            <p className="quiet">{answerText(asked)}</p>
            {self?.may('graphdb/Mutate') && (
              <p className="answers">
                {asked.answer?.is_updated !== true && (
                  <button
                    type="button"
                    disabled={change.isPending}
                    onClick={() => answer(asked.authority.object_id, true)}
                  >
                    It is installed
                  </button>
                )}
                {asked.answer?.is_updated !== false && (
                  <button
                    type="button"
                    disabled={change.isPending}
                    onClick={() => answer(asked.authority.object_id, false)}
                  >
                    It is not installed
                  </button>
                )}
                {asked.answer !== null && (
                  <button
                    type="button"
                    disabled={change.isPending}
                    onClick={() => answer(asked.authority.object_id, undefined)}
                  >
                    Undo
                  </button>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
      {change.isError && (
        <p className="failure" role="alert">
          {describeError(change.error).text}
        </p>
      )}
    </section>
  );
}

const MAX_TEMPLATES = 3;

function answerText({ answer }: AuthorityQuestionRecord): string {
  if (answer === null) return 'Not answered yet: these paths count.';
  const effect = answer.is_updated
    ? 'installed, so these paths do not count'
    : 'not installed, so these paths count';
  return `${cleanText(answer.answered_by)} answered on ${formatDate(answer.answered_at)}: ${effect}.`;
}
