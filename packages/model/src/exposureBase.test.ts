import { expect, it } from 'vitest';
import { exposureBase } from './exposureBase.ts';

it('names the zone only in findings of a zone, because others count all users and computers', () => {
  expect([0, 1, 7].map(exposureBase)).toEqual(['', ' outside the zone', ' outside the zone']);
});
