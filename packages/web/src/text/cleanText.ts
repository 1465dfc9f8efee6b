/**
 * Names come from directories to which others can write. They are shown as text; invisible characters and those that reverse text
 * are shown as their code, so that one name cannot imitate another.
 */

import { isMasked, maskedText, maskedValue } from './masking.ts';

/** Control characters, zero-width characters, and characters that change the direction of text. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** A zero-width joiner between emoji is not a disguise. */
const JOINS_EMOJI =
  /(?<=\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})/gu;
const KEPT_JOINER = '\ue000';

const MAX_SHOWN_LENGTH = 300;

/** @returns one line with all characters visible, masked while names are masked */
export function cleanText(text: string): string {
  const visible = visibleText(text);
  return isMasked() ? maskedText(visible) : visible;
}

/** @returns one line with all characters visible and unmasked names: for sent values, not for display */
export function visibleText(text: string): string {
  const kept = text.replaceAll(KEPT_JOINER, '').replace(JOINS_EMOJI, KEPT_JOINER);
  return kept
    .replace(
      INVISIBLE,
      (one) => `\u2039${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}\u203a`,
    )
    .replaceAll(KEPT_JOINER, '\u200d');
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** @returns the beginning of a long text, with an ellipsis */
export function shortText(text: string, longest = MAX_SHOWN_LENGTH): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  // A lone surrogate is not a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}\u2026`;
}

/** @returns a sentence that quotes these values of the directory as JSON; their texts are hidden while names are masked */
export function quotingText(text: string, values: readonly string[]): string {
  const hidden = isMasked() ? values.filter((value) => /["[{]/.test(value)) : [];
  return cleanText(hidden.reduce((shown, value) => shown.replaceAll(value, () => 'masked'), text));
}

/** A value of the directory as one line, masked while names are masked. */
export const shownValue = (value: unknown): string =>
  isMasked() ? valueText(maskedValue(value)) : cleanText(valueText(value));

/** A property of an object as one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
