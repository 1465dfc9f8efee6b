/** Converts actions of the audit log to words, and typed text to names of actions. The API uses the names of operations. */

const SPECIAL: Readonly<Record<string, string>> = {
  LoginAttempt: 'Sign in',
  SSOLoginAttempt: 'Sign in with a provider',
};

/** Names and abbreviations within words. */
const NAMES: Readonly<Record<string, string>> = { Cypher: 'Cypher', Mfa: 'MFA' };

/** @returns "Create user" for `CreateUser`; abbreviations such as SSO stay unchanged */
export function actionWords(action: string): string {
  const special = SPECIAL[action];
  if (special !== undefined) return special;
  const words = action.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/g) ?? [action];
  return words
    .map((word, at) => NAMES[word] ?? (at === 0 || /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** Shorter beginnings of words are also in the names of many other actions. */
const MIN_SPECIAL = 3;

/**
 * @param typed part of the words or of the name of an operation; of words that are not its name, such as "Sign in", the beginning
 * @returns a text that the names of the wanted actions contain
 */
export function actionFilter(typed: string): string {
  const joined = typed.replaceAll(/\s+/g, '');
  if (joined.length < MIN_SPECIAL) return joined;
  const isBeginning = (words: string): boolean =>
    words.replaceAll(' ', '').toLowerCase().startsWith(joined.toLowerCase());
  return Object.keys(SPECIAL).find((action) => isBeginning(SPECIAL[action]!)) ?? joined;
}
