/**
 * Parts of an environment that a collection may lack. A part that was not read may still have findings, so every
 * statement about an environment lists its unread parts. Rule: `docs/findings.md#missing-data`.
 */
export const UNREAD_PARTS = {
  environment: 'the environment itself',
  'access-lists': 'access lists',
  'certificate-services': 'AD CS',
  sessions: 'sessions',
  'local-groups': 'local groups of computers',
  'user-rights': 'user rights of computers',
  policies: 'group policies',
  'authority-registry': 'the registry of CAs',
  'controller-registry': 'the registry of domain controllers',
  'ldap-settings': 'the LDAP settings of domain controllers',
} as const satisfies Readonly<Record<string, string>>;

export type UnreadPart = keyof typeof UNREAD_PARTS;

export const UNREAD_PART_NAMES = Object.keys(UNREAD_PARTS) as readonly UnreadPart[];

const NAMES: Readonly<Record<string, string>> = UNREAD_PARTS;

/**
 * @returns a sentence, without its full stop, that lists the unread parts of an environment; `undefined` if all were
 * read
 */
export function unreadSentence(environment: string, parts: readonly string[] = []): string | undefined {
  if (parts.length === 0) return undefined;
  if (parts.includes('environment')) return `${environment} was not collected`;
  return `Not collected from ${environment}: ${parts.map((part) => NAMES[part] ?? part).join(', ')}`;
}
