import { expect, it } from 'vitest';
import { undoneText } from './undoneText.ts';

it('names a second approver only for acceptances', () => {
  const counts = { restored: 2, kept: 1 };
  expect(undoneText('AcceptFindings', counts)).toBe(
    '2 findings restored; 1 not restored: changed again, ended, or in need of a second approver',
  );
  expect(undoneText('AssignFindings', counts)).toBe(
    '2 findings restored; 1 not restored: changed again, or ended',
  );
  expect(undoneText('AssignFindings', { restored: 2, kept: 0 })).toBe('Undone');
});
