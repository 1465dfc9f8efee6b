/** Finds the source ranges of the patterns of a MATCH. */
import type { Clause } from '../syntax/ast.ts';
import type { Token } from '../syntax/tokens.ts';

export type Match = Extract<Clause, { type: 'match' }>;

/** Offsets in the query: the first character, and the one after the last. */
export type Range = readonly [start: number, end: number];

export const isSymbol = ({ kind, text }: Token, symbols: string): boolean =>
  kind === 'symbol' && symbols.includes(text);

/**
 * Patterns are between MATCH, commas outside of parentheses, and WHERE or the end of the last pattern.
 * @param tokens all tokens of the query
 */
export function patternRanges(match: Match, tokens: readonly Token[]): Range[] {
  const first = tokens.findIndex(({ start }) => start === match.at);
  const ranges: Range[] = [];
  const condition = match.where?.span;
  let [begin, depth, at] = [first + 1, 0, first + 1];
  for (; ; at++) {
    const token = tokens[at];
    if (isSymbol(token, '([{')) depth++;
    if (isSymbol(token, ')]}')) depth--;
    const isLast = ranges.length === match.patterns.length - 1;
    const isOver =
      isLast && (condition === undefined ? isEndOf(tokens, at, depth) : token.end > condition[0]);
    if (!isOver && !(depth === 0 && isSymbol(token, ',') && !isLast)) continue;
    // WHERE precedes a condition.
    const after = !isOver ? at - 1 : condition === undefined ? at : at - 2;
    ranges.push([tokens[begin].start, tokens[after].end]);
    begin = at + 1;
    if (isOver) return ranges;
  }
}

/** A pattern ends with a closing parenthesis or the bounds of a group, if the next token does not continue it. */
function isEndOf(tokens: readonly Token[], at: number, depth: number): boolean {
  if (depth !== 0 || !isSymbol(tokens[at], ')}+*')) return false;
  const next = tokens[at + 1];
  return next.kind !== 'symbol' || !'-<{+*('.includes(next.text);
}
