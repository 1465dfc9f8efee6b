/**
 * The rules for passwords (`docs/reference/api.md#passwords`): twelve characters of all four kinds, as clients of the public API expect, or
 * a passphrase of twenty characters of any kind.
 */
import { apiError } from '@clew/common';
import { MAX_PASSWORD_LENGTH } from './passwords.ts';

export const MIN_PASSWORD_LENGTH = 12;
export const PASSPHRASE_LENGTH = 20;

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\p{Ll}/u, 'a lower case letter'],
  [/\p{Lu}/u, 'an upper case letter'],
  [/\p{Nd}/u, 'a digit'],
  // The public service supports eight of them.
  [/[^\p{L}\p{Nd}]/u, 'a special character'],
];

/** @returns the violated rule as text; `undefined` for an acceptable password */
export function passwordFault(password: string): string | undefined {
  if (password.length > MAX_PASSWORD_LENGTH)
    return `a password can have at most ${MAX_PASSWORD_LENGTH} characters`;
  if (password.length >= PASSPHRASE_LENGTH) return undefined;
  if (password.length < MIN_PASSWORD_LENGTH)
    return `a password must have at least ${MIN_PASSWORD_LENGTH} characters`;
  const missing = KINDS.filter(([kind]) => !kind.test(password)).map(([, name]) => name);
  return missing.length === 0
    ? undefined
    : `a password of less than ${PASSPHRASE_LENGTH} characters also needs ${missing.join(', ')}`;
}

/** @throws ApiError 400 */
export function requireGoodPassword(password: string): void {
  const reason = passwordFault(password);
  if (reason !== undefined) throw apiError('weakSecret', { reason });
}
