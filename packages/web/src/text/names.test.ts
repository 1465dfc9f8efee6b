import fc from 'fast-check';
import { expect, it } from 'vitest';
import { elidedFront, elidedMiddle, shortNames, splitName } from './names.ts';

const measure = (text: string): number => text.length * 7;

it('a name and its domain are two lines', () => {
  expect(splitName('DOMAIN USERS@PHANTOM.CORP', 'Group')).toEqual({
    name: 'DOMAIN USERS',
    domain: 'PHANTOM.CORP',
  });
  expect(splitName('DC01.PHANTOM.CORP', 'Computer')).toEqual({ name: 'DC01', domain: 'PHANTOM.CORP' });
  expect(splitName('PHANTOM.CORP', 'Domain')).toEqual({ name: 'PHANTOM.CORP', domain: undefined });
  expect(splitName('@odd', 'User')).toEqual({ name: '@odd', domain: undefined });
  expect(splitName('odd@', 'User')).toEqual({ name: 'odd@', domain: undefined });
});

it('two objects that differ in their domains alone keep them', () => {
  const group = (name: string) => ({ name, kind: 'Group' });
  expect(shortNames(group('ADMINS@A.CORP'), group('USERS@B.CORP'))).toEqual(['ADMINS', 'USERS']);
  expect(shortNames(group('USERS@A.CORP'), group('USERS@B.CORP'))).toEqual(['USERS@A.CORP', 'USERS@B.CORP']);
  expect(shortNames(group('USERS@A.CORP'), group('USERS@A.CORP'))).toEqual(['USERS', 'USERS']);
});

it('long names keep both ends, long domains their end', () => {
  expect(elidedMiddle('SVC_DEPLOYMENT_FINANCE-01', 100, measure)).toBe('SVC_DEP…NCE-01');
  expect(elidedFront('SOUTH.AURORA.EXAMPLE', 70, measure)).toBe('…A.EXAMPLE');
});

it('cut names fit, and names that fit are not cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 40, max: 300 }),
      (text, room) => {
        for (const cut of [elidedMiddle(text, room, measure), elidedFront(text, room, measure)]) {
          if (measure(text) <= room) expect(cut).toBe(text);
          else if ([...cut].every((letter) => letter.length === 1))
            expect(measure(cut)).toBeLessThanOrEqual(room);
        }
      },
    ),
  );
});
