/** The plan: cards of changes that work together, with the exposure after each. */

import type { ComputingRecord, PlanRecord } from '@clew/api';
import { hiddenFall, principalsText } from '@clew/model';
import { useEffect, useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { hasSingleKeys } from '../../parts/keys.ts';
import { SCOPE } from '../../scope.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge } from '../../text/formats.ts';
import { LostFilters } from '../findings/LostFilters.tsx';
import { environmentWords } from '../findings/NoFindings.tsx';
import { AdoptedPlans, StartPlan } from './AdoptedPlans.tsx';
import { AuthorityQuestions } from './AuthorityQuestions.tsx';
import { Decisions } from './Decisions.tsx';
import { FirstResults } from './FirstResults.tsx';
import { Hero } from './Hero.tsx';
import { Left } from './Left.tsx';
import { LeftOut } from './LeftOut.tsx';
import { PlanCard } from './PlanCard.tsx';
import { TIER_ZERO, zoneText } from './planFigures.ts';
import { EnvironmentList, Exports, Goal } from './Rail.tsx';
import {
  DEFAULT_PERCENT,
  hasStoredNumbers,
  MAX_CARDS,
  type PlanQuestion,
  planIn,
  questionOf,
  storedQuestion,
  usePlan,
} from './usePlan.ts';

const FIRST_CARDS = 5;

export function PlanView({ address }: { readonly address: Address }) {
  const limit = Math.min(address.number('limit', FIRST_CARDS), MAX_CARDS);
  const question = questionOf(address);
  const query = usePlan(question, limit);
  const known = useKnownPlan(planIn(query.data), question, limit);
  return (
    <div className="page">
      <h1 className="unseen">Fix first</h1>
      <LostFilters address={address} names={SCOPE} />
      <Answer query={query} what="the plan" lines={6}>
        {(data) => {
          const plan = planIn(data) ?? known;
          const progress = 'cards' in data ? undefined : data;
          if (plan === undefined) return progress && <Computing progress={progress} question={question} />;
          return <Plan plan={plan} progress={progress} question={question} limit={limit} address={address} />;
        }}
      </Answer>
    </div>
  );
}

/**
 * While a plan for another goal or environment is being computed, the previous plan stays; a link to such a plan first shows the
 * stored plan.
 */
function useKnownPlan(
  plan: PlanRecord | undefined,
  { zone }: PlanQuestion,
  limit: number,
): PlanRecord | undefined {
  const [last, setLast] = useState(plan);
  if (plan !== undefined && plan !== last) setLast(plan);
  const ofZone = last?.asset_group_tag_id === zone ? last : undefined;
  const stored = usePlan(storedQuestion(zone), limit, plan === undefined && ofZone === undefined);
  return ofZone ?? planIn(stored.data);
}

interface ComputingProps {
  readonly progress: ComputingRecord;
  readonly question: PlanQuestion;
}

/** No such plan exists yet; only the first plan of Tier Zero counts as the first result. */
export function Computing({ progress, question }: ComputingProps) {
  if (isFirstOfAll(question)) return <FirstResults planning={progress} />;
  const hasFailed = progress.fault !== null;
  const title = hasFailed ? 'The plan could not be created' : 'The plan is being created';
  return (
    <>
      <span role="status" className="unseen">
        {title}
      </span>
      <Empty title={title}>
        <p>
          This is the plan of {zoneText(question.zone)} {wantedText(question)}. {progressText(progress)}{' '}
          {hasFailed
            ? 'It will be retried, and will then appear here.'
            : 'It will appear here automatically.'}
        </p>
      </Empty>
    </>
  );
}

const isFirstOfAll = ({ zone, goal, env }: PlanQuestion): boolean =>
  zone === TIER_ZERO && goal === DEFAULT_PERCENT && env === undefined;

interface PlanProps {
  readonly plan: PlanRecord;
  /** Progress of the requested plan, while the previous one is shown. */
  readonly progress: ComputingRecord | undefined;
  readonly question: PlanQuestion;
  readonly limit: number;
  readonly address: Address;
}

function Plan({ plan, progress, question, limit, address }: PlanProps) {
  const isOld = progress !== undefined;
  const mayStart = !isOld && plan.cards.length > 0 && plan.computing?.generation !== plan.generation;
  const numbers = !isOld && hasStoredNumbers(question);
  useCardKeys();
  return (
    <div className="fix">
      <div>
        <PlanNotice plan={plan} progress={progress} question={question} />
        <div className={isOld ? 'renewing' : undefined} aria-busy={isOld}>
          {plan.before.length > 0 && <Hero plan={plan} goal={Math.round(plan.goal * 100)} />}
          {plan.no_short_list && plan.cards.length > 0 && (
            <p className="lead">No short list closes every path. These cut the most-used ones.</p>
          )}
          {plan.cards.length === 0 && (
            <NoCards plan={plan} question={isOld ? undefined : question} address={address} />
          )}
          <ol className="repairs">
            {plan.cards.map((card, index) => (
              <li key={card.key}>
                <HiddenFall plan={plan} at={index} />
                <PlanCard
                  card={card}
                  number={index + 1}
                  zone={plan.asset_group_tag_id}
                  before={plan.cards[index - 1]?.exposure ?? plan.before}
                  isStored={numbers}
                />
              </li>
            ))}
          </ol>
          <MoreCards plan={plan} limit={limit} address={address} />
          <Decisions plan={plan} />
          <Left plan={plan} environment={question?.env} />
          <AuthorityQuestions plan={plan} />
          <NotRead plan={plan} />
        </div>
      </div>
      <aside className="rail" aria-label="Plan">
        <Goal plan={plan} address={address} />
        <AdoptedPlans
          zone={plan.asset_group_tag_id}
          start={mayStart ? <StartPlan plan={plan} env={question.env} /> : null}
        />
        <EnvironmentList plan={plan} isOne={question.env !== undefined} />
        <LeftOut plan={plan} />
        {plan.cards.length > 0 && <Exports plan={plan} />}
      </aside>
    </div>
  );
}

/** Cards that the user does not see come before this one. */
function HiddenFall({ plan, at }: Pick<PlanProps, 'plan'> & { readonly at: number }) {
  const text = hiddenFall(plan, at);
  return text === undefined ? null : <p className="quiet">{text}</p>;
}

/** Describes the plan being computed, and the plan shown in the meantime. */
function PlanNotice({ plan, progress, question }: Pick<PlanProps, 'plan' | 'progress' | 'question'>) {
  const { computing } = plan;
  const madeText = (of: ComputingRecord): string =>
    `${of.fault === null ? 'is being created' : 'could not be created'}. ${progressText(of)}`;
  const text =
    progress !== undefined
      ? `The plan ${wantedText(question)} ${madeText(progress)} Until then, the previous plan is shown.`
      : computing === null
        ? undefined
        : computing.generation === plan.generation
          ? firstCardsText(computing, plan.excluded.is_outdated)
          : `This is the plan of the analysis of ${formatAge(plan.published_at)}. A newer plan ${madeText(computing)}`;
  return text === undefined ? null : (
    <p className="notice" role="status">
      {text}
    </p>
  );
}

/** @returns the requested goal and environment as text */
const wantedText = ({ goal, env }: PlanQuestion): string =>
  `to a goal of ${goal}%${env === undefined ? '' : ' of this environment'}`;

function MoreCards({ plan, limit, address }: Pick<PlanProps, 'plan' | 'limit' | 'address'>) {
  const rest = plan.card_count - plan.cards.length;
  if (rest === 0 || limit >= MAX_CARDS) return null;
  // A few cards at the end need no further press.
  const next = rest <= limit * 2 ? Math.min(rest, MAX_CARDS - limit) : Math.min(limit, MAX_CARDS - limit);
  return (
    <button type="button" onClick={() => address.set({ limit: limit + next }, { replace: true })}>
      {next === rest ? `Show ${counted(rest, 'more card')}` : `Show ${next} of ${rest} more cards`}
    </button>
  );
}

function NotRead({ plan: { not_read } }: Pick<PlanProps, 'plan'>) {
  if (not_read.length === 0) return null;
  return (
    <details className="plan-end quiet">
      <summary>Some data was not collected: paths through the missing parts are not in these figures</summary>
      <ul>
        {not_read.map((sentence) => (
          <li key={sentence}>{cleanText(sentence)}</li>
        ))}
      </ul>
    </details>
  );
}

interface NoCardsProps {
  readonly plan: PlanRecord;
  /** The question of the plan; `undefined` if the plan answers an earlier one. */
  readonly question: PlanQuestion | undefined;
  readonly address: Address;
}

/** Incomplete data does not mean safety. */
function NoCards({ plan, question, address }: NoCardsProps) {
  const isSafe = plan.end.reason === 'nothing-exposed';
  if (!isSafe && question !== undefined && !isOfAll(question))
    return <NoCardsOf {...{ plan, question, address }} />;
  return (
    <Empty title={isSafe ? 'Nothing can reach the zone' : 'No repair to propose'}>
      <p>{cleanText(plan.end.text)}</p>
      <Unsure plan={plan} />
    </Empty>
  );
}

/** Neither the environment nor the goal limits the plan. */
const isOfAll = ({ env, goal }: PlanQuestion): boolean => env === undefined && goal === DEFAULT_PERCENT;

/** A plan without cards for an environment or goal: the plan without them may have some. */
function NoCardsOf({ plan, question, address }: NoCardsProps & { readonly question: PlanQuestion }) {
  const { zone, goal, env } = question;
  const environments = useAnswer('GetAvailableDomains').data?.data ?? [];
  const whole = planIn(usePlan(storedQuestion(zone), 1).data);
  const names = [
    ...(env === undefined ? [] : [{ name: 'env', words: environmentWords(env, environments) }]),
    ...(goal === DEFAULT_PERCENT ? [] : [{ name: 'goal', words: `Goal: ${goal}%` }]),
  ];
  // The plan without only one of two filters would have to be computed.
  const count = names.length === 1 ? whole?.card_count : undefined;
  return (
    <FilteredOut
      noun={['card', 'cards']}
      filters={names.map((one) => ({ ...one, count, onDrop: () => address.set({ [one.name]: undefined }) }))}
      onClear={() => address.set({ env: undefined, goal: undefined })}
    >
      <p>{cleanText(plan.end.text)}</p>
      <Unsure plan={plan} />
    </FilteredOut>
  );
}

/** Constraints, and data that was not collected, may hide cards. */
function Unsure({ plan: { excluded, not_read } }: Pick<PlanProps, 'plan'>) {
  const { length } = excluded.constraints;
  return (
    <>
      {length > 0 && (
        <p>
          {counted(length, 'constraint')} {length === 1 ? 'leaves' : 'leave'} changes out of this plan.
        </p>
      )}
      {not_read.length > 0 && <p>Some data was not collected: real exposure may be higher.</p>}
    </>
  );
}

/** Describes the available cards while the rest of the plan is being computed. */
function firstCardsText({ fault }: ComputingRecord, isOutdated = false): string {
  if (isOutdated)
    return `These cards were computed before the latest change of constraints or costs. ${fault === null ? 'The plan is being computed again' : cleanText(fault)}.`;
  const goesOn = fault === null ? 'The search for more changes and for proof continues' : cleanText(fault);
  return `These are the first cards. ${goesOn}.`;
}

function progressText({ started_at, card_count, exposed_count, fault }: ComputingRecord): string {
  if (fault !== null) return `${cleanText(fault)}.`;
  if (started_at === null) return 'It starts when the analysis is complete.';
  const left = exposed_count === null ? '' : `, ${principalsText(exposed_count)} still exposed`;
  return `Started ${formatAge(started_at)}: ${counted(card_count, 'card')} so far${left}.`;
}

/** Buttons of a card, by key. */
const ACTIONS: Readonly<Record<string, string>> = {
  w: '.actions > .try',
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
