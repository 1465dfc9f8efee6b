import type { PlanRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { effectOfCard, goalText, planSentence, stairsOf, totalsOf } from './planOutline.ts';

const exposures = (...counts: readonly number[]): PlanRecord['before'] =>
  counts.map((exposed_count, at) => ({
    ...{ environment_id: `${at}`, environment_name: `${at}`, asset_group_tag_id: 1 },
    ...{ exposed_count, principal_count: 100, exposure: exposed_count / 100 },
  }));

const plan = (before: PlanRecord['before'], ...after: readonly PlanRecord['before'][]) => ({
  before,
  outline: after.map((exposure, at) => ({ key: `${at}`, repair_count: at + 1, cost: 1.5, exposure })),
  end: { reason: 'goal' as const, text: '' },
});

it('the totals are of all cards', () => {
  const two = plan(exposures(80, 60), exposures(20, 60), exposures(5, 9));
  expect(totalsOf(two)).toEqual({ cards: 2, repairs: 3, cost: 3 });
  expect(stairsOf(two).map(({ text, highest }) => [text, highest])).toEqual([
    ['70.0%', 0.8],
    ['40.0%', 0.6],
    ['7.0%', 0.09],
  ]);
});

it('a finding shows the effect of its card only of the plan that it names', () => {
  const two = { ...plan(exposures(80, 60), exposures(20, 60), exposures(5, 9)), computing: null };
  expect(effectOfCard(two, 2, 0.07)).toEqual({ before: 0.4, after: 0.07 });
  // A newer plan: its second card ends at another exposure, or it is in progress.
  expect(effectOfCard(two, 2, 0.08)).toBeUndefined();
  expect(effectOfCard(two, 2, undefined)).toBeUndefined();
  const computing = { generation: 2, published_at: '', started_at: null, card_count: 0 };
  const made = { ...two, computing: { ...computing, exposed_count: null, fault: null } };
  expect(effectOfCard(made, 2, 0.07)).toBeUndefined();
  expect(effectOfCard(two, 3, 0.07)).toBeUndefined();
});

it('the sentence says all together, the environment with most, and the goal of each', () => {
  expect(planSentence(plan(exposures(80, 60), exposures(5, 9)), 10)).toBe(
    '1 card with 1 repair brings that to 7.0%, and no environment above 9.0%. The goal is at most 10% of each environment.',
  );
  expect(planSentence(plan(exposures(80), exposures(5)), 10)).toBe(
    '1 card with 1 repair brings that to 5.0%. The goal is at most 10%.',
  );
});

it('cards after the one that meets the goal are there for paths of one action', () => {
  const higher = plan(exposures(80), exposures(25), exposures(20));
  expect(planSentence(higher, 30)).toBe(
    '2 cards with 3 repairs bring that to 20.0%. The goal is at most 30%. Card 1 meets it; the cards after it close paths of one action.',
  );
  expect(planSentence(higher, 20)).not.toContain('meets it');
});

it('a goal that is not reached says the best result known, and how many are left', () => {
  const missed = { ...plan(exposures(80), exposures(5)), end: { reason: 'no-gain' as const, text: '' } };
  expect(planSentence(missed, 0)).toBe(
    '1 card with 1 repair brings that to 5.0%, the best result known: 5 users and computers can still reach it. The goal of at most 0% is not reached.',
  );
});

it('a plan without cards or figures has no sentence and no stairs', () => {
  expect(planSentence(plan(exposures(80)), 10)).toBe('');
  expect(planSentence(plan([], []), 10)).toBe('');
  expect(stairsOf(plan([], []))).toEqual([]);
  expect(goalText(10, 1)).toBe('at most 10%');
});
