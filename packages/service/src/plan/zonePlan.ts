/**
 * The plan of a zone as it is stored: all cards with what each does, in words and records. What depends on who asks (how many
 * cards, what they may see) is worked out from it with each answer.
 *
 * Rule: `docs/plan.md`.
 */
import {
  type AnalysedWorld,
  changedWorld,
  changeOf,
  FINDING_TYPES,
  type FindingKey,
  makePlan,
  openFindings,
  type Plan,
  type PlanCard,
  type PlannedPackage,
  packageText,
  type RepairKind,
} from '@clew/analysis';
import type { CardRecord, EffortRecord, PackageRecord, PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import type { ClosingCard, FindingPlan, PlannedFinding } from '../findings/plannedFindings.ts';
import { storedUnread } from '../quality/qualityQueries.ts';
import { cardPaths } from './cardPaths.ts';
import { boundText, cardEffect, cardTitle, endText } from './cardTexts.ts';
import { type ConstraintFacts, exclusionOf } from './constraints.ts';
import { effortRecords } from './effortRecords.ts';
import { notRead } from './notRead.ts';
import { type PlanContradictions, planContradictions } from './planContradictions.ts';
import { notInAnalysis } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import {
  affectedCount,
  exposureRecords,
  findingChanges,
  findingCounts,
  referenceOf,
  repairRecord,
} from './repairRecords.ts';

export interface ZonePlanRequest {
  readonly zone: number;
  readonly goal: number;
  /** Object ids of environments. */
  readonly environments: readonly string[];
  readonly within: readonly string[];
  /** A label. */
  readonly ownedBy: number | null;
  readonly costs: Readonly<Record<string, number>>;
  readonly constraints: readonly ConstraintFacts[];
  /** Keys of the packages of each card of the plan before. */
  readonly previous: readonly (readonly string[])[];
  /** The answer names the findings that each card closes, and says why others stay. */
  readonly namesFindings?: boolean;
  /** Cards are told before the plan is whole: of a large graph those with a wide effect, then all, before their bounds. */
  readonly tellsDrafts?: boolean;
}

export interface PlanTaskProgress {
  /** Cards so far, and who is exposed after them. */
  readonly cards: number;
  readonly exposed: number;
  /** What is known so far, where it was asked for. */
  readonly draft?: StoredPlan;
}

export type Progress = (done: PlanTaskProgress) => void;

/** What an answer adds for the user who asks. */
type OfTheAnswer =
  | 'card_count'
  | 'computing'
  | 'not_shown'
  | 'made_at'
  | 'order'
  | 'repairs'
  | 'excluded'
  | 'cards';

export interface StoredCard extends CardRecord {
  /** Findings by environment: of those that a user may see, the count is made of these. */
  readonly closed_in: Readonly<Record<string, number>>;
  readonly opened_in: Readonly<Record<string, number>>;
}

export interface StoredPlan extends Omit<PlanRecord, OfTheAnswer> {
  readonly cards: readonly StoredCard[];
  /** Environments that are one forest, or one tenant. */
  readonly forests: readonly (readonly string[])[];
  /** Cards that the simulation contradicts. */
  readonly rejected: number;
  /** What cannot be, by kind. Absent in plans of earlier releases. */
  readonly contradictions?: PlanContradictions;
  /** Only where they were asked for; not stored with the plan. */
  readonly closes?: FindingPlan;
}

/** Of a package of hundreds of thousands of changes these are examples. */
const MAX_CHANGES = 100;
const MAX_REFERENCES = 1000;
/** From so many objects on the wide packages are looked at first: below, all together take a second or two. */
const MIN_WIDE_FIRST = 50_000;

export async function zonePlan(
  state: PlanState,
  request: ZonePlanRequest,
  progress: Progress,
): Promise<StoredPlan> {
  const { world } = state;
  const { zone, goal, tellsDrafts = false } = request;
  const isExcluded = exclusionOf(state, request);
  const unread = notRead(state, await storedUnread(state.db)(state.generation.id));
  const tell = (draft: Plan): void => {
    const told = planRecord(state, request, { plan: draft, unread, isDraft: true });
    const exposed = told.record.cards.at(-1)?.exposed_after ?? 0;
    progress({ cards: draft.cards.length, exposed, draft: told.record });
  };
  const isLarge = world.context.graph.nodeCount >= MIN_WIDE_FIRST;
  const plan = makePlan(world, {
    ...{ zone, goal, costs: { ...state.costs, ...(request.costs as Partial<Record<RepairKind, number>>) } },
    ...(request.environments.length > 0 && { environments: environmentNodes(state, request.environments) }),
    isExcluded,
    onCard: progress,
    previous: request.previous,
    ...(tellsDrafts && { onCards: tell }),
    ...(tellsDrafts && isLarge && { onFirstCards: tell }),
  });
  if (plan === undefined) throw notInAnalysis(zone);
  const { record, after } = planRecord(state, request, { plan, unread, isDraft: false });
  return {
    ...record,
    ...(request.namesFindings === true && {
      closes: {
        cards: closingCards(state, plan),
        open: openFindings(world, { zone, isExcluded, plan, after }).map(
          ({ finding, reason, users = null }) => ({ ...plannedFinding(state, finding), reason, users }),
        ),
      },
    }),
  };
}

interface PlanFacts {
  readonly plan: Plan;
  readonly unread: StoredPlan['not_read'];
  /** Nothing is bounded yet. */
  readonly isDraft: boolean;
}

/** @returns the plan in words and records, and the facts after all of its cards */
function planRecord(
  state: PlanState,
  { zone, goal }: ZonePlanRequest,
  { plan, unread, isDraft }: PlanFacts,
): { readonly record: StoredPlan; readonly after: AnalysedWorld } {
  const { generation, world } = state;
  const effort = effortRecords(state, world, zone);
  const cards: StoredCard[] = [];
  let before: CardState = { world, effort };
  let changes = 0;
  for (const card of plan.cards) {
    changes += card.packages.reduce((sum, { repairs }) => sum + repairs.length, 0);
    const changed = changedWorld(before.world, changeOf(card.packages.flatMap(({ repairs }) => repairs)));
    const after: CardState = { world: changed, effort: effortRecords(state, changed, zone) };
    cards.push(
      cardRecord(state, {
        ...{ zone, card, whole: plan.before, before, after, previous: cards.at(-1), changes },
        isBounded: !isDraft,
      }),
    );
    before = after;
  }
  const record: StoredPlan = {
    generation: generation.id,
    published_at: generation.publishedAt,
    asset_group_tag_id: zone,
    goal,
    before: exposureRecords(generation, world, plan.before),
    effort,
    cards,
    end: { reason: plan.end, text: endText(plan, goal) },
    unreachable_count: plan.unreachable,
    no_short_list: plan.noShortList,
    not_read: unread,
    forests: forestsOf(state),
    rejected: plan.rejected.length,
    contradictions: planContradictions(plan),
  };
  return { record, after: before.world };
}

/** Findings that each card closes, for the list of findings. */
function closingCards(state: PlanState, { cards }: Plan): ClosingCard[] {
  return cards.map(({ key, exposures, exposedAfter, closed }) => ({
    key,
    after:
      exposedAfter /
      Math.max(
        1,
        exposures.reduce((sum, { principals }) => sum + principals, 0),
      ),
    closed: closed.map((finding) => plannedFinding(state, finding)),
  }));
}

const plannedFinding = (
  { generation: { graph }, world }: PlanState,
  { type, zone, source, target, environment }: FindingKey,
): PlannedFinding => ({
  environment_id: objectIdOf(graph, world.environments[environment]),
  tag_id: zone,
  finding: FINDING_TYPES[type].id,
  source_id: source === undefined ? '' : objectIdOf(graph, source),
  target_id: objectIdOf(graph, target),
});

interface CardState {
  readonly world: AnalysedWorld;
  readonly effort: EffortRecord[];
}

interface CardFacts {
  readonly zone: number;
  readonly card: PlanCard;
  /** Exposure before any card. */
  readonly whole: Plan['before'];
  readonly before: CardState;
  readonly after: CardState;
  readonly previous: StoredCard | undefined;
  /** Of this card and those before it. */
  readonly changes: number;
  readonly isBounded: boolean;
}

function cardRecord(
  state: PlanState,
  { zone, card, whole, before, after, previous, changes, isBounded }: CardFacts,
): StoredCard {
  const { generation } = state;
  const exposure = exposureRecords(generation, state.world, card.exposures);
  const packages = card.packages.map((one) => packageRecord(state, one));
  const effect = cardEffect({
    before: previous?.exposure ?? exposureRecords(generation, state.world, whole),
    after: exposure,
    effortBefore: before.effort,
    effortAfter: after.effort,
    closed: card.closed.length,
  });
  return {
    key: card.key,
    title: cardTitle(packages),
    effect,
    packages,
    cost: card.cost,
    exposed_before: card.exposedBefore,
    exposed_after: card.exposedAfter,
    exposure,
    effort: after.effort,
    paths: cardPaths(state, before.world, after.world, zone),
    bound: isBounded
      ? {
          ...{ cost: card.bound.cost, packages: card.bound.packages, changes: card.bound.changes },
          is_proven_cheapest: card.bound.isProvenCheapest,
          text: boundText(card, changes, previous === undefined),
        }
      : null,
    rests_on_sessions: card.restsOnSessions,
    affected_count: affectedCount(
      state.world,
      card.packages.flatMap(({ repairs }) => repairs),
    ),
    ...findingChanges(generation, state.world, card),
    closed_in: findingCounts(generation, state.world, card.closed),
    opened_in: findingCounts(generation, state.world, card.opened),
  };
}

function packageRecord({ generation, world }: PlanState, one: PlannedPackage): PackageRecord {
  const { title, fix, check, risk } = packageText(world, one);
  return {
    ...{ key: one.key, kind: one.kind, title, fix, check, risk, cost: one.cost },
    affected_count: one.affected,
    cost_still_needed: one.costStillNeeded ?? null,
    change_count: one.repairs.length,
    changes: one.repairs.slice(0, MAX_CHANGES).map((repair) => repairRecord(generation, world, repair)),
    references: one.repairs.slice(0, MAX_REFERENCES).map((repair) => referenceOf(generation, repair)),
  };
}

/** @returns nodes of environments that are in the graph */
export function environmentNodes(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  ids: readonly string[],
): ReadonlySet<number> {
  const wanted = new Set(ids.map((id) => id.toUpperCase()));
  return new Set(world.environments.filter((node) => wanted.has(objectIdOf(generation.graph, node))));
}

/** Domains that trust each other inside a forest; anything else is alone. */
function forestsOf({ generation, world }: PlanState): string[][] {
  const { graph } = generation;
  const trusts = world.context.edges('SameForestTrust');
  const forestOf = new Map<number, number[]>();
  for (const node of world.environments) forestOf.set(node, [node]);
  trusts.forEach((start, _, end) => {
    const [one, other] = [forestOf.get(start), forestOf.get(end)];
    if (one === undefined || other === undefined || one === other) return;
    const united = [...one, ...other];
    for (const node of united) forestOf.set(node, united);
  });
  return [...new Set(forestOf.values())].map((nodes) => nodes.map((node) => objectIdOf(graph, node)).sort());
}

export const environmentName = (generation: Generation, node: number): string =>
  nameOf(generation.graph, node) || objectIdOf(generation.graph, node);
