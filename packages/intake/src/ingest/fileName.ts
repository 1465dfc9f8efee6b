/** Names of uploaded files from clients, made safe to store and to show. */

const MAX_LENGTH = 255;

/**
 * The last part of the path a client sent, decoded if it is percent-encoded, without control characters.
 * @returns `fallback` when nothing is left
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
