/** `x IN [...]` with a list that is the same for each row: looked up by key, and not item by item. */
import type { Spends } from '../run/budget.ts';
import type { Evaluate } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { keyOf } from '../values/compare.ts';
import { OPERATIONS } from '../values/operators.ts';
import { isPlain, type Value } from '../values/values.ts';

/** Up to as many items are compared one by one. */
const MAX_SHORT = 8;

/** @returns nothing for a list that is short, is made for each row, or has items that cannot be compared by key */
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
