/**
 * Connections to controllers: TCP, TLS from the start, and TLS on an existing connection. Certificates are always verified with the CAs of
 * the system or the one that the user names; the error of a failed verification explains what to do.
 */
import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { checkServerIdentity, type TLSSocket, connect as tlsConnect } from 'node:tls';

export interface Target {
  /** Name of the controller in its certificate and tickets. */
  readonly host: string;
  /** Address to connect to if the name does not resolve; default: `host`. */
  readonly address?: string;
  readonly port: number;
}

export interface TlsOptions {
  /** PEM of the CA of the controllers' certificates; default: the system's CAs. */
  readonly ca?: Buffer;
  /** Certificate and key (PEM) of the account, for SASL EXTERNAL. */
  readonly certificate?: Buffer;
  readonly key?: Buffer;
}

export const CONNECT_MS = 10_000;

/** @throws Error with the controller's name and the remedy */
export function connectTcp(target: Target, limitMs = CONNECT_MS): Promise<Socket> {
  const { host, address = host, port } = target;
  return new Promise((resolve, reject) => {
    const socket = tcpConnect({ host: address, port });
    settleOnce(socket, 'connect', `${host}:${port}`, limitMs, () => resolve(socket), reject);
  });
}

export function connectTls(target: Target, options: TlsOptions, limitMs = CONNECT_MS): Promise<TLSSocket> {
  const { host, address = host, port } = target;
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: address, port, ...checked(host, options) });
    settleOnce(socket, 'secureConnect', `${host}:${port}`, limitMs, () => resolve(socket), reject);
  });
}

/** Starts TLS on a connection, after StartTLS. */
export function upgradeToTls(
  plain: Socket,
  host: string,
  options: TlsOptions,
  limitMs = CONNECT_MS,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ socket: plain, ...checked(host, options) });
    settleOnce(socket, 'secureConnect', host, limitMs, () => resolve(socket), reject);
  });
}

function checked(host: string, { ca, certificate, key }: TlsOptions): object {
  return {
    ca,
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    servername: isIP(host) === 0 ? host : undefined,
    checkServerIdentity: (_: string, found: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(host, found),
  };
}

function settleOnce(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  name: string,
  limitMs: number,
  succeed: () => void,
  fail: (error: Error) => void,
): void {
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  const settle = (act: () => void): void => {
    clearTimeout(timer);
    socket.off('error', failed);
    socket.off('close', closed);
    act();
  };
  const failed = (error: NodeJS.ErrnoException): void =>
    settle(() => fail(new Error(`${name}: ${remedyOf(error)}`, { cause: error })));
  const closed = (): void => settle(() => fail(new Error(`${name}: the connection was closed`)));
  socket.once('error', failed);
  socket.once('close', closed);
  socket.once(event, () => settle(succeed));
}

/** Remedies for connection errors, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'this name cannot be resolved; also give the address of the domain controller (--address)',
  EAI_AGAIN: 'names cannot be resolved now; also give the address of the domain controller (--address)',
  ECONNREFUSED: 'no service is listening there; is it a domain controller, and is it running?',
  EHOSTUNREACH: 'this host is not reachable; is there a firewall in between?',
  ENETUNREACH: 'this network is not reachable',
  ETIMEDOUT: 'no answer; is there a firewall in between?',
  ECONNRESET: 'the domain controller closed the connection; does it have a certificate for TLS?',
  CERT_HAS_EXPIRED:
    'the certificate of the domain controller has expired; renew it, or sign in with Kerberos on port 389',
  CERT_NOT_YET_VALID:
    'the certificate of the domain controller is not valid yet; are the clocks synchronized?',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate of the domain controller is self-signed; give the certificate file of its CA (--ca)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the CA of the certificate is unknown here; give its certificate file (--ca)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the CA of the certificate is unknown here; give its certificate file (--ca)',
  UNABLE_TO_GET_ISSUER_CERT: 'the CA of the certificate is unknown here; give its certificate file (--ca)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'the CA of the certificate is unknown here; give its certificate file (--ca)',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate has another name than the host; give the name in the certificate (--host), and the address of the host (--address)',
};

function remedyOf(error: NodeJS.ErrnoException): string {
  const remedy = REMEDIES[error.code ?? ''];
  return remedy === undefined ? error.message : `${remedy} (${error.code})`;
}
