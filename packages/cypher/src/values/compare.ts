/**
 * The three kinds of comparison (openCypher 9, "Comparability, equality, orderability and equivalence"): `=` and
 * `<` propagate null, DISTINCT and grouping treat nulls as equal, ORDER BY is a total order. Each charges the size
 * of what it visits, because a list may contain one list many times, so comparing a small value can take
 * exponential time.
 */
import { type Spends, textSteps } from '../run/budget.ts';
import { TemporalValue } from './temporal/temporalValue.ts';
import type { Value, ValueMap } from './values.ts';
import { exactNumberOf, isList, isMap, NodeValue, numberOf, PathValue, RelationshipValue } from './values.ts';

/** Comparing texts below this length costs almost nothing. */
const SHORT = 256;

/** Computes `a = b`. @returns null if the result depends on null */
export function equals(a: Value, b: Value, budget: Spends): boolean | null {
  if (a === null || b === null) return null;
  if (typeof a === 'string') {
    if (typeof b !== 'string' || a.length !== b.length) return false;
    if (a.length > SHORT) budget.spend(textSteps(a.length));
    return a === b;
  }
  if (typeof a === 'boolean') return a === b;
  const left = exactNumberOf(a);
  // biome-ignore lint/suspicious/noDoubleEquals: between a number and a bigint it is exact, and texts are not numbers here
  if (left !== undefined) return left == (exactNumberOf(b) ?? null);
  if (isList(a)) return isList(b) ? equalLists(a, b, budget) : false;
  if (isMap(a)) return isMap(b) ? equalMaps(a, b, budget) : false;
  return sameSpecial(a, b);
}

function sameSpecial(a: Value, b: Value): boolean {
  if (a instanceof NodeValue) return b instanceof NodeValue && a.node === b.node;
  if (a instanceof RelationshipValue) return b instanceof RelationshipValue && a.edge === b.edge;
  if (a instanceof PathValue)
    return b instanceof PathValue && sameNumbers(a.nodes, b.nodes) && sameNumbers(a.edges, b.edges);
  if (a instanceof TemporalValue) return b instanceof TemporalValue && a.equals(b);
  return false;
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, at) => number === b[at]);

function equalLists(a: readonly Value[], b: readonly Value[], budget: Spends): boolean | null {
  if (a.length !== b.length) return false;
  let result: boolean | null = true;
  for (let at = 0; at < a.length; at++) {
    budget.spend(1);
    const same = equals(a[at], b[at], budget);
    if (same === false) return false;
    if (same === null) result = null;
  }
  return result;
}

function equalMaps(a: ValueMap, b: ValueMap, budget: Spends): boolean | null {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  let result: boolean | null = true;
  for (const key of keys) {
    budget.spend(1);
    if (!Object.hasOwn(b, key)) return false;
    const same = equals(a[key], b[key], budget);
    if (same === false) return false;
    if (same === null) result = null;
  }
  return result;
}

/**
 * Compares for `<`, `>` and similar operators. @returns negative, zero or positive; NaN if one of two numbers is
 * NaN; null if the values cannot be compared
 */
export function compare(a: Value, b: Value, budget: Spends): number | null {
  if (a === null || b === null) return null;
  const left = exactNumberOf(a);
  const right = exactNumberOf(b);
  if (left !== undefined) {
    if (right === undefined) return null;
    return Number.isNaN(left) || Number.isNaN(right)
      ? Number.NaN
      : Number(left > right) - Number(left < right);
  }
  if (typeof a === 'string') {
    if (b instanceof TemporalValue) return compareParsed(a, b);
    if (typeof b !== 'string') return null;
    const length = Math.min(a.length, b.length);
    if (length > SHORT) budget.spend(length >>> 2);
    return compareText(a, b);
  }
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : null;
  if (isList(a)) return isList(b) ? compareLists(a, b, budget) : null;
  if (a instanceof TemporalValue) {
    if (typeof b === 'string') return negated(compareParsed(b, a));
    return b instanceof TemporalValue ? a.compare(b) : null;
  }
  return null;
}

const negated = (order: number | null): number | null => (order === null ? null : -order);

/** Collected times are texts, which are compared by the time that they contain. */
function compareParsed(text: string, other: TemporalValue): number | null {
  const parsed = other.parseLike(text);
  return parsed === undefined ? null : parsed.compare(other);
}

