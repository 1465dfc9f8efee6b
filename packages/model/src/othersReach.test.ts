import { expect, it } from 'vitest';
import { othersReachText } from './othersReach.ts';

const shown = (name: string): string => name.toUpperCase();
const one = (environment_name: string, reaching_count: number) => ({ environment_name, reaching_count });

it.each([
  ['no one', [], null, 'No user or computer of another forest, tenant or platform can reach it.'],
  ['some, most first', [one('a', 2), one('b', 1200)], null, 'can reach it, too: 1,200 of B, 2 of A.'],
  [
    'many',
    [1, 2, 3, 4, 5].map((count) => one(`e${count}`, count)),
    null,
    '5 of E5, 4 of E4, 3 of E3, 3 of 2 other environments.',
  ],
  ['no one whom the user sees', [], 'Others are not counted', 'Others are not counted.'],
] as const)('says who else can reach an object: %s', (_, others, others_not_shown, text) => {
  expect(othersReachText({ others, others_not_shown }, shown)).toContain(text);
});

it('says nothing where no one was counted', () => {
  expect(othersReachText({ others: null, others_not_shown: null }, shown)).toBe('');
});
