/** Actions of the audit log in words, and what is typed to find them. The API keeps the names of its operations. */

const SPECIAL: Readonly<Record<string, string>> = {
  LoginAttempt: 'Sign in',
  SSOLoginAttempt: 'Sign in with a provider',
};

/** Names and abbreviations inside of words. */
const NAMES: Readonly<Record<string, string>> = { Cypher: 'Cypher', Mfa: 'MFA' };

/** @returns "Create user" for `CreateUser`; abbreviations such as SSO stay as they are */
export function actionWords(action: string): string {
  const special = SPECIAL[action];
  if (special !== undefined) return special;
  const words = action.match(/[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/g) ?? [action];
  return words
    .map((word, at) => NAMES[word] ?? (at === 0 || /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** @param typed words or the name of an operation, or parts of them @returns a text that the names of the wanted actions contain */
export function actionFilter(typed: string): string {
  const text = typed.trim().toLowerCase();
  const special = Object.keys(SPECIAL).find((action) => SPECIAL[action]!.toLowerCase() === text);
  return special ?? typed.replaceAll(/\s+/g, '');
}
