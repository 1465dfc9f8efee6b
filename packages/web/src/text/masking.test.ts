import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanText, shownValue, visibleText } from './cleanText.ts';
import { learnNames, setMasked } from './masking.ts';

beforeAll(() => {
  learnNames(
    {
      data: [
        { object_id: 'S-1-5-21-1-2-3-1104', name: 'ADA ABEL@PHANTOM.CORP', kind: 'User' },
        { objectid: 'S-1-5-21-1-2-3-1105', name: 'DC01.PHANTOM.CORP', type: 'Computer' },
        { source_principal_id: 'X', source_principal_name: 'Payroll App', source_principal_kind: 'AZApp' },
        { id: 'S-1-5-21-1-2-3', name: 'PHANTOM.CORP', collected: true },
      ],
    },
    visibleText,
  );
  setMasked(true);
});
afterAll(() => setMasked(false));

it('fault 9: names have the same pseudonym everywhere, alone and in sentences', () => {
  expect(cleanText('ADA ABEL@PHANTOM.CORP')).toBe('User 1@DOMAIN-A');
  expect(cleanText('Remove GenericAll on DC01.PHANTOM.CORP from ADA ABEL@PHANTOM.CORP; then verify.')).toBe(
    'Remove GenericAll on Computer 1.DOMAIN-A from User 1@DOMAIN-A; then verify.',
  );
  expect(cleanText('Payroll App')).toBe('App 1');
  // What was masked already stays.
  expect(cleanText(cleanText('ADA ABEL@PHANTOM.CORP'))).toBe('User 1@DOMAIN-A');
});

it('fault 9: what was never learned is hidden where it has the form of a name', () => {
  for (const text of [
    'Remove WriteDacl from UNKNOWN@PHANTOM.CORP',
    'logon on SRV7.PHANTOM.CORP',
    '20261126_phantom.corp_BloodHound.zip',
    'CN=ADA ABEL,OU=STAFF,DC=PHANTOM,DC=CORP',
    '"ADA ABEL@PHANTOM.CORP","GenericAll"',
  ])
    expect(cleanText(text)).not.toMatch(/phantom|unknown|abel|srv7/i);
  expect(cleanText('S-1-5-21-1-2-3-1104')).toBe('S-1-5-21-…');
  expect(cleanText('S-1-5-21-1-2-3-512')).toBe('S-1-5-21-…-512');
  expect(cleanText('PHANTOM.CORP-S-1-5-32-544')).toBe('S-1-5-32-544');
  expect(shownValue('the password is hunter2')).toBe('masked');
  expect(shownValue(true)).toBe('true');
});
