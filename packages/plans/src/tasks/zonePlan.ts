/**
 * The plan of a zone as stored: all cards with their effects, in words and records. Values that depend on the caller (number of
 * cards, visible objects) are computed from it with each answer.
 *
 * Rule: `docs/plan.md`.
 */

import { isDeepStrictEqual } from 'node:util';
import { environments, findingTypesOf } from '@clew/analysis';
import type {
  AuthorityQuestionRecord,
  CardPathRecord,
  CardRecord,
  EffortRecord,
  LeftRecord,
  PackageRecord,
  PlanExceptionRecord,
  PlanExplanationRecord,
  PlanRecord,
} from '@clew/api';
import { namedObjectId, objectIdOf } from '@clew/graph';
import {
  type ClosingCard,
  type FindingPlan,
  type PlannedFinding,
  type SharedRepair,
  storedUnread,
} from '@clew/judgment';
import {
  type AnalyzedWorld,
  type AuthorityQuestion,
  affectedByAll,
  changedWorld,
  changeOf,
  commonRepairs,
  EXCEPTIONS,
  type FindingKey,
  type FirstCard,
  type FirstPlan,
  findingKeyText,
  findingsOf,
  loweredFindings,
  makePlan,
  type OpenReason,
  openFindings,
  type Plan,
  type PlanCard,
  type PlanExplanation,
  type PlannedPackage,
  type PlanOptions,
  packageText,
  packageTitle,
  type RepairKind,
} from '@clew/planning';
import { cardPaths } from './cardPaths.ts';
import { boundText, cardEffect, cardTitle, endText } from './cardTexts.ts';
import { countByCheck, openCheckFindings, withChecksClosed } from './checksOfPlan.ts';
import { type ConstraintFacts, exclusionOf, unneededIn } from './constraints.ts';
import { effortRecords } from './effortRecords.ts';
import { notRead } from './notRead.ts';
import { type PlanContradictions, planContradictions } from './planContradictions.ts';
import { notInAnalysis, objectRecord } from './planRecords.ts';
import { PlanRun } from './planRun.ts';
import { MIN_LARGE } from './planSize.ts';
import type { PlanState } from './planState.ts';
import {
  decisionRecord,
  MAX_REFERENCES,
  pricedFields,
  type StoredAlternative,
  type StoredDecision,
  type StoredQuestion,
} from './pricedRecords.ts';
import {
  exposureRecords,
  findingChanges,
  findingCounts,
  referenceOf,
  repairRecord,
  shortName,
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
  /** Cards are reported before the plan is complete: of a large graph those with a wide effect, then all, before their bounds. */
  readonly tellsDrafts?: boolean;
}

export interface PlanTaskProgress {
  /** Cards so far, and who is exposed after them. */
  readonly cards: number;
  readonly exposed: number;
  /** The cards known so far, where requested. */
  readonly draft?: StoredPlan;
}

export type Progress = (done: PlanTaskProgress) => void;

/** Fields that an answer adds for the user who asks. */
type OfTheAnswer =
  | 'card_count'
  | 'outline'
  | 'computing'
  | 'not_shown'
  | 'made_at'
  | 'order'
  | 'repairs'
  | 'excluded'
  | 'decisions'
  | 'authority_questions'
  | 'exceptions'
  | 'explanation'
  | 'cards';

/** Plans of earlier releases have no prices. */
type Priced = 'is_kept' | 'why' | 'prices' | 'uses' | 'not_this' | 'questions';

export interface StoredPackage
  extends Omit<PackageRecord, Priced>,
    Partial<Pick<PackageRecord, 'is_kept' | 'why' | 'prices' | 'uses'>> {
  readonly not_this?: readonly StoredAlternative[];
  readonly questions?: readonly StoredQuestion[];
  /** Objects that its texts and its key name. Absent in plans of earlier releases. */
  readonly subject_ids?: readonly string[];
  /** The title as words and objects; absent where its words are not Clew's, and in plans of earlier releases. */
  readonly title_parts?: readonly (string | ReturnType<typeof objectRecord>)[];
}

export interface StoredCard extends Omit<CardRecord, 'packages'> {
  readonly packages: StoredPackage[];
  /** Findings by environment: of those that a user may see, the count is made of these. Nothing where the counts are not known yet. */
  readonly closed_in: Readonly<Record<string, number>> | null;
  readonly opened_in: Readonly<Record<string, number>> | null;
}

export interface StoredLeft extends LeftRecord {
  /** Objects that its changes name. */
  readonly subject_ids: readonly string[];
}

