/**
 * Ways to sign in at a controller, each encrypted: Kerberos with a sealed session on port 389, or inside of TLS with channel binding; a
 * password inside of TLS; the certificate of the account. A refused sign-in is final: neither another way nor another controller is tried
 * with the same secret, since each try counts toward the lock of the account.
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
  /** Name that its certificate and its tickets have. */
  readonly host: string;
  /** Where to connect to when the name does not resolve. */
  readonly address?: string;
  /** Default: 389, or 636 with LDAPS. */
  readonly port?: number;
  /** Default: 88. */
  readonly kerberosPort?: number;
  /** Port of the global catalog; default: 3268, or 3269 with LDAPS. */
  readonly catalogPort?: number;
}

/** Where tickets come from when the controller is of another domain than the account. */
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
  /** PEM of the authority of the controllers' certificates; default: those of the system. */
  readonly ca?: Buffer;
  readonly silenceMs?: number;
  /** Default: the controller is of the account's domain. */
  readonly otherDomain?: OtherDomain;
}

/** @throws Error that names the remedy */
export async function signInAt(request: SignInRequest): Promise<LdapClient> {
  const { controller, encryption, credentials, ca, silenceMs, otherDomain } = request;
  if (encryption === 'sealed' && credentials.kind !== 'kerberos')
    throw new Error(
      'on port 389 without TLS only Kerberos encrypts: use LDAPS or StartTLS, or sign in with Kerberos',
    );
  const tls = encryption === 'ldaps';
  const own: TlsOptions =
    credentials.kind === 'certificate' ? { certificate: credentials.certificate, key: credentials.key } : {};
  const { host, address, port = tls ? 636 : 389 } = controller;
  // The ticket comes first: a refused sign-in opens no connection to the directory.
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

/** A ticket for a service of a controller; the last step of the way to another domain is asked of the controller itself. */
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

/** Whether a sign-in was refused, so that it must not be tried at the next controller. */
export const isRefused = (error: unknown): boolean =>
  (error instanceof LdapError && error.code === LDAP_RESULT.invalidCredentials) ||
  (error instanceof KerberosError && !SERVER_ERRORS.includes(error.code));

/** Errors of a Kerberos service that say nothing about the account: an unknown service, an error of its own. */
const SERVER_ERRORS: readonly number[] = [7, 60];

export const kerberosTarget = ({ host, address, kerberosPort = KERBEROS_PORT }: Controller): Target => ({
  ...{ host, address, port: kerberosPort },
});

function beginSignInOver(client: LdapClient, ticket: Parameters<typeof beginSignIn>[0]) {
  const serverCertificate = client.connection.serverCertificate;
  // Controllers refuse a layer of SASL inside of TLS (MS-ADTS 5.1.1.1.2): there the certificate binds the sign-in to the connection.
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

/** The certificate of the connection is the whole proof: one empty token. */
function externalSteps(): (answer: Buffer | undefined) => { token: Buffer } | { security: undefined } {
  return (answer) => (answer === undefined ? { token: Buffer.alloc(0) } : { security: undefined });
}
