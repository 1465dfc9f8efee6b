/** The proof of started plans in a report: repairs with events in its period, and overdue ones. Rule: `docs/plan.md#proof`. */
import { CLAIM_VERDICTS, type PlanProof, type ProofChange, type ReportContent } from '@clew/api';
import type { UserPrincipal } from '@clew/common';
import type { Generation } from '@clew/generation';
import type { Db } from '@clew/store';
import { claimCounts } from '../stored/planEvidence.ts';
import { proofOfChanges } from '../stored/planProof.ts';
import { seesPlan } from '../stored/savedPlans.ts';
import { shownPlans } from '../stored/startedPlans.ts';
import { sightOf } from '../tasks/sight.ts';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import { chosenRepairs } from './chosenRepairs.ts';
import type { ReportNames } from './reportNames.ts';

type ReportProof = NonNullable<ReportContent['proof']>;

export interface ProofScope {
  readonly zone: number;
  /** Only plans that change no other environment; null for all. */
  readonly environment: string | null;
  /** Start of the period. */
  readonly from: string;
  /** Maximum number of repairs; overdue ones are never left out. */
  readonly limit: number;
  readonly names: ReportNames;
}

/** Maximum number of facts of a repair. */
const MAX_FACTS = 5;
/** @returns null without a started plan that the owner may see */
export async function reportProof(
  db: Db,
  generation: Generation,
  owner: UserPrincipal,
  { zone, environment, from, limit, names }: ProofScope,
): Promise<ReportProof | null> {
  const sight = sightOf(generation, owner);
  // The session limit appears only in texts that reports omit.
  const view = { db, generation, sight, sessionDays: 0 };
  const isChosen = (environments: readonly string[] | null): boolean =>
    environment === null || environments?.every((id) => id === environment) === true;
  // Read once, because a plan may be deleted in the meantime.
  const shown = await shownPlans(
    view,
    (row) => isChosen(row.environments) && seesPlan(row, generation, sight),
  );
  const counts = { proved_count: 0, came_back_count: 0, contradicted_count: 0, not_seen_count: 0 };
  const found: ReportProof = { ...counts, change_count: 0, overdue_count: 0, repairs: [] };
  const plans = shown.filter(({ record }) => record.asset_group_tag_id === zone);
  if (plans.length === 0) return null;
  for (const plan of plans) {
    const proof = await proofOfChanges(plan, view, { skip: 0, limit: Number.POSITIVE_INFINITY });
    found.change_count += proof.change_count;
    found.proved_count += proof.counts.proved;
    found.came_back_count += proof.counts['came-back'];
    found.contradicted_count += proof.counts.contradicted;
    found.not_seen_count += proof.counts['not-seen'];
    found.overdue_count += proof.overdue_count;
    const repairs = repairsOf(proof, plan.row.adoption as StartedPlan, { from, names });
    const counts = await claimCounts(
      plan,
      view,
      repairs.flatMap(({ changes }) => changes),
    );
    found.repairs.push(
      ...repairs.map(({ changes, ...repair }) => ({ ...repair, ...claimsOf(counts, changes) })),
    );
  }
  return { ...found, repairs: chosenRepairs(found.repairs, limit) };
}

/** A repair of the report, and the numbers of its changes. */
type CountedRepair = ReportProof['repairs'][number] & { readonly changes: readonly number[] };

function repairsOf(
  { repairs, changes, cards }: Omit<PlanProof, 'evidence'>,
  { packages }: StartedPlan,
  { from, names }: Pick<ProofScope, 'from' | 'names'>,
): CountedRepair[] {
  return repairs.flatMap(({ number, title, due, overdue }) => {
    const own = changes.filter(({ repair }) => repair === number);
    const events = own.flatMap((change) => change.events).filter(({ at }) => at >= from);
    if (events.length === 0 && !overdue) return [];
    const facts = events.flatMap((event) => event.facts.map((fact) => names.fact(fact)));
    const count = (proof: ProofChange['proof']): number => own.filter((one) => one.proof === proof).length;
    const newest = events.reduce((last, { at }) => (at > last ? at : last), '');
    return [
      {
        title: names.repair(title, packages[number - 1]?.title_parts),
        ...{ change_count: own.length, proved_count: count('proved'), came_back_count: count('came-back') },
        ...{ contradicted_count: count('contradicted'), not_seen_count: count('not-seen') },
        ...{ due, overdue, at: newest === '' ? null : newest },
        changes: own.map((change) => change.number),
        facts: [...new Set(facts)].slice(0, MAX_FACTS),
        effect: cards?.find((card) => card.repairs[0] === number)?.text ?? '',
      },
    ];
  });
}

function claimsOf(
  counts: Awaited<ReturnType<typeof claimCounts>>,
  changes: readonly number[],
): Pick<ReportProof['repairs'][number], 'claims'> {
  const own = changes.flatMap((number) => counts.get(number) ?? []);
  if (own.length === 0) return {};
  const claims = { agrees: 0, disagrees: 0, waits: 0, 'not-made': 0 };
  for (const verdict of CLAIM_VERDICTS) for (const one of own) claims[verdict] += one[verdict];
  return { claims };
}
