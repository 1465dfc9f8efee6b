/** Texts in answers that may name an object: whole values, and ids and names within longer texts. */

interface Form {
  /** A part of every text of this form: most texts need no search. */
  readonly mark: string;
  readonly pattern: RegExp;
}

/** Object ids of directories and tenants, with the parts that services append, and names with a domain. */
const FORMS: readonly Form[] = [
  { mark: 'S-1-', pattern: /(?:[A-Z0-9.-]{1,64}-)?S-1-\d{1,3}(?:-\d{1,15}){1,15}/gi },
  { mark: '-', pattern: /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}(?:@[0-9A-F-]{36})?/gi },
  { mark: '@', pattern: /[^\s"'<>|,;:()[\]{}\\/@]{1,64}@[A-Z0-9-]{1,60}(?:\.[A-Z0-9-]{1,60}){1,8}/gi },
];
const MAX_VALUE_LENGTH = 300;
const MIN_VALUE_LENGTH = 3;

/** @param text of an answer: JSON, or lines of another format */
export function* shownTexts(text: string): Generator<string> {
  const json = parsed(text);
  if (json === undefined) {
    for (const cell of text.split(/[\r\n,;"|]+/)) yield* textsOf(cell.trim());
    return;
  }
  yield* within(json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* within(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* textsOf(value);
  else if (Array.isArray(value)) for (const one of value) yield* within(one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      yield* textsOf(key);
      yield* key.toLowerCase() === SID_HISTORY ? within(withoutIds(one)) : within(one);
    }
}

/** The earlier ids of an object belong to it, also those of another domain. Rule: `docs/cypher.md#the-graph`. */
const SID_HISTORY = 'sidhistory';
const SID = /^S-1-\d{1,3}(?:-\d{1,15}){1,15}$/i;

const withoutIds = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((one) => typeof one !== 'string' || !SID.test(one)) : value;

function* textsOf(text: string): Generator<string> {
  if (text.length < MIN_VALUE_LENGTH) return;
  if (text.length <= MAX_VALUE_LENGTH) yield text;
  const upper = text.toUpperCase();
  for (const { mark, pattern } of FORMS) {
    if (!upper.includes(mark)) continue;
    for (const [named] of text.matchAll(pattern)) if (named !== text) yield named;
  }
}
