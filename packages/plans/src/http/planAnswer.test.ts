/** Parts of an answer that depend on the requested goal. */
import { expect, it } from 'vitest';
import { type AnswerParts, planAnswer } from './planAnswer.ts';

/** @returns decisions of a plan to 0 % that ends with 3 %, in an answer for another goal */
function decisionsAt(goal: number): number {
  const cardOf = (exposure: number) => ({
    ...{ packages: [], exposure: [{ exposure }], effort: [], closed: [], opened: [] },
  });
  const plan = {
    goal: 0,
    before: [],
    forests: [],
    cards: [cardOf(0.2), cardOf(0.03)],
    decisions: [{ ids: [] }],
    end: { reason: 'no-gain', text: '' },
  };
  const parts = { plan, goal, limit: 10, constraints: [], answers: [], computing: null, madeAt: null };
  return planAnswer(parts as unknown as AnswerParts, undefined).decisions.length;
}

it('asks for decisions where the goal that is asked for is not met, and not where a card meets it', () => {
  expect(decisionsAt(0)).toBe(1);
  expect(decisionsAt(0.01)).toBe(1);
  expect(decisionsAt(0.03)).toBe(0);
  expect(decisionsAt(0.5)).toBe(0);
});

/** @returns an answer of a plan to 10 % whose two cards leave 20 and 3 of 100 */
function answerAt(goal: number) {
  const exposureOf = (exposed_count: number) => [
    { environment_id: 'A', exposed_count, principal_count: 100, exposure: exposed_count / 100 },
  ];
  const cardOf = (key: string, exposed_count: number) => ({
    ...{ key, cost: 1, packages: [{ changes: [] }], exposure: exposureOf(exposed_count), effort: [] },
  });
  const plan = {
    ...{ goal: 0.1, before: exposureOf(80), forests: [['A']], decisions: [], unreachable_count: 0 },
    cards: [cardOf('one', 20), cardOf('two', 3)],
    ...{ left: { holder_count: 1, holders: [] }, end: { reason: 'no-gain', text: 'stored' } },
  };
  const parts = { plan, goal, limit: 1, constraints: [], answers: [], computing: null, madeAt: null };
  return planAnswer(parts as unknown as AnswerParts, undefined);
}

it('the end is that of the goal that is asked for, and the outline has all of its cards', () => {
  const met = answerAt(0.3);
  expect(met.outline.map(({ key, cost, repair_count }) => [key, cost, repair_count])).toEqual([
    ['one', 1, 1],
  ]);
  expect(met.end.reason).toBe('goal');
  expect(met.end.text).toContain('at most 30.0% of each environment');
  expect(met.end.text).toContain('20 users and computers of 100 (20.0%)');
  // Only the whole plan knows the remaining principals.
  expect(met.left).toBeNull();
  const stored = answerAt(0.1);
  expect(stored.cards).toHaveLength(1);
  expect(stored.outline.map(({ key }) => key)).toEqual(['one', 'two']);
  expect(stored.end).toEqual({ reason: 'no-gain', text: 'stored' });
  expect(stored.left).toEqual({ holder_count: 1, holders: [] });
});
