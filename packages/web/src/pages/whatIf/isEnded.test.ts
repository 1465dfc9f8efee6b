import { expect, it } from 'vitest';
import { isEnded } from './isEnded.ts';

it('a simulation without its own answer is ended while idle, and not while it runs or waits for the network', () => {
  const query = { data: undefined, error: null, isPlaceholderData: false };
  expect(isEnded({ ...query, fetchStatus: 'idle' })).toBe(true);
  expect(isEnded({ ...query, fetchStatus: 'fetching' })).toBe(false);
  expect(isEnded({ ...query, fetchStatus: 'paused' })).toBe(false);
  expect(isEnded({ ...query, fetchStatus: 'idle', error: new Error('refused') })).toBe(false);
});
