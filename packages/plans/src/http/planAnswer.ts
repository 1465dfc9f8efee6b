/** Builds an answer from a stored plan: its first cards, limited to what the user may see. */
import { createHash } from 'node:crypto';
import type { CardRecord, ComputingRecord, ConstraintRecord, PlanRecord } from '@clew/api';
import type { KeptAnswer } from '@clew/explore';
import type { PlanOutcome } from '../stored/storedPlans.ts';
import { endText } from '../tasks/cardTexts.ts';
import { referenceKey } from '../tasks/constraints.ts';
import { seenPrices, seesAll, shownDecisions, shownPrices } from '../tasks/pricedRecords.ts';
import {
  countSeen,
  NOT_SHOWN,
  notShown,
  type Sight,
  seesFinding,
  wholeEnvironments,
} from '../tasks/sight.ts';
import type { StoredCard, StoredPackage, StoredPlan } from '../tasks/storedPlan.ts';
import { withAnswers } from './authorityAnswerHandlers.ts';
import { cardsTo, isMet } from './cardsToGoal.ts';

export interface AnswerParts {
  readonly plan: StoredPlan;
  readonly madeAt: string;
  readonly without: PlanOutcome | undefined;
  readonly with: PlanOutcome;
  readonly constraints: readonly ConstraintRecord[];
  readonly answers: readonly KeptAnswer[];
  readonly computing: PlanRecord['computing'];
  /** Whether the plan was computed before the latest change of constraints or costs. */
  readonly isOutdated?: boolean;
  /** Maximum number of cards. */
  readonly limit: number;
  readonly goal: number;
  /** Whether the answer contains the explanation of the plan. */
  readonly explain: boolean;
}

/** @param sight objects that the user may see; undefined for all */
export function planAnswer(parts: AnswerParts, sight: Sight | undefined): PlanRecord {
  const { plan, madeAt, computing, constraints, limit, goal } = parts;
  const { forests: _, rejected: __, contradictions: ___, ...shown } = seenPlan(plan, sight);
  const isHigher = goal > plan.goal;
  const within = isHigher ? cardsTo(shown.cards, goal) : shown.cards;
  const cards = within.slice(0, limit);
  return {
    ...shown,
    end: isHigher ? endAt(shown, within, goal) : shown.end,
    // Known only for the whole stored plan.
    left: within.length < shown.cards.length ? null : shownLeft(shown.left),
    goal,
    made_at: madeAt,
    card_count: within.length,
    cards: cards.map(shownCard),
    outline: within.map(outlined),
    // If a card meets the goal, even the last one, no decision is needed.
    decisions:
      isHigher && shown.cards.some((card) => isMet(card, goal)) ? [] : shownDecisions(shown.decisions),
    authority_questions: withAnswers(shown.authority_questions ?? [], parts.answers),
    excluded: {
      constraints: sight === undefined ? [...constraints] : [],
      without: sight === undefined ? (parts.without ?? null) : null,
      with: sight === undefined && parts.without !== undefined ? parts.with : null,
      ...(parts.isOutdated && { is_outdated: true }),
    },
    computing: computing === null ? null : shownComputing(computing, sight),
    exceptions: [...(shown.exceptions ?? [])],
    explanation: (parts.explain && shown.explanation) || null,
    not_shown: notShown(plan.before, plan.forests, sight),
    order: 'exposure',
    repairs: singleRepairs(shown.before, cards.map(shownCard)),
  };
}

/** @returns the text at the end of the cards for a higher goal; if they do not meet it, that of the stored plan */
function endAt(
  plan: Pick<StoredPlan, 'before' | 'end' | 'unreachable_count'>,
  cards: readonly StoredCard[],
  goal: number,
): PlanRecord['end'] {
  const last = cards.at(-1);
  if (last === undefined || !isMet(last, goal) || plan.end.text === NOT_SHOWN) return plan.end;
  const { before, unreachable_count: unreachable } = plan;
  const facts = { reason: 'goal', before, exposure: last.exposure, unreachable } as const;
  return { reason: 'goal', text: endText(facts, goal) };
}

