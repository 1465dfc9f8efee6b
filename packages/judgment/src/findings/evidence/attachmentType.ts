/**
 * Recognizes the type of an attached file by its bytes; names and declared types do not count. Markup that a browser could run is refused.
 *
 * Rule: `docs/findings.md#templates-and-evidence`.
 */
import type { AttachmentType } from '@clew/api';

const SIGNATURES: readonly (readonly [AttachmentType, readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** @returns undefined for a type that is not accepted */
export function attachmentType(bytes: Uint8Array): AttachmentType | undefined {
  const known = SIGNATURES.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (known !== undefined) return known[0];
  const text = textOf(bytes);
  return text === undefined || isMarkup(text) ? undefined : 'text/plain';
}

/** @returns the text of UTF-8, or of UTF-16 with its mark; undefined for other bytes */
export function textOf(bytes: Uint8Array): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return isControl.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Escape sequences of terminals are in some logs. */
const isControl = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;

/** Browsers that guess types look at the first 1,445 bytes. */
const GUESSED = 1500;

function isMarkup(text: string): boolean {
  return (
    text.trimStart().startsWith('<') || /<(?:!doctype|html|svg|script|\?xml)/i.test(text.slice(0, GUESSED))
  );
}

/** Maximum characters of a file name. */
const MAX_NAME = 200;

/** @returns the last part of a path, without characters that act on terminals, file systems or headers */
export function attachmentName(text: string): string {
  const last = text.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .trim()
    .replace(/^\.+/, '');
  return [...clean].slice(0, MAX_NAME).join('') || 'file';
}
