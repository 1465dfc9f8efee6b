/** The identity that a provider reports for a sign-in. */

/** A failed sign-in. The text is for the user, and reveals nothing about the service. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** Reason for the log. */
  readonly reason: string;

  constructor(text: string, reason: string) {
    super(text);
    this.reason = reason;
  }
}

export const FAILURE = {
  misconfigured: 'Your SSO connection failed due to misconfiguration, please contact your Administrator',
  notAuthenticated: 'Your SSO was unable to authenticate your user, please contact your Administrator',
  notAllowed: 'Your user is not allowed, please contact your Administrator',
  noAddress: 'Claims invalid: no valid email address found',
} as const;

/** The user's identity at the provider, which does not change with names and addresses. */
export interface Subject {
  readonly issuer: string;
  readonly id: string;
}

export interface Claims {
  /** Absent if only the email address is known. */
  readonly subject?: Subject;
  readonly email: string;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  /** Role names of the provider. */
  readonly roles: readonly string[];
}

/** Accepts addresses that identity providers send, not every valid email address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text);
}
