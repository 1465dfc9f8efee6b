import { expect, test } from 'vitest';
import { notReadLines } from './notRead.ts';

test('names the unread parts of each environment, and environments that were not collected', () => {
  expect(
    notReadLines([
      { name: 'CORP.LOCAL', not_read: ['certificate-services', 'sessions'] },
      { name: 'WHOLE.LOCAL', not_read: [] },
      { name: 'TRUSTED.LOCAL', not_read: ['environment'] },
      { name: 'OLD.LOCAL' },
    ]),
  ).toBe('Not collected from CORP.LOCAL: AD CS, sessions.\nTRUSTED.LOCAL was not collected.\n');
});
