/** Secrets of a configuration: systems may repeat them in what they answer. */
import type { ConnectorSettings } from './settings.ts';

type Parts = Partial<Record<'token' | 'email' | 'url' | 'type' | 'proxy', string>>;

/** Shorter ones would replace common words. */
const SHORTEST = 6;

/** @returns a function that replaces each secret of these settings in a text */
export function redactorOf({ tokenKey, platform, proxy }: ConnectorSettings): (text: string) => string {
  const { token, email, url, type, proxy: own } = platform as Parts;
  const isWebhook = type === 'slack' || type === 'teams';
  const hook = isWebhook && url !== undefined ? URL.parse(url) : null;
  const plain = [
    ...[tokenKey, token, isWebhook ? url : undefined],
    ...[hook?.pathname, hook?.search, ...[proxy, own].map((one) => URL.parse(one ?? '')?.password)],
  ].filter((one) => one !== undefined && one.length >= SHORTEST) as string[];
  const signed = email === undefined ? [] : [Buffer.from(`${email}:${token}`).toString('base64')];
  const secrets = [...new Set([...plain, ...plain.map(encodeURIComponent), ...signed])].sort(
    (one, other) => other.length - one.length,
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
}
