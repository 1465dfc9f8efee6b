import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatShare, shareOf } from './shares.ts';

it.each([
  [0, '0%'],
  [1, '100%'],
  [0.5, '50.0%'],
  [0.217_39, '21.7%'],
  [0.000_001, '0.1%'],
  [0.999_999, '99.9%'],
])('%d is formatted as %s', (share, text) => expect(formatShare(share)).toBe(text));

it('uses none and all only for exactly none and all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(), (whole, some) => {
      const part = some % (whole + 1);
      expect(shareOf(part, whole) === '0%').toBe(part === 0);
      expect(shareOf(part, whole) === '100%').toBe(part === whole);
    }),
  );
  expect(shareOf(0, 0)).toBe('0%');
});
