import { expect, it } from 'vitest';
import { changeText } from './acceptFindings.ts';

const RECORD = { findings: 3, changed: 3, remaining: 0, bulk_change_id: 7 };
const UNTIL = { accepted: true, accept_until: '2026-03-04T23:59:59Z' };

it.each([
  ['an end', RECORD, UNTIL, 0, '3 findings accepted until 2026-03-04.\n', 'findings undo 7'],
  ['no end', RECORD, { accepted: true }, 0, '3 findings accepted without an end.\n', 'findings undo 7'],
  ['fewer', { ...RECORD, changed: 2 }, UNTIL, 0, 'until 2026-03-04; 1 was so before, or closed.', 'undo 7'],
  ['the plan', RECORD, { ...UNTIL, leave_out_of_plan: true }, 2, '2 constraints added', 'undo 7'],
  ['no card', RECORD, { ...UNTIL, leave_out_of_plan: true }, 0, 'No change was left out', 'undo 7'],
  ['the end of acceptances', RECORD, { accepted: false }, 0, '3 findings reopened.', 'undo 7'],
  [
    'a request',
    { ...RECORD, acceptance_request_id: 5 },
    UNTIL,
    0,
    'Acceptance 5 of 3 findings waits',
    'stay open',
  ],
] as const)('says what changed: %s', (_, record, terms, constraints, ...texts) => {
  for (const text of texts) expect(changeText(record, terms, constraints)).toContain(text);
});

it('names no undoing where nothing changed', () => {
  expect(changeText({ ...RECORD, changed: 0, bulk_change_id: null }, UNTIL, 0)).toBe(
    '0 findings accepted until 2026-03-04; 3 were so before, or closed.\n',
  );
});
