/**
 * Findings of custom checks in a plan. Their queries run again in the world after cards to find the card that closes each
 * finding; all other findings get the reason why they stay open.
 *
 * Rule: `docs/plan.md#findings-of-custom-checks`.
 */

import { findingTypesOf } from '@clew/analysis';
import { addCount } from '@clew/graph';
import {
  type AnalyzedWorld,
  changeOf,
  type FindingKey,
  findingKeyText,
  findingsOf,
  type OpenReason,
  type PlanCard,
} from '@clew/planning';
import { changedFacts } from './changedFacts.ts';
import type { PlanState } from './planState.ts';

/**
 * Maximum number of worlds after cards in which check queries run. With more, a finding may be assigned to a later card than the
 * first one that closes it, but never to none.
 */
const MAX_WORLDS = 100;

type Closing<Details> = Pick<PlanCard<Details>, 'packages' | 'closed'>;

/**
 * @returns the cards, each with the check findings that it closes
 * @throws CanceledError, the error of a rule
 */
export async function withChecksClosed<Details, Card extends Closing<Details>>(
  state: PlanState,
  cards: readonly Card[],
): Promise<Card[]> {
  const { world } = state;
  if (world.context.graph.declared.checks.length === 0 || cards.length === 0) return [...cards];
  const known = new Set(cards.flatMap(({ closed }) => closed.map(findingKeyText)));
  const asked = checkFindings(world).filter((finding) => !known.has(findingKeyText(finding)));
  const placed = await placedFindings({
    ...{ count: cards.length, findings: asked, most: MAX_WORLDS },
    goneAfter: (count, findings) => goneAfter(state, cards.slice(0, count), findings),
  });
  return cards.map((card, at) => {
    const more = placed.get(at);
    return more === undefined ? card : { ...card, closed: [...card.closed, ...more] };
  });
}

interface Placing<Finding> {
  /** Number of cards. */
  readonly count: number;
  readonly findings: readonly Finding[];
  /** Maximum number of calls of `goneAfter`. */
  readonly most: number;
  /** @returns the findings that are closed after `count` cards */
  readonly goneAfter: (count: number, findings: readonly Finding[]) => Promise<readonly Finding[]>;
}

/**
 * @returns the closed findings, keyed by the place of a card after which they are closed: the first such card if the number of
 * calls permits. Uses binary search over the cards.
 */
export async function placedFindings<Finding>({
  count,
  findings,
  most,
  goneAfter: ask,
}: Placing<Finding>): Promise<ReadonlyMap<number, readonly Finding[]>> {
  const placed = new Map<number, readonly Finding[]>();
  let left = most;
  // The given findings are closed after `to` cards but not after `from`.
  const halve = async (gone: readonly Finding[], from: number, to: number): Promise<void> => {
    if (gone.length === 0) return;
    if (to - from <= 1 || left === 0) {
      placed.set(to - 1, [...(placed.get(to - 1) ?? []), ...gone]);
      return;
    }
    const middle = Math.floor((from + to) / 2);
    left--;
    const early = await ask(middle, gone);
    const isEarly = new Set(early);
    await halve(early, from, middle);
    await halve(
      gone.filter((finding) => !isEarly.has(finding)),
      middle,
      to,
    );
  };
  if (findings.length > 0) await halve(await ask(count, findings), 0, count);
  return placed;
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

/** @returns check findings that no card closes, of any severity: each gets a reason */
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

/** Counts the given findings by check, for the text of a card. */
export function countByCheck(
  { world }: Pick<PlanState, 'world'>,
  findings: readonly FindingKey[],
): { readonly title: string; readonly count: number }[] {
  const types = findingTypesOf(world.context.graph);
  const counts = new Map<string, number>();
  for (const { type } of findings) {
    const found = types[type];
    if (found?.kind !== 'list' || found.check === undefined) continue;
    addCount(counts, found.check.title);
  }
  return [...counts]
    .map(([title, count]) => ({ title, count }))
    .sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
}
