/**
 * Makes text safe for a terminal, and measures it. Names come from directories whose owners may be hostile: a control sequence in a name
 * could overwrite the screen, so every untrusted text must pass through `printable`.
 */
import { randomInt } from 'node:crypto';
import { escapedJson, replaceUnsafe } from '@clew/model';

/** @returns the text on one line, with unsafe characters and lone surrogates replaced by `\u{FFFD}` */
export function printable(text: string): string {
  return replaceUnsafe(text, () => '\u{fffd}');
}

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Distinguishes the program's styles from those in untrusted text, whose authors cannot know this number. */
const OWN = String(randomInt(1e9, 1e10));
const OWN_STYLE = new RegExp(`\\u001b\\[${OWN};(\\d+)m`);

/** @returns the text between the start and end of a style, by number; only `harmless` converts them for a terminal */
export const styled = (on: number, off: number, text: string): string =>
  `\u001b[${OWN};${on}m${text}\u001b[${OWN};${off}m`;

/** @returns the text with its lines, tabs and own styles; all other unsafe characters are replaced */
export function harmless(text: string): string {
  return text
    .split(OWN_STYLE)
    .map((part, at) =>
      at % 2 === 1
        ? `\u001b[${part}m`
        : replaceUnsafe(part, (one) => (one === '\n' || one === '\t' ? one : '\u{fffd}')),
    )
    .join('');
}

/** @returns JSON and a line break: unsafe characters are escaped, so that programs lose nothing and terminals execute nothing */
export function jsonText(value: unknown, space = 2): string {
  return `${escapedJson(JSON.stringify(value, null, space))}\n`;
}

/** Writes the answer of a command with `--json`. */
export const writeJson = (out: { readonly write: (text: string) => void }, value: unknown): void =>
  out.write(jsonText(value));

/** Wide characters of East Asian scripts and emoji; precise enough to align tables. Rule: Unicode UAX #11, class W. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{Mn}|\p{Me}/u;
const STYLE = /\u001b\[[0-9;]*m/g;

/** @returns the number of columns of the text, without styles */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.replace(STYLE, '')) {
    if (COMBINING.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Cuts unstyled text to a number of columns, with an ellipsis if shortened. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const character of text) {
    const next = widthOf(character);
    if (used + next > width) break;
    cut += character;
    used += next;
  }
  return width < 1 ? '' : `${cut}…`;
}

/** No directory has longer names; a longer one is meant to flood the screen, and would pad every line of its table. */
const MAX_NAME = 1000;

/** @returns the name on one line, safe and of limited length */
export function shownName(text: string): string {
  return cutTo(printable(text), MAX_NAME);
}

export function padTo(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + gap : gap + text;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.5 MB`: at most three digits, powers of 1000. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** `12,673` in any locale. */
export function formatCount(count: number | bigint): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `0.4 s`, `12 s`, `3 min 05 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
