import { expect, it } from 'vitest';
import { hiddenFall } from './hiddenFall.ts';

const of = (exposed_count: number, principal_count = 600) => ({ exposed_count, principal_count });
const card = (exposed_before: number | null, after: number) => ({
  ...{ exposed_before, principals_before: exposed_before === null ? null : 600 },
  exposure: [of(after)],
});

it('says what happens before a card that follows hidden ones', () => {
  const plan = { before: [of(193)], cards: [card(60, 60), card(60, 30), card(12, 0)] };
  expect([0, 1, 2].map((at) => hiddenFall(plan, at))).toEqual([
    'Changes outside your access come first: they lower the exposure from 32.2% to 10.0%.',
    undefined,
    'Changes outside your access come first: they lower the exposure from 5.0% to 2.0%.',
  ]);
});

it('says nothing of a plan without hidden cards or without figures', () => {
  expect(hiddenFall({ before: [of(193)], cards: [card(193, 60)] }, 0)).toBeUndefined();
  expect(hiddenFall({ before: [], cards: [card(null, 60)] }, 0)).toBeUndefined();
  expect(hiddenFall({ before: [of(193)], cards: [] }, 0)).toBeUndefined();
});
