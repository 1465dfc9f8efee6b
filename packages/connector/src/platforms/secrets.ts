/** Secrets of a configuration: systems may repeat them in what they answer. */

/** Shorter ones would replace common words. */
const SHORTEST = 6;

/** Settings that are secrets, in any part of a configuration. */
const NAMES: readonly string[] = [
  ...['token', 'tokenKey', 'secret', 'appKey', 'apiKey', 'clientSecret', 'serviceAccount', 'password'],
];
/** The address of such a webhook is its secret. */
const SECRET_ADDRESSES: readonly unknown[] = ['slack', 'teams'];

/** @param settings of a connector, or of its platform @returns a function that replaces each secret of them in a text */
export function redactorOf(settings: object): (text: string) => string {
  const found = secretsIn(settings).filter((one) => one.length >= SHORTEST);
  const secrets = [...new Set([...found, ...found.map(encodeURIComponent)])].toSorted(
    (one, other) => other.length - one.length,
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
}

function secretsIn(settings: object): string[] {
  const { type, url, email, token } = settings as Record<string, unknown>;
  const hook = SECRET_ADDRESSES.includes(type) && typeof url === 'string' ? URL.parse(url) : null;
  return [
    ...(hook === null ? [] : [String(url), hook.href, hook.pathname, hook.search]),
    ...(typeof token === 'string' ? [signed('', token)] : []),
    ...(typeof email === 'string' && typeof token === 'string' ? [signed(email, token)] : []),
    ...Object.entries(settings).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) return secretsIn(value);
      if (typeof value !== 'string') return [];
      return NAMES.includes(name) ? [value] : passwordIn(value);
    }),
  ];
}

/** Sent by basic authentication. */
const signed = (user: string, token: string): string => Buffer.from(`${user}:${token}`).toString('base64');

/** Addresses of proxies and databases may have one. */
function passwordIn(text: string): string[] {
  const password = URL.parse(text)?.password ?? '';
  return password === '' ? [] : [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
