/** The end of the list of cards for a goal above that of the plan. */
import { expect, it } from 'vitest';
import { cardsTo } from './cardsToGoal.ts';

/** @param figures exposure in percent and users that need only one action, after each card */
const cardsOf = (...figures: readonly (readonly [percent: number, oneAction: number])[]) =>
  figures.map(([percent, one_action_count]) => ({
    exposure: [{ exposure: percent / 100 }],
    effort: [{ one_action_count }],
  })) as unknown as Parameters<typeof cardsTo>[0];

const ended = (cards: Parameters<typeof cardsTo>[0], percent: number): number =>
  cardsTo(cards, percent / 100).length;

it('ends with the card that meets the goal', () => {
  const cards = cardsOf([60, 0], [40, 0], [20, 0], [8, 0]);
  expect([ended(cards, 50), ended(cards, 20), ended(cards, 70), ended(cards, 5)]).toEqual([2, 3, 1, 4]);
});

it('goes on to the last card that closes paths of one action', () => {
  const cards = cardsOf([60, 9], [40, 5], [20, 5], [8, 5], [8, 2], [7, 0], [7, 0]);
  expect([ended(cards, 50), ended(cards, 20)]).toEqual([6, 6]);
  // Principals that no card keeps out do not extend the list.
  expect(ended(cardsOf([60, 5], [40, 5], [20, 5]), 60)).toBe(1);
});

it('ends with the goal while attack effort is not known', () => {
  const cards = cardsOf([60, 0], [40, 0], [20, 0]).map((card) => ({ ...card, effort: [] }));
  expect(ended(cards, 40)).toBe(2);
});
