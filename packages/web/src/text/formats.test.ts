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

it.each([
  ['America/New_York', 'Nov 30, 2026, 10:19 PM EST', 'Nov 30, 2026, 10:19:07 PM EST'],
  ['UTC', 'Dec 1, 2026, 3:19 AM UTC', 'Dec 1, 2026, 3:19:07 AM UTC'],
])('times name their zone in %s', async (zone, moment, second) => {
  vi.stubEnv('TZ', zone);
  vi.resetModules();
  const { formatMoment, formatSecond, timeZone } = await import('./formats.ts');
  const time = '2026-12-01T03:19:07.123456Z';
  expect([formatMoment(time), formatSecond(time), timeZone()]).toEqual([moment, second, zone]);
});
