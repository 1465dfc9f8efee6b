/**
 * Builds the stored plan of a zone: all cards with their effects, as texts and records. Values that depend on the caller (number
 * of cards, visible objects) are computed for each answer.
 *
 * Rule: `docs/plan.md`.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Kept } from '@clew/analysis';
import type { EffortRecord } from '@clew/api';
import { namedObjectId } from '@clew/graph';
import { storedUnread } from '@clew/judgment';
import { type AnalyzedWorld, type FirstPlan, makePlan, type Plan, type RepairKind } from '@clew/planning';
import { cardPaths } from './cardPaths.ts';
import { type CardDetails, cardRecord } from './cardRecords.ts';
import { endText } from './cardTexts.ts';
import { withChecksClosed } from './checksOfPlan.ts';
import { type ConstraintFacts, exclusionOf, unneededIn } from './constraints.ts';
import { effortRecords } from './effortRecords.ts';
import { findingPlan } from './findingPlan.ts';
import { notRead } from './notRead.ts';
import { planContradictions } from './planContradictions.ts';
import { authorityQuestion, exceptionRecord, explanationRecord, leftRecord } from './planEndRecords.ts';
import { environmentNodes, forestsOf, scopeOf } from './planForests.ts';
import { notInAnalysis } from './planRecords.ts';
import { PlanRun } from './planRun.ts';
import { MIN_LARGE } from './planSize.ts';
import type { PlanState } from './planState.ts';
import { decisionRecord } from './pricedRecords.ts';
import { exposureRecords } from './repairRecords.ts';
import type { StoredCard, StoredPlan } from './storedPlan.ts';

export interface ZonePlanRequest {
  readonly zone: number;
  readonly goal: number;
  /** Object ids of environments. */
  readonly environments: readonly string[];
  readonly within: readonly string[];
  /** A label zone. */
  readonly ownedBy: number | null;
  readonly costs: Readonly<Record<string, number>>;
  readonly constraints: readonly ConstraintFacts[];
  /** Package keys of each card of the previous plan. */
  readonly previous: readonly (readonly string[])[];
  /** Whether the answer lists the findings that each card closes, and the reasons for the others. */
  readonly namesFindings?: boolean;
  /** Reports cards before the plan is complete: in a large graph, first wide cards, then all cards without their bounds. */
  readonly tellsDrafts?: boolean;
}

export interface PlanTaskProgress {
  /** Number of cards so far, and the principals exposed after them. */
  readonly cards: number;
  readonly exposed: number;
  /** The current cards, if requested. */
  readonly draft?: StoredPlan;
}

export type Progress = (done: PlanTaskProgress) => void;

export async function zonePlan(
  state: PlanState,
  request: ZonePlanRequest,
  progress: Progress,
): Promise<StoredPlan> {
  const { world } = state;
  const { zone, tellsDrafts = false } = request;
  const run = runFor(state, request);
  const scope = scopeOf(state, request.environments);
  const unread = notRead(state, await storedUnread(state.db)(state.generation.id), new Set(scope?.flat()));
  const tell = (draft: FirstPlan<CardDetails>): void => {
    const told = planRecord(state, request, { plan: draft, effort: efforts(world), unread, isDraft: true });
    const exposed = told.cards.at(-1)?.exposed_after ?? 0;
    progress({ cards: draft.cards.length, exposed, draft: told });
  };
  const efforts = effortsFor(state, request);
  run.state = state;
  const made = run.finish((event) => {
    if (event.state === 'searching') progress(event.done);
    // In smaller graphs, simulating all cards takes at most two seconds.
    else if (tellsDrafts && (isLarge(state) || event.state === 'simulated')) tell(event.plan());
  });
  if (made === undefined) throw notInAnalysis(zone);
  const plan = { ...made, cards: await withChecksClosed(state, made.cards) };
  const record = planRecord(state, request, { plan, effort: efforts(world), unread, isDraft: false });
  if (request.namesFindings !== true) return record;
  const { constraints, within, ownedBy } = request;
  const hasExclusions = constraints.length + within.length > 0 || ownedBy !== null;
  const isExcluded = hasExclusions ? exclusionOf(state, request) : undefined;
  return { ...record, closes: findingPlan(state, zone, plan, isExcluded) };
}

/** @returns a plan run whose search has not started */
export function beginZonePlan(state: PlanState, request: ZonePlanRequest): ZonePlanRun {
  effortsAsItIs(state, request.zone);
  return runOf(state, request);
}

export type ZonePlanRun = PlanRun<PlanState, CardDetails>;

/** @returns the run that was started for this request, or a new one */
function runFor(state: PlanState, request: ZonePlanRequest): ZonePlanRun {
  const begun = state.begun as ZonePlanRun | undefined;
  const isSame = begun?.isOpen === true && isDeepStrictEqual(begun.request, request);
  if (isSame && begun.world === state.world) return begun;
  // The started run matches no future request.
  begun?.drop();
  return runOf(state, request);
}

