/** Tests the first page of findings of twelve organizations: it refers to at least twelve repairs, repeats none, and shows the cards. */
import { expect, it } from 'vitest';
import { checkFirstFindings, FIRST_ROWS } from './prove/firstFindings.ts';

const ORGANIZATIONS = [
  ...[12, 41, 42, 43].map((seed) => ({ users: 1000, shape: 2, seed }) as const),
  ...[12, 51, 52, 53, 54, 55, 56, 57].map((seed) => ({ users: 1000, shape: 3, seed }) as const),
];

it.each(ORGANIZATIONS)(
  'of $users users in shape $shape, seed $seed',
  async (organization) => {
    const { rows, cards, faults } = await checkFirstFindings(organization);
    expect(faults).toEqual([]);
    expect(cards).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(FIRST_ROWS);
  },
  300_000,
);
