/** Optimizes `x IN [...]` with a constant list: a hash lookup instead of a comparison with each item. */
import type { Spends } from '../run/budget.ts';
import type { Evaluate } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { keyOf } from '../values/compare.ts';
import { OPERATIONS } from '../values/operators.ts';
import { isPlain, type Value } from '../values/values.ts';

/** Maximum length of lists whose items are compared one by one. */
const MAX_SHORT = 8;

/** @returns `undefined` if the list is short, is not constant, or has items that cannot be compared by key */
export function inConstantList(of: Evaluate, list: Expression, budget: Spends): Evaluate | undefined {
  if (list.type !== 'list' || list.items.length <= MAX_SHORT) return undefined;
  const items: Value[] = [];
  for (const item of list.items) {
    if (item.type !== 'literal') return undefined;
    items.push(item.value);
  }
  const known = new Set(items.filter((item) => item !== null).map((item) => keyOf(item, budget)));
  const otherwise = items.includes(null) ? null : false;
  return (row) => {
    const value = of(row);
    if (value === null) return null;
    if (!isPlain(value)) return OPERATIONS.IN(value, items, budget);
    return known.has(keyOf(value, budget)) || otherwise;
  };
}
