/** The content of a report: exposure, its trend, and the first repairs, limited to what its owner may see. Rule: `docs/web.md#reports`. */

import type { CardRecord, PlanRecord, PostureSummary, ReportContent } from '@clew/api';
import type { UserPrincipal } from '@clew/common';
import type { Generation, GenerationSource } from '@clew/generation';
import { postureHistory, postureSummary } from '@clew/judgment';
import { visibleEnvironments } from '@clew/judgment/handlers';
import { DEFAULT_GOAL } from '@clew/model';
import { type Db, TIER_ZERO } from '@clew/store';
import { planAnswer, seenPlan } from '../http/planAnswer.ts';
import { outcomeOf } from '../run/planMaker.ts';
import { completePlan } from '../stored/storedPlans.ts';
import { sightOf } from '../tasks/sight.ts';
import type { StoredPackage } from '../tasks/storedPlan.ts';
import { reportDeadlines } from './reportDeadlines.ts';
import { maskedNames, plainNames, type ReportNames } from './reportNames.ts';
import { reportProof } from './reportProof.ts';

export interface ReportChoices {
  readonly audience: 'management' | 'operations';
  readonly zone: number;
  readonly environment: string | null;
  readonly days: number;
  readonly masked: boolean;
}

const MAX_CARDS: Readonly<Record<ReportChoices['audience'], number>> = { management: 3, operations: 10 };
/** Number of repairs of started plans, and of findings with a deadline, by audience. */
const MAX_PROVED: typeof MAX_CARDS = { management: 5, operations: 30 };
const MAX_PLAN_CARDS = 50;
const MAX_LINES = 6;
const DAY_MS = 86_400_000;

export interface ContentParts {
  readonly db: Db;
  readonly generations: GenerationSource;
}

/** @param now milliseconds since the epoch */
export async function reportContent(
  { db, generations }: ContentParts,
  choices: ReportChoices,
  owner: UserPrincipal,
  now: number,
): Promise<{ readonly generation: number; readonly content: ReportContent }> {
  const generation = generations.current();
  const { zone, environment, days, audience, masked } = choices;
  const visible = visibleEnvironments(owner);
  const window = { from: timeText(now - days * DAY_MS), to: timeText(now) };
  const summary = await postureSummary(db, generation, { visible, zone, window });
  const isChosen = ({ environment_id }: { readonly environment_id: string }): boolean =>
    environment === null || environment_id === environment;
  const names = masked ? maskedNames() : plainNames;
  const environments = summary.environments.filter(isChosen);
  const { plan, partsOf } = await planFor(db, generation, owner, zone);
  const named = { names, partsOf };
  const scope = { ...window, visible, zones: [zone] };
  const lines = environments.filter(({ collected }) => collected).slice(0, MAX_LINES);
  const history: ReportContent['history'] = [];
  for (const { environment_id, name } of lines) {
    const asked = { ...scope, environments: [environment_id], points: 'analysis' as const };
    const { data: points } = await postureHistory(db, 'exposure', asked);
    history.push({
      ...names.environment({ environment_id, name }),
      points: points.map(({ date, value }) => ({ date, exposure: Math.min(1, Math.max(0, value / 100)) })),
    });
  }
  const before = (plan?.before ?? []).filter(isChosen);
  const proofScope = { zone, environment, from: window.from, limit: MAX_PROVED[audience], names };
  const content: ReportContent = {
    published_at: plan?.published_at ?? null,
    zone: zone === TIER_ZERO ? 'Tier Zero' : 'the zone',
    environment:
      environment === null
        ? null
        : names.environment({ environment_id: environment, name: environments[0]?.name ?? environment }).name,
    from: window.from,
    ...sumOf(before),
    not_shown_count: (plan?.not_shown ?? []).filter(isChosen).length,
    environments: environments.map((one) => ({ ...environmentOf(one), ...names.environment(one) })),
    history,
    repairs: plan === undefined ? null : repairsOf(plan, environment, named).slice(0, MAX_CARDS[audience]),
    proof: await reportProof(db, generation, owner, proofScope),
    deadlines: await reportDeadlines(db, owner, {
      ...{ zone, environment, names, masked },
      limit: MAX_PROVED[audience],
    }),
  };
  return { generation: generation.id, content };
}

