import { expect, it } from 'vitest';
import { changedAnswers } from './changedAnswers.ts';

const answer = (authority_id: string, by = 'Ann') => ({
  ...{ authority_id, name: `CA ${authority_id}`, by, at: '2026-11-28T10:00:00Z' },
});

it('reports which answers count now, which no longer count, and why', () => {
  const no = new Map([['REFUSED', answer('REFUSED', 'Ben')]]);
  expect(
    changedAnswers(
      [answer('SAME'), answer('REFUSED'), answer('WITHDRAWN')],
      [answer('SAME', 'Cleo'), answer('NEW')],
      no,
    ),
  ).toEqual([
    { ...answer('NEW'), answer: 'yes' },
    { ...answer('REFUSED', 'Ben'), answer: 'no' },
    { ...answer('WITHDRAWN'), answer: 'withdrawn' },
  ]);
});
