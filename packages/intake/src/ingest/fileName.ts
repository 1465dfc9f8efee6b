/** Sanitizes names of uploaded files for storage and display. */

const MAX_LENGTH = 255;

/**
 * Returns the last part of the path from the client, percent-decoded if necessary, without control characters.
 * @returns `fallback` if nothing remains
 */
export function safeFileName(header: string | undefined, fallback: string): string {
  const name = decode(header ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .split(/[/\\]/)
    .at(-1)
    ?.trim();
  return name ? [...name].slice(0, MAX_LENGTH).join('') : fallback;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
