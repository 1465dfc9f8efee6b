/** The plan: cards of changes that help together, with the exposure that they leave. */

import type { ComputingRecord, PlanRecord } from '@clew/api';
import { useEffect } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { hasSingleKeys } from '../../parts/keys.ts';
import { SCOPE } from '../../scope.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge } from '../../text/formats.ts';
import { LostFilters } from '../findings/LostFilters.tsx';
import { AdoptedPlans, StartPlan } from './AdoptedPlans.tsx';
import { AuthorityQuestions } from './AuthorityQuestions.tsx';
import { Decisions } from './Decisions.tsx';
import { Hero } from './Hero.tsx';
import { Left } from './Left.tsx';
import { LeftOut } from './LeftOut.tsx';
import { PlanCard } from './PlanCard.tsx';
import { principals } from './planFigures.ts';
import { EnvironmentList, Exports, Goal } from './Rail.tsx';
import { goalOf, MAX_CARDS, usePlan } from './usePlan.ts';

const FIRST_CARDS = 5;

export function PlanView({ address }: { readonly address: Address }) {
  const limit = Math.min(address.number('limit', FIRST_CARDS), MAX_CARDS);
  const query = usePlan(address, limit);
  return (
    <div className="page">
      <h1 className="unseen">Fix first</h1>
      <LostFilters address={address} names={SCOPE} />
      <Answer query={query} what="the plan" lines={6}>
        {(data) =>
          'cards' in data ? (
            <Plan plan={data} limit={limit} address={address} />
          ) : (
            <Computing progress={data} />
          )
        }
      </Answer>
    </div>
  );
}

/** This zone has no plan yet. */
export function Computing({ progress }: { readonly progress: ComputingRecord }) {
  return (
    <Empty title="The first plan is being made">
      <p role="status">{progressText(progress)}</p>
      <p>It appears here by itself. The findings are there already.</p>
    </Empty>
  );
}

function Plan({ plan, limit, address }: { plan: PlanRecord; limit: number; address: Address }) {
  const env = address.get('env');
  const mayStart = plan.cards.length > 0 && plan.computing?.generation !== plan.generation;
  useCardKeys();
  return (
    <div className="fix">
      <div>
        {plan.computing !== null && (
          <p className="notice" role="status">
            {plan.computing.generation === plan.generation
              ? firstCardsText(plan.computing)
              : `This is the plan of the analysis of ${formatAge(plan.published_at)}. A newer one is being made. ${progressText(plan.computing)}`}
          </p>
        )}
        {plan.before.length > 0 && <Hero plan={plan} env={env} goal={goalOf(address)} />}
        {plan.no_short_list && plan.cards.length > 0 && (
          <p className="lead">No short list closes every path. These cut the most-used ones.</p>
        )}
        {plan.cards.length === 0 && <NoCards plan={plan} />}
        <ol className="repairs">
          {plan.cards.map((card, index) => (
            <li key={card.key}>
              <PlanCard
                card={card}
                number={index + 1}
                zone={plan.asset_group_tag_id}
                before={plan.cards[index - 1]?.exposure ?? plan.before}
                env={env}
              />
            </li>
          ))}
        </ol>
        {plan.card_count > plan.cards.length && limit < MAX_CARDS && (
          <button
            type="button"
            onClick={() => address.set({ limit: Math.min(limit * 2, MAX_CARDS) }, { replace: true })}
          >
            Show {plan.card_count - plan.cards.length} more cards
          </button>
        )}
        <Decisions plan={plan} />
        <Left plan={plan} />
        <AuthorityQuestions plan={plan} />
        {plan.not_read.length > 0 && (
          <details className="plan-end quiet">
            <summary>Not everything was read: paths over the rest are not in these figures</summary>
            <ul>
              {plan.not_read.map((sentence) => (
                <li key={sentence}>{cleanText(sentence)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <aside className="rail" aria-label="Plan">
        <Goal plan={plan} address={address} />
        <AdoptedPlans zone={plan.asset_group_tag_id} start={mayStart ? <StartPlan plan={plan} /> : null} />
        <EnvironmentList plan={plan} />
        <LeftOut plan={plan} />
        {plan.cards.length > 0 && <Exports plan={plan} />}
      </aside>
    </div>
  );
}

/** Thin data is not safety. */
function NoCards({ plan }: { readonly plan: PlanRecord }) {
  const isSafe = plan.end.reason === 'nothing-exposed';
  return (
    <Empty title={isSafe ? 'Nothing can reach the zone' : 'No repair to propose'}>
      <p>{cleanText(plan.end.text)}</p>
      {plan.not_read.length > 0 && <p>Not everything was read: real exposure may be higher.</p>}
    </Empty>
  );
}

/** Describes the cards that are known while the rest of the same plan is being made. */
function firstCardsText({ fault }: ComputingRecord): string {
  const goesOn = fault === null ? 'The search for more changes and for proof goes on' : cleanText(fault);
  return `These are the first cards. ${goesOn}.`;
}

function progressText({ started_at, card_count, exposed_count, fault }: ComputingRecord): string {
  if (fault !== null) return `${cleanText(fault)}.`;
  if (started_at === null) return 'It starts when the analysis is done.';
  const left = exposed_count === null ? '' : `, ${principals(exposed_count)} still exposed`;
  return `Started ${formatAge(started_at)}: ${counted(card_count, 'card')} so far${left}.`;
}

/** Buttons of a card by their keys. */
const ACTIONS: Readonly<Record<string, string>> = {
  w: '.actions > .main',
  c: '.actions > .end',
};

/** `j` and `k` move between cards; `w` and `c` press buttons of the focused card. */
function useCardKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = ACTIONS[event.key];
      if ((event.key !== 'j' && event.key !== 'k' && action === undefined) || !hasSingleKeys()) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (target?.closest('input, textarea, select, dialog') !== null && target !== undefined) return;
      const cards = [...document.querySelectorAll<HTMLElement>('article.repair')];
      const at = cards.findIndex((card) => card.contains(document.activeElement));
      if (action !== undefined) {
        cards[at]?.querySelector<HTMLElement>(action)?.click();
        return;
      }
      const next = cards[event.key === 'j' ? at + 1 : Math.max(0, at - 1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
