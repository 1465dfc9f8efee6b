import { expect, it } from 'vitest';
import { actionFilter, actionWords } from './actionWords.ts';

it.each([
  ['CreateUser', 'Create user'],
  ['LoginAttempt', 'Sign in'],
  ['SSOLoginAttempt', 'Sign in with a provider'],
  ['CreateSSOProvider', 'Create SSO provider'],
  ['RemoveUserMfa', 'Remove user MFA'],
  ['CreateOIDCProvider', 'Create OIDC provider'],
  ['RunCypherQuery', 'Run Cypher query'],
  ['odd', 'odd'],
])('the action %s is shown as %s', (action, words) => expect(actionWords(action)).toBe(words));

it('what is typed finds the action, in words as shown or by its name', () => {
  expect(actionFilter('Sign in')).toBe('LoginAttempt');
  expect(actionFilter(' sign in with a provider ')).toBe('SSOLoginAttempt');
  expect(actionFilter('Sign')).toBe('LoginAttempt');
  expect(actionFilter('sign in with')).toBe('SSOLoginAttempt');
  expect(actionFilter('si')).toBe('si');
  expect(actionFilter('assign')).toBe('assign');
  expect(actionFilter('create user')).toBe('createuser');
  expect(actionFilter('LoginAttempt')).toBe('LoginAttempt');
  expect(actionFilter('')).toBe('');
});
