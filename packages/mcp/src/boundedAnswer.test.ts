import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedAnswer, MAX_ANSWER } from './boundedAnswer.ts';

test('an answer that fits stays as it is', () => {
  const answer = { objects: [{ name: 'A', kinds: ['User'] }], next: null };
  expect(boundedAnswer(answer)).toEqual(answer);
});

test('lists and texts are cut until the answer fits, and it says so', () => {
  const answer = {
    count: 5_000,
    rows: Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'long '.repeat(20) })),
  };
  const shown = boundedAnswer(answer);
  expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_ANSWER);
  expect(shown).toMatchObject({ count: 5_000, truncated: true });
  const rows = shown.rows as typeof answer.rows;
  expect(rows).toEqual(answer.rows.slice(0, rows.length));
  expect(rows.length).toBeGreaterThan(200);
});

test('a text is cut at a whole character', () => {
  const { text, truncated } = boundedAnswer({ text: `${'a'.repeat(1_999)}😀${'b'.repeat(100)}` });
  expect(truncated).toBe(true);
  expect((text as string).isWellFormed()).toBe(true);
  expect(text).toBe(`${'a'.repeat(1_999)}\u{fffd}...`);
});

test('an object with very many members is cut, too', () => {
  const counts = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`kind ${at}`, at]));
  const shown = boundedAnswer({ counts });
  expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_ANSWER);
  expect(Object.keys(shown.counts as object).length).toBeGreaterThan(500);
});

test('whatever the answer is, it fits and keeps its own fields', () => {
  const answers = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 4 }), {
    maxKeys: 6,
  });
  fc.assert(
    fc.property(answers, fc.integer({ min: 1, max: 3_000 }), (answer, times) => {
      const large = { ...answer, list: Array.from({ length: times }, () => answer) };
      const shown = boundedAnswer(large);
      expect(JSON.stringify(shown).length).toBeLessThanOrEqual(MAX_ANSWER);
      expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(large)));
    }),
    { numRuns: 50 },
  );
});
