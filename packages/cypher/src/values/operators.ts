/** What operators make of values. Null in, null out, unless said otherwise. */
import { CypherError } from '../cypherError.ts';
import type { BinaryOperator } from '../syntax/ast.ts';
import { compare, equals } from './compare.ts';
import { compileRegex } from './regex.ts';
import { Duration } from './temporal/duration.ts';
import { TemporalInstant } from './temporal/instant.ts';
import { floatOf, isInteger, isList, numberOf, typeName, type Value } from './values.ts';

/** Characters of a text, and items of a list, that an operator makes. */
const MAX_TEXT = 10_000_000;
const MAX_ITEMS = 5_000_000;

/** @throws CypherError for a text that is too long */
export function boundedLength(length: number): void {
  if (length > MAX_TEXT) throw new CypherError('limit', `a text may have ${MAX_TEXT} characters`);
}

export function boundedText(text: string): string {
  boundedLength(text.length);
  return text;
}

function boundedList(...lists: (readonly Value[])[]): readonly Value[] {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  if (length > MAX_ITEMS) throw new CypherError('limit', `a list may have ${MAX_ITEMS} items`);
  return lists.flat() as readonly Value[];
}

export type Operation = (left: Value, right: Value) => Value;

export const OPERATIONS: Readonly<Record<Exclude<BinaryOperator, 'AND' | 'OR' | 'XOR'>, Operation>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': (left, right) => arithmetic('%', left, right, modulo),
  '^': (left, right) => {
    if (left === null || right === null) return null;
    const [base, exponent] = [numberOf(left), numberOf(right)];
    if (base === undefined || exponent === undefined) throw misfit('^', left, right);
    return floatOf(base ** exponent);
  },
  '=': equals,
  '<>': (left, right) => {
    const same = equals(left, right);
    return same === null ? null : !same;
  },
  '<': (left, right) => ordered(compare(left, right), (order) => order < 0),
  '<=': (left, right) => ordered(compare(left, right), (order) => order <= 0),
  '>': (left, right) => ordered(compare(left, right), (order) => order > 0),
  '>=': (left, right) => ordered(compare(left, right), (order) => order >= 0),
  IN: isIn,
  'STARTS WITH': (left, right) => texts(left, right, (text, part) => text.startsWith(part)),
  'ENDS WITH': (left, right) => texts(left, right, (text, part) => text.endsWith(part)),
  CONTAINS: (left, right) => texts(left, right, (text, part) => text.includes(part)),
  '=~': (left, right) => texts(left, right, (text, pattern) => compileRegex(pattern)(text)),
};

const ordered = (order: number | null, test: (order: number) => boolean): boolean | null =>
  order === null ? null : test(order);

const texts = (left: Value, right: Value, test: (left: string, right: string) => boolean): boolean | null =>
  typeof left === 'string' && typeof right === 'string' ? test(left, right) : null;

function misfit(operator: string, left: Value, right: Value): CypherError {
  return new CypherError('value', `${operator} does not work on ${typeName(left)} and ${typeName(right)}`);
}

/** @throws CypherError beyond what numbers hold exactly */
function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new CypherError('value', 'the result is too large for an integer');
  return value;
}

function arithmetic(
  operator: string,
  left: Value,
  right: Value,
  work: (a: number, b: number, integers: boolean) => number,
): Value {
  if (left === null || right === null) return null;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) throw misfit(operator, left, right);
  const integers = isInteger(left) && isInteger(right);
  const result = work(a, b, integers);
  return integers ? integer(result) : floatOf(result);
}

function modulo(a: number, b: number, integers: boolean): number {
  if (integers && b === 0) throw new CypherError('value', 'division by zero');
  return integers ? a % b || 0 : a % b;
}

function add(left: Value, right: Value): Value {
  if (isList(left)) return right === null ? null : boundedList(left, isList(right) ? right : [right]);
  if (isList(right)) return left === null ? null : boundedList([left], right);
  if (left === null || right === null) return null;
  if (typeof left === 'string' || typeof right === 'string') return joined(left, right);
  if (left instanceof Duration && right instanceof Duration) return left.plus(right);
  if (left instanceof TemporalInstant && right instanceof Duration) return left.plus(right);
  if (left instanceof Duration && right instanceof TemporalInstant) return right.plus(left);
  return arithmetic('+', left, right, (a, b) => a + b);
}

function joined(left: NonNullable<Value>, right: NonNullable<Value>): string {
  const text = (value: Value): string => {
    if (typeof value === 'string') return value;
    if (numberOf(value) === undefined && typeof value !== 'boolean') throw misfit('+', left, right);
    return textOf(value);
  };
  const [first, second] = [text(left), text(right)];
  boundedLength(first.length + second.length);
  return first + second;
}

/** As `toString` has it. */
export function textOf(value: Value): string {
  const number = numberOf(value);
  if (number === undefined) return String(value);
  if (isInteger(value)) return String(number);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
  const text = Object.is(number, -0) ? '-0' : String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function subtract(left: Value, right: Value): Value {
  if (right instanceof Duration) {
    if (left instanceof Duration || left instanceof TemporalInstant) return left.plus(right.negated);
  }
  return arithmetic('-', left, right, (a, b) => a - b);
}

function multiply(left: Value, right: Value): Value {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (left instanceof Duration && b !== undefined) return left.times(b);
  if (right instanceof Duration && a !== undefined) return right.times(a);
  return arithmetic('*', left, right, (x, y) => x * y || 0);
}

function divide(left: Value, right: Value): Value {
  const by = numberOf(right);
  if (left instanceof Duration && by !== undefined) return left.times(1 / by);
  return arithmetic('/', left, right, (a, b, integers) => {
    if (!integers) return a / b;
    if (b === 0) throw new CypherError('value', 'division by zero');
    return Math.trunc(a / b) || 0;
  });
}

/** @throws CypherError where the right side is no list */
function isIn(left: Value, right: Value): boolean | null {
  if (right === null) return null;
  if (!isList(right)) throw new CypherError('value', `IN needs a list, not ${typeName(right)}`);
  let unknown = false;
  for (const item of right) {
    const same = equals(left, item);
    if (same === true) return true;
    if (same === null) unknown = true;
  }
  return unknown ? null : false;
}

/** @throws CypherError where a value is neither true, false nor null */
export function truth(value: Value, operator: string): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw new CypherError('value', `${operator} needs true or false, not ${typeName(value)}`);
}
