import { afterEach, expect, it, vi } from 'vitest';

// Without this, other tests of the worker would format times in the last zone.
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])('a day is the same in %s', async (zone) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { formatDate, formatDay } = await import('./formats.ts');
  expect(formatDay('2026-12-31')).toBe('Dec 31, 2026');
  // The time zone affects times.
  expect(formatDate('2026-12-31T00:00:00Z')).toBe(
    zone.startsWith('America') ? 'Dec 30, 2026' : 'Dec 31, 2026',
  );
});
