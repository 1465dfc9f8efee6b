import type { AcceptanceRequestRecord } from '@clew/api';
import { describe, expect, it } from 'vitest';
import { decidedText, toAcceptText } from './decidedText.ts';

const REQUEST: AcceptanceRequestRecord = {
  ...{ id: 1, state: 'approved', finding_count: 10, finding_ids: [1], title: 'One', accept_until: null },
  ...{ template: null, attachments: [] },
  ...{ reason: '', leave_out_of_plan: false, accepted_count: 10, skipped_count: 0, requested_by: 'ann' },
  ...{ requested_at: '', expires_at: '', decided_by: 'bob', decided_at: '', note: '', is_own: false },
};
const decided = (more: Partial<AcceptanceRequestRecord>, not_left_out?: string) =>
  decidedText({
    ...{ request: { ...REQUEST, ...more }, changed: 0, remaining: 0, bulk_change_id: null },
    ...(not_left_out !== undefined && { not_left_out }),
  });

describe('the notice of a decision', () => {
  it('counts accepted findings, and those that stay as they are', () => {
    expect(decided({})).toBe('Approved: 10 findings accepted');
    expect(decided({ accepted_count: 1, skipped_count: 9 })).toBe(
      'Approved: 1 finding accepted; 9 closed or accepted otherwise since then stay as they are',
    );
    expect(decided({}, 'there are too many')).toBe(
      'Approved: 10 findings accepted. Their changes were not left out of the plan: there are too many',
    );
  });

  it('is the state of the request, whatever the user decided', () => {
    expect(decided({ state: 'refused', accepted_count: 0 })).toBe('Refused');
    expect(decided({ state: 'withdrawn', accepted_count: 0 })).toBe('Withdrawn');
  });
});

it('an approval that is continued is about the others', () => {
  expect(toAcceptText({ ...REQUEST, accepted_count: 0 })).toMatch(/^10 findings: accepted in your names/);
  expect(toAcceptText({ ...REQUEST, accepted_count: 3, skipped_count: 1 })).toMatch(
    /^The other 6 findings: /,
  );
});
