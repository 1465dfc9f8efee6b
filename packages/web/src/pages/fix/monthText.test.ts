import { expect, it } from 'vitest';
import { monthText } from './monthText.ts';

const NONE = {
  ...{ month: '2026-11', done_count: 0, came_back_count: 0, not_seen_count: 0 },
  ...{ contradicted_count: 0, overdue_count: 0 },
};

it('names the counts above 0 of a month', () => {
  expect(monthText(NONE)).toBe('no change');
  expect(monthText({ ...NONE, done_count: 3, overdue_count: 1 })).toBe('3 done, 1 overdue');
  const all = { came_back_count: 2, not_seen_count: 3, contradicted_count: 4 };
  expect(monthText({ ...NONE, ...all })).toBe('2 exist again, 3 not seen again, 4 contradicted');
});
