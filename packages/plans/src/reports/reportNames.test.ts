import { expect, it } from 'vitest';
import { maskedNames, plainNames } from './reportNames.ts';

it('a masked report has no kind of relationship that a file named', () => {
  const masked = maskedNames();
  expect(['GenericAll', 'AdminOf_SRV01', 'constructor'].map((name) => masked.kind(name))).toEqual([
    ...['GenericAll', 'Relationship', 'Relationship'],
  ]);
  expect(plainNames.kind('AdminOf_SRV01')).toBe('AdminOf_SRV01');
});

it('a masked title of a repair says the change in words of the field', () => {
  const titleOf = (kind: string) =>
    maskedNames().title({
      kind,
      change_count: 1,
      changes: [{ object: { object_id: 'CA-1', name: 'AURORA CA', kind: 'EnterpriseCA' } }],
    } as unknown as Parameters<typeof plainNames.title>[0]);
  expect(titleOf('authority-web-enrollment')).toBe('CA web enrollment: Enterprise CA 1');
  expect(titleOf('constructor-san')).toBe('Constructor SAN: Enterprise CA 1');
});

it('a masked title is the sentence of the plan with pseudonyms, the same for the same object', () => {
  const masked = maskedNames();
  const change = { kind: 'remove-member', change_count: 2, changes: [] } as unknown as Parameters<
    typeof plainNames.title
  >[0];
  const user = { object_id: 'U-1', name: 'ADA@CORP.LOCAL', kind: 'User' };
  const group = { object_id: 'G-1', name: 'HELPDESK@CORP.LOCAL', kind: 'Group' };
  expect(masked.title(change, ['Remove ', user, ' from ', group])).toBe('Remove User 1 from Group 1');
  expect(masked.title(change, ['Remove ', { ...user, object_id: 'U-2' }, ' from ', group])).toBe(
    'Remove User 2 from Group 1',
  );
  // A plan of an earlier release has no parts.
  expect(masked.title(change)).toBe('Remove member (2 changes)');
});

it('a masked repair says why without the sentence of the plan, which names objects', () => {
  const change = {
    why: 'Nearly everyone is in HELPDESK@CORP.LOCAL.',
    prices: [{ reason: 'intruder', work: 1, breaks: 0, change_count: 1 }],
    questions: [{ question: 'Does ADA@CORP.LOCAL still use it?' }],
  } as unknown as Parameters<typeof plainNames.title>[0];
  expect([plainNames.reason(change), plainNames.questions(change)]).toEqual([
    change.why,
    ['Does ADA@CORP.LOCAL still use it?'],
  ]);
  const masked = maskedNames();
  expect([masked.reason(change), ...masked.questions(change)].join(' ')).not.toMatch(/CORP/);
  expect(masked.reason(change)).toBe('A broad group has access that is meant for administrators.');
});

it('a masked fact has the time of its last write, and not the controller', () => {
  const objects = [
    { object_id: 'U-1', name: 'ADA@CORP.LOCAL', kind: 'User' },
    { object_id: 'G-1', name: 'HELPDESK@CORP.LOCAL', kind: 'Group' },
  ];
  const last_write = {
    attribute: 'member',
    at: '2026-11-30T10:00:00.000000Z',
    controller: 'DC1',
    version: 3,
  };
  const fact = {
    text: '',
    what: 'relationship',
    name: 'MemberOf',
    objects,
    old: 'exists',
    new: 'removed',
  } as const;
  expect(maskedNames().fact({ ...fact, objects: [...objects], last_write })).toBe(
    'MemberOf from User 1 to Group 1 was removed; last written at 2026-11-30 10:00 UTC',
  );
  expect(maskedNames().fact({ ...fact, objects: [...objects], last_write: null })).toBe(
    'MemberOf from User 1 to Group 1 was removed',
  );
});
