/**
 * Whether an authority takes requests for certificates by its web pages (MS-WCCE has no word for it: they are `/certsrv/`). One plain GET without
 * credentials: the answer asks for a sign-in with NTLM where the pages are there.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Target } from '../net/connect.ts';

export interface EnrollmentOptions {
  /** Milliseconds of silence. */
  readonly limitMs: number;
  /** Ends the question, also at a host that goes on sending. */
  readonly signal?: AbortSignal;
  readonly ca?: Buffer;
}

const PATH = '/certsrv/';

/** @returns whether the pages ask for a sign-in that can be relayed. @throws Error for a host that gives no answer */
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

/** Whether nothing listens at the port: the pages are not there. */
export const isClosed = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';

export const addressOf = (host: string, isEncrypted: boolean): string =>
  `${isEncrypted ? 'https' : 'http'}://${host}${PATH}`;
