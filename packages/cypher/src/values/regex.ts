/**
 * `=~`: the whole text has to match, as Cypher has it. A pattern with an alternative that begins with `^` or ends with `$`
 * is searched for instead: queries of this field that write these anchors rely on that (`docs/cypher.md#regular-expressions`).
 * RE2 needs time linear in the text, whatever the pattern.
 */
import { RE2JS } from 're2js';
import { CypherError } from '../cypherError.ts';

const MAX_LENGTH = 1000;
const KEPT = 100;
const known = new Map<string, (text: string) => boolean>();

/** @throws CypherError for a pattern that is none */
export function compileRegex(pattern: string): (text: string) => boolean {
  const test = known.get(pattern) ?? compiled(pattern);
  if (known.size >= KEPT) known.delete(known.keys().next().value as string);
  known.delete(pattern);
  known.set(pattern, test);
  return test;
}

function compiled(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_LENGTH)
    throw new CypherError('value', `a regular expression may have ${MAX_LENGTH} characters`);
  let expression: ReturnType<typeof RE2JS.compile>;
  try {
    expression = RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    throw new CypherError('value', `the regular expression cannot be used: ${(error as Error).message}`);
  }
  return hasAnchoredAlternative(pattern)
    ? (text) => expression.matcher(text).find()
    : (text) => expression.matcher(text).matches();
}

/** Alternatives at the outermost level; a pattern of one is no alternative, and matches whole as written. */
function hasAnchoredAlternative(pattern: string): boolean {
  const alternatives: string[] = [''];
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') alternatives[alternatives.length - 1] += character + (pattern[++at] ?? '');
    else {
      if (inClass) inClass = character !== ']';
      else if (character === '[') inClass = true;
      else if (character === '(') depth++;
      else if (character === ')') depth--;
      if (character === '|' && depth === 0 && !inClass) alternatives.push('');
      else alternatives[alternatives.length - 1] += character;
    }
  }
  if (alternatives.length === 1) {
    // `(?i)^a|b$`, and one group around all alternatives.
    const inner = /^(?:\(\?[a-z]+\))?\((.*)\)$/s.exec(pattern)?.[1];
    return inner?.includes('|') ? hasAnchoredAlternative(inner) : isAnchored(alternatives[0]);
  }
  return alternatives.some(isAnchored);
}

const isAnchored = (alternative: string): boolean =>
  /^(?:\(\?[a-z]+\))?\^/.test(alternative) || /(?:^|[^\\])(?:\\\\)*\$$/.test(alternative);
