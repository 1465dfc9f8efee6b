/** Builds records of the cards and packages of a plan, with texts of their effects. */
import type { CardPathRecord, EffortRecord } from '@clew/api';
import { objectIdOf } from '@clew/graph';
import {
  affectedByAll,
  distinctName,
  type FirstCard,
  type Plan,
  type PlanCard,
  type PlannedPackage,
  packageText,
  packageTitle,
} from '@clew/planning';
import { boundText, cardEffect, cardTitle } from './cardTexts.ts';
import { countByCheck } from './checksOfPlan.ts';
import { objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { MAX_REFERENCES, pricedFields } from './pricedRecords.ts';
import {
  exposureRecords,
  findingChanges,
  findingCounts,
  referenceOf,
  repairRecord,
} from './repairRecords.ts';
import type { StoredCard, StoredPackage } from './storedPlan.ts';

/** Maximum number of listed changes of a package; a package may have hundreds of thousands. */
const MAX_CHANGES = 100;

/** Values of a card in addition to the figures of the plan, computed during its simulation. */
export interface CardDetails {
  /** Attack effort after the card. */
  readonly effort: EffortRecord[];
  readonly paths: CardPathRecord[];
}

interface CardFacts {
  readonly card: FirstCard<CardDetails> | PlanCard<CardDetails>;
  /** Exposure before all cards. */
  readonly whole: Plan['before'];
  readonly previous: StoredCard | undefined;
  readonly effortBefore: EffortRecord[];
  /** Number of changes up to and including this card. */
  readonly changes: number;
  readonly isBounded: boolean;
}

export function cardRecord(
  state: PlanState,
  { card, whole, previous, effortBefore, changes, isBounded }: CardFacts,
): StoredCard {
  // A card that is not simulated yet has no known effect on attack effort, and no path.
  const { effort, paths } = card.details ?? { effort: [], paths: [] };
  const findings = 'closed' in card ? card : undefined;
  const { generation } = state;
  const exposure = exposureRecords(generation, state.world, card.exposures);
  const packages = card.packages.map((one) => packageRecord(state, one));
  const before = previous?.exposure ?? exposureRecords(generation, state.world, whole);
  const effect = cardEffect({
    before,
    after: exposure,
    effortBefore,
    effortAfter: card.details === undefined ? effortBefore : effort,
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
    principals_before: principalsOf(before),
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

/** @returns the number of users and computers that exposures count */
export const principalsOf = (exposures: StoredCard['exposure']): number =>
  exposures.reduce((sum, { principal_count }) => sum + principal_count, 0);

/** Placeholder values of first cards. */
const FINDINGS_NOT_KNOWN = {
  ...{ closed_count: null, closed: [], closed_in: null },
  ...{ opened_count: null, opened: [], opened_in: null },
};

/** The object as the title names it. */
function textRecord({ generation, world }: PlanState, node: number): ReturnType<typeof objectRecord> {
  const record = objectRecord(generation, node);
  return { ...record, name: distinctName(world.context, node) || record.name };
}

function packageRecord(state: PlanState, one: PlannedPackage): StoredPackage {
  const { generation, world } = state;
  const { title, fix, check, risk } = packageText(world, one);
  const parts = packageTitle(world, one)?.map((part) =>
    typeof part === 'string' ? part : textRecord(state, part.node),
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
