import { expect, test } from 'vitest';
import { PAUSES } from './deliveries.ts';

test('an outage of an hour delays a delivery by some minutes after its end, and one of three days does not lose it', () => {
  let at = 0;
  for (const seconds of PAUSES) {
    // Each varies by a tenth.
    if (at < 3_600) expect(seconds * 1.1).toBeLessThan(150);
    at += seconds;
  }
  expect(at).toBeGreaterThan(3 * 86_400 * 0.9);
});
