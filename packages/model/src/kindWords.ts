/** Readable forms of kinds without a title: names of kinds are identifiers, but displayed texts consist of words. */

/**
 * @param namespace of the extension that declares the kind; the name begins with it, but its texts do not @returns
 * the words of the name, with unchanged abbreviations: `ABC_ResetPassword` is "reset password"
 */
export function kindWords(kind: string, namespace = ''): string {
  const own = namespace !== '' && kind.startsWith(`${namespace}_`) ? kind.slice(namespace.length + 1) : kind;
  const words = own
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(/[_\s]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^\p{Lu}[^\p{Lu}]*$/u.test(word) ? word.toLowerCase() : word));
  return words.length === 0 ? kind : words.join(' ');
}

/** @returns its words as a title: `ABC_ResetPassword` is "Reset password" */
export function kindTitle(kind: string, namespace = ''): string {
  const words = kindWords(kind, namespace);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
