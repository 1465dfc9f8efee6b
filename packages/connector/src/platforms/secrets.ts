/** Secrets of a configuration, which systems may repeat in their answers. */

/** Shorter values would replace common words. */
const SHORTEST = 6;

/** Settings that are secrets, anywhere in a configuration. */
const NAMES: readonly string[] = [
  ...['token', 'tokenKey', 'secret', 'appKey', 'apiKey', 'clientSecret', 'serviceAccount', 'password'],
];
/** For these types, the address of the webhook is a secret. */
const SECRET_ADDRESSES: readonly unknown[] = ['slack', 'teams'];

/** @param settings of a connector, or of its platform @returns a function that redacts each of their secrets in a text */
export function redactorOf(settings: object): (text: string) => string {
  const found = secretsIn(settings).filter((one) => one.length >= SHORTEST);
  const secrets = [...new Set([...found, ...found.map(encodeURIComponent)])].toSorted(
    (one, other) => other.length - one.length,
  );
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
}

function secretsIn(settings: object): string[] {
  const { type, url, email, token, user, password } = settings as Record<string, unknown>;
  const hook = SECRET_ADDRESSES.includes(type) && typeof url === 'string' ? URL.parse(url) : null;
  return [
    ...(hook === null ? [] : [String(url), hook.href, hook.pathname, hook.search]),
    ...(typeof token === 'string' ? [signed('', token)] : []),
    ...(typeof email === 'string' && typeof token === 'string' ? [signed(email, token)] : []),
    ...(typeof user === 'string' && typeof password === 'string' ? signInSecrets(user, password) : []),
    ...Object.entries(settings).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) return secretsIn(value);
      if (typeof value !== 'string') return [];
      return NAMES.includes(name) ? [value] : passwordIn(value);
    }),
  ];
}

/** Sent by basic authentication. */
const signed = (user: string, token: string): string => Buffer.from(`${user}:${token}`).toString('base64');

/** Sent by AUTH PLAIN and AUTH LOGIN of mail, and by basic authentication. */
const signInSecrets = (user: string, password: string): string[] =>
  [`\0${user}\0${password}`, password, `${user}:${password}`].map((text) =>
    Buffer.from(text).toString('base64'),
  );

/** Addresses of proxies and databases may contain a password. */
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
