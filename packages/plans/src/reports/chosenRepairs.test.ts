import { expect, it } from 'vitest';
import { chosenRepairs } from './chosenRepairs.ts';

it('names all overdue repairs first, then the newest others up to the limit', () => {
  const repair = (title: string, at: string | null, overdue = false) => ({
    ...{ title, at, overdue, change_count: 1, proved_count: 0, came_back_count: 0, contradicted_count: 0 },
    ...{ not_seen_count: 0, due: overdue ? '2026-01-01' : null, facts: [], effect: '' },
  });
  const all = [
    ...[repair('new', '2026-06-03'), repair('old', '2026-06-01'), repair('same', '2026-06-03')],
    ...[repair('late', null, true), repair('late too', '2026-06-02', true)],
  ];
  const titles = (limit: number): string[] => chosenRepairs(all, limit).map(({ title }) => title);
  expect(titles(10)).toEqual(['late too', 'late', 'new', 'same', 'old']);
  expect(titles(3)).toEqual(['late too', 'late', 'new']);
  expect(titles(1)).toEqual(['late too', 'late']);
});
