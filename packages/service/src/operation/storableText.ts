const MAX_LENGTH = 1024;

/**
 * Text from outside as the database takes it: no NUL, no half of a surrogate pair, not endless. What is replaced
 * becomes U+FFFD, so that a record of it shows that something was there.
 */
export function storableText(text: string, maxLength = MAX_LENGTH): string {
  return text.slice(0, maxLength).replaceAll('\0', '\ufffd').toWellFormed();
}
