import { expect, it, vi } from 'vitest';

const OPTIONS = { timeout: 2_000, interval: 10 };

it('looks less and less often, and gets what it waits for', async () => {
  const begun = performance.now();
  let looks = 0;
  const found = await vi.waitUntil(async () => {
    looks++;
    return performance.now() - begun > 600 && 'found';
  }, OPTIONS);
  expect(found).toBe('found');
  // Every 10 ms, there would be some sixty.
  expect(looks).toBeLessThan(25);
  expect(looks).toBeGreaterThan(3);
});

it('fails at its time with the last error, and at once with an error of a look', async () => {
  let looks = 0;
  const never = () => {
    throw new Error(`look ${++looks}`);
  };
  await expect(vi.waitFor(never, { timeout: 300, interval: 10 })).rejects.toThrow(/^look \d+$/);
  expect(looks).toBeGreaterThan(2);
  await expect(vi.waitUntil(async () => false, { timeout: 50 })).rejects.toThrow('Timed out in waitUntil!');
  await expect(vi.waitUntil(() => Promise.reject(new Error('broken')), OPTIONS)).rejects.toThrow('broken');
});

it('waits longer than a second without a time limit', async () => {
  const begun = performance.now();
  await vi.waitUntil(() => performance.now() - begun > 1_200);
  const later = performance.now();
  await vi.waitFor(() => expect(performance.now() - later).toBeGreaterThan(1_200));
});
