import { expect, it } from 'vitest';
import { daysIn, durationOf, settingField } from './settingFields.ts';

it('fault 22: settings have words and units, not names of parameters', () => {
  expect(settingField('prune.ttl', 'base_ttl').label).not.toContain('_');
  expect(settingField('analysis.scheduled', 'rrule').label).not.toContain('rrule');
  expect(settingField('new.setting', 'some_new_member').label).toBe('some new member');
  expect([daysIn('P7D'), daysIn('PT12H'), daysIn(7)]).toEqual([7, undefined, undefined]);
  expect(durationOf(7)).toBe('P7D');
});
