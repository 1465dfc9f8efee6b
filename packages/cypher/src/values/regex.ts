/**
 * `=~`: the whole text has to match, as Cypher has it. A pattern that is nothing but words, and one with an alternative that
 * begins with `^` or ends with `$`, is searched for instead: queries of this field that write them rely on that
 * (`docs/cypher.md#regular-expressions`).
 * RE2 needs time in proportion to text times pattern, whatever they are; that product has a bound here, and is spent.
 */
import { RE2JS } from 're2js';
import { CypherError } from '../cypherError.ts';
import type { Spends } from '../run/budget.ts';
import { plainTest } from './plainWords.ts';

const MAX_LENGTH = 1000;
/** Instructions of a pattern, repetitions written out. */
const MAX_SIZE = 10_000;
/** Characters times instructions: some 25 ns each, and nothing ends a match that is under way. */
const MAX_WORK = 10_000_000;
/** Instructions that take as long as one step. */
const WORK_OF_STEP = 4;
/** Compiling takes as long as that many steps, and one for each instruction. */
const COMPILE_STEPS = 10_000;
const MAX_KEPT = 100;

interface Pattern {
  readonly size: number;
  readonly test: (text: string) => boolean;
}

const known = new Map<string, Pattern>();

/** @throws CypherError for an invalid pattern, and for one that is too large for the text */
export function matchesRegex(text: string, pattern: string, budget: Spends): boolean {
  const { size, test } = patternOf(pattern, budget);
  const work = (text.length + 1) * size;
  if (work > MAX_WORK)
    throw new CypherError(
      'limit',
      `a regular expression of ${size} steps is not tested on a text of ${text.length} characters: make one of them shorter`,
    );
  budget.spend(Math.ceil(work / WORK_OF_STEP));
  return test(text);
}

function patternOf(text: string, budget: Spends): Pattern {
  let pattern = known.get(text);
  if (pattern === undefined) {
    budget.spend(COMPILE_STEPS);
    pattern = compiled(text);
    budget.spend(pattern.size);
    if (known.size >= MAX_KEPT) known.delete(known.keys().next().value as string);
  } else known.delete(text);
  known.set(text, pattern);
  return pattern;
}

function compiled(pattern: string): Pattern {
  if (pattern.length > MAX_LENGTH)
    throw new CypherError('value', `a regular expression may have ${MAX_LENGTH} characters`);
  let expression: ReturnType<typeof RE2JS.compile>;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    throw new CypherError('value', `the regular expression cannot be used: ${(error as Error).message}`);
  }
  const size = expression.programSize();
  if (size > MAX_SIZE)
    throw new CypherError(
      'limit',
      `the regular expression has ${size} steps, with its repetitions written out: ${MAX_SIZE} are the most`,
    );
  const isPart = isSearched(pattern);
  const byRe2 = isPart
    ? (text: string) => expression.matcher(text).find()
    : (text: string) => expression.matcher(text).matches();
  const test = plainTest(pattern, isPart, byRe2) ?? byRe2;
  return { size, test };
}

/** Whether a text matches that only contains the pattern. */
const isSearched = (pattern: string): boolean => ONLY_WORDS.test(pattern) || hasAnchoredAlternative(pattern);

/** Letters of any script, digits, `_`, `-`, `@`, blanks, alternatives and groups, behind `(?i)` or not. */
const ONLY_WORDS = /^(?:\(\?i\))?[\p{L}\p{M}\p{Nd}_@ |()-]+$/u;

/** Alternatives at the outermost level; a single one does not count, and matches whole as written. */
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
