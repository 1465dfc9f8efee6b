import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanText, quotingText, shownValue, visibleText } from './cleanText.ts';
import { csvText } from './csv.ts';
import { learnNames, maskedData, pseudonymOf, setMasked } from './masking.ts';

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
  // Already masked text stays unchanged.
  expect(cleanText(cleanText('ADA ABEL@PHANTOM.CORP'))).toBe('User 1@DOMAIN-A');
});

it('fault 9: unknown text is hidden where it has the form of a name', () => {
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

it('names with parentheses, commas and several words are names as others', () => {
  learnNames(
    {
      data: [
        { object_id: 'G-1', name: 'SALES (EU)@PHANTOM.CORP', kind: 'Group' },
        { object_id: 'G-2', name: 'Field staff (north)', kind: 'AZGroup' },
        { object_id: 'G-3', name: 'ABEL, ADA (ADMIN)', kind: 'Group' },
        {
          object_id: 'G-4',
          name: 'one two three four five six seven eight nine ten eleven twelve thirteen',
          kind: 'Group',
        },
      ],
    },
    visibleText,
  );
  for (const text of [
    'Remove MemberOf on Field staff (north) from SALES (EU)@PHANTOM.CORP.',
    'Disable ABEL, ADA (ADMIN), then verify',
    'Add one two three four five six seven eight nine ten eleven twelve thirteen.',
    // These names were never in an answer.
    'Remove WriteDacl on NORTHERN PAYROLL ADMINS@PHANTOM.CORP',
    'Remove WriteDacl on Staff of Payroll (north)@phantom.corp from GUESTS (ALL)@OTHER.EXAMPLE',
    'NORTHERN SALES (EU)@PHANTOM.CORP',
  ])
    expect(cleanText(text)).not.toMatch(/field|sales|north|abel|ada\b|seven|payroll|guests|phantom|example/i);
  expect(cleanText('Owns Field staff (north); verify')).toMatch(/^Owns Group \d+; verify$/);
});

it('a pseudonym names the kind: a local group is on a computer, and terms of a sentence stay', () => {
  learnNames(
    {
      data: [
        { object_id: 'L-1', name: 'REMOTE DESKTOP USERS@TS001.PHANTOM.CORP', kind: 'ADLocalGroup' },
        { object_id: 'C-2', name: 'TS001.PHANTOM.CORP', kind: 'Computer' },
        { object_id: 'CA-1', name: 'PHANTOM-CA@PHANTOM.CORP', kind: 'EnterpriseCA' },
      ],
    },
    visibleText,
  );
  expect(cleanText('REMOTE DESKTOP USERS@TS001.PHANTOM.CORP')).toMatch(
    /^Local Group 1@Computer \d+\.DOMAIN-A$/,
  );
  expect(cleanText('TS001.PHANTOM.CORP')).toMatch(/^Computer \d+\.DOMAIN-A$/);
  expect(cleanText('Turn off the web enrollment of CA PHANTOM-CA@PHANTOM.CORP')).toBe(
    'Turn off the web enrollment of CA Enterprise CA 1@DOMAIN-A',
  );
  // Only leading terms are kept: other terms may belong to the name.
  expect(cleanText('of CA NORTH PHANTOM-CA@PHANTOM.CORP')).toBe('of CA masked Enterprise CA 1@DOMAIN-A');
});

it('an at sign makes no domain', () => {
  learnNames({ object_id: 'U-9', name: 'Meet me@ the group', kind: 'User' }, visibleText);
  learnNames({ object_id: 'U-10', displayname: 'A@relationship', kind: 'User' }, visibleText);
  expect(cleanText('This relationship leads to the group')).toBe('This relationship leads to the group');
});

it('a domain of one word hides no part of other words', () => {
  learnNames([{ id: 'S-1-5-21-9-9-9', name: 'LAB', collected: true }], visibleText);
  expect(cleanText('The label of LAB')).toBe('The label of DOMAIN-B');
});

it('files of data and tables have no names either', () => {
  learnNames({ object_id: 'G-7', name: 'VAULT OPERATORS', kind: 'Group' }, visibleText);
  const masked = maskedData({
    objects: [{ object_id: 'S-1-5-21-1-2-3-1104', name: 'ADA ABEL@PHANTOM.CORP', kind: 'User' }],
    title: 'Remove "GenericAll" on VAULT OPERATORS from ADA ABEL@PHANTOM.CORP',
    settings: [{ property: 'description', before: 'the password is hunter2', after: 12 }],
    'ADA ABEL@PHANTOM.CORP': true,
    exposure: 0.5,
  });
  expect(JSON.stringify(masked)).not.toMatch(/abel|phantom|vault|hunter/i);
  expect(masked).toMatchObject({
    objects: [{ name: 'User 1@DOMAIN-A', kind: 'User' }],
    settings: [{ property: 'description', after: 12 }],
    exposure: 0.5,
  });
  expect(csvText(['name'], [['ADA ABEL@PHANTOM.CORP'], ['VAULT OPERATORS']])).not.toMatch(/abel|vault/i);
  expect(pseudonymOf('S-1-5-21-1-2-3-1104')).toBe('User 1@DOMAIN-A');
});

it('machines without an id are masked in the sentences about them', () => {
  const write = { attribute: 'member', at: '2026-01-31T10:00:00Z', controller: 'HQ-DC1', version: 3 };
  const claim = { verdict: 'agrees', host: 'HQ-DC2', computer: 'DESK9', saved: [] };
  learnNames({ events: [{ facts: [{ last_write: write }] }], evidence: [{ claims: [claim] }] }, visibleText);
  learnNames({ verdict: 'agrees', host: '', computer: '' }, visibleText);
  expect(cleanText('member last written at 2026-01-31 10:00 UTC on HQ-DC1 (version 3); by whom')).toMatch(
    /^member last written at 2026-01-31 10:00 UTC on Computer \d+ \(version 3\); by whom$/,
  );
  expect(cleanText('The transcript says made on HQ-DC2 at 2026-01-31 10:00 UTC')).not.toContain('HQ');
  expect(cleanText('The backup was written from DESK9 at 2026-01-31 10:00 UTC')).not.toContain('DESK');
  // Other answers have members of these names.
  learnNames({ controller: 'Graph', host: 'mail' }, visibleText);
  expect(cleanText('Graph and mail')).toBe('Graph and mail');
});

it('values that a sentence quotes are hidden if they are texts', () => {
  const text = 'description of ADA ABEL@PHANTOM.CORP was "call $& Ada", now 512';
  expect(quotingText(text, ['"call $& Ada"', '512'])).toBe(
    'description of User 1@DOMAIN-A was masked, now 512',
  );
  setMasked(false);
  expect(quotingText(text, ['"call $& Ada"', '512'])).toBe(text);
  setMasked(true);
});
