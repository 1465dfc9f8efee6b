import { expect, it } from 'vitest';
import { defaultFeatures, featuresIn } from './features.ts';

it('excludes from parity the features that the public product does not have', () => {
  const on = defaultFeatures();
  expect(on.has('adcs_esc16')).toBe(true);
  expect(featuresIn('clean', on)).toEqual(on);
  expect([...on].filter((name) => !featuresIn('parity', on).has(name))).toEqual(['adcs_esc16', 'adcs_esc15']);
});
