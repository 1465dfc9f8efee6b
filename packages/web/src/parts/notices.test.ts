import { expect, it, vi } from 'vitest';
import { dismissNotice, notify, shownNotices } from './notices.ts';

it('a notice that can be undone stays when the same is done again, and others are said once', () => {
  vi.useFakeTimers();
  try {
    const undone: number[] = [];
    notify('Copied');
    notify('Copied');
    notify('Assigned to admin', { undo: () => undone.push(1) });
    notify('Assigned to admin', { undo: () => undone.push(2) });
    expect(shownNotices().map(({ text }) => text)).toEqual([
      'Copied',
      'Assigned to admin',
      'Assigned to admin',
    ]);
    for (const { undo } of shownNotices()) undo?.();
    expect(undone).toEqual([1, 2]);
  } finally {
    for (const { id } of shownNotices()) dismissNotice(id);
    vi.useRealTimers();
  }
});
