import { expect, it } from 'vitest';
import { auditText, rawAuditText } from './auditText.ts';

const ID = 'ca469a22-0000-4000-8000-000000000001';

it.each([
  [{ user_id: ID, username: 'admin' }, 'admin'],
  [
    { key: 'findings.service_levels', value: '{"critical":0,"high":30,"since":""}' },
    'Critical findings are due after: 0 days, High findings are due after: 30 days, Count from: empty',
  ],
  [
    { key: 'auth.password_expiration_window', value: '{"duration":"P45D"}' },
    'Passwords expire after: 45 days',
  ],
  [{ key: 'a', value: '{damaged' }, 'key: a, value: {damaged'],
  [{ finding_id: 7, accepted: true }, 'finding ID: 7, accepted: yes'],
  [{ name: 'Winter', id: 3, zone_name: 'Tier Zero', owner_id: null }, 'Winter, zone name: Tier Zero'],
  [{ filter: { state: 'open', types: ['a', 'b'] } }, 'filter: state open, types a, b'],
])('the audit log says %j as %j', (fields, text) => {
  expect(auditText(fields)).toBe(text);
});

it('shows ids and raw values on hover', () => {
  expect(rawAuditText({ user_id: ID, username: 'admin' })).toBe(`user_id ${ID}, username admin`);
});
