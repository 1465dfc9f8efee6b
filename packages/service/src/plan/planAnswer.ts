/** A stored plan as an answer: the first cards of it, in what a user may see. */
import type { CardRecord, ConstraintRecord, PackageRecord, PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findNode, NO_NODE } from '@clew/graph';
import { queryDataOf } from '@clew/queries';
import { isVisible, visibilityOf } from '../explore/visibility.ts';
import type { Principal } from '../operation/principal.ts';
import type { PlanOutcome } from './storedPlans.ts';
import type { StoredCard, StoredPlan } from './zonePlan.ts';

export interface AnswerParts {
  readonly plan: StoredPlan;
  readonly madeAt: string;
  readonly without: PlanOutcome | undefined;
  readonly with: PlanOutcome;
  readonly constraints: readonly ConstraintRecord[];
  readonly computing: PlanRecord['computing'];
  /** Cards. */
  readonly limit: number;
  readonly goal: number;
}

const NOT_SHOWN = 'Not shown: covers environments outside your access';

/** @param sight what the user may see; absent for all */
export function planAnswer(parts: AnswerParts, sight: Sight | undefined): PlanRecord {
  const { plan, madeAt, computing, constraints, limit, goal } = parts;
  const {
    forests: _,
    rejected: __,
    contradictions: ___,
    ...shown
  } = sight === undefined ? plan : limitedPlan(plan, sight);
  const within = cardsTo(shown.cards, goal);
  const cards = within.slice(0, limit);
  return {
    ...shown,
    goal,
    made_at: madeAt,
    card_count: within.length,
    cards: cards.map(({ closed_in: _, opened_in: __, ...card }) => card),
    excluded: {
      constraints: sight === undefined ? [...constraints] : [],
      without: sight === undefined ? (parts.without ?? null) : null,
      with: sight === undefined && parts.without !== undefined ? parts.with : null,
    },
    computing,
    not_shown: sight === undefined ? [] : notShown(plan, sight),
    order: 'exposure',
    repairs: singleRepairs(shown.before, cards),
  };
}

/** A goal that is less than what the plan was made for is met earlier: after the first card that meets it. */
function cardsTo(cards: readonly StoredCard[], goal: number): readonly StoredCard[] {
  const at = cards.findIndex(
    ({ exposure }) => exposure.length > 0 && exposure.every((one) => one.exposure <= goal),
  );
  return at < 0 ? cards : cards.slice(0, at + 1);
}

/** The changes of cards one after the other: what a card does shows after its last. */
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

/** What a user who may see some environments sees. */
export interface Sight {
  isVisible(objectId: string): boolean;
  readonly environments: ReadonlySet<string>;
}

/** @returns nothing for users who may see all */
export function sightOf(generation: Generation, principal: Principal): Sight | undefined {
  if (principal.kind !== 'user' || principal.environments === null) return undefined;
  const data = queryDataOf(generation);
  const visibility = visibilityOf(data, principal);
  return {
    environments: principal.environments,
    isVisible: (objectId) => {
      const node = findNode(generation.graph, objectId);
      return (
        principal.environments?.has(objectId) === true ||
        (node !== NO_NODE && isVisible(data, visibility, node))
      );
    },
  };
}

/** Environments of forests that the user may see whole. */
function wholeEnvironments({ forests }: StoredPlan, { environments }: Sight): ReadonlySet<string> {
  return new Set(forests.filter((forest) => forest.every((id) => environments.has(id))).flat());
}

function notShown(plan: StoredPlan, sight: Sight): PlanRecord['not_shown'] {
  const whole = wholeEnvironments(plan, sight);
  return plan.before
    .filter(({ environment_id: id }) => sight.environments.has(id) && !whole.has(id))
    .map(({ environment_id, environment_name }) => ({ environment_id, environment_name, reason: NOT_SHOWN }));
}

/** Repairs of visible objects only, and figures of forests that are visible whole. */
function limitedPlan(plan: StoredPlan, sight: Sight): StoredPlan {
  const whole = wholeEnvironments(plan, sight);
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
  const isAll = before.length === plan.before.length;
  return {
    ...plan,
    ...{ before, cards, effort: plan.effort.filter(isWhole) },
    unreachable_count: isAll ? plan.unreachable_count : 0,
    end: isAll ? plan.end : { ...plan.end, text: NOT_SHOWN },
    not_read: isAll ? plan.not_read : [],
  };
}

function limitedCard(
  card: StoredCard,
  packages: PackageRecord[],
  before: PlanRecord['before'],
  isWhole: (one: { readonly environment_id: string }) => boolean,
  { environments, isVisible: sees }: Sight,
): StoredCard {
  const exposure = card.exposure.filter(isWhole);
  const isComplete = exposure.length === card.exposure.length && packages.length === card.packages.length;
  const sum = (all: PlanRecord['before']): number | null =>
    all.length === 0 ? null : all.reduce((total, { exposed_count }) => total + exposed_count, 0);
  const count = (counts: Readonly<Record<string, number>>): number =>
    Object.entries(counts).reduce((total, [id, of]) => total + (environments.has(id) ? of : 0), 0);
  const findings = (all: CardRecord['closed']): CardRecord['closed'] =>
    all.filter(
      ({ environment_id, source, target }) =>
        environments.has(environment_id) &&
        sees(target.object_id) &&
        (source === undefined || sees(source.object_id)),
    );
  return {
    ...card,
    title: isComplete || packages.length === 0 ? card.title : titleOf(packages),
    effect: isComplete ? card.effect : { ...card.effect, text: NOT_SHOWN },
    packages,
    exposed_before: sum(before),
    exposed_after: sum(exposure),
    exposure,
    effort: card.effort.filter(isWhole),
    paths: card.paths.filter(
      ({ environment_id, before: path, after }) =>
        environments.has(environment_id) &&
        [...path.nodes, ...(after?.nodes ?? [])].every(({ object_id }) => sees(object_id)),
    ),
    bound: isComplete ? card.bound : null,
    closed: findings(card.closed),
    closed_count: count(card.closed_in),
    opened: findings(card.opened),
    opened_count: count(card.opened_in),
  };
}

const titleOf = (packages: readonly PackageRecord[]): string =>
  packages.length === 1 ? (packages[0] as PackageRecord).title : `Do these ${packages.length} together`;

/** @returns nothing for a package without a change that the user may see */
function limitedPackage(one: PackageRecord, { isVisible: sees }: Sight): PackageRecord[] {
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
  if (references.length === one.references.length) return [{ ...one, changes }];
  const more = references.length - 1;
  return [
    {
      ...one,
      ...{ changes, references, change_count: references.length },
      title: more === 0 ? first.title : `${first.title}, and ${more} more`,
      ...{ fix: first.change, check: first.check, risk: first.risk },
    },
  ];
}
