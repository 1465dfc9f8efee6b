/** Explains results of LDAP operations with the remedy (RFC 4511, appendix A; sign-in sub-codes of Active Directory). */
import type { BerReader } from '../ber/reader.ts';

export const LDAP_RESULT = {
  success: 0,
  strongerSignInRequired: 8,
  referral: 10,
  saslInProgress: 14,
  noSuchObject: 32,
  invalidCredentials: 49,
  /** Client-side code: the controller was silent for too long (RFC 1823). */
  silent: 85,
} as const;

export class LdapError extends Error {
  override readonly name = 'LdapError';
  /** Number of the result. */
  readonly code: number;
  /** Addresses of other controllers named in the answer. */
  readonly referrals: readonly string[];

  constructor(code: number, message: string, referrals: readonly string[] = []) {
    super(message);
    this.code = code;
    this.referrals = referrals;
  }
}

const WORDS: Readonly<Record<number, string>> = {
  1: 'the operation is not possible now (is the connection signed in?)',
  2: 'the domain controller does not understand the request',
  3: 'the time limit of the domain controller is reached',
  4: 'the size limit of the domain controller is reached',
  7: 'the domain controller does not support this sign-in method',
  8: 'the domain controller requires a stronger sign-in: use LDAPS, StartTLS, or Kerberos',
  10: 'another domain controller is responsible (a referral)',
  11: 'an administrative limit of the domain controller is reached',
  12: 'the domain controller does not support a required control',
  32: 'the object does not exist',
  34: 'a name is not valid',
  48: 'the account cannot sign in with this method',
  49: 'the account or its password is not valid',
  50: 'the account cannot read this',
  51: 'the controller is busy',
  52: 'the domain controller is not available',
  53: 'the domain controller refuses the request',
};

const SIGN_IN_WORDS: Readonly<Record<string, string>> = {
  '525': 'the account does not exist',
  '52e': 'the password is wrong',
  '530': 'the account cannot sign in at this hour',
  '531': 'the account cannot sign in from this computer',
  '532': 'the password has expired: set a new one',
  '533': 'the account is disabled',
  '701': 'the account has expired',
  '773': 'the password must be changed before the first sign-in',
  '775': 'the account is locked: wait, or unlock it, before you try again',
  '80090346': 'the domain controller requires channel binding: use Kerberos, or another client certificate',
};

/** Maximum length of a quoted controller message. */
const MAX_MESSAGE = 300;

/** @param body the rest of a result after its code: the matched name, a message, referrals */
export function resultError(code: number, body: BerReader, what: string): LdapError {
  body.enter();
  const message = printable(body.text());
  const referrals: string[] = [];
  if (body.peek() === 0xa3) {
    const list = body.enter();
    while (list.hasMore && referrals.length < 10) referrals.push(printable(list.text()));
  }
  const isRefused = code === LDAP_RESULT.invalidCredentials;
  const [, status, detail] = /(?:^([0-9a-f]{8}):)?.*?data ([0-9a-f]{3})/i.exec(message)?.map(lowered) ?? [];
  const why = isRefused ? (SIGN_IN_WORDS[detail ?? ''] ?? SIGN_IN_WORDS[status ?? '']) : undefined;
  const words = why ?? WORDS[code] ?? `result ${code}`;
  const own = isRefused || message === '' ? '' : ` (${message})`;
  const elsewhere = referrals.length === 0 ? '' : `; it refers to ${referrals[0]}`;
  return new LdapError(code, `${what}: ${words}${own}${elsewhere}`, referrals);
}

const lowered = (text: string | undefined): string | undefined => text?.toLowerCase();

/** Server texts without control characters, at most one line long. */
const printable = (text: string): string =>
  text
    .replace(/[\x00-\x1f\x7f]+/g, ' ')
    .trim()
    .slice(0, MAX_MESSAGE);
