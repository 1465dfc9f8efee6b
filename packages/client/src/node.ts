/** A `fetch` for Node that uses a proxy and trusts additional certificates. */
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';

export interface NodeFetchOptions {
  /** URL of an HTTP proxy, with user and password if required; requests to HTTPS addresses are tunneled. */
  readonly proxy?: string;
  /** Path of a PEM file with CA certificates to trust in addition to the built-in ones. */
  readonly caBundle?: string;
  /** Default: true. If false, anyone in between can read and change the traffic. */
  readonly verifyTls?: boolean;
}

export interface NodeFetch {
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/** @throws Error if the file cannot be read or contains no certificate */
export async function nodeFetch({
  proxy,
  caBundle,
  verifyTls = true,
}: NodeFetchOptions = {}): Promise<NodeFetch> {
  const { Agent, ProxyAgent, fetch: undiciFetch } = await import('undici');
  const ca = caBundle === undefined ? undefined : [...rootCertificates, await certificates(caBundle)];
  const tls = { ca, rejectUnauthorized: verifyTls };
  const dispatcher: Dispatcher =
    proxy === undefined
      ? new Agent({ connect: tls })
      : new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls });
  const bound = (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) =>
    undiciFetch(
      input as Parameters<typeof undiciFetch>[0],
      { ...init, dispatcher } as Parameters<typeof undiciFetch>[1],
    );
  return { fetch: bound as unknown as typeof fetch, close: () => dispatcher.close() };
}

async function certificates(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`${path} contains no certificate in PEM format`);
  return text;
}
