/**
 * Checks whether a controller requires signing on port 389, and channel binding in TLS, by signing in without them with the collector's
 * ticket. Using a ticket is not a password attempt: a refusal does not count toward the account lockout.
 */
import { beginSignIn } from '../kerberos/securityContext.ts';
import type { Ticket } from '../kerberos/tickets.ts';
import { LdapClient } from '../ldap/ldapClient.ts';
import { LDAP_RESULT, LdapError } from '../ldap/results.ts';
import type { Target } from '../net/connect.ts';

export interface PolicyOptions {
  readonly silenceMs: number;
  readonly ca?: Buffer;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

/** @throws Error if the controller refuses for another reason, or does not answer */
export const requiresSigning = (
  target: Target,
  ticket: Ticket,
  { silenceMs, signal }: Omit<PolicyOptions, 'ca'>,
): Promise<boolean> =>
  refusesPlainSignIn(
    { ...target, tls: false, silenceMs },
    { ticket, refusal: LDAP_RESULT.strongerSignInRequired, signal },
  );

/** @throws Error if the controller refuses for another reason, or does not answer */
export const requiresChannelBinding = (
  target: Target,
  ticket: Ticket,
  { silenceMs, ca, signal }: PolicyOptions,
): Promise<boolean> =>
  refusesPlainSignIn(
    { ...target, tls: true, silenceMs, ca },
    { ticket, refusal: LDAP_RESULT.invalidCredentials, signal },
  );

async function refusesPlainSignIn(
  target: Parameters<typeof LdapClient.open>[0],
  {
    ticket,
    refusal,
    signal,
  }: { readonly ticket: Ticket; readonly refusal: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const client = await LdapClient.open(target);
  const abort = (): void => client.connection.destroy(signal?.reason as Error);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', abort, { once: true });
    const signIn = beginSignIn(ticket, { protection: 'none' });
    await client.bindWithSasl('GSS-SPNEGO', (answer) => {
      if (answer === undefined) return { token: signIn.token };
      signIn.finish(answer);
      return { security: undefined };
    });
    return false;
  } catch (error) {
    if (!(error instanceof LdapError) || error.code !== refusal) throw error;
    // Other reasons for refusing a ticket have the same number.
    if (refusal === LDAP_RESULT.invalidCredentials && !error.message.includes('channel binding')) throw error;
    return true;
  } finally {
    signal?.removeEventListener('abort', abort);
    client.close();
  }
}
