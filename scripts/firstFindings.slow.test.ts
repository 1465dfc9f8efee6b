/** Tests the first page of findings of complete organizations; `npm run prove -- --first-findings` uses larger ones. */
import { expect, it } from 'vitest';
import { checkFirstFindings, FIRST_ROWS, faultsOf } from './prove/firstFindings.ts';

it('refers to twelve repairs, repeats none and shows the cards, with 400 users', async () => {
  const { rows, repairs, cards, faults } = await checkFirstFindings({ users: 400, shape: 3, seed: 12 });
  expect(faults).toEqual([]);
  expect(cards).toBeGreaterThan(0);
  expect(rows.length).toBeGreaterThan(FIRST_ROWS);
  // A page that repeats one repair is a fault.
  const narrow = faultsOf({
    ...{ cards, rows: Array.from({ length: FIRST_ROWS }, () => rows[0]) },
    repairs: Array.from({ length: FIRST_ROWS }, () => repairs[0]),
  });
  expect(narrow).toContain(`the first ${FIRST_ROWS} findings are about 1 repairs`);
  expect(narrow).toContainEqual(expect.stringContaining('repeats'));
}, 120_000);
