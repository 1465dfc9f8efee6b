import { expect, it } from 'vitest';
import { maskedNames, plainNames } from './reportNames.ts';

it('a masked report has no kind of relationship that a file named', () => {
  const masked = maskedNames();
  expect(['GenericAll', 'AdminOf_SRV01', 'constructor'].map((name) => masked.kind(name))).toEqual([
    ...['GenericAll', 'Relationship', 'Relationship'],
  ]);
  expect(plainNames.kind('AdminOf_SRV01')).toBe('AdminOf_SRV01');
});
