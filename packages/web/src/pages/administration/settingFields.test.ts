import { expect, it } from 'vitest';
import { daysIn, durationOf, fixedReason, limitsText, settingField, typedValue } from './settingFields.ts';

it('fault 22: settings have words and units, not names of parameters', () => {
  expect(settingField('prune.ttl', 'base_ttl').label).not.toContain('_');
  expect(settingField('analysis.scheduled', 'rrule').label).not.toContain('rrule');
  expect(settingField('new.setting', 'some_new_member').label).toBe('some new member');
  expect([daysIn('P7D'), daysIn('PT12H'), daysIn(7)]).toEqual([7, undefined, undefined]);
  expect(durationOf(7)).toBe('P7D');
});

it('an emptied field keeps the value, because zero days turn an expiration off', () => {
  const days = settingField('auth.password_expiration_window', 'duration');
  const levels = settingField('findings.service_levels', 'critical');
  expect(typedValue(days, 'P45D', '')).toBe('P45D');
  expect(typedValue(levels, 30, ' ')).toBe(30);
  expect([typedValue(days, 'P45D', '0'), typedValue(levels, 30, '7')]).toEqual(['P0D', 7]);
  expect([typedValue({ label: 'On' }, true, null), typedValue({ label: 'Text' }, 'a', '')]).toEqual([
    false,
    '',
  ]);
});

it('fields name their limits, and fixed settings their variable', () => {
  expect(limitsText(settingField('auth.password_expiration_window', 'duration'))).toBe(
    'A whole number from 0 to 3,650',
  );
  expect(limitsText(settingField('auth.session_ttl_hours', 'hours'))).toBeUndefined();
  expect(fixedReason('CLEW_SESSION_HOURS')).toContain('CLEW_SESSION_HOURS sets it when the service starts');
  expect(fixedReason('CLEW_PRUNE_DAYS and CLEW_LOGON_SESSION_DAYS')).toContain(
    'CLEW_LOGON_SESSION_DAYS set it when',
  );
  expect(fixedReason('')).not.toContain('sets');
});
