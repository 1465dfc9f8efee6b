import { OPEN_REASONS } from '@clew/planning';
import { expect, it } from 'vitest';
import { notClosedText } from './openReasons.ts';

it('a sentence without a count has none, and no place where one is missing', () => {
  for (const reason of OPEN_REASONS) {
    const text = notClosedText(reason, null) ?? '';
    expect(text).toMatch(/^not closed by the plan: [^.]+$/);
    expect(text).not.toMatch(/only users|users and computers can still|undefined|null/);
  }
  expect(notClosedText('below-goal', null)).toBe(
    'not closed by the plan: the plan reaches its goal without this repair',
  );
  expect(notClosedText('of a later release', 1)).toBeUndefined();
});

it('a count is not said to be few', () => {
  for (const reason of ['no-gain', 'below-goal', 'not-planned', 'unreachable']) {
    const text = notClosedText(reason, 1240);
    expect(text).toMatch(/1,240 users and computers can still use/);
    expect(text).not.toMatch(/only|too few/);
  }
});
