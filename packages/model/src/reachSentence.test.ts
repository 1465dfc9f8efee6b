import { expect, it } from 'vitest';
import { reachSentence } from './reachSentence.ts';

it('a count that is left out is never a count of nothing', () => {
  expect(reachSentence(0, [])).toBe('0 users and computers can reach the zone.');
  expect(reachSentence(0, ['SOUTH.EXAMPLE'])).toBe(
    'Not shown: how many of SOUTH.EXAMPLE can reach the zone, because this covers environments outside your access.',
  );
  expect(reachSentence(1200, ['A', 'B', 'C', 'D', 'E'])).toBe(
    '1,200 users and computers of other environments can reach the zone. Not shown: how many of A, B, C and 2 more can reach the zone, because this covers environments outside your access.',
  );
});
