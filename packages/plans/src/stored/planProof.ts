/**
 * The proof of a started plan: for each change, the changed facts with old and new values, the uploads that showed it and the
 * user who reported it; for each card, the promised and the measured effect; for each month, the counts.
 *
 * Rule: `docs/plan.md#proof`.
 */

import type {
  AdoptedChange,
  AdoptionRecord,
  PlanProof,
  ProofCard,
  ProofChange,
  ProofEvent,
  ProofFact,
  ProofMonth,
} from '@clew/api';
import type { UserPrincipal } from '@clew/common';
import { counted } from '@clew/model';
import type { MovedFact } from '../tasks/movedFacts.ts';
import { type Sight, wholeEnvironments } from '../tasks/sight.ts';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import type { FoundChange, FoundEntry } from '../tasks/startedPlan.ts';
import { type EventCounts, eventCounts } from './eventCounts.ts';
import { planEvidence } from './planEvidence.ts';
import { countTexts, effectText, proofCounts } from './proofTexts.ts';
import { progressOf, type ShownPlan, type StartedPlanRow, type StartedPlanView } from './startedPlans.ts';

export interface ProofChoice {
  /** `YYYY-MM`, in UTC. */
  readonly month?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Evidence has claims about the chosen changes. */
export async function planProof(
  shown: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  { user, ...choice }: ProofChoice & { readonly user: UserPrincipal },
): Promise<PlanProof> {
  const proof = await proofOfChanges(shown, view, choice);
  const changes = proof.changes.map(({ number }) => number);
  return { ...proof, evidence: await planEvidence(shown, view, { user, changes }) };
}

/** The proof without the files of kits. */
export async function proofOfChanges(
  { row, record }: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  { month, skip, limit }: ProofChoice,
): Promise<Omit<PlanProof, 'evidence'>> {
  const found = progressOf(row).changes;
  const all = record.changes.map((change, at) => changeProof(change, record, found[at], view.sight));
  const chosen = month === undefined ? all : all.flatMap((change) => inMonth(change, month));
  const counts = proofCounts(record.changes);
  const overdue = record.repairs.filter((repair) => repair.overdue).length;
  return {
    ...{ plan_id: record.plan_id, name: record.name, adopted_at: record.adopted_at },
    ...{ asset_group_tag_id: record.asset_group_tag_id, generation: record.generation },
    ...{ published_at: record.published_at, counts, overdue_count: overdue },
    text: proofText(counts, overdue),
    months: monthsOf(all, await eventCounts(view.db, row.id)),
    cards: cardsOf(row, record, view.sight),
    not_shown: record.not_shown,
    repairs: record.repairs.map(({ key: _, notes: __, updated: ___, ...repair }) => repair),
    change_count: chosen.length,
    changes: chosen.slice(skip, skip + limit),
  };
}

function changeProof(
  change: AdoptedChange,
  { repairs }: AdoptionRecord,
  found: FoundChange | undefined,
  sight: Sight | undefined,
): ProofChange {
  const { number, title, state, proof, text, marked, history } = change;
  const entries = [...(found?.history ?? []), ...(found?.partial ?? [])];
  const events = entries
    .map((entry) => eventOf(entry, sight))
    .sort((a, b) => b.generation - a.generation || (a.at < b.at ? 1 : -1));
  return {
    ...{ number, repair: repairs.find(({ changes }) => changes.includes(number))?.number ?? 1 },
    ...{ title, state, proof, text },
    said: marked === null ? null : { by: marked.by, at: marked.at, note: marked.note },
    came_back_count: history.filter((entry) => entry.state === 'undone').length,
    events,
  };
}

function eventOf(entry: FoundEntry, sight: Sight | undefined): ProofEvent {
  const { moved = [], jobs = [] } = entry;
  const isSeen = ({ object_ids }: MovedFact): boolean =>
    sight === undefined || object_ids.every((id) => sight.isVisible(id));
  return {
    ...{ state: entry.state as ProofEvent['state'], generation: entry.generation, at: entry.at },
    ...{ since: entry.since ?? null, fact_count: entry.moved_count ?? null },
    facts: moved.filter(isSeen).flatMap(factOf),
    jobs: sight === undefined ? jobs : [],
  };
}

/** Results of earlier releases have no values: their texts are in the progress of the plan. */
function factOf({ object_ids: _, ...fact }: MovedFact): ProofFact[] {
  const { text, what, name, objects, old = '', new: now = '', last_write = null } = fact;
  if (what === undefined || name === undefined || objects === undefined) return [];
  return [{ text, what, name, objects, old, new: now, last_write }];
}

const monthOf = (time: string): string => time.slice(0, 7);

function inMonth(change: ProofChange, month: string): ProofChange[] {
  const events = change.events.filter(({ at }) => monthOf(at) === month);
  const isSaid = change.said !== null && monthOf(change.said.at) === month;
  return events.length > 0 || isSaid ? [{ ...change, events }] : [];
}

function monthsOf(changes: readonly ProofChange[], later: readonly EventCounts[]): ProofMonth[] {
  const months = new Map<string, ProofMonth>();
  const monthFor = (month: string): ProofMonth => {
    const known = months.get(month) ?? {
      ...{ month, done_count: 0, came_back_count: 0, not_seen_count: 0 },
      ...{ contradicted_count: 0, overdue_count: 0 },
    };
    months.set(month, known);
    return known;
  };
  for (const { events } of changes) {
    // Events are read in chronological order. An event that changes only some facts keeps the state.
    let before: ProofEvent['state'] = 'open';
    for (const { state, at } of events.toReversed()) {
      const counts = monthFor(monthOf(at));
      if (state !== before && state === 'done') counts.done_count++;
      if (state !== before && state === 'undone') counts.came_back_count++;
      if (state !== before && state === 'not-seen') counts.not_seen_count++;
      before = state;
    }
  }
  for (const { month, contradicted_count, overdue_count } of later)
    Object.assign(monthFor(month), { contradicted_count, overdue_count });
  return [...months.values()].sort((a, b) => (a.month < b.month ? 1 : -1));
}

function cardsOf(row: StartedPlanRow, record: AdoptionRecord, sight: Sight | undefined): ProofCard[] | null {
  const { cards } = row.adoption as StartedPlan;
  if (cards === undefined) return null;
  const { forests = [], reached = [] } = progressOf(row);
  const whole = sight === undefined ? undefined : wholeEnvironments(forests, sight);
  const seen = (all: Exposures): Exposures =>
    all.filter(({ environment_id }) => whole === undefined || whole.has(environment_id));
  let first = 1;
  return cards.map(({ package_count, before, after, has_no_promise }, index): ProofCard => {
    const number = index + 1;
    const repairs = record.repairs.slice(first - 1, first - 1 + package_count);
    first += package_count;
    const found = reached.find(({ card }) => card === number);
    const promised = { before: seen(before), after: seen(after) };
    const isUnknown = found?.is_unknown === true;
    const made =
      found === undefined || isUnknown
        ? null
        : {
            ...{ before: seen(found.before), after: seen(found.after) },
            ...{ generation: found.generation, at: found.at },
          };
    return {
      ...{ number, repairs: repairs.map((repair) => repair.number), promised, reached: made },
      text: effectText(promised, made, { isUnknown, hasNoPromise: has_no_promise === true }),
    };
  });
}

type Exposures = AdoptionRecord['before'];

function proofText(counts: PlanProof['counts'], overdue: number): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [
    `${counts.proved} of ${all} proved by an analysis`,
    ...countTexts(counts),
    ...(overdue > 0 ? [`${counted(overdue, 'repair')} overdue`] : []),
  ].join('; ');
}