/** Microsecond precision, because the store compares times as texts. */
const timeText = (time: number): string => new Date(time).toISOString().replace('Z', '000Z');

function environmentOf(one: PostureSummary['environments'][number]): ReportContent['environments'][number] {
  const { environment_id, name, collected, exposure, users, computers } = one;
  const { active_computers, session_computers } = one;
  return {
    ...{ environment_id, name, collected, exposure, users, computers },
    ...{ active_computers, session_computers },
  };
}

interface SeenPlan {
  readonly plan: PlanRecord | undefined;
  /** Titles as words and objects, keyed by package. */
  readonly partsOf: ReadonlyMap<string, StoredPackage['title_parts']>;
}

/** The newest plan of the zone, limited to what its owner may see; undefined if the zone has no plan. */
async function planFor(
  db: Db,
  generation: Generation,
  owner: UserPrincipal,
  zone: number,
): Promise<SeenPlan> {
  const complete = await completePlan(db, zone);
  if (complete === undefined) return { plan: undefined, partsOf: new Map() };
  const { plan, madeAt, without } = complete;
  const parts = {
    plan,
    madeAt,
    without,
    with: outcomeOf(plan),
    constraints: [],
    computing: null,
    answers: [],
  };
  const sight = sightOf(generation, owner);
  const packages = seenPlan(plan, sight).cards.flatMap((card) => card.packages);
  return {
    plan: planAnswer({ ...parts, limit: MAX_PLAN_CARDS, goal: DEFAULT_GOAL, explain: false }, sight),
    partsOf: new Map(packages.map(({ key, title_parts }) => [key, title_parts])),
  };
}

type Exposures = PlanRecord['before'];

const sumOf = (all: Exposures) => ({
  exposed_count: all.reduce((sum, one) => sum + one.exposed_count, 0),
  principal_count: all.reduce((sum, one) => sum + one.principal_count, 0),
});

/** The repairs for all environments, or those that lower the exposure of one. */
function repairsOf(
  { before, cards }: PlanRecord,
  environment: string | null,
  { names, partsOf }: Pick<SeenPlan, 'partsOf'> & { readonly names: ReportNames },
) {
  const some = (all: Exposures): Exposures =>
    environment === null ? all : all.filter(({ environment_id }) => environment_id === environment);
  return cards
    .map((card, at) => {
      const [from, to] = [sumOf(some(cards[at - 1]?.exposure ?? before)), sumOf(some(card.exposure))];
      const isShown = card.exposed_before !== null && card.exposed_after !== null && from.principal_count > 0;
      return {
        titles: card.packages.map((one) => names.title(one, partsOf.get(one.key))),
        reasons: eachOnce(card.packages.map((one) => names.reason(one))),
        questions: eachOnce(card.packages.flatMap((one) => names.questions(one))),
        cost: card.cost,
        closed_count: environment === null ? card.closed_count : null,
        exposed_before: isShown ? from.exposed_count : null,
        exposed_after: isShown ? to.exposed_count : null,
        principal_count: from.principal_count,
        principal_count_after: to.principal_count,
        path: pathOf(card, environment, names),
      };
    })
    .filter(
      ({ exposed_before: from, exposed_after: to }) =>
        environment === null || (from !== null && to !== null && to < from),
    );
}

const eachOnce = (texts: readonly string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

function pathOf({ paths }: CardRecord, environment: string | null, names: ReportNames) {
  const path = paths.find(({ environment_id }) => environment === null || environment_id === environment);
  if (path === undefined) return null;
  const { nodes, steps } = path.before;
  return {
    nodes: nodes.map((node) => names.object(node)),
    kinds: steps.map(({ kind }) => names.kind(kind)),
    cut: path.cut,
  };
}
