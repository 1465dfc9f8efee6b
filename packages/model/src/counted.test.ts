import { expect, test } from 'vitest';
import { counted, countedBe, principalsText } from './counted.ts';
import { minuteText } from './minuteText.ts';
import { type EnvironmentFall, exposureSentence, fallSentence } from './relationshipFalls.ts';

test('numbers have the singular for one, and the plural otherwise', () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, 'change'))).toEqual([
    '0 changes',
    '1 change',
    '2 changes',
    '1,200 changes',
  ]);
  expect([principalsText(1), principalsText(1200)]).toEqual([
    ...['1 user or computer', '1,200 users and computers'],
  ]);
  expect(minuteText('2026-06-01T05:06:07.000000Z')).toBe('2026-06-01 05:06 UTC');
  expect([countedBe(1, 'change'), countedBe(2, 'change')]).toEqual(['1 change is', '2 changes are']);
  expect([
    countedBe(0, 'change', 1),
    countedBe(1, 'change', 1),
    countedBe(1, 'change', 2),
    countedBe(2, 'change', 2),
  ]).toEqual(['0 of 1 change is', '1 of 1 change is', '1 of 2 changes is', '2 of 2 changes are']);
});

test('a fall of one relationship and of several has its verb', () => {
  const fallOf = (removed_count: number): EnvironmentFall => ({
    ...{ name: 'A.LOCAL', names_methods: true },
    kinds: [{ kind: 'AdminTo', removed_count, before_count: 40 }],
  });
  expect(fallSentence(fallOf(1))).toBe(
    '1 relationship of A.LOCAL was not reported again and was removed (AdminTo 1 of 40)',
  );
  expect(fallSentence(fallOf(30))).toBe(
    '30 relationships of A.LOCAL were not reported again and were removed (AdminTo 30 of 40)',
  );
  expect(exposureSentence(fallOf(1), { before: 0.5, after: 0.25 })).toBe(
    'Exposure of A.LOCAL fell from 50% to 25% because 1 relationship was not reported again (AdminTo 1 of 40)',
  );
});
