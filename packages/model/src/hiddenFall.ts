/** The part of a plan that users with limited environments do not see: cards between two shown ones still lower the exposure. */
import { shareOf } from './shares.ts';

interface Exposure {
  readonly exposed_count: number;
  readonly principal_count: number;
}

interface Card {
  /** Null for cards without figures. */
  readonly exposed_before: number | null;
  readonly principals_before: number | null;
  readonly exposure: readonly Exposure[];
}

const total = (all: readonly Exposure[]) => ({
  exposed: all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
  principals: all.reduce((sum, { principal_count }) => sum + principal_count, 0),
});

/**
 * "Changes outside your access come first: they lower the exposure from 32.2% to 10.0%."
 * @param at place of a card
 * @returns undefined if no card between it and the shown card before it lowers the exposure
 */
export function hiddenFall(
  { before, cards }: { readonly before: readonly Exposure[]; readonly cards: readonly Card[] },
  at: number,
): string | undefined {
  const card = cards[at];
  const last = cards[at - 1];
  if (card === undefined || card.exposed_before === null || card.principals_before === null) return undefined;
  const { exposed, principals } = total(last?.exposure ?? before);
  if (exposed <= card.exposed_before) return undefined;
  const fall = `from ${shareOf(exposed, principals)} to ${shareOf(card.exposed_before, card.principals_before)}`;
  return `Changes outside your access come first: they lower the exposure ${fall}.`;
}
