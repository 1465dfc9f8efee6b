import type { AcceptanceRequestRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { decidedText } from './acceptances.ts';

const REQUEST: AcceptanceRequestRecord = {
  ...{ id: 1, state: 'approved', finding_count: 3, finding_ids: [1], title: 'One', accept_until: null },
  ...{ template: null, attachments: [] },
  ...{ reason: '', leave_out_of_plan: true, accepted_count: 2, skipped_count: 1, requested_by: 'ann' },
  ...{ requested_at: '', expires_at: '', decided_by: 'bob', decided_at: '', note: '', is_own: false },
};

it('the text of a decision has the state of the request, and counts the findings that it left as they are', () => {
  const done = { changed: 2, remaining: 0, bulk_change_id: 1 };
  expect(decidedText({ ...done, request: REQUEST })).toBe(
    'The acceptance of ann (One) is approved: 2 findings accepted; 1 finding closed or accepted otherwise since then stay as they are.\n',
  );
  expect(decidedText({ ...done, request: { ...REQUEST, state: 'refused' } })).toBe(
    'The acceptance of ann (One) is refused.\n',
  );
  expect(decidedText({ ...done, request: REQUEST, not_left_out: 'there is no room' })).toMatch(
    /\nThe changes that close them were not left out of the plan: there is no room\.\n$/,
  );
});
