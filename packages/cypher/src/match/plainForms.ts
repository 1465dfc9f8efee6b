/**
 * Normalizes conditions, so equivalent queries have the same cost. Alternatives for one value become a list, and
 * labels and types that a condition requires become part of the pattern.
 */
import type { Expression } from '../syntax/ast.ts';
import { isDeterministic, namesIn, textWithoutPlaces } from './expressionReads.ts';

/** Suffix of shortcuts that represent many types. */
const SHORTCUT = '_ATTACK_PATHS';

/** Rewrites `n.key = 1 OR n.key = 2 OR n.key IN [3]` to `n.key IN [1, 2, 3]`; other expressions are unchanged. */
export function withListOfAlternatives(expression: Expression): Expression {
  const parts = alternativesOf(expression);
  if (parts.length < 2) return expression;
  let subject: Expression | undefined;
  const items: Expression[] = [];
  for (const part of parts) {
    const wanted = wantedOf(part);
    if (wanted === undefined) return expression;
    subject ??= wanted.subject;
    if (!isSame(subject, wanted.subject)) return expression;
    items.push(...wanted.values);
  }
  if (subject === undefined) return expression;
  const { at, span } = expression;
  return {
    ...{ type: 'binary', at, operator: 'IN', left: subject, right: { type: 'list', at, items } },
    ...(span && { span }),
  };
}

/**
 * Handles `n:User`, `n:User OR n:Group` and `'User' IN labels(n)`. @returns the alternative labels; `undefined`
 * for any other condition
 */
export function labelsIn(
  expression: Expression,
): { readonly name: string; readonly labels: readonly string[] } | undefined {
  if (expression.type === 'binary' && expression.operator === 'IN') {
    const { left, right } = expression;
    const name = argumentOf(right, 'labels');
    const isLabel = left.type === 'literal' && typeof left.value === 'string';
    return name === undefined || !isLabel ? undefined : { name, labels: [left.value as string] };
  }
  const parts = alternativesOf(expression);
  const labels: string[] = [];
  let name: string | undefined;
  for (const part of parts) {
    if (part.type !== 'labels' || part.names.length !== 1 || part.of.type !== 'variable') return undefined;
    name ??= part.of.name;
    if (part.of.name !== name) return undefined;
    labels.push(...part.names);
  }
  return name === undefined ? undefined : { name, labels };
}

/**
 * Handles `type(r) = 'MemberOf'`, `type(r) IN ['MemberOf', 'Owns']` and `r:MemberOf`. @returns the alternative
 * types; `undefined` for any other condition
 */
export function typesIn(
  expression: Expression,
): { readonly name: string; readonly types: readonly string[] } | undefined {
  const labels = labelsIn(expression);
  if (labels !== undefined) return { name: labels.name, types: labels.labels };
  const wanted = wantedOf(expression);
  if (wanted === undefined) return undefined;
  const name = argumentOf(wanted.subject, 'type');
  const types = wanted.values.map((value) => (value.type === 'literal' ? value.value : undefined));
  const areTypes = types.every((type): type is string => typeof type === 'string');
  if (name === undefined || !areTypes || types.length === 0) return undefined;
  return types.some((type) => type.endsWith(SHORTCUT)) ? undefined : { name, types };
}

/** @returns the intersection of both; `undefined` if a pattern cannot express it */
export function typesOfBoth(
  pattern: readonly string[],
  more: readonly string[],
): readonly string[] | undefined {
  if (pattern.length === 0) return more;
  if (pattern.some((type) => type.endsWith(SHORTCUT))) return undefined;
  const both = pattern.filter((type) => more.includes(type));
  return both.length === 0 ? undefined : both;
}

/** Splits `a OR b OR c` into its parts. */
function alternativesOf(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  const open = [expression];
  for (let part = open.pop(); part !== undefined; part = open.pop())
    if (part.type === 'binary' && part.operator === 'OR') open.push(part.right, part.left);
    else parts.push(part);
  return parts;
}

/** Handles `x = 1`, `1 = x` and `x IN [1, 2]`, if the values read no variables. */
function wantedOf(
  expression: Expression,
): { readonly subject: Expression; readonly values: readonly Expression[] } | undefined {
  if (expression.type !== 'binary') return undefined;
  const { operator, left, right } = expression;
  if (operator === 'IN')
    return right.type === 'list' && right.items.every(isValue) && !isValue(left)
      ? { subject: left, values: right.items }
      : undefined;
  if (operator !== '=') return undefined;
  if (isValue(right) && !isValue(left)) return { subject: left, values: [right] };
  return isValue(left) && !isValue(right) ? { subject: right, values: [left] } : undefined;
}

const isValue = (expression: Expression): boolean =>
  expression.type === 'literal' || (namesIn(expression).size === 0 && isDeterministic(expression));

/** @returns the variable name that is the argument of the function */
function argumentOf(expression: Expression, of: string): string | undefined {
  if (expression.type !== 'call' || expression.name !== of || expression.args.length !== 1) return undefined;
  const [argument] = expression.args;
  return argument.type === 'variable' ? argument.name : undefined;
}

/** Whether both have the same text, and the same value for the same row. */
const isSame = (a: Expression, b: Expression): boolean =>
  isSameProperty(a, b) || (isDeterministic(a) && textWithoutPlaces(a) === textWithoutPlaces(b));

/** Whether both read the same property of the same variable: the most common case. */
const isSameProperty = (a: Expression, b: Expression): boolean =>
  a.type === 'property' &&
  b.type === 'property' &&
  a.key === b.key &&
  a.of.type === 'variable' &&
  b.of.type === 'variable' &&
  a.of.name === b.of.name;
