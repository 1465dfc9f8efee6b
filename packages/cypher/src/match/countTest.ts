/** Recognizes comparisons of a count with a number that test whether there is anything to count. */
import type { BinaryOperator, Expression } from '../syntax/ast.ts';

/** Comparisons that test whether there is anything (true), or nothing (false). */
const ASKED: Readonly<Record<string, boolean>> = {
  ...{ '> 0': true, '>= 1': true, '<> 0': true },
  ...{ '= 0': false, '< 1': false, '<= 0': false },
};

/** Operators with their sides exchanged. */
const TURNED: Partial<Record<BinaryOperator, BinaryOperator>> = {
  ...{ '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '<>': '<>' },
};

/**
 * @returns true if the comparison is true exactly if the count is not 0, false if it is true exactly if the count is
 * 0, and `undefined` for another comparison
 */
export function askedBy(
  { left, right, operator }: Extract<Expression, { type: 'binary' }>,
  isCount: (of: Expression) => boolean,
): boolean | undefined {
  if (isCount(left)) return ASKED[`${operator} ${numberIn(right)}`];
  return isCount(right) ? ASKED[`${TURNED[operator]} ${numberIn(left)}`] : undefined;
}

const numberIn = (expression: Expression): string | undefined =>
  expression.type === 'literal' &&
  (typeof expression.value === 'number' || typeof expression.value === 'bigint')
    ? String(expression.value)
    : undefined;
