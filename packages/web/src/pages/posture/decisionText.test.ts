import type { InboxItem } from '@clew/api';
import { expect, it } from 'vitest';
import { decisionText } from './decisionText.ts';

const decided = (
  count: number,
  accepted_count: number,
  state: NonNullable<InboxItem['decision']>['state'] = 'approved',
): string =>
  decisionText({ state, finding_id: 1, accepted_count, skipped_count: count - accepted_count }, count);

it('a decision says how many findings it accepted, unless it accepted all', () => {
  expect([decided(3, 3), decided(3, 2), decided(3, 0), decided(1, 0), decided(3, 0, 'refused')]).toEqual([
    'is approved',
    'is approved, 2 of them accepted',
    'is approved, but accepted none of them: they were closed or accepted otherwise before',
    'is approved, but did not accept it: it was closed or accepted otherwise before',
    'is refused',
  ]);
});
