import type { InboxItem } from '@clew/api';
import { expect, it } from 'vitest';
import { rowText } from './InboxRow.tsx';

const decided = (
  count: number,
  accepted_count: number,
  state: NonNullable<InboxItem['decision']>['state'] = 'approved',
): string =>
  rowText({
    ...{ key: 'decision:1', kind: 'decision', done: false, by: 'bob', text: 'Old group', count },
    decision: { state, finding_id: 1, accepted_count, skipped_count: count - accepted_count },
  });

it('a decision says how many findings it accepted, unless it accepted all', () => {
  expect([decided(3, 3), decided(3, 2), decided(3, 0), decided(1, 0), decided(3, 0, 'refused')]).toEqual([
    'Your acceptance of 3 findings is approved: Old group',
    'Your acceptance of 3 findings is approved, 2 of them accepted: Old group',
    'Your acceptance of 3 findings is approved, but accepted none of them: they were closed or accepted otherwise before: Old group',
    'Your acceptance of 1 finding is approved, but did not accept it: it was closed or accepted otherwise before: Old group',
    'Your acceptance of 3 findings is refused: Old group',
  ]);
});
