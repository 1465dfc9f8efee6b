/** Hostile bytes in full numbers; `npm test` runs a tenth of them next to each reader. */
import { expect, it } from 'vitest';
import { readMutatedAnswers } from '../test/mutatedAnswers.ts';
import { readMutatedDescriptors } from '../test/mutatedDescriptors.ts';

it('reads or refuses 100,000 mutated answers of servers', () => {
  expect(readMutatedAnswers(100_000).read).toBeGreaterThan(10_000);
});

it('reads or refuses 300,000 mutated security descriptors', () => {
  expect(readMutatedDescriptors(300_000).read).toBeGreaterThan(50_000);
});
