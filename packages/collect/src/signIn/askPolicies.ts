/**
 * Whether a controller asks for signing on port 389, and for channel binding inside of TLS: it is asked by signing in without them, with the
 * reader's own ticket. A ticket is not a try of a password: a refusal does not count toward the lock of the account.
 */
import { beginSignIn } from '../kerberos/securityContext.ts';
import type { Ticket } from '../kerberos/tickets.ts';
import { LdapClient } from '../ldap/ldapClient.ts';
import { LDAP_RESULT, LdapError } from '../ldap/results.ts';
import type { Target } from '../net/connect.ts';

export interface PolicyOptions {
  readonly silenceMs: number;
  readonly ca?: Buffer;
  /** Ends the question. */
  readonly signal?: AbortSignal;
}

/** @throws Error where the controller refuses for another reason, or does not answer */
export const requiresSigning = (
  target: Target,
  ticket: Ticket,
  { silenceMs, signal }: Omit<PolicyOptions, 'ca'>,
): Promise<boolean> =>
  refusesPlainSignIn(
    { ...target, tls: false, silenceMs },
    { ticket, refusal: LDAP_RESULT.strongerSignInRequired, signal },
  );

/** @throws Error where the controller refuses for another reason, or does not answer */
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
    // Other reasons to refuse a ticket have the same number.
    if (refusal === LDAP_RESULT.invalidCredentials && !error.message.includes('channel binding')) throw error;
    return true;
  } finally {
    signal?.removeEventListener('abort', abort);
    client.close();
  }
}
