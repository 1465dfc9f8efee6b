import type { ReportRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { stateText } from './stateText.ts';

const report = {
  ...{ id: 1, name: 'Board', owner: 'ann', is_own: true, schedule: 'weekly', ended: null, failure: null },
  ...{ next_at: '2026-12-07T06:00:00.000000Z', issues: [] },
} as unknown as ReportRecord;

it('says why a schedule could not make a report, and that it ended', () => {
  expect(stateText(report)).toBe('not created yet, next on Dec 7, 2026');
  const failure = { at: new Date(Date.now() - 2 * 3_600_000).toISOString(), reason: 'Nothing is collected' };
  expect(stateText({ ...report, failure })).toBe(
    'not created yet, could not be created 2 hours ago (nothing is collected), next on Dec 7, 2026',
  );
  expect(stateText({ ...report, is_own: false, ended: 'Its owner was deleted', next_at: null })).toBe(
    'of ann, not created yet, ended: its owner was deleted',
  );
});
