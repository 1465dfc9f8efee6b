/** Results of operators. If an operand is null, the result is null, unless stated otherwise. */
import { CypherError } from '../cypherError.ts';
import type { Spends } from '../run/budget.ts';
import type { BinaryOperator } from '../syntax/ast.ts';
import { compare, equals } from './compare.ts';
import { matchesRegex } from './regex.ts';
import { Duration } from './temporal/duration.ts';
import { TemporalInstant } from './temporal/instant.ts';
import { contains, endsWith, expectLength, startsWith } from './texts.ts';
import {
  Float,
  integerOf,
  isAnyInteger,
  isInteger,
  isList,
  numberOf,
  toFloat,
  typeName,
  type Value,
} from './values.ts';

/** Maximum number of items in a list that an operator creates. */
const MAX_ITEMS = 5_000_000;

function joinedLists(left: readonly Value[], right: readonly Value[], budget: Spends): readonly Value[] {
  const length = left.length + right.length;
  if (length > MAX_ITEMS) throw new CypherError('limit', `a list may have at most ${MAX_ITEMS} items`);
  budget.spend(length);
  return left.concat(right);
}

export type Operation = (left: Value, right: Value, budget: Spends) => Value;

export const OPERATIONS: Readonly<Record<Exclude<BinaryOperator, 'AND' | 'OR' | 'XOR'>, Operation>> = {
  '+': add,
  '-': subtract,
  '||': concatenated,
  '*': multiply,
  '/': divide,
  '%': (left, right) => arithmetic('%', left, right),
  '^': (left, right) => {
    if (left === null || right === null) return null;
    const [base, exponent] = [numberOf(left), numberOf(right)];
    if (base === undefined || exponent === undefined) throw misfit('^', left, right);
    return toFloat(base ** exponent);
  },
  '=': equals,
  '<>': (left, right, budget) => {
    const same = equals(left, right, budget);
    return same === null ? null : !same;
  },
  '<': (left, right, budget) => ordered(compare(left, right, budget), (order) => order < 0),
  '<=': (left, right, budget) => ordered(compare(left, right, budget), (order) => order <= 0),
  '>': (left, right, budget) => ordered(compare(left, right, budget), (order) => order > 0),
  '>=': (left, right, budget) => ordered(compare(left, right, budget), (order) => order >= 0),
  IN: isIn,
  'STARTS WITH': (left, right, budget) => texts(left, right, budget, startsWith),
  'ENDS WITH': (left, right, budget) => texts(left, right, budget, endsWith),
  CONTAINS: (left, right, budget) => texts(left, right, budget, contains),
  '=~': (left, right, budget) => texts(left, right, budget, matchesRegex),
};

const ordered = (order: number | null, test: (order: number) => boolean): boolean | null =>
  order === null ? null : test(order);

const texts = (
  left: Value,
  right: Value,
  budget: Spends,
  test: (left: string, right: string, budget: Spends) => boolean,
): boolean | null =>
  typeof left === 'string' && typeof right === 'string' ? test(left, right, budget) : null;

function misfit(operator: string, left: Value, right: Value): CypherError {
  return new CypherError('value', `${operator} does not work on ${typeName(left)} and ${typeName(right)}`);
}

/** @throws CypherError if it exceeds 64 bits */
export function integer(value: bigint): number | bigint {
  const result = integerOf(value);
  if (result === undefined) throw new CypherError('value', 'the result is too large for an integer');
  return result;
}

/** An operator on floats and on integers. */
interface Arithmetic {
  readonly floats: (a: number, b: number) => number;
  readonly integers: (a: bigint, b: bigint) => bigint;
}

const ARITHMETIC = {
  '+': { floats: (a, b) => a + b, integers: (a, b) => a + b },
  '-': { floats: (a, b) => a - b, integers: (a, b) => a - b },
  '*': { floats: (a, b) => a * b || 0, integers: (a, b) => a * b },
  '/': { floats: (a, b) => a / b, integers: (a, b) => a / divisor(b) },
  '%': { floats: (a, b) => a % b, integers: (a, b) => a % divisor(b) },
} as const satisfies Record<string, Arithmetic>;

function divisor(by: bigint): bigint {
  if (by === 0n) throw new CypherError('value', 'division by zero');
  return by;
}

function arithmetic(operator: keyof typeof ARITHMETIC, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  const { floats, integers } = ARITHMETIC[operator];
  if (isAnyInteger(left) && isAnyInteger(right)) {
    // Fast path: most operands are small, and a small result is exact as a double.
    const quick = isInteger(left) && isInteger(right) && operator !== '/' ? floats(left, right) : Number.NaN;
    return Number.isSafeInteger(quick) ? quick || 0 : integer(integers(BigInt(left), BigInt(right)));
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) throw misfit(operator, left, right);
  return toFloat(floats(a, b));
}