const runOf = (state: PlanState, request: ZonePlanRequest): ZonePlanRun =>
  new PlanRun(state.world, { request, state }, (stateNow) =>
    makePlan<CardDetails>(state.world, {
      ...searchOptions(state, request),
      tellsEarly: request.tellsDrafts === true && isLarge(state),
      detailsOf: (before, after) => {
        const now = stateNow();
        return {
          effort: effortsFor(now, request)(after),
          paths: cardPaths(now, before, after, request.zone).filter(countsFor(now, request)),
        };
      },
    }),
  );

const isLarge = ({ world }: PlanState): boolean => world.context.graph.nodeCount >= MIN_LARGE;

const searchOptions = (state: PlanState, request: ZonePlanRequest) => ({
  ...{ zone: request.zone, goal: request.goal, previous: request.previous },
  costs: { ...state.costs, ...(request.costs as Partial<Record<RepairKind, number>>) },
  ...(request.environments.length > 0 && { environments: environmentNodes(state, request.environments) }),
  isExcluded: exclusionOf(state, request),
  isUnused: unneededIn(state, request.constraints),
});

/**
 * @returns whether an object of an environment belongs to the plan: like the exposure, the plan of an environment covers only its
 * objects
 */
function countsFor(
  { generation }: Pick<PlanState, 'generation'>,
  { environments }: ZonePlanRequest,
): (of: { readonly environment_id: string }) => boolean {
  const wanted = new Set(environments.map((id) => namedObjectId(generation.graph, id)));
  return ({ environment_id }) => wanted.size === 0 || wanted.has(environment_id);
}

/** @returns the attack efforts of a world */
const effortsFor =
  (state: PlanState, request: ZonePlanRequest) =>
  (of: AnalyzedWorld): EffortRecord[] => {
    const { zone } = request;
    const efforts = of === state.world ? effortsAsItIs(state, zone) : effortRecords(state, of, zone);
    return efforts.filter(countsFor(state, request));
  };

/** Keyed by zone. Their computation takes seconds at a million objects, and the first cards need them. */
const EFFORTS: Kept<number, readonly EffortRecord[]> = { name: 'efforts as it is' };

/** Computes efforts from the current facts. */
const effortsAsItIs = (state: PlanState, zone: number): readonly EffortRecord[] =>
  state.world.memory.use(EFFORTS, zone, () => effortRecords(state, state.world, zone));

interface PlanFacts {
  readonly plan: FirstPlan<CardDetails> | Plan<CardDetails>;
  /** Efforts before all cards. */
  readonly effort: EffortRecord[];
  readonly unread: StoredPlan['not_read'];
  /** Bounds are still unknown. */
  readonly isDraft: boolean;
}

/** @returns the plan as texts and records */
function planRecord(
  state: PlanState,
  request: ZonePlanRequest,
  { plan, effort, unread, isDraft }: PlanFacts,
): StoredPlan {
  const { zone, goal } = request;
  const { generation, world } = state;
  const cards: StoredCard[] = [];
  let changes = 0;
  for (const card of plan.cards) {
    changes += card.packages.reduce((sum, { repairs }) => sum + repairs.length, 0);
    const effortBefore = cards.at(-1)?.effort ?? effort;
    cards.push(
      cardRecord(state, {
        ...{ card, whole: plan.before, previous: cards.at(-1), effortBefore, changes },
        isBounded: !isDraft,
      }),
    );
  }
  const before = exposureRecords(generation, world, plan.before);
  const exposure = cards.at(-1)?.exposure ?? before;
  return {
    generation: generation.id,
    published_at: generation.publishedAt,
    asset_group_tag_id: zone,
    goal,
    before,
    effort,
    cards,
    end: {
      reason: plan.end,
      text: endText({ reason: plan.end, before, exposure, unreachable: plan.unreachable }, goal),
    },
    decisions: 'decisions' in plan ? plan.decisions.map((one) => decisionRecord(state, one)) : [],
    authority_questions:
      'questions' in plan ? plan.questions.map((one) => authorityQuestion(state, one)) : [],
    unreachable_count: plan.unreachable,
    no_short_list: plan.noShortList,
    left: leftRecord(state, plan),
    not_read: unread,
    exceptions: plan.exceptions.map(exceptionRecord),
    ...('explanation' in plan && plan.explanation && { explanation: explanationRecord(plan.explanation) }),
    forests: scopeOf(state, request.environments) ?? forestsOf(state),
    rejected: plan.rejected.length,
    contradictions: planContradictions(
      plan,
      cards.flatMap(({ paths }) => paths),
    ),
  };
}
