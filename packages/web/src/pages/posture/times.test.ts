import { expect, it } from 'vitest';
import { periodText } from './times.ts';

it('names the day of the first analysis if a period begins without one', () => {
  const from = '2026-11-01T10:00:00Z';
  expect(periodText('2026-11-01T23:00:00Z', from, 30)).toBe('in 30 days');
  expect(periodText('2026-11-20T12:00:00Z', from, 30)).toBe('since Nov 20, 2026');
});
