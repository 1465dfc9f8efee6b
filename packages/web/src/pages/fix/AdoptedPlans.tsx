/** Starts plans, and shows the progress of started ones. */
import type { AdoptedRepair, AdoptionRecord, NewMark, PlanRecord } from '@clew/api';
import { type ReactNode, useState } from 'react';
import { Breakable } from '../../parts/Breakable.tsx';
import { useFieldDraft } from '../../parts/drafts.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { notify } from '../../parts/notices.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate } from '../../text/formats.ts';
import { assignedText } from './Assignment.tsx';
import { PlanProof } from './PlanProof.tsx';
import { PROOF_WORDS } from './proofWords.ts';

interface StartProps {
  readonly plan: PlanRecord;
  /** The environment of the plan; absent for all. */
  readonly env: string | undefined;
}

export function StartPlan({ plan, env }: StartProps) {
  const self = useSelf();
  const [asking, setAsking] = useState(false);
  const started = useStarted(plan.asset_group_tag_id);
  if (!self?.may('saved_queries/Write') || started === undefined) return null;
  return (
    <>
      {started.length > 0 && (
        <p className="quiet">
          Another start keeps the {started.length === 1 ? 'started plan' : 'started plans'}, and adds the
          cards shown now as a further plan.
        </p>
      )}
      <button type="button" onClick={() => setAsking(true)}>
        {started.length === 0 ? 'Start this plan…' : 'Start another plan…'}
      </button>
      {asking && <StartDialog plan={plan} env={env} started={started} onClose={() => setAsking(false)} />}
    </>
  );
}

interface StartDialogProps extends StartProps {
  /** The plans that are already started. */
  readonly started: readonly AdoptionRecord[];
  readonly onClose: () => void;
}

function StartDialog({ plan, env, started, onClose }: StartDialogProps) {
  const isFirst = started.length === 0;
  return (
    <FormDialog
      title={isFirst ? 'Start this plan' : 'Start another plan'}
      fields={[
        {
          ...{ type: 'content', name: 'about' },
          content: (
            <p>
              Each later analysis is compared with the {counted(plan.cards.length, 'card')} shown here: done,
              not done and undone changes, and their effect.
              {!isFirst && ' It does not replace a started plan of this zone.'}
            </p>
          ),
        },
        {
          ...{ type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
          value: `Plan of ${formatDate(plan.published_at)}`,
        },
      ]}
      words="Start plan"
      pendingWords="Starting…"
      send={(values) =>
        call(
          'AdoptPlan',
          {
            body: {
              name: values.text('name'),
              asset_group_tag_id: plan.asset_group_tag_id,
              cards: plan.cards.map(({ key }) => key),
              goal: plan.goal,
              ...(env !== undefined && { environments: [env] }),
            },
          },
          { wait: 120 },
        )
      }
      touched={['ListAdoptedPlans', 'ListPlans']}
      onSent={() => notify('Started')}
      onClose={onClose}
    />
  );
}

/** Started plans that change only objects visible to the user. */
export function AdoptedPlans({ zone, start = null }: { readonly zone: number; readonly start?: ReactNode }) {
  const plans = useStarted(zone) ?? [];
  if (plans.length === 0 && start === null) return null;
  return (
    <section className="card adopted" aria-labelledby="adopted">
      <h2 id="adopted">Progress</h2>
      {plans.length === 0 && (
        <p className="quiet">When you start a plan, each later analysis shows which changes are done.</p>
      )}
      {plans.map((plan) => (
        <Adopted key={plan.plan_id} plan={plan} />
      ))}
      {start}
    </section>
  );
}

/** Plans of the zone that are started; `undefined` until known. */
const useStarted = (zone: number): readonly AdoptionRecord[] | undefined =>
  useAnswer('ListAdoptedPlans').data?.data.filter(({ asset_group_tag_id }) => asset_group_tag_id === zone);

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
          {plan.changes.map((change) => (
            <ChangeLine
              key={change.number}
              plan={plan.plan_id}
              change={change}
              repair={plan.repairs.find(({ changes }) => changes.includes(change.number))}
            />
          ))}
        </ul>
      </details>
      <PlanProof plan={plan.plan_id} />
    </div>
  );
}