const outlined = ({ key, packages, cost, exposure }: StoredCard): PlanRecord['outline'][number] => ({
  ...{ key, cost, exposure },
  repair_count: packages.length,
});

/** The omitted fields are only used to limit the answer to what a user may see. */
const shownCard = ({ closed_in: _, opened_in: __, packages, ...card }: StoredCard): CardRecord => ({
  ...card,
  packages: packages.map(({ subject_ids: _, title_parts: __, ...one }) => ({ ...one, ...shownPrices(one) })),
});

const shownLeft = (left: StoredPlan['left']): PlanRecord['left'] =>
  left == null
    ? null
    : { ...left, holders: left.holders.map(({ subject_ids: _, ...holder }) => ({ ...holder })) };

/** Users with limited environments may not see the total number of exposed principals. */
export const shownComputing = (computing: ComputingRecord, sight: Sight | undefined): ComputingRecord =>
  sight === undefined ? computing : { ...computing, exposed_count: null };

/** The changes of all cards in sequence; the last change of a card has its effect. */
function singleRepairs(before: PlanRecord['before'], cards: readonly CardRecord[]): PlanRecord['repairs'] {
  let exposure = before;
  return cards.flatMap((card) => {
    const changes = card.packages.flatMap(({ changes: all, cost }) =>
      all.map((change) => ({ ...change, cost: cost / all.length })),
    );
    const found = changes.map((change, at) => {
      const isLast = at === changes.length - 1;
      const { closed, closed_count, opened, opened_count } = card;
      const none = { closed: [], closed_count: 0, opened: [], opened_count: 0 };
      const made = isLast ? { closed, closed_count, opened, opened_count } : none;
      return { ...change, exposure: isLast ? card.exposure : exposure, ...made };
    });
    exposure = card.exposure;
    return found;
  });
}

/** Limits a plan to what a user may see. */
export const seenPlan = (plan: StoredPlan, sight: Sight | undefined): StoredPlan =>
  sight === undefined ? plan : limitedPlan(plan, sight);

/** Keeps repairs of visible objects, and figures of forests that are fully visible. */
function limitedPlan(plan: StoredPlan, sight: Sight): StoredPlan {
  const whole = wholeEnvironments(plan.forests, sight);
  const isWhole = ({ environment_id }: { readonly environment_id: string }): boolean =>
    whole.has(environment_id);
  const before = plan.before.filter(isWhole);
  let exposure = before;
  const cards = plan.cards.flatMap((card) => {
    const packages = card.packages.flatMap((one) => limitedPackage(one, sight));
    const limited = limitedCard(card, packages, exposure, isWhole, sight);
    exposure = card.exposure.filter(isWhole);
    return packages.length === 0 ? [] : [limited];
  });
  // Environments without exposed principals count as well, because these texts and counts cover all environments.
  const isAll = plan.forests.flat().every((id) => whole.has(id));
  return {
    ...plan,
    ...{ before, cards, effort: plan.effort.filter(isWhole) },
    decisions: isAll ? (plan.decisions ?? []).filter((one) => seesAll(one, sight)) : [],
    authority_questions: isAll
      ? (plan.authority_questions ?? []).filter(({ authority }) => sight.isVisible(authority.object_id))
      : [],
    unreachable_count: isAll ? plan.unreachable_count : 0,
    end: isAll ? plan.end : { ...plan.end, text: NOT_SHOWN },
    left: limitedLeft(plan.left, sight, isWhole),
    not_read: isAll ? plan.not_read : [],
    exceptions: isAll ? plan.exceptions : [],
    explanation: isAll ? plan.explanation : undefined,
  };
}

