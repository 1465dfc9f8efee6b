/** Maps each finding to its place in a plan: the card that closes it, a shared repair, or the reason why it stays open. */
import { findingTypesOf } from '@clew/analysis';
import { objectIdOf } from '@clew/graph';
import type { ClosingCard, FindingPlan, PlannedFinding, SharedRepair } from '@clew/judgment';
import {
  type AnalyzedWorld,
  changedWorld,
  changeOf,
  commonRepairs,
  excludedChanges,
  type FindingKey,
  findingKeyText,
  findingsOf,
  loweredFindings,
  type OpenReason,
  openFindings,
  type Plan,
  type PlanOptions,
  withoutRepair,
} from '@clew/planning';
import type { CardDetails } from './cardRecords.ts';
import { openCheckFindings } from './checksOfPlan.ts';
import type { PlanState } from './planState.ts';
import { repairRecord } from './repairRecords.ts';

/** @returns the outcome of each finding in a plan */
export function findingPlan(
  state: PlanState,
  zone: number,
  plan: Plan<CardDetails>,
  isExcluded: PlanOptions['isExcluded'],
): FindingPlan {
  const { world } = state;
  const after = worldAfter(world, plan);
  const { lowered, left } = loweredFindings(world, plan, after);
  const reasonOf = reasonsOfListed(state, left, isExcluded);
  const open = openFindings(world, { zone, isExcluded, plan, after });
  const isAnswered = new Set([
    ...plan.cards.flatMap(({ closed }) => closed.map(findingKeyText)),
    ...[...lowered.map(({ finding }) => finding), ...left].map(findingKeyText),
  ]);
  return {
    cards: closingCards(state, plan),
    shared: sharedRepairs(state, plan, isExcluded),
    lowered: lowered.map(({ finding, card, to }) => ({ ...plannedFinding(state, finding), card, to })),
    open: [
      ...open.map(({ finding, reason, users = null }) => ({
        ...plannedFinding(state, finding),
        reason,
        users,
      })),
      ...[
        ...left.map((finding) => ({
          finding,
          reason: reasonOf(finding),
        })),
        ...openCheckFindings(state, isAnswered),
      ].map(({ finding, reason }) => ({ ...plannedFinding(state, finding), reason, users: null })),
    ],
  };
}

/** @returns the reasons of findings about one object: those of a custom check depend on its declared change */
function reasonsOfListed(
  state: PlanState,
  left: readonly FindingKey[],
  isExcluded: PlanOptions['isExcluded'],
): (finding: FindingKey) => OpenReason {
  const { world } = state;
  const ofChecks = openCheckFindings(state, new Set(), left).map(
    ({ finding, reason }) => [finding, reason] as const,
  );
  const isOfCheck = new Set(ofChecks.map(([finding]) => finding));
  const reasons = new Map([
    ...ofChecks,
    ...withoutRepair(
      world,
      left.filter((finding) => !isOfCheck.has(finding)),
    ),
    ...excludedChanges(world, left, isExcluded),
  ]);
  return (finding) => reasons.get(finding) ?? 'by-itself';
}

/** Findings closed by each card, for the list of findings. */
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
function sharedRepairs(
  state: PlanState,
  { cards }: Plan,
  isExcluded: PlanOptions['isExcluded'],
): SharedRepair[] {
  const { world, generation } = state;
  const closed = new Set(cards.flatMap((card) => card.closed.map(findingKeyText)));
  const open = [...findingsOf(world).values()].filter((finding) => !closed.has(findingKeyText(finding)));
  return commonRepairs(world, open, isExcluded).map(({ repair, findings }) => ({
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

const worldAfter = (world: AnalyzedWorld, { cards }: Plan): AnalyzedWorld =>
  changedWorld(world, changeOf(cards.flatMap(({ packages }) => packages.flatMap(({ repairs }) => repairs))));
