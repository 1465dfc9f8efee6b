/** Constraints: author, reason, end date and cost of each, with an undo button. */

import type { PlanRecord } from '@clew/api';
import { costText, shareOf } from '@clew/model';
import { NoteText } from '../../parts/NoteText.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatDate } from '../../text/formats.ts';
import { exposureOf } from './planFigures.ts';

export function LeftOut({ plan }: { readonly plan: PlanRecord }) {
  const self = useSelf();
  const undo = useChange((id: number) => call('DeletePlanConstraint', { params: { constraint_id: id } }), {
    touched: ['GetPlan', 'ListPlanConstraints'],
    onSuccess: () => notify('Back in the plan'),
  });
  const { constraints, without, with: reached } = plan.excluded;
  if (constraints.length === 0) return null;
  // The end of the plan has the same base: accounts removed from the zone then count too.
  const { all } = exposureOf(plan.outline.at(-1)?.exposure ?? plan.before);
  return (
    <section className="card left-out" aria-labelledby="left-out">
      <h2 id="left-out">Left out and answered</h2>
      {without !== null && reached !== null && (
        <p>
          With all of this left out, the plan reaches {shareOf(reached.exposed_count, all)} for cost{' '}
          {costText(reached.cost)}. Without this, it would reach {shareOf(without.exposed_count, all)} for
          cost {costText(without.cost)}.
        </p>
      )}
      <ul className="plain-list">
        {constraints.map(({ id, subject, title, reason, created_by, created_at, until }) => (
          <li key={id}>
            <strong>{cleanText(title)}</strong>
            {subject === 'unneeded' && <span className="quiet"> No one needs it</span>}
            <p>
              <NoteText text={reason} />{' '}
              <span className="quiet">
                {cleanText(created_by)}, {formatDate(created_at)}
                {until !== null && `, until ${formatDate(until)}`}
              </span>
            </p>
            {self?.may('graphdb/Mutate') && (
              <button type="button" disabled={undo.isPending} onClick={() => undo.mutate(id)}>
                Undo
              </button>
            )}
          </li>
        ))}
      </ul>
      {undo.isError && (
        <p className="failure" role="alert">
          {describeError(undo.error).text}
        </p>
      )}
    </section>
  );
}
