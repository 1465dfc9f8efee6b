/**
 * Describes why a text is not JSON, with the line and the column. The messages of `JSON.parse` have them only for some faults, and
 * quote the text for others.
 */

const PLACE = /\(line \d+ column \d+\)$/;
const UNEXPECTED = /^Unexpected token '.'/s;

/** Numbers and words, as far as they can be part of JSON. */
const PLAIN_VALUE = /-?\d[\d.eE+-]*|true|false|null/y;

/** @param error error that parsing this text threw */
export function jsonFault(text: string, error: unknown): string {
  const { message } = error as Error;
  if (PLACE.test(message)) return message;
  const at = unexpectedAt(text);
  const [reason] = UNEXPECTED.exec(message) ?? ['Unexpected end'];
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - before.lastIndexOf('\n');
  return `${reason} in JSON at position ${at} (line ${line} column ${column})`;
}

/** @returns the position of the first token that no value can begin with; without one, the end of the text */
function unexpectedAt(text: string): number {
  /** The token before: a bracket, comma or colon; empty at the beginning and after a value. */
  let before = ',';
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (/\s/.test(character)) at++;
    else if (character === '"') {
      at = endOfText(text, at + 1);
      before = '';
    } else if (character === '{' || character === '[') {
      before = character;
      at++;
    } else if (/[\]},:]/.test(character)) {
      const isEmptyList = before === '[' && character === ']';
      const isEmptyObject = before === '{' && character === '}';
      if (before !== '' && !isEmptyList && !isEmptyObject) return at;
      before = character === ',' || character === ':' ? character : '';
      at++;
    } else {
      PLAIN_VALUE.lastIndex = at;
      if (!PLAIN_VALUE.test(text)) return at;
      at = PLAIN_VALUE.lastIndex;
      before = '';
    }
  }
  return text.length;
}

function endOfText(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