/** Keeps visible holders in fully visible forests, and changes of visible objects. */
function limitedLeft(
  left: StoredPlan['left'],
  sight: Sight,
  isWhole: (one: { readonly environment_id: string }) => boolean,
): StoredPlan['left'] {
  if (left == null) return null;
  const holders = left.holders
    .filter((one) => isWhole(one) && sight.isVisible(one.holder.object_id))
    .map((one) => (one.subject_ids.every((id) => sight.isVisible(id)) ? one : { ...one, cut: null }));
  return { holders, holder_count: holders.length };
}

function limitedCard(
  card: StoredCard,
  packages: StoredPackage[],
  before: PlanRecord['before'],
  isWhole: (one: { readonly environment_id: string }) => boolean,
  sight: Sight,
): StoredCard {
  const { environments, isVisible: sees } = sight;
  const exposure = card.exposure.filter(isWhole);
  const isComplete = exposure.length === card.exposure.length && packages.length === card.packages.length;
  const sum = (all: PlanRecord['before'], of: 'exposed_count' | 'principal_count'): number | null =>
    all.length === 0 ? null : all.reduce((total, one) => total + one[of], 0);
  const findings = (all: CardRecord['closed']): CardRecord['closed'] =>
    all.filter((finding) => seesFinding(sight, finding));
  return {
    ...card,
    key: packages.map(({ key }) => key).join(' + '),
    title: isComplete || packages.length === 0 ? card.title : titleOf(packages),
    effect: isComplete ? card.effect : { ...card.effect, text: NOT_SHOWN },
    packages,
    exposed_before: sum(before, 'exposed_count'),
    principals_before: sum(before, 'principal_count'),
    exposed_after: sum(exposure, 'exposed_count'),
    exposure,
    effort: card.effort.filter(isWhole),
    paths: card.paths.filter(
      ({ environment_id, before: path, after }) =>
        environments.has(environment_id) &&
        [...path.nodes, ...(after?.nodes ?? [])].every(({ object_id }) => sees(object_id)),
    ),
    bound: isComplete ? card.bound : null,
    closed: findings(card.closed),
    closed_count: card.closed_in && countSeen(card.closed_in, sight),
    opened: findings(card.opened),
    opened_count: card.opened_in && countSeen(card.opened_in, sight),
  };
}

const titleOf = (packages: readonly StoredPackage[]): string =>
  packages.length === 1
    ? (packages[0] as StoredPackage).title
    : `Make these ${packages.length} changes together`;

/** @returns an empty list for a package without a visible change */
function limitedPackage(one: StoredPackage, sight: Sight): StoredPackage[] {
  const { isVisible: sees } = sight;
  const seesAll = (ids: readonly (string | undefined)[]): boolean =>
    ids.every((id) => id === undefined || sees(id));
  const changes = one.changes
    .filter(({ repair }) => seesAll([repair.object_id, repair.principal_id]))
    .map((change) => ({
      ...change,
      inherited_from:
        change.inherited_from !== null && sees(change.inherited_from.object_id)
          ? change.inherited_from
          : null,
      values: change.values.filter(({ object_id }) => sees(object_id)),
      affected_holders: change.affected_holders.filter(({ object_id }) => sees(object_id)),
    }));
  const references = one.references.filter(({ object_id, principal_id }) =>
    seesAll([object_id, principal_id]),
  );
  const [first] = changes;
  if (first === undefined) return [];
  // The key and the texts of a package name its grouping object, which may be in another environment.
  const key = `${one.kind} ${digestOf(references.map(referenceKey))}`;
  const isWhole = references.length === one.references.length && one.subject_ids?.every(sees) === true;
  if (isWhole) return [{ ...seenPrices(one, true, sight), key, changes }];
  const more = references.length - 1;
  const { title_parts: _, ...rest } = seenPrices(one, false, sight);
  return [
    {
      ...rest,
      ...{ key, changes, references, change_count: references.length },
      title: more === 0 ? first.title : `${first.title}, and ${more} more`,
      ...{ fix: first.change, check: first.check, risk: first.risk },
    },
  ];
}

const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 32);