export interface StoredPlan extends Omit<PlanRecord, OfTheAnswer | 'left'> {
  readonly cards: readonly StoredCard[];
  /** Absent in plans of earlier releases. */
  readonly left?: { readonly holder_count: number; readonly holders: readonly StoredLeft[] } | null;
  readonly decisions?: readonly StoredDecision[];
  readonly authority_questions?: readonly Omit<AuthorityQuestionRecord, 'answer'>[];
  readonly exceptions?: readonly PlanExceptionRecord[];
  /** Absent while the plan is not whole as well. */
  readonly explanation?: PlanExplanationRecord;
  /** Environments that are one forest, or one tenant. */
  readonly forests: readonly (readonly string[])[];
  /** Cards that the simulation contradicts. */
  readonly rejected: number;
  /** Contradictions by kind. Absent in plans of earlier releases. */
  readonly contradictions?: PlanContradictions;
  /** Only where they were asked for; not stored with the plan. */
  readonly closes?: FindingPlan;
}

/** Changes listed of a package: for one of hundreds of thousands these are examples. */
const MAX_CHANGES = 100;

export async function zonePlan(
  state: PlanState,
  request: ZonePlanRequest,
  progress: Progress,
): Promise<StoredPlan> {
  const { world } = state;
  const { zone, tellsDrafts = false } = request;
  const run = runFor(state, request);
  const scope = scopeOf(state, request);
  const unread = notRead(state, await storedUnread(state.db)(state.generation.id), new Set(scope?.flat()));
  const tell = (draft: FirstPlan<CardLook>): void => {
    const told = planRecord(state, request, { plan: draft, effort: efforts(world), unread, isDraft: true });
    const exposed = told.cards.at(-1)?.exposed_after ?? 0;
    progress({ cards: draft.cards.length, exposed, draft: told });
  };
  const efforts = effortsFor(state, request);
  run.state = state;
  const made = run.finish((event) => {
    if (event.state === 'searching') progress(event.done);
    // In smaller graphs all cards are simulated in a second or two.
    else if (tellsDrafts && (isLarge(state) || event.state === 'simulated')) tell(event.plan());
  });
  if (made === undefined) throw notInAnalysis(zone);
  const plan = { ...made, cards: await withChecksClosed(state, made.cards) };
  const record = planRecord(state, request, { plan, effort: efforts(world), unread, isDraft: false });
  if (request.namesFindings !== true) return record;
  return { ...record, closes: findingPlan(state, zone, plan, exclusionOf(state, request)) };
}

/** @returns how each finding fares in a plan */
function findingPlan(
  state: PlanState,
  zone: number,
  plan: Plan<CardLook>,
  isExcluded: PlanOptions['isExcluded'],
): FindingPlan {
  const { world } = state;
  const after = worldAfter(world, plan);
  const { lowered, left } = loweredFindings(world, plan, after);
  const open = openFindings(world, { zone, isExcluded, plan, after });
  const isAnswered = new Set([
    ...plan.cards.flatMap(({ closed }) => closed.map(findingKeyText)),
    ...[...lowered.map(({ finding }) => finding), ...left].map(findingKeyText),
  ]);
  return {
    cards: closingCards(state, plan),
    shared: sharedRepairs(state, plan),
    lowered: lowered.map(({ finding, card, to }) => ({ ...plannedFinding(state, finding), card, to })),
    open: [
      ...open.map(({ finding, reason, users = null }) => ({
        ...plannedFinding(state, finding),
        reason,
        users,
      })),
      ...[
        ...left.map((finding) => ({ finding, reason: reasonOfListed(state, finding) })),
        ...openCheckFindings(state, isAnswered),
      ].map(({ finding, reason }) => ({ ...plannedFinding(state, finding), reason, users: null })),
    ],
  };
}

/** A check that names no relationships to remove has no repair of its own. */
const reasonOfListed = (state: PlanState, finding: FindingKey): OpenReason =>
  openCheckFindings(state, new Set(), [finding])[0]?.reason ?? 'by-itself';

/** @returns the plan, of which nothing is searched yet */
export function beginZonePlan(state: PlanState, request: ZonePlanRequest): ZonePlanRun {
  effortsAsItIs(state, request.zone);
  return runOf(state, request);
}

export type ZonePlanRun = PlanRun<PlanState, CardLook>;

/** @returns the plan that was begun with this request, or another */
function runFor(state: PlanState, request: ZonePlanRequest): ZonePlanRun {
  const begun = state.begun as ZonePlanRun | undefined;
  const isSame = begun?.isOpen === true && isDeepStrictEqual(begun.request, request);
  if (isSame && begun.world === state.world) return begun;
  // No one will ask for the one that was begun.
  begun?.drop();
  return runOf(state, request);
}

