/** Parts of an answer that depend on the goal that is asked for. */
import { expect, it } from 'vitest';
import { type AnswerParts, planAnswer } from './planAnswer.ts';

/** @returns decisions of a plan to 0 % that ends with 3 %, as an answer to another goal has them */
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
