/** Limits answers to a size that a model can read: truncates long texts and lists, and marks the answer as truncated. */
import type { Answer } from './tool.ts';
import { ToolError } from './tool.ts';

/** Maximum number of characters of an answer as JSON. */
export const MAX_ANSWER = 60_000;
const MAX_TEXT = 2_000;

/**
 * @param size maximum number of characters as JSON
 * @returns the answer, with `truncated` if something was cut; all top-level fields stay
 */
export function boundedAnswer(answer: Answer, size = MAX_ANSWER): Answer {
  for (let most = 1_000; most >= 1; most = Math.floor(most / 2)) {
    const cut = { isCut: false };
    const entries = Object.entries(answer).map(([name, each]) => [name, shorten(each, most, cut)]);
    const shown = { ...Object.fromEntries(entries), ...(cut.isCut && { truncated: true }) };
    if (JSON.stringify(shown).length <= size) return shown;
  }
  throw new ToolError('the answer is too large even when it is cut: request less data, with a lower limit');
}

function shorten(value: unknown, most: number, cut: { isCut: boolean }): unknown {
  if (typeof value === 'string') {
    // Shorter lists get shorter texts.
    const length = Math.max(Math.min(MAX_TEXT, most * 20), 200);
    if (value.length <= length) return value;
    cut.isCut = true;
    return `${value.slice(0, length).toWellFormed()}...`;
  }
  if (Array.isArray(value)) {
    if (value.length > most) cut.isCut = true;
    return value.slice(0, most).map((each) => shorten(each, most, cut));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > most * 16) cut.isCut = true;
  return Object.fromEntries(
    entries.slice(0, most * 16).map(([name, each]) => [name, shorten(each, most, cut)]),
  );
}
