/**
 * The proof of a started plan: the changes, their uploads, the users who reported them, and the promised and measured effect of
 * each card.
 */
import type { PlanProof as Proof, ProofChange, ProofEvent } from '@clew/api';
import { useId, useState } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { Breakable } from '../../parts/Breakable.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, quotingText } from '../../text/cleanText.ts';
import { counted, formatDate, formatDay } from '../../text/formats.ts';
import { monthText } from './monthText.ts';
import { Claims, ProofEvidence } from './ProofEvidence.tsx';
import { PROOF_WORDS } from './proofWords.ts';

interface PlanProofProps {
  readonly plan: number;
}

/** The proof is loaded when it is opened. */
export function PlanProof({ plan }: PlanProofProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="proof" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Proof</summary>
      {isOpen && <Content plan={plan} />}
    </details>
  );
}

const PAGE = 100;
const MAX_PAGE = 1000;

function Content({ plan }: PlanProofProps) {
  const [month, setMonth] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const chosen = useId();
  // The choice of the month, which has the focus, stays until the next answer.
  const query = useAnswer(
    'GetPlanProof',
    { params: { plan_id: plan }, query: { limit, ...(month !== '' && { month }) } },
    { keep: true },
  );
  return (
    <Answer query={query} what="the proof" lines={4}>
      {({ data }) => (
        <>
          <p>{cleanText(data.text)}</p>
          <Months proof={data} />
          {data.months.length > 1 && (
            <p>
              <label htmlFor={chosen}>Month</label>{' '}
              <select id={chosen} value={month} onChange={({ target }) => setMonth(target.value)}>
                <option value="">All months</option>
                {data.months.map((one) => (
                  <option key={one.month}>{one.month}</option>
                ))}
              </select>
            </p>
          )}
          <ProofEvidence plan={plan} evidence={data.evidence} />
          {month !== '' && data.change_count === 0 && (
            <FilteredOut
              noun={['change', 'changes']}
              filters={[{ name: 'month', words: `Month: ${month}`, onDrop: () => setMonth('') }]}
              onClear={() => setMonth('')}
            />
          )}
          {data.repairs.map((repair) => (
            <RepairProof key={repair.number} proof={data} repair={repair} />
          ))}
          {data.changes.length < data.change_count && limit < MAX_PAGE && (
            <button type="button" onClick={() => setLimit(MAX_PAGE)}>
              Show more of {counted(data.change_count, 'change')}
            </button>
          )}
          {data.changes.length < data.change_count && limit >= MAX_PAGE && (
            <p className="quiet">
              The first {counted(MAX_PAGE, 'change')} of {data.change_count}; clew plans proof {plan} shows
              all.
            </p>
          )}
        </>
      )}
    </Answer>
  );
}

/** A list, because the rail has no room for a table. */
function Months({ proof: { months } }: { readonly proof: Proof }) {
  if (months.length === 0) return null;
  return (
    <ul className="plain-list" aria-label="Changes and repairs by month, in UTC">
      {months.map((one) => (
        <li key={one.month}>
          {one.month}: {monthText(one)}
        </li>
      ))}
    </ul>
  );
}

interface RepairProofProps {
  readonly proof: Proof;
  readonly repair: Proof['repairs'][number];
}

function RepairProof({ proof: { cards, changes, evidence }, repair }: RepairProofProps) {
  const own = changes.filter((change) => change.repair === repair.number);
  if (own.length === 0) return null;
  // A card of several repairs shows its effect only once.
  const card = cards?.find(({ repairs }) => repairs[0] === repair.number);
  return (
    <section className="proof-repair">
      <h4>
        <Breakable text={cleanText(repair.title)} />
      </h4>
      {repair.due !== null && (
        <p className={repair.overdue ? 'warning' : 'quiet'}>
          {repair.overdue ? 'Overdue since' : 'Due'} {formatDay(repair.due)}
        </p>
      )}
      {card !== undefined && card.text !== '' && (
        <p className="quiet">
          Card {card.number}: {card.text}
        </p>
      )}
      <ul className="plain-list">
        {own.map((change) => (
          <ChangeProof key={change.number} change={change} evidence={evidence} />
        ))}
      </ul>
    </section>
  );
}

interface ChangeProofProps {
  readonly change: ProofChange;
  readonly evidence: Proof['evidence'];
}

function ChangeProof({ change: { number, title, proof, text, said, events }, evidence }: ChangeProofProps) {
  return (
    <li>
      <span className={proof === 'proved' ? 'ok' : ''}>{PROOF_WORDS[proof]}</span>{' '}
      <Breakable text={cleanText(title)} />
      <div className="quiet">{cleanText(text)}</div>
      {said !== null && said.note !== '' && (
        <div className="quiet">
          <Name text={said.by} />: <NoteText text={said.note} />
        </div>
      )}
      <Claims change={number} evidence={evidence} />
      {events.map((event) => (
        <EventLine key={event.generation} event={event} />
      ))}
    </li>
  );
}

const STATES: Readonly<Record<ProofEvent['state'], string>> = {
  open: 'partly changed',
  done: 'done',
  undone: 'exists again',
  'not-seen': 'not seen again, which is not proof',
};

function EventLine({ event: { state, at, since, facts, fact_count } }: { readonly event: ProofEvent }) {
  const more = (fact_count ?? 0) - facts.length;
  return (
    <div>
      {since === null ? formatDate(at) : `${formatDate(since)} to ${formatDate(at)}`}: {STATES[state]}
      <ul className="quiet">
        {facts.map((fact) => (
          <li key={fact.text}>
            {quotingText(fact.text, fact.what === 'property' ? [fact.old, fact.new] : [])}
          </li>
        ))}
        {facts.length > 0 && more > 0 && <li>and {counted(more, 'more fact')}</li>}
      </ul>
    </div>
  );
}
