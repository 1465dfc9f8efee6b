/**
 * Ways to sign in to a controller, all encrypted: Kerberos with a sealed session on port 389, or in TLS with channel binding; a password in
 * TLS; the certificate of the account. A refused sign-in is final: the secret is not tried in another way or at another controller, because
 * each attempt counts toward the account lockout.
 */

import { KERBEROS_PORT } from '../kerberos/keyDistribution.ts';
import { beginSignIn, SealedSession } from '../kerberos/securityContext.ts';
import {
  type KerberosAccount,
  KerberosError,
  type OtherRealm,
  type Ticket,
  ticketFor,
} from '../kerberos/tickets.ts';
import { LdapClient } from '../ldap/ldapClient.ts';
import { LDAP_RESULT, LdapError } from '../ldap/results.ts';
import type { Target, TlsOptions } from '../net/connect.ts';

export type Encryption = 'sealed' | 'ldaps' | 'starttls';

export interface Controller {
  /** Name in its certificate and tickets. */
  readonly host: string;
  /** Address to connect to if the name does not resolve. */
  readonly address?: string;
  /** Default: 389, or 636 with LDAPS. */
  readonly port?: number;
  /** Default: 88. */
  readonly kerberosPort?: number;
  /** Port of the global catalog; default: 3268, or 3269 with LDAPS. */
  readonly catalogPort?: number;
}

/** The source of tickets if the controller belongs to another domain than the account. */
export interface OtherDomain extends OtherRealm {
  /** A controller of the account's domain. */
  readonly home: Controller;
}

export type Credentials =
  | { readonly kind: 'kerberos'; readonly account: KerberosAccount }
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'certificate'; readonly certificate: Buffer; readonly key: Buffer };

export interface SignInRequest {
  readonly controller: Controller;
  readonly encryption: Encryption;
  readonly credentials: Credentials;
  /** PEM of the CA of the controllers' certificates; default: the system's CAs. */
  readonly ca?: Buffer;
  readonly silenceMs?: number;
  /** Default: the controller belongs to the account's domain. */
  readonly otherDomain?: OtherDomain;
}

/** @throws Error with the remedy */
export async function signInAt(request: SignInRequest): Promise<LdapClient> {
  const { controller, encryption, credentials, ca, silenceMs, otherDomain } = request;
  if (encryption === 'sealed' && credentials.kind !== 'kerberos')
    throw new Error(
      'on port 389 without TLS, only Kerberos encrypts: use LDAPS or StartTLS, or sign in with Kerberos',
    );
  const tls = encryption === 'ldaps';
  const own: TlsOptions =
    credentials.kind === 'certificate' ? { certificate: credentials.certificate, key: credentials.key } : {};
  const { host, address, port = tls ? 636 : 389 } = controller;
  // Requests the ticket first, so that a refused sign-in opens no connection to the directory.
  const ticket =
    credentials.kind === 'kerberos'
      ? await ticketAt({ controller, otherDomain }, credentials.account, `ldap/${host}`)
      : undefined;
  const client = await LdapClient.open({ host, address, port, tls, ca, silenceMs, ...own });
  try {
    if (encryption === 'starttls') await client.connection.startTls();
    if (ticket !== undefined) await bindWithTicket(client, beginSignInOver(client, ticket));
    else if (credentials.kind === 'password')
      await client.bindWithPassword(credentials.user, credentials.password);
    else await client.bindWithSasl('EXTERNAL', externalSteps());
    return client;
  } catch (error) {
    client.connection.destroy(error as Error);
    throw error;
  }
}

/** A ticket for a service of a controller; the last step to another domain asks the controller itself. */
export function ticketAt(
  { controller, otherDomain }: Pick<SignInRequest, 'controller' | 'otherDomain'>,
  account: KerberosAccount,
  service: string,
): Promise<Ticket> {
  const own = kerberosTarget(controller);
  if (otherDomain === undefined) return ticketFor(own, account, service);
  const { home, realm, kdcOf } = otherDomain;
  const way = { realm, kdcOf: (name: string) => (name === realm ? own : kdcOf(name)) };
  return ticketFor(kerberosTarget(home), account, service, way);
}

/** Whether a sign-in was refused and must not be tried at the next controller. */
export const isRefused = (error: unknown): boolean =>
  (error instanceof LdapError && error.code === LDAP_RESULT.invalidCredentials) ||
  (error instanceof KerberosError && !SERVER_ERRORS.includes(error.code));

/** Kerberos errors unrelated to the account: an unknown service, a server error. */
const SERVER_ERRORS: readonly number[] = [7, 60];

export const kerberosTarget = ({ host, address, kerberosPort = KERBEROS_PORT }: Controller): Target => ({
  ...{ host, address, port: kerberosPort },
});

function beginSignInOver(client: LdapClient, ticket: Parameters<typeof beginSignIn>[0]) {
  const serverCertificate = client.connection.serverCertificate;
  // Controllers refuse a SASL layer in TLS (MS-ADTS 5.1.1.1.2): the certificate binds the sign-in to the connection instead.
  return serverCertificate === undefined
    ? { ...beginSignIn(ticket, { protection: 'sealed' }), isSealed: true }
    : { ...beginSignIn(ticket, { protection: 'none', serverCertificate }), isSealed: false };
}

async function bindWithTicket(client: LdapClient, signIn: ReturnType<typeof beginSignInOver>): Promise<void> {
  await client.bindWithSasl('GSS-SPNEGO', (answer) => {
    if (answer === undefined) return { token: signIn.token };
    const session = signIn.finish(answer);
    return { security: signIn.isSealed ? new SealedSession(session) : undefined };
  });
}

/** The certificate of the connection is sufficient proof: one empty token. */
function externalSteps(): (answer: Buffer | undefined) => { token: Buffer } | { security: undefined } {
  return (answer) => (answer === undefined ? { token: Buffer.alloc(0) } : { security: undefined });
}
