/**
 * Whether a CA accepts certificate requests on its web pages (`/certsrv/`, which MS-WCCE does not describe). Sends one plain GET without
 * credentials: if the pages exist, the answer requests an NTLM sign-in.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Target } from '../net/connect.ts';

export interface EnrollmentOptions {
  /** Maximum milliseconds of silence. */
  readonly limitMs: number;
  /** Cancels the request, even if the host keeps sending. */
  readonly signal?: AbortSignal;
  readonly ca?: Buffer;
}

const PATH = '/certsrv/';

/** @returns whether the pages request a sign-in that can be relayed @throws Error if the host does not answer */
export async function asksForNtlm(
  { host, address = host, port }: Target,
  isEncrypted: boolean,
  { limitMs, ca, signal }: EnrollmentOptions,
): Promise<boolean> {
  const options = {
    ...{ host: address, port, path: PATH, method: 'GET', timeout: limitMs, agent: false as const },
    signal,
    headers: { host, 'user-agent': 'clew-collector' },
  };
  const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = isEncrypted
      ? requestHttps({ ...options, ca, servername: host }, resolve)
      : requestHttp(options, resolve);
    asked.on('timeout', () => asked.destroy(new Error(`${host} is silent`)));
    asked.on('error', reject);
    asked.end();
  }).then((answer) => {
    answer.destroy();
    return answer;
  });
  return statusCode === 401 && /\b(?:NTLM|Negotiate)\b/i.test(String(headers['www-authenticate'] ?? ''));
}

/** Whether nothing listens on the port, so that the pages do not exist. */
export const isClosed = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';

export const addressOf = (host: string, isEncrypted: boolean): string =>
  `${isEncrypted ? 'https' : 'http'}://${host}${PATH}`;
