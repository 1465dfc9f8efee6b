/**
 * `=~`: the whole text must match, as in openCypher. As an exception, a pattern of words only, and one with an
 * alternative that begins with `^` or ends with `$`, may match anywhere, because queries of BloodHound users rely
 * on that (`docs/cypher.md#regular-expressions`). RE2 takes time proportional to text length times pattern size;
 * that product is limited, and charged to the budget.
 */
import { RE2JS } from 're2js';
import { CypherError } from '../cypherError.ts';
import type { Spends } from '../run/budget.ts';
import { plainTest } from './plainWords.ts';

const MAX_LENGTH = 1000;
/** Maximum number of instructions of a pattern, with repetitions expanded. */
const MAX_SIZE = 10_000;
/** Maximum product of characters and instructions, at about 25 ns each: a running match cannot be interrupted. */
const MAX_WORK = 10_000_000;
/** Number of instructions that cost as much as one step. */
const WORK_OF_STEP = 4;
/** Cost in steps of compiling a pattern, in addition to one step per instruction. */
const COMPILE_STEPS = 10_000;
const MAX_KEPT = 100;

interface Pattern {
  readonly size: number;
  readonly test: (text: string) => boolean;
}

const known = new Map<string, Pattern>();

/** @throws CypherError for an invalid pattern, or one that is too large for the text */
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
    throw new CypherError('value', `a regular expression may have at most ${MAX_LENGTH} characters`);
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
      `the regular expression has ${size} steps, with its repetitions expanded: ${MAX_SIZE} is the limit`,
    );
  const isPart = isSearched(pattern);
  const byRe2 = isPart
    ? (text: string) => expression.matcher(text).find()
    : (text: string) => expression.matcher(text).matches();
  const test = plainTest(pattern, isPart, byRe2) ?? byRe2;
  return { size, test };
}

/** Whether a match of only a part of the text suffices. */
const isSearched = (pattern: string): boolean => ONLY_WORDS.test(pattern) || hasAnchoredAlternative(pattern);

/** Letters of any script, digits, `_`, `-`, `@`, spaces, alternatives and groups, optionally after `(?i)`. */
const ONLY_WORDS = /^(?:\(\?i\))?[\p{L}\p{M}\p{Nd}_@ |()-]+$/u;

/**
 * Whether one of several top-level alternatives is anchored. A pattern with a single alternative must match the
 * whole text.
 */
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
    // Handles `(?i)^a|b$`, and one group around all alternatives.
    const inner = /^(?:\(\?[a-z]+\))?\((.*)\)$/s.exec(pattern)?.[1];
    return inner?.includes('|') ? hasAnchoredAlternative(inner) : isAnchored(alternatives[0]);
  }
  return alternatives.some(isAnchored);
}

const isAnchored = (alternative: string): boolean =>
  /^(?:\(\?[a-z]+\))?\^/.test(alternative) || /(?:^|[^\\])(?:\\\\)*\$$/.test(alternative);
