/** Aggregate functions. They ignore null. */
import { CypherError } from '../cypherError.ts';
import type { Budget } from '../run/budget.ts';
import { keyOf, order } from '../values/compare.ts';
import { misfit } from '../values/cypherFunction.ts';
import { OPERATIONS } from '../values/operators.ts';
import { Duration } from '../values/temporal/duration.ts';
import { exactNumberOf, isAnyInteger, NodeValue, numberOf, toFloat, type Value } from '../values/values.ts';
import { NumberSet } from './numberSet.ts';

export interface Accumulator {
  add(value: Value): void;
  readonly result: Value;
}

/** @param extra the second argument of percentile functions */
type Make = (budget: Budget, extra: Value) => Accumulator;

export const AGGREGATES: Readonly<Record<string, { readonly args: 1 | 2; readonly make: Make }>> = {
  count: { args: 1, make: () => new Count() },
  collect: { args: 1, make: (budget) => new Collect(budget) },
  sum: { args: 1, make: (budget) => new Sum(budget) },
  avg: { args: 1, make: (budget) => new Average(budget) },
  min: { args: 1, make: (budget) => new Extreme(-1, budget) },
  max: { args: 1, make: (budget) => new Extreme(1, budget) },
  stdev: { args: 1, make: (budget) => new Deviation('stDev', budget, 1) },
  stdevp: { args: 1, make: (budget) => new Deviation('stDevP', budget, 0) },
  percentilecont: { args: 2, make: (budget, extra) => new Percentile('percentileCont', budget, extra, true) },
  percentiledisc: {
    args: 2,
    make: (budget, extra) => new Percentile('percentileDisc', budget, extra, false),
  },
};

class Count implements Accumulator {
  result = 0;

  add(value: Value): void {
    if (value !== null) this.result++;
  }
}

/** Memory of a node stored by its number, as a fraction of a row's memory. */
const ROWS_OF_COLLECTED = 1 / 4;

/** Collects values into a list. Nodes are stored by their numbers as long as all values are nodes. */
class Collect implements Accumulator {
  readonly #nodes: number[] = [];
  readonly #values: Value[] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get result(): Value[] {
    return [...this.#nodes.map((node) => new NodeValue(node)), ...this.#values];
  }

  add(value: Value): void {
    if (value === null) return;
    const isNode = value instanceof NodeValue && this.#values.length === 0;
    this.#budget.hold(isNode ? ROWS_OF_COLLECTED : 1);
    if (isNode) this.#nodes.push(value.node);
    else this.#values.push(value);
  }
}

class Sum implements Accumulator {
  result: Value = 0;
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  add(value: Value): void {
    if (value === null) return;
    expectSummand('sum', value);
    this.result = this.result === 0 ? value : OPERATIONS['+'](this.result, value, this.#budget);
  }
}

/** @throws CypherError for a value that is neither a number nor a duration */
function expectSummand(name: string, value: Value): void {
  if (numberOf(value) === undefined && !(value instanceof Duration)) throw misfit(name, value);
}

class Average implements Accumulator {
  #sum: Value = null;
  #count = 0;
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  add(value: Value): void {
    if (value === null) return;
    expectSummand('avg', value);
    const number = numberOf(value);
    // The sum of integers may overflow 64 bits even if their average does not.
    const summand = number === undefined ? value : toFloat(number);
    this.#sum = this.#sum === null ? summand : OPERATIONS['+'](this.#sum, summand, this.#budget);
    this.#count++;
  }

  get result(): Value {
    if (this.#sum === null) return null;
    const sum = numberOf(this.#sum);
    return sum === undefined
      ? OPERATIONS['/'](this.#sum, this.#count, this.#budget)
      : toFloat(sum / this.#count);
  }
}

class Extreme implements Accumulator {
  result: Value = null;
  readonly #sign: 1 | -1;
  readonly #budget: Budget;

  constructor(sign: 1 | -1, budget: Budget) {
    this.#sign = sign;
    this.#budget = budget;
  }

  add(value: Value): void {
    if (value === null) return;
    if (this.result === null || this.#sign * order(value, this.result, this.#budget) > 0) this.result = value;
  }
}

/** Base class of aggregates that keep all numbers. */
abstract class OfNumbers implements Accumulator {
  protected readonly numbers: (number | bigint)[] = [];
  protected allIntegers = true;
  readonly #name: string;
  readonly #budget: Budget;

  constructor(name: string, budget: Budget) {
    this.#name = name;
    this.#budget = budget;
  }

  abstract readonly result: Value;

  add(value: Value): void {
    if (value === null) return;
    const number = exactNumberOf(value);
    if (number === undefined) throw misfit(this.#name, value);
    this.#budget.hold(1);
    this.allIntegers &&= isAnyInteger(value);
    this.numbers.push(number);
  }
}

class Deviation extends OfNumbers {
  readonly #less: 0 | 1;

  constructor(name: string, budget: Budget, less: 0 | 1) {
    super(name, budget);
    this.#less = less;
  }

  get result(): Value {
    const { length } = this.numbers;
    if (length <= this.#less) return toFloat(0);
    const numbers = this.numbers.map(Number);
    const mean = numbers.reduce((sum, number) => sum + number, 0) / length;
    const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
    return toFloat(Math.sqrt(squares / (length - this.#less)));
  }
}

class Percentile extends OfNumbers {
  readonly #part: number;
  readonly #isContinuous: boolean;

  constructor(name: string, budget: Budget, extra: Value, isContinuous: boolean) {
    super(name, budget);
    this.#part = numberOf(extra) ?? Number.NaN;
    if (!(this.#part >= 0 && this.#part <= 1))
      throw new CypherError('value', 'a percentile is a number from 0.0 to 1.0');
    this.#isContinuous = isContinuous;
  }

  get result(): Value {
    const sorted = this.numbers.toSorted((a, b) => Number(a > b) - Number(a < b));
    if (sorted.length === 0) return null;
    if (!this.#isContinuous) {
      const value = sorted[Math.max(0, Math.ceil(this.#part * sorted.length) - 1)];
      return this.allIntegers ? value : toFloat(Number(value));
    }
    const place = this.#part * (sorted.length - 1);
    const below = Math.floor(place);
    const [low, high] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]].map(Number);
    return toFloat(low + (high - low) * (place - below));
  }
}

/** Passes each distinct value on once. */
export class Distinct implements Accumulator {
  readonly #inner: Accumulator;
  readonly #budget: Budget;
  readonly #seen = new Set<string>();
  /** Nodes are the most common values to count, in sets of millions. */
  readonly #nodes = new NumberSet();

  constructor(inner: Accumulator, budget: Budget) {
    this.#inner = inner;
    this.#budget = budget;
  }

  get result(): Value {
    return this.#inner.result;
  }

  add(value: Value): void {
    if (value instanceof NodeValue) {
      if (!this.#nodes.add(value.node)) return;
      this.#budget.hold(NumberSet.ROWS_OF_NUMBER);
      this.#inner.add(value);
      return;
    }
    const key = keyOf(value, this.#budget);
    if (this.#seen.has(key)) return;
    this.#budget.hold(1);
    this.#seen.add(key);
    this.#inner.add(value);
  }
}
