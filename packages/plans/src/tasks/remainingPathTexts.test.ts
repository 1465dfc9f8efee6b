import { expect, it } from 'vitest';
import { endOfPaths, notClosed, shownRepairs } from './remainingPathTexts.ts';

const all = { repairs: 'shown', isLimited: false } as const;
const found = (end: 'none' | 'open' | 'more', ...reasons: ('unknown' | 'members' | 'excluded')[]) => ({
  ...{ end, left: end === 'none' ? 0 : 12, reasons: new Set(reasons) },
});
const textOf = (...given: Parameters<typeof endOfPaths>): string => endOfPaths(...given).text;

it('says that no path is left only if none is, and otherwise who can still reach the zone', () => {
  expect(textOf(found('none'), all)).toBe('After these repairs, no path is left.');
  expect(textOf(found('none'), { ...all, repairs: 'none' })).toBe(
    'No user or computer can reach the zone of its own forest or tenant.',
  );
  expect(textOf(found('more', 'unknown'), all)).toBe(
    'After these repairs, more paths are left: 12 users and computers can still reach the zone.',
  );
  expect(textOf(found('open', 'unknown'), all)).toBe(
    'After these repairs, 12 users and computers can still reach the zone over paths that no known change closes.',
  );
  expect(textOf(found('open', 'excluded'), { ...all, repairs: 'none' })).toBe(
    '12 users and computers can still reach the zone over paths that only changes marked as impossible would close.',
  );
  expect(textOf(found('open', 'excluded', 'members'), all)).toMatch(
    /that no known change closes, or only changes marked as impossible, except that some members leave the groups at their start\.$/,
  );
});

it('counts nothing for users who may see some environments, and says that changes are hidden, not unknown', () => {
  const limited = { repairs: 'shown', isLimited: true } as const;
  for (const end of ['none', 'open', 'more'] as const) {
    const { reason, text } = endOfPaths(found(end, 'unknown'), limited);
    expect(reason).toBe(end);
    expect(text).toMatch(/^After these repairs, .*paths through objects that you can see/);
    expect(text).not.toMatch(/\d/);
  }
  expect(notClosed('not-shown').text).toMatch(/not shown.* outside your access/);
  expect(notClosed('unknown').text).toBe('No change is known that closes it.');
});

it('says that repairs are not shown instead of naming them', () => {
  const shown = { closed_by: { step: 0, cost: 1, repairs: [] }, not_closed: null };
  const hidden = { closed_by: null, not_closed: notClosed('not-shown') };
  const open = { closed_by: null, not_closed: notClosed('unknown') };
  expect(shownRepairs([open])).toBe('none');
  expect(shownRepairs([open, shown])).toBe('shown');
  const textAfter = (...paths: Parameters<typeof shownRepairs>[0]): string =>
    textOf(found('none'), { repairs: shownRepairs(paths), isLimited: true });
  expect(textAfter(hidden, open)).toBe(
    'After repairs that are not shown, none of the paths through objects that you can see is left.',
  );
  expect(textAfter(shown, hidden)).toBe(
    'After repairs that are partly not shown, none of the paths through objects that you can see is left.',
  );
});
