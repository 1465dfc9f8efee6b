/**
 * Rewrites conditions on all items of a list as `all(...)` and `none(...)`: `NOT any(...)`, `size([x IN l WHERE c]) =
 * 0`, `NOT v IN [x IN l | e]` and others. Each result is true for the same rows as the condition; it may be false
 * where the condition is null.
 */
import type { Expression } from '../syntax/ast.ts';
import { askedBy } from './countTest.ts';
import { isDeterministic, namesIn } from './expressionReads.ts';

export type Quantifier = Extract<Expression, { type: 'quantifier' }>;
type Comprehension = Extract<Expression, { type: 'comprehension' }>;
type Binary = Extract<Expression, { type: 'binary' }>;

/** Variable for the items of a list that has none; no query can use this name. */
const ITEM = ' item';

/** @returns quantifiers that are all true exactly if the condition is true; `undefined` for other conditions */
export function quantifiersOf(expression: Expression): readonly Quantifier[] | undefined {
  switch (expression.type) {
    case 'quantifier':
      return [overItems(expression)];
    case 'not':
      return negated(expression.of);
    case 'binary':
      return expression.operator === 'AND'
        ? bothOf(quantifiersOf(expression.left), quantifiersOf(expression.right))
        : emptyList(expression, false);
    default:
      return undefined;
  }
}

/** @returns quantifiers that are all true exactly if the expression is false */
function negated(of: Expression): readonly Quantifier[] | undefined {
  switch (of.type) {
    case 'quantifier':
      if (of.quantifier === 'any') return [overItems({ ...of, quantifier: 'none' })];
      return of.quantifier === 'none' ? [overItems({ ...of, quantifier: 'any' })] : undefined;
    case 'not':
      return quantifiersOf(of.of);
    case 'binary':
      if (of.operator === 'OR') return bothOf(negated(of.left), negated(of.right));
      return of.operator === 'IN' ? notIn(of) : emptyList(of, true);
    default:
      return undefined;
  }
}

function bothOf(
  a: readonly Quantifier[] | undefined,
  b: readonly Quantifier[] | undefined,
): readonly Quantifier[] | undefined {
  return a === undefined || b === undefined ? undefined : [...a, ...b];
}

/** `NOT v IN list` is true exactly if `item = v` is false for each item. */
function notIn({ left, right, at }: Binary): readonly Quantifier[] | undefined {
  if (!isDeterministic(left)) return undefined;
  const where: Expression = { type: 'binary', at, operator: '=', left: named(ITEM, at), right: left };
  return [overItems({ type: 'quantifier', quantifier: 'none', at, variable: ITEM, list: right, where })];
}

/** Handles `size([x IN l WHERE c]) = 0` and `[x IN l WHERE c] = []`. */
function emptyList(test: Binary, isNegated: boolean): readonly Quantifier[] | undefined {
  const { left, right, operator } = test;
  const asked = askedBy(test, (of) => sized(of) !== undefined);
  let list = sized(left) ?? sized(right);
  if (asked === undefined) {
    if (operator !== '=' || isNegated) return undefined;
    list = isEmptyList(right) ? left : isEmptyList(left) ? right : undefined;
  } else if (asked !== isNegated) return undefined;
  if (list?.type !== 'comprehension' || list.where === undefined || !isSafe(list)) return undefined;
  const { at, variable, list: from, where } = list;
  return [
    overItems({
      ...{ type: 'quantifier', quantifier: 'none', at, variable, list: from },
      where: orFalse(where),
    }),
  ];
}

const sized = (expression: Expression): Expression | undefined =>
  expression.type === 'call' && expression.name === 'size' && expression.args.length === 1
    ? expression.args[0]
    : undefined;

const isEmptyList = (expression: Expression): boolean =>
  expression.type === 'list' && expression.items.length === 0;

/** Whether its result never fails, so it need not be evaluated to count the items. */
function isSafe({ result, variable }: Comprehension): boolean {
  if (result === undefined || result.type === 'literal' || result.type === 'variable') return true;
  return result.type === 'property' && result.of.type === 'variable' && result.of.name === variable;
}

/** Rewrites a quantifier over `[x IN l WHERE c | e]` as one over `l`. */
function overItems(quantifier: Quantifier): Quantifier {
  const { list, variable, where, at } = quantifier;
  if (list.type !== 'comprehension' || (quantifier.quantifier !== 'all' && quantifier.quantifier !== 'none'))
    return quantifier;
  // Inside, the variable of the comprehension would hide an outer one.
  if (list.variable !== variable && namesIn(where).has(list.variable)) return quantifier;
  const isAll = quantifier.quantifier === 'all';
  const item: Expression = {
    ...{ type: 'quantifier', quantifier: isAll ? 'all' : 'any', at, variable, where },
    list: { type: 'list', at, items: [list.result ?? named(list.variable, at)] },
  };
  let test: Expression = item;
  if (list.where !== undefined) {
    const isIncluded = orFalse(list.where);
    const operator = isAll ? 'OR' : 'AND';
    const left: Expression = isAll ? { type: 'not', at, of: isIncluded } : isIncluded;
    test = { type: 'binary', at, operator, left, right: item };
  }
  return overItems({ ...quantifier, variable: list.variable, list: list.list, where: test });
}

const named = (name: string, at: number): Expression => ({ type: 'variable', at, name });

/** A comprehension leaves out items for which its condition is null. */
const orFalse = (condition: Expression): Expression => ({
  ...{ type: 'call', at: condition.at, name: 'coalesce', distinct: false },
  args: [condition, { type: 'literal', at: condition.at, value: false }],
});