const runOf = (state: PlanState, request: ZonePlanRequest): ZonePlanRun =>
  new PlanRun(state.world, { request, state }, (stateNow) =>
    makePlan<CardLook>(state.world, {
      ...searchOptions(state, request),
      tellsEarly: request.tellsDrafts === true && isLarge(state),
      look: (before, after) => {
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

/** Values of a card in addition to the figures of the plan, computed when it is simulated. */
interface CardLook {
  /** After the card. */
  readonly effort: EffortRecord[];
  readonly paths: CardPathRecord[];
}

/**
 * @returns whether something of an environment belongs to the plan: the plan of an environment has only objects of it, like the
 * exposure
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

const EFFORTS = new WeakMap<AnalyzedWorld, Map<number, readonly EffortRecord[]>>();

/** Those of the facts as they are, worked out once: they take seconds at a million objects, and the first cards need them. */
function effortsAsItIs(state: PlanState, zone: number): readonly EffortRecord[] {
  let known = EFFORTS.get(state.world);
  if (known === undefined) {
    known = new Map();
    EFFORTS.set(state.world, known);
  }
  let efforts = known.get(zone);
  if (efforts === undefined) {
    efforts = effortRecords(state, state.world, zone);
    known.set(zone, efforts);
  }
  return efforts;
}

const worldAfter = (world: AnalyzedWorld, { cards }: Plan): AnalyzedWorld =>
  changedWorld(world, changeOf(cards.flatMap(({ packages }) => packages.flatMap(({ repairs }) => repairs))));

interface PlanFacts {
  readonly plan: FirstPlan<CardLook> | Plan<CardLook>;
  /** Before any card. */
  readonly effort: EffortRecord[];
  readonly unread: StoredPlan['not_read'];
  /** Nothing is bounded yet. */
  readonly isDraft: boolean;
}

/** @returns the plan in words and records */
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
    exceptions: plan.exceptions.map(({ kind, objects }) => ({
      ...{ kind, object_count: objects },
      text: exceptionText(kind, objects),
    })),
    ...('explanation' in plan && plan.explanation && { explanation: explanationRecord(plan.explanation) }),
    forests: scopeOf(state, request) ?? forestsOf(state),
    rejected: plan.rejected.length,
    contradictions: planContradictions(
      plan,
      cards.flatMap(({ paths }) => paths),
    ),
  };
}

const exceptionText = (kind: keyof typeof EXCEPTIONS, objects: number): string =>
  `Of ${objects === 1 ? '1 object' : `${objects.toLocaleString('en-US')} objects`}, ${EXCEPTIONS[kind].text}.`;

const explanationRecord = ({ searches, stages }: PlanExplanation): PlanExplanationRecord => ({
  searches: searches.map((one) => ({
    ...{ packages: one.packages, way: one.way },
    ...{ node_count: one.nodes, step_count: one.steps, repair_count: one.repairs },
    ...{ package_count: one.packageCount, kernel_count: one.kernels, kernel_step_count: one.kernelSteps },
    ...{ flow_count: one.flows, seed_count: one.seeds, card_count: one.cards },
  })),
  stages: [...stages],
});

const MAX_TEMPLATES = 10;

function authorityQuestion(
  { generation }: PlanState,
  { authority, templates, principals }: AuthorityQuestion,
): Omit<AuthorityQuestionRecord, 'answer'> {
  const record = objectRecord(generation, authority);
  return {
    authority: record,
    question: `Is the update of November 2024 (CVE-2024-49019) installed on ${shortName(record.name)}?`,
    templates: templates.slice(0, MAX_TEMPLATES).map((node) => objectRecord(generation, node)),
    template_count: templates.length,
    principal_count: principals,
  };
}

function leftRecord(state: PlanState, plan: FirstPlan<CardLook> | Plan<CardLook>): StoredPlan['left'] {
  if (!('left' in plan) || plan.left === undefined) return null;
  const { generation, world } = state;
  return {
    holder_count: plan.left.holderCount,
    holders: plan.left.holders.map(({ holder, environment, principals, actions, effort, cut }) => {
      const records = (cut?.repairs ?? []).map((repair) => repairRecord(generation, world, repair));
      return {
        holder: objectRecord(generation, holder),
        environment_id: objectIdOf(generation.graph, world.environments[environment] as number),
        principal_count: principals,
        ...{ actions, effort },
        cut: cut === undefined ? null : { changes: records.map(({ title }) => title), cost: cut.cost },
        subject_ids: records.flatMap(({ object, principal }) =>
          [object, principal].flatMap((one) => one?.object_id ?? []),
        ),
      };
    }),
  };
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

/** Repairs of findings that no card closes. */
function sharedRepairs(state: PlanState, { cards }: Plan): SharedRepair[] {
  const { world, generation } = state;
  const closed = new Set(cards.flatMap((card) => card.closed.map(findingKeyText)));
  const open = [...findingsOf(world).values()].filter((finding) => !closed.has(findingKeyText(finding)));
  return commonRepairs(world, open).map(({ repair, findings }) => ({
    key: repair.id,
    title: repairRecord(generation, world, repair).title,
    findings: findings.map((finding) => plannedFinding(state, finding)),
  }));
}

const plannedFinding = (
  { generation: { graph }, world }: PlanState,
  { type, zone, source, target, environment }: FindingKey,
): PlannedFinding => ({
  environment_id: objectIdOf(graph, world.environments[environment]),
  tag_id: zone,
  finding: findingTypesOf(graph)[type].id,
  source_id: source === undefined ? '' : objectIdOf(graph, source),
  target_id: objectIdOf(graph, target),
});

interface CardFacts {
  readonly card: FirstCard<CardLook> | PlanCard<CardLook>;
  /** Exposure before any card. */
  readonly whole: Plan['before'];
  readonly previous: StoredCard | undefined;
  readonly effortBefore: EffortRecord[];
  /** Changes of this card and those before it. */
  readonly changes: number;
  readonly isBounded: boolean;
}

function cardRecord(
  state: PlanState,
  { card, whole, previous, effortBefore, changes, isBounded }: CardFacts,
): StoredCard {
  // A card of the search that is not simulated yet: its effect on attack effort is not known, and no path is drawn.
  const { effort, paths } = card.look ?? { effort: [], paths: [] };
  const findings = 'closed' in card ? card : undefined;
  const { generation } = state;
  const exposure = exposureRecords(generation, state.world, card.exposures);
  const packages = card.packages.map((one) => packageRecord(state, one));
  const effect = cardEffect({
    before: previous?.exposure ?? exposureRecords(generation, state.world, whole),
    after: exposure,
    effortBefore,
    effortAfter: card.look === undefined ? effortBefore : effort,
    closed: findings?.closed.length ?? null,
    ofChecks: countByCheck(state, findings?.closed ?? []),
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
    effort,
    paths,
    bound: isBounded
      ? {
          ...{ cost: card.bound.cost, packages: card.bound.packages, changes: card.bound.changes },
          is_proven_cheapest: card.bound.isProvenCheapest,
          text: boundText(card, changes, previous === undefined),
        }
      : null,
    rests_on_sessions: card.restsOnSessions,
    affected_count: affectedByAll(
      state.world.context,
      card.packages.flatMap(({ repairs }) => repairs),
    ),
    ...(findings === undefined
      ? FINDINGS_NOT_KNOWN
      : {
          ...findingChanges(generation, state.world, findings),
          closed_in: findingCounts(generation, state.world, findings.closed),
          opened_in: findingCounts(generation, state.world, findings.opened),
        }),
  };
}

/** Values of first cards. */
const FINDINGS_NOT_KNOWN = {
  ...{ closed_count: null, closed: [], closed_in: null },
  ...{ opened_count: null, opened: [], opened_in: null },
};

function packageRecord(state: PlanState, one: PlannedPackage): StoredPackage {
  const { generation, world } = state;
  const { title, fix, check, risk } = packageText(world, one);
  const parts = packageTitle(world, one)?.map((part) =>
    typeof part === 'string' ? part : objectRecord(generation, part.node),
  );
  return {
    ...{ key: one.key, kind: one.kind, title, fix, check, risk, cost: one.cost },
    ...pricedFields(state, one),
    affected_count: one.affected,
    cost_still_needed: one.costStillNeeded ?? null,
    change_count: one.repairs.length,
    ...(parts && { title_parts: parts }),
    subject_ids: one.subjects.map((node) => objectIdOf(generation.graph, node)),
    changes: one.repairs.slice(0, MAX_CHANGES).map((repair) => repairRecord(generation, world, repair)),
    references: one.repairs.slice(0, MAX_REFERENCES).map((repair) => referenceOf(generation, repair)),
  };
}

/** @returns nodes of environments that are in the graph */
export function environmentNodes(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  ids: readonly string[],
): ReadonlySet<number> {
  const wanted = new Set(ids.map((id) => namedObjectId(generation.graph, id)));
  return new Set(world.environments.filter((node) => wanted.has(objectIdOf(generation.graph, node))));
}

/** @returns the forests of the environments that the plan counts; nothing where it counts all */
function scopeOf(state: PlanState, { environments: ids }: ZonePlanRequest): string[][] | undefined {
  if (ids.length === 0) return undefined;
  const wanted = new Set(ids.map((id) => namedObjectId(state.generation.graph, id)));
  return forestsOf(state).filter((forest) => forest.some((id) => wanted.has(id)));
}

/** Domains that trust each other inside a forest; anything else is alone. */
export function forestsOf({ generation, world }: Pick<PlanState, 'generation' | 'world'>): string[][] {
  const { graph } = generation;
  const { nodes, forests } = world.context.use(environments);
  return [...Map.groupBy(nodes, (_, place) => forests[place]).values()].map((nodes) =>
    nodes.map((node) => objectIdOf(graph, node)).sort(),
  );
}