type Change = AdoptionRecord['changes'][number];

interface ChangeLineProps {
  readonly plan: number;
  readonly change: Change;
  /** The repair that contains the change. */
  readonly repair: AdoptedRepair | undefined;
}

function ChangeLine({ plan, change, repair }: ChangeLineProps) {
  const { number, title, state, history, proof, text, marked } = change;
  const self = useSelf();
  const [marking, setMarking] = useState(false);
  const mark = useMark(plan, number);
  const last = history.at(-1);
  const word = marked === null ? 'Mark as done…' : 'Remove the mark';
  return (
    <li>
      <span className={state === 'done' ? 'ok' : ''}>{PROOF_WORDS[proof]}</span>{' '}
      <Breakable text={cleanText(title)} />
      {last !== undefined && <span className="quiet"> {formatDate(last.at)}</span>}
      {state !== 'done' && repair !== undefined && (repair.owner ?? repair.due) !== null && (
        <div className="quiet">{assignedText(repair)}</div>
      )}
      <div className="quiet">{cleanText(text)}</div>
      {marked !== null && marked.note !== '' && (
        <div className="quiet">
          <Name text={marked.by} />: <NoteText text={marked.note} />
        </div>
      )}
      {last !== undefined && last.moved.length > 0 && (
        <div className="quiet">{last.moved.map(cleanText).join('; ')}</div>
      )}
      {state !== 'done' && self?.may('saved_queries/Write') && (
        <button
          type="button"
          className="plain"
          disabled={mark.isPending}
          aria-label={`${word}: ${cleanText(title)}`}
          onClick={() => {
            if (marked === null) setMarking(true);
            else mark.mutate({ done: false });
          }}
        >
          {word}
        </button>
      )}
      {mark.isError && <p role="alert">{describeError(mark.error).text}</p>}
      {marking && <MarkDialog plan={plan} change={change} onClose={() => setMarking(false)} />}
    </li>
  );
}

/** Also shows errors of an undo, which comes after the dialog. */
const useMark = (plan: number, change: number) =>
  useDialogChange(
    (mark: Omit<NewMark, 'changes'>) =>
      call('MarkPlanChanges', { params: { plan_id: plan }, body: { changes: [change], ...mark } }),
    { touched: ['ListAdoptedPlans', 'GetPlanProof'] },
  );

interface MarkDialogProps extends Pick<ChangeLineProps, 'plan' | 'change'> {
  readonly onClose: () => void;
}

function MarkDialog({ plan, change: { number, title }, onClose }: MarkDialogProps) {
  const mark = useMark(plan, number);
  const draft = useFieldDraft(`mark ${plan} ${number}`);
  return (
    <FormDialog
      title="Mark as done"
      fields={[
        { type: 'content', name: 'change', content: <p>{cleanText(title)}</p> },
        {
          ...{ type: 'note', name: 'note', maxLength: 2000, rows: 3, draft },
          label: 'Note, such as the number of a ticket (optional)',
        },
        {
          ...{ type: 'content', name: 'about' },
          content: (
            <p className="quiet">
              The mark does not change the figures. The next analysis of its objects confirms or contradicts
              it.
            </p>
          ),
        },
      ]}
      words="Mark as done"
      send={(values) => {
        const note = values.text('note');
        return mark.mutateAsync({ done: true, ...(note !== '' && { note }) });
      }}
      touched={[]}
      onSent={() => {
        draft.sent();
        notify('Marked as done', { undo: () => mark.mutate({ done: false }) });
      }}
      onClose={onClose}
    />
  );
}
