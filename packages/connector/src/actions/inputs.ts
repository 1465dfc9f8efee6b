/**
 * Parameters of actions as platforms pass them: lists in several spellings, and events whose placeholders were expanded into
 * text. Order is kept, duplicates are removed.
 */

/** An unreadable parameter; the message is for the analyst. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

const MAX_CHARACTERS = 1024 * 1024;
const MAX_ITEMS = 1_000;

/**
 * Reads names or ids, separated by commas or line breaks, in brackets or quotes, or as a JSON array, which supports names with
 * commas. @param parameter its name, for the message @throws InputError for an empty list or too many items
 */
export function parseItems(text: string | undefined, parameter: string): readonly string[] {
  const trimmed = checked(text, parameter);
  const items = jsonTexts(trimmed) ?? splitItems(withoutBrackets(trimmed));
  return bounded([...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))], parameter);
}

function checked(text: string | undefined, parameter: string): string {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') throw new InputError(`${parameter} is required`);
  if (trimmed.length > MAX_CHARACTERS)
    throw new InputError(`${parameter} is longer than ${MAX_CHARACTERS} characters`);
  return trimmed;
}

function bounded<Item>(items: readonly Item[], parameter: string): readonly Item[] {
  if (items.length === 0) throw new InputError(`${parameter} is required`);
  if (items.length > MAX_ITEMS) throw new InputError(`${parameter} has more than ${MAX_ITEMS} entries`);
  return items;
}

function jsonTexts(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const value = parsed(text);
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const withoutBrackets = (text: string): string => /^\[([\s\S]*)\]$/.exec(text)?.[1] ?? text;

/**
 * A quote opens only at the beginning of an item, and closes only before the next separator, because names may
 * contain apostrophes.
 */
function splitItems(text: string): string[] {
  const items: string[] = [];
  // A quote character without a closing one has none later in the text either.
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const start = at + (/^[\s,]*/.exec(text.slice(at))?.[0].length ?? 0);
    const quote = text[start];
    const isQuote = (quote === '"' || quote === "'") && !unclosed.has(quote);
    const quoted = isQuote ? closingQuote(text, start + 1, quote) : -1;
    if (isQuote && quoted === -1) unclosed.add(quote);
    const end = quoted === -1 ? separatorAfter(text, start) : quoted;
    items.push(text.slice(quoted === -1 ? start : start + 1, end));
    at = separatorAfter(text, end) + 1;
  }
  return items;
}

function separatorAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (/[,\n\r]/.test(text[at] as string)) return at;
  return text.length;
}

function closingQuote(text: string, from: number, quote: string): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    const rest = /^[ \t]*(.?)/s.exec(text.slice(at + 1))?.[1] ?? '';
    if (rest === '' || /[,\n\r]/.test(rest)) return at;
  }
  return -1;
}

export interface NodePair {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads pairs of object ids from details of events: one or several objects with `FromPrincipal` and `ToPrincipal`, with or
 * without brackets and commas around them, or as JSON texts of such objects; or `A -> B`, one per line.
 * @returns the pairs, and the number of objects without one (list findings have no start)
 * @throws InputError if there is no pair
 */
export function parsePairs(
  text: string | undefined,
  parameter: string,
): { readonly pairs: readonly NodePair[]; readonly skipped: number } {
  const pairs = new Map<string, NodePair>();
  let skipped = 0;
  for (const value of valuesIn(checked(text, parameter), true)) {
    const pair = typeof value === 'string' ? arrowPair(value) : eventPair(value);
    if (pair === undefined) skipped++;
    else pairs.set(pairKey(pair), pair);
  }
  if (pairs.size === 0)
    throw new InputError(`${parameter} has no pair of FromPrincipal and ToPrincipal, and none as A -> B`);
  return { pairs: bounded([...pairs.values()], parameter), skipped };
}

export const pairKey = ({ from, to }: NodePair): string => `${from} -> ${to}`;

function arrowPair(line: string): NodePair | undefined {
  const [, from = '', to = ''] = /^\s*(\S.*?)\s*->\s*(\S.*?)\s*,?\s*$/.exec(line) ?? [];
  return from === '' || to === '' ? undefined : { from, to };
}

function eventPair(value: object): NodePair | undefined {
  const { FromPrincipal: from, ToPrincipal: to } = value as Readonly<Record<string, unknown>>;
  const isId = (id: unknown): id is string => typeof id === 'string' && id.trim() !== '';
  return isId(from) && isId(to) ? { from: from.trim(), to: to.trim() } : undefined;
}

/** Objects and lines of a text, in order. @param unwrap whether texts in it are parsed too, one level deep */
function* valuesIn(text: string, unwrap: boolean): Generator<object | string> {
  for (let at = 0; at < text.length; ) {
    const char = text[at] as string;
    if (/[\s,[\]]/.test(char)) {
      at++;
      continue;
    }
    const end = char === '{' ? objectEnd(text, at) : char === '"' ? textEnd(text, at) : lineEnd(text, at);
    const part = text.slice(at, end);
    const value = char === '{' || char === '"' ? parsed(part) : part;
    if (typeof value === 'string' && char === '"' && unwrap) yield* valuesIn(value, false);
    else if (typeof value === 'string' || (typeof value === 'object' && value !== null)) yield value;
    else throw new InputError(`the details of the event cannot be read from character ${at + 1} on`);
    at = end;
  }
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
};

/** Position after the brace that closes the one at `from`; braces in texts do not count. */
function objectEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = textEnd(text, at) - 1;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Position after the quote that closes the one at `from`. */
function textEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
