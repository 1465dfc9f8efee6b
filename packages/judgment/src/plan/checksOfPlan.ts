/**
 * Findings of custom checks in a plan: which card closes which, by their queries, which are run again in the world after cards; and why the
 * others stay.
 *
 * Rule: `docs/plan.md#findings-of-custom-checks`.
 */
import {
  type AnalyzedWorld,
  changeOf,
  type FindingKey,
  findingKeyText,
  findingsOf,
  findingTypesOf,
  type OpenReason,
  type PlanCard,
} from '@clew/analysis';
import { changedFacts } from './changedFacts.ts';
import type { PlanState } from './planState.ts';

/** The cards that are looked at: each takes the queries of all checks that may find otherwise. */
const MAX_CARDS = 60;

type Closing<Look> = Pick<PlanCard<Look>, 'packages' | 'closed'>;

/**
 * @returns the cards, each with the findings of checks that end once it is done, too
 * @throws CanceledError, the error of a rule
 */
export async function withChecksClosed<Look, Card extends Closing<Look>>(
  state: PlanState,
  cards: readonly Card[],
): Promise<Card[]> {
  const { world } = state;
  if (world.context.graph.declared.checks.length === 0 || cards.length === 0) return [...cards];
  const known = new Set(cards.flatMap(({ closed }) => closed.map(findingKeyText)));
  const asked = checkFindings(world).filter((finding) => !known.has(findingKeyText(finding)));
  const closing = new Map<number, FindingKey[]>();
  await place(state, cards, asked, [0, Math.min(cards.length, MAX_CARDS)], closing);
  return cards.map((card, at) => {
    const more = closing.get(at);
    return more === undefined ? card : { ...card, closed: [...card.closed, ...more] };
  });
}

/** Halves the cards until each finding that ends has the first one after which it does. */
async function place(
  state: PlanState,
  cards: readonly Closing<unknown>[],
  findings: readonly FindingKey[],
  [from, to]: readonly [from: number, to: number],
  closing: Map<number, FindingKey[]>,
): Promise<void> {
  if (findings.length === 0) return;
  const gone = await goneAfter(state, cards.slice(0, to), findings);
  if (gone.length === 0) return;
  if (to - from <= 1) {
    closing.set(from, [...(closing.get(from) ?? []), ...gone]);
    return;
  }
  const middle = Math.floor((from + to) / 2);
  const before = new Map<number, FindingKey[]>();
  await place(state, cards, gone, [from, middle], before);
  const placed = new Set<string>();
  for (const [at, some] of before) {
    closing.set(at, [...(closing.get(at) ?? []), ...some]);
    for (const finding of some) placed.add(findingKeyText(finding));
  }
  const rest = gone.filter((finding) => !placed.has(findingKeyText(finding)));
  await place(state, cards, rest, [middle, to], closing);
}

async function goneAfter(
  state: PlanState,
  cards: readonly Closing<unknown>[],
  findings: readonly FindingKey[],
): Promise<FindingKey[]> {
  const repairs = cards.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
  const { world: after } = await changedFacts(state, changeOf(repairs));
  const left = findingsOf(after);
  return findings.filter((finding) => !left.has(findingKeyText(finding)));
}

export interface OpenCheckFinding {
  readonly finding: FindingKey;
  readonly reason: OpenReason;
}

/** @returns the findings of checks that no card closes, whatever their severity: none stays without a word */
export function openCheckFindings(
  { world }: Pick<PlanState, 'world'>,
  closed: ReadonlySet<string>,
  among: Iterable<FindingKey> = findingsOf(world).values(),
): OpenCheckFinding[] {
  const types = findingTypesOf(world.context.graph);
  return checkFindings(world, among).flatMap((finding) => {
    const type = types[finding.type];
    if (closed.has(findingKeyText(finding)) || type?.kind !== 'list') return [];
    return [{ finding, reason: type.check?.repairedBy === undefined ? 'check-text' : 'by-itself' }];
  });
}

function checkFindings(
  world: AnalyzedWorld,
  among: Iterable<FindingKey> = findingsOf(world).values(),
): FindingKey[] {
  const types = findingTypesOf(world.context.graph);
  return [...among].filter(({ type }) => {
    const found = types[type];
    return found?.kind === 'list' && found.check !== undefined;
  });
}

/** How many findings of each check are among some: for the words of a card. */
export function countByCheck(
  { world }: Pick<PlanState, 'world'>,
  findings: readonly FindingKey[],
): { readonly title: string; readonly count: number }[] {
  const types = findingTypesOf(world.context.graph);
  const counts = new Map<string, number>();
  for (const { type } of findings) {
    const found = types[type];
    if (found?.kind !== 'list' || found.check === undefined) continue;
    counts.set(found.check.title, (counts.get(found.check.title) ?? 0) + 1);
  }
  return [...counts]
    .map(([title, count]) => ({ title, count }))
    .sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
}
