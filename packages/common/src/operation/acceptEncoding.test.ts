import { expect, test } from 'vitest';
import { acceptsCoding, codingWeights } from './acceptEncoding.ts';

test.each([
  [undefined, false, false],
  ['gzip', true, false],
  ['gzip, br', true, true],
  ['br;q=0, gzip;q=0.5', true, false],
  ['*', true, true],
  ['*;q=0', false, false],
  ['*;q=0, br', false, true],
  ['identity', false, false],
])('%s accepts gzip: %s, br: %s', (header, gzip, br) => {
  const weights = codingWeights(header);
  expect([acceptsCoding(weights, 'gzip', 'x-gzip'), acceptsCoding(weights, 'br')]).toEqual([gzip, br]);
});