function compareLists(a: readonly Value[], b: readonly Value[], budget: Spends): number | null {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    budget.spend(1);
    const order = compare(a[at], b[at], budget);
    if (order === null || order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares by code point; JavaScript compares UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    const isHigh = left >= 0xd800 && right >= 0xd800;
    return isHigh ? (a.codePointAt(at) as number) - (b.codePointAt(at) as number) : left - right;
  }
  return a.length - b.length;
}

/** Order of types, ascending. */
function rank(value: Value): number {
  if (value === null) return 14;
  if (numberOf(value) !== undefined) return 13;
  if (typeof value === 'boolean') return 12;
  if (typeof value === 'string') return 11;
  if (value instanceof TemporalValue) return 5 + value.rank;
  if (value instanceof PathValue) return 4;
  if (isList(value)) return 3;
  if (value instanceof RelationshipValue) return 2;
  return value instanceof NodeValue ? 1 : 0;
}

/** Total order of ORDER BY, min and max. */
export function order(a: Value, b: Value, budget: Spends): number {
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  const left = exactNumberOf(a);
  if (left !== undefined) return orderNumbers(left, exactNumberOf(b) as number | bigint);
  if (isList(a)) return orderLists(a, b as readonly Value[], budget);
  if (a instanceof NodeValue) return a.node - (b as NodeValue).node;
  if (a instanceof RelationshipValue) return a.edge - (b as RelationshipValue).edge;
  if (a instanceof PathValue) return orderPaths(a, b as PathValue);
  if (isMap(a)) return orderMaps(a, b as ValueMap, budget);
  if (a instanceof TemporalValue) return a.order(b as TemporalValue);
  return compare(a, b, budget) ?? 0;
}

function orderNumbers(a: number | bigint, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return Number(a > b) - Number(a < b);
}

function orderLists(a: readonly Value[], b: readonly Value[], budget: Spends): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    budget.spend(1);
    const difference = order(a[at], b[at], budget);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function orderPaths(a: PathValue, b: PathValue): number {
  for (let at = 0; at < Math.min(a.edges.length, b.edges.length); at++)
    if (a.nodes[at] !== b.nodes[at] || a.edges[at] !== b.edges[at])
      return a.nodes[at] - b.nodes[at] || a.edges[at] - b.edges[at];
  return a.edges.length - b.edges.length || a.nodes[0] - b.nodes[0];
}

function orderMaps(a: ValueMap, b: ValueMap, budget: Spends): number {
  const keys = Object.keys(a).sort(compareText);
  const others = Object.keys(b).sort(compareText);
  const byKeys = orderLists(keys, others, budget);
  if (byKeys !== 0) return byKeys;
  return orderLists(
    keys.map((key) => a[key]),
    keys.map((key) => b[key]),
    budget,
  );
}

/** The key by which DISTINCT, grouping and joins distinguish values: equivalent values have equal keys. */
export function keyOf(value: Value, budget: Spends): string {
  if (typeof value === 'string') {
    if (value.length > SHORT) budget.spend(textSteps(value.length));
    return `s${value.length}:${value}`;
  }
  if (value === null) return '0';
  const number = exactNumberOf(value);
  if (number !== undefined) return `n${keyOfNumber(number)}`;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value instanceof NodeValue) return `N${value.node}`;
  if (value instanceof RelationshipValue) return `R${value.edge}`;
  if (isList(value)) return `[${keysOf(value, budget)}]`;
  if (value instanceof PathValue) return `P${value.nodes.join()};${value.edges.join()}`;
  if (value instanceof TemporalValue) return `T${value.rank}${value.key}`;
  const map = value as ValueMap;
  const keys = Object.keys(map).sort();
  return `{${keysOf(
    keys.flatMap((key) => [key, map[key]]),
    budget,
  )}}`;
}

/** @returns one combined key of several values */
export function keysOf(values: readonly Value[], budget: Spends): string {
  let text = '';
  for (const value of values) {
    budget.spend(1);
    text += `${keyOf(value, budget)},`;
  }
  budget.spend(textSteps(text.length));
  return text;
}

/** Writes doubles beyond 2^53 with all digits, so that they equal the same bigint. */
function keyOfNumber(number: number | bigint): string {
  if (Object.is(number, -0)) return '0';
  const isLarge = typeof number === 'number' && Number.isInteger(number) && !Number.isSafeInteger(number);
  return String(isLarge ? BigInt(number) : number);
}
