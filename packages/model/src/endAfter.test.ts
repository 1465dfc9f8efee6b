import { expect, it } from 'vitest';
import { endAfter } from './endAfter.ts';

it.each([5000.25, 2 ** 31, 1e12, Number.POSITIVE_INFINITY])(
  'accepts %d milliseconds',
  async (milliseconds) => {
    const signal = endAfter(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(signal.aborted).toBe(false);
  },
);

it('aborts when the time is over, also if it was over before', async () => {
  for (const milliseconds of [0.5, -1]) {
    const signal = endAfter(milliseconds);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  }
});
