/** Caches the results of conditions that read a single node, if they cost more than a lookup. */
import type { Scope } from '../bind/scope.ts';
import { isDeterministic, namesIn } from '../match/expressionReads.ts';
import type { Budget } from '../run/budget.ts';
import type { Evaluate } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { NodeValue, type Value } from '../values/values.ts';

/** Types of expressions with a value of true, false or null. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'binary',
  'not',
  'isNull',
  'chain',
  'exists',
  'pattern',
  'quantifier',
]);
const LOGICAL: ReadonlySet<string> = new Set([
  ...['AND', 'OR', 'XOR', '=', '<>', '<', '<=', '>', '>=', 'IN'],
  ...['STARTS WITH', 'ENDS WITH', 'CONTAINS', '=~'],
]);
const COSTLY_TYPES: ReadonlySet<string> = new Set(['call', 'exists', 'pattern', 'count', 'quantifier']);
const COSTLY_OPERATORS: ReadonlySet<string> = new Set(['=~', 'CONTAINS', 'ENDS WITH', 'IN']);

/** @returns the slot of the only node that the condition reads; `undefined` for any other condition */
export function slotOfOnlyNode(expression: Expression, scope: Scope): number | undefined {
  if (!CONDITIONS.has(expression.type)) return undefined;
  if (expression.type === 'binary' && !LOGICAL.has(expression.operator)) return undefined;
  if (!isCostly(expression)) return undefined;
  const variables = [...namesIn(expression)].flatMap((name) => scope.find(name) ?? []);
  const [only] = variables;
  if (variables.length !== 1 || (only.type !== 'node' && only.type !== 'value')) return undefined;
  return isDeterministic(expression) ? only.slot : undefined;
}

function isCostly(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(isCostly);
  if (typeof part !== 'object' || part === null) return false;
  const { type, operator } = part as { type?: string; operator?: string };
  if (COSTLY_TYPES.has(type ?? '') || COSTLY_OPERATORS.has(operator ?? '')) return true;
  return Object.values(part).some((value) => typeof value === 'object' && isCostly(value));
}

const [FALSE, TRUE, NULL] = [1, 2, 3];

export function oncePerNode(evaluate: Evaluate, slot: number, nodeCount: number, budget: Budget): Evaluate {
  let known: Uint8Array | undefined;
  return (row) => {
    const of = row[slot];
    if (!(of instanceof NodeValue)) return evaluate(row);
    if (known === undefined) {
      budget.reserve(nodeCount);
      known = new Uint8Array(nodeCount);
    }
    const before = known[of.node];
    if (before !== 0) return before === NULL ? null : before === TRUE;
    const value: Value = evaluate(row);
    if (value === true) known[of.node] = TRUE;
    else if (value === false) known[of.node] = FALSE;
    else if (value === null) known[of.node] = NULL;
    return value;
  };
}
