/** Plans that are carried out: starting one, and how far it is. */
import type { AdoptionRecord, PlanRecord } from '@clew/api';
import { type FormEvent, useState } from 'react';
import { announce } from '../../parts/announce.ts';
import { Dialog } from '../../parts/Dialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate } from '../../text/formats.ts';

export function StartPlan({ plan }: { readonly plan: PlanRecord }) {
  const self = useSelf();
  const [asking, setAsking] = useState(false);
  if (!self?.may('graphdb/Mutate')) return null;
  return (
    <>
      <button type="button" className="main" onClick={() => setAsking(true)}>
        Start this plan…
      </button>
      {asking && <StartDialog plan={plan} onClose={() => setAsking(false)} />}
    </>
  );
}

function StartDialog({ plan, onClose }: { readonly plan: PlanRecord; readonly onClose: () => void }) {
  const start = useChange(
    (name: string) =>
      call(
        'AdoptPlan',
        {
          body: {
            name,
            asset_group_tag_id: plan.asset_group_tag_id,
            cards: plan.cards.map(({ key }) => key),
          },
        },
        { wait: 120 },
      ),
    ['ListAdoptedPlans', 'ListPlans'],
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    start.mutate(name, {
      onSuccess: () => {
        announce('Started');
        onClose();
      },
    });
  };
  return (
    <Dialog title="Start this plan" onClose={onClose}>
      <form onSubmit={submit} aria-busy={start.isPending}>
        <p>
          Each later analysis is compared with the {counted(plan.cards.length, 'card')} shown here: what is
          done, not done, or undone again, and what that took away.
        </p>
        <label>
          Name
          <input
            name="name"
            required
            maxLength={200}
            defaultValue={`Plan of ${formatDate(plan.published_at)}`}
          />
        </label>
        {start.isError && (
          <p className="failure" role="alert">
            {describeError(start.error).text}
          </p>
        )}
        <footer className="bar">
          <button type="submit" className="main" disabled={start.isPending}>
            {start.isPending ? 'Starting…' : 'Start'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const STATES: Readonly<Record<string, string>> = {
  open: '○ To do',
  done: '✓ Done',
  undone: '↺ Undone again',
  'not-seen': '? Not seen again',
};

/** Of users who may see all; others have no saved plans. */
export function AdoptedPlans({ zone }: { readonly zone: number }) {
  const query = useAnswer('ListAdoptedPlans');
  const plans = (query.data?.data ?? []).filter(({ asset_group_tag_id }) => asset_group_tag_id === zone);
  if (plans.length === 0) return null;
  return (
    <section className="card adopted" aria-labelledby="adopted">
      <h2 id="adopted">Progress</h2>
      {plans.map((plan) => (
        <Adopted key={plan.plan_id} plan={plan} />
      ))}
    </section>
  );
}

function Adopted({ plan }: { readonly plan: AdoptionRecord }) {
  return (
    <div className="adopted-plan">
      <h3>
        <Name text={plan.name} />
      </h3>
      <p>
        <progress value={plan.done_count} max={plan.change_count} aria-label="Changes that are done" />{' '}
        {cleanText(plan.text)}
      </p>
      {plan.other !== '' && <p className="quiet">{cleanText(plan.other)}</p>}
      <details>
        <summary>{counted(plan.change_count, 'change')}</summary>
        <ul className="plain-list">
          {plan.changes.map(({ title, state, history, done_count, fact_count }, at) => (
            <li key={`${at + 1} ${title}`}>
              <span className={state === 'done' ? 'ok' : ''}>{STATES[state] ?? state}</span>{' '}
              {cleanText(title)}
              {state === 'open' && done_count > 0 && ` (${done_count} of ${fact_count})`}
              {history.length > 0 && (
                <span className="quiet"> {formatDate((history.at(-1) as { at: string }).at)}</span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
