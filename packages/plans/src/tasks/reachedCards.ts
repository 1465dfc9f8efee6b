/**
 * Measures the effect of finished cards, to compare it with their promises. The exposure without the changes of a card is
 * computed from the facts of the analysis that first found the card done, so that other changes since the start of the plan do
 * not count.
 *
 * Rule: `docs/plan.md#proof`.
 */
import type { PlanRecord } from '@clew/api';
import type { JsonValue } from '@clew/graph';
import type { AnalyzedWorld, Change } from '@clew/planning';
import { changedFacts } from './changedFacts.ts';
import type { PlanState } from './planState.ts';
import type { StartedPlan } from './startedFacts.ts';

type Exposures = PlanRecord['before'];

/** The effect of a card, as measured in the analysis that first found all of its changes done. */
export interface ReachedCard {
  /** Its place among the cards of the plan, from 1. */
  readonly card: number;
  readonly generation: number;
  readonly at: string;
  readonly before: Exposures;
  readonly after: Exposures;
  /** Objects of its changes were deleted, so the exposure without these changes is not known. */
  readonly is_unknown?: true;
}

/** The facts that restore the state before a change. */
export interface FactsToUndo {
  readonly undoEdges: readonly { start: number; kind: number; end: number; flags: number }[];
  readonly undoProperties: readonly { node: number; key: string; value: JsonValue }[];
}

export interface FactsOfChange {
  readonly isDone: boolean;
  /** Its objects exist, so the change can be undone. */
  readonly isMeasurable: boolean;
  readonly undo: FactsToUndo;
}

interface Measured {
  /** Facts in the order of the plan's changes. */
  readonly parts: readonly FactsOfChange[];
  readonly known: readonly ReachedCard[];
  readonly now: Exposures;
  readonly exposure: (world: AnalyzedWorld) => Exposures;
}

/** Maximum number of cards to measure in one analysis, because each needs a simulation; the next analysis measures the rest. */
const MAX_MEASURED = 10;

/**
 * Cards that were finished in the same analysis count in the order of the plan, like their promises.
 * @returns the cards that are still done, and the newly done ones
 */
export async function reachedCards(
  state: PlanState,
  { cards = [], packages }: Pick<StartedPlan, 'cards' | 'packages'>,
  { parts, known, now, exposure }: Measured,
): Promise<ReachedCard[]> {
  const { generation } = state;
  let [atPackage, atChange] = [0, 0];
  const done = cards.flatMap(({ package_count }, index) => {
    const own = packages.slice(atPackage, atPackage + package_count);
    const count = own.reduce((sum, { changes }) => sum + changes.length, 0);
    const changes = parts.slice(atChange, atChange + count);
    [atPackage, atChange] = [atPackage + package_count, atChange + count];
    return count > 0 && changes.every(({ isDone }) => isDone) ? [{ card: index + 1, changes }] : [];
  });
  const at = { generation: generation.id, at: generation.publishedAt };
  const kept = known.filter(({ card }) => done.some((one) => one.card === card));
  const isMeasurable = ({ changes }: (typeof done)[number]): boolean =>
    changes.every((change) => change.isMeasurable);
  const found = done.filter(({ card }) => !kept.some((one) => one.card === card));
  const fresh = found.filter(isMeasurable).slice(0, MAX_MEASURED);
  const made: ReachedCard[] = found
    .filter((one) => !isMeasurable(one))
    .map(({ card }) => ({ card, ...at, before: [], after: [], is_unknown: true }));
  let after = now;
  const undone: FactsToUndo[] = [];
  for (const { card, changes } of fresh.toReversed()) {
    undone.push(...changes.map(({ undo }) => undo));
    const before = exposure((await changedFacts(state, changeOf(undone))).world);
    made.push({ card, ...at, before, after });
    after = before;
  }
  return [...kept, ...made].sort((a, b) => a.card - b.card);
}

const changeOf = (facts: readonly FactsToUndo[]): Change => ({
  added: facts.flatMap(({ undoEdges }) => undoEdges),
  properties: facts.flatMap(({ undoProperties }) => undoProperties),
});
