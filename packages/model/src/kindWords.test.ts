import { expect, it } from 'vitest';
import { kindTitle, kindWords } from './kindWords.ts';

it.each([
  ['ABC_ResetPassword', 'ABC', 'reset password', 'Reset password'],
  ['ABC_ResetPassword', '', 'ABC reset password', 'ABC reset password'],
  ['ABCD_Owns', 'ABC', 'ABCD owns', 'ABCD owns'],
  ['Desk_Leads', 'Desk', 'leads', 'Leads'],
  ['GH_HasRole_In_Org', 'GH', 'has role in org', 'Has role in org'],
  ['AWSRoleOf', '', 'AWS role of', 'AWS role of'],
  ['X_Win32App', 'X', 'win32 app', 'Win32 app'],
  ['X_ResetsMFA', 'X', 'resets MFA', 'Resets MFA'],
  ['canRead', '', 'can read', 'Can read'],
  ['Überträgt_Rechte', '', 'überträgt rechte', 'Überträgt rechte'],
  ['ABC_', 'ABC', 'ABC_', 'ABC_'],
  ['___', '', '___', '___'],
])('%s of the namespace "%s" is "%s"', (kind, namespace, words, title) => {
  expect(kindWords(kind, namespace)).toBe(words);
  expect(kindTitle(kind, namespace)).toBe(title);
});