function add(left: Value, right: Value, budget: Spends): Value {
  if (isList(left)) return right === null ? null : joinedLists(left, isList(right) ? right : [right], budget);
  if (isList(right)) return left === null ? null : joinedLists([left], right, budget);
  if (left === null || right === null) return null;
  if (typeof left === 'string' || typeof right === 'string') return joined(left, right);
  if (left instanceof Duration && right instanceof Duration) return left.plus(right);
  if (left instanceof TemporalInstant && right instanceof Duration) return left.plus(right);
  if (left instanceof Duration && right instanceof TemporalInstant) return right.plus(left);
  return arithmetic('+', left, right);
}

function concatenated(left: Value, right: Value, budget: Spends): Value {
  if (left === null || right === null) return null;
  if (isList(left) && isList(right)) return joinedLists(left, right, budget);
  if (typeof left === 'string' && typeof right === 'string') return joined(left, right);
  const isCondition = typeof left === 'boolean' || typeof right === 'boolean';
  throw new CypherError(
    'value',
    `|| joins two strings or two lists, not ${typeName(left)} and ${typeName(right)}: ${isCondition ? 'write OR' : 'use toString() or [ ]'}`,
  );
}

function joined(left: NonNullable<Value>, right: NonNullable<Value>): string {
  const text = (value: Value): string => {
    if (typeof value === 'string') return value;
    if (numberOf(value) === undefined && typeof value !== 'boolean') throw misfit('+', left, right);
    return textOf(value);
  };
  const [first, second] = [text(left), text(right)];
  expectLength(first.length + second.length);
  return first + second;
}

/** Outside these bounds, numbers are written with an exponent, as in Neo4j. */
const [MIN_PLAIN, MAX_PLAIN] = [1e-3, 1e7];

/** Converts a value like `toString`. */
export function textOf(value: Value): string {
  if (value instanceof TemporalInstant) return value.withSeconds();
  const number = numberOf(value);
  const size = Math.abs(number ?? 0);
  const isPlain = size < MAX_PLAIN && (size === 0 || size >= MIN_PLAIN);
  if (number === undefined || isPlain || isAnyInteger(value) || !Number.isFinite(number))
    return digitsOf(value);
  const [digits, exponent] = number.toExponential().split('e');
  return `${withPoint(digits)}E${Number(exponent)}`;
}

/** @returns the digits of a number, without an exponent if possible; texts, times and booleans unchanged */
export function digitsOf(value: Value): string {
  const number = numberOf(value);
  if (number === undefined || isAnyInteger(value)) return String(value);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
  const text = Object.is(number, -0) ? '-0' : String(number);
  return text.includes('e') ? text : withPoint(text);
}

const withPoint = (digits: string): string => (digits.includes('.') ? digits : `${digits}.0`);

function subtract(left: Value, right: Value): Value {
  if (right instanceof Duration) {
    if (left instanceof Duration || left instanceof TemporalInstant) return left.plus(right.negated);
  }
  return arithmetic('-', left, right);
}

function multiply(left: Value, right: Value): Value {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (left instanceof Duration && b !== undefined) return left.times(b);
  if (right instanceof Duration && a !== undefined) return right.times(a);
  return arithmetic('*', left, right);
}

function divide(left: Value, right: Value): Value {
  const by = numberOf(right);
  if (left instanceof Duration && by !== undefined) return left.times(1 / by);
  return arithmetic('/', left, right);
}

/** @throws CypherError if the right side is not a list */
function isIn(left: Value, right: Value, budget: Spends): boolean | null {
  if (right === null) return null;
  if (!isList(right)) throw new CypherError('value', `IN needs a list, not ${typeName(right)}`);
  budget.spend(right.length >>> 2);
  let unknown = false;
  for (const item of right) {
    const same = equals(left, item, budget);
    if (same === true) return true;
    if (same === null) unknown = true;
  }
  return unknown ? null : false;
}

/** @param at offset of the operand @throws CypherError if a value is not true, false or null */
export function truth(value: Value, operator: string, at: number): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw new CypherError('value', `${operator} needs true or false, not ${typeName(value)}`, at);
}

/** Evaluates `-value`. @throws CypherError */
export function negative(value: Value): Value {
  if (value === null) return null;
  if (value instanceof Float) return toFloat(-value.value);
  if (isInteger(value)) return -value || 0;
  if (typeof value === 'bigint') return integer(-value);
  if (value instanceof Duration) return value.negated;
  if (typeof value === 'number') return -value;
  throw new CypherError('value', `- does not work on ${typeName(value)}`);
}

/** Evaluates `+value`. @throws CypherError */
export function positive(value: Value): Value {
  if (value === null || numberOf(value) !== undefined || value instanceof Duration) return value;
  throw new CypherError('value', `+ does not work on ${typeName(value)}`);
}
