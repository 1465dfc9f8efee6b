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
