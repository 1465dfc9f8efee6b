/**
 * Text functions for queries. Each takes time proportional to its input and charges it beforehand, so the budget
 * is enforced for texts of any length.
 */
import { CypherError } from '../cypherError.ts';
import { type Spends, textSteps } from '../run/budget.ts';

/** Maximum number of characters of a text that a query creates. */
const MAX_TEXT = 10_000_000;
/** Maximum number of parts of a split text. */
const MAX_PARTS = 5_000_000;
/**
 * Up to this length, the built-in search takes roughly linear time; for longer patterns, it may take the product
 * of both lengths.
 */
const SHORT_PART = 64;
/** Number of characters to reverse at a time. */
const CHUNK = 65_536;
const NONE = -1;
const SURROGATE = /[\ud800-\udfff]/;

/** @throws CypherError if the text would be too long */
export function expectLength(length: number): void {
  if (length > MAX_TEXT) throw new CypherError('limit', `a text may have at most ${MAX_TEXT} characters`);
}

export function contains(text: string, part: string, budget: Spends): boolean {
  if (part.length > text.length) return false;
  return finderOf(text, part, budget)(0) !== NONE;
}

export function startsWith(text: string, part: string, budget: Spends): boolean {
  budget.spend(textSteps(Math.min(text.length, part.length)));
  return text.startsWith(part);
}

export function endsWith(text: string, part: string, budget: Spends): boolean {
  budget.spend(textSteps(Math.min(text.length, part.length)));
  return text.endsWith(part);
}

/** @throws CypherError if there are more parts than a list may have */
export function split(text: string, by: string, budget: Spends): string[] {
  budget.spend(text.length);
  if (by === '') {
    expectParts(text.length);
    return text.split('');
  }
  const find = finderOf(text, by, budget);
  const parts: string[] = [];
  let from = 0;
  for (let at = find(0); at !== NONE; at = find(from)) {
    parts.push(text.slice(from, at));
    expectParts(parts.length);
    budget.spend(1);
    from = at + by.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function expectParts(count: number): void {
  if (count > MAX_PARTS) throw new CypherError('limit', `a list may have at most ${MAX_PARTS} items`);
}

/** @throws CypherError before the text exceeds the limit */
export function replace(text: string, from: string, to: string, budget: Spends): string {
  const parts = split(text, from, budget);
  const length = text.length + (parts.length - 1) * (to.length - from.length);
  expectLength(length);
  budget.spend(textSteps(length));
  return parts.join(to);
}

/** @returns the number of code points; JavaScript counts UTF-16 units */
export function lengthOf(text: string, budget: Spends): number {
  budget.spend(textSteps(text.length));
  if (!SURROGATE.test(text)) return text.length;
  budget.spend(text.length);
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** @param from, to as for `slice`, in code points */
export function slice(text: string, from: number, to: number | undefined, budget: Spends): string {
  budget.spend(textSteps(text.length));
  if (!SURROGATE.test(text)) return text.slice(from, to);
  budget.spend(text.length);
  return Array.from(text).slice(from, to).join('');
}

export function reversed(text: string, budget: Spends): string {
  budget.spend(text.length);
  const parts: string[] = [];
  for (let end = text.length; end > 0; ) {
    let start = Math.max(0, end - CHUNK);
    // Keeps both halves of a surrogate pair together.
    if (start > 0 && isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1)))
      start--;
    parts.push(Array.from(text.slice(start, end)).reverse().join(''));
    end = start;
  }
  return parts.join('');
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** @returns a function that finds the next occurrence of a pattern */
function finderOf(text: string, part: string, budget: Spends): (from: number) => number {
  if (part.length <= SHORT_PART) {
    budget.spend(textSteps(text.length));
    return (from) => text.indexOf(part, from);
  }
  budget.spend(text.length + part.length);
  return longFinder(text, part);
}

/** Knuth-Morris-Pratt search, which never moves backward in the text. */
function longFinder(text: string, part: string): (from: number) => number {
  /** For each prefix of the pattern, the length of its longest proper prefix that is also a suffix. */
  const shorter = new Int32Array(part.length + 1);
  for (let at = 1, matched = 0; at < part.length; at++) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) matched = shorter[matched];
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched++;
    shorter[at + 1] = matched;
  }
  return (from) => {
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched)) matched = shorter[matched];
      if (text.charCodeAt(at) === part.charCodeAt(matched)) matched++;
      if (matched === part.length) return at - part.length + 1;
    }
    return NONE;
  };
}
