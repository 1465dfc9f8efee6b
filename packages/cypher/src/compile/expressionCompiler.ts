/** Compiles expressions to functions of a row. */
import type { Scope, VariableType } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import { unknownFunction } from '../names/functionNames.ts';
import { noLabel } from '../names/unknownNames.ts';
import type { Spends } from '../run/budget.ts';
import type { Evaluate, Row, RunContext } from '../run/context.ts';
import type { BinaryOperator, Expression, PathPattern, Query } from '../syntax/ast.ts';
import { equals } from '../values/compare.ts';
import { FUNCTIONS, propertiesOf } from '../values/functions.ts';
import { negative, OPERATIONS, positive, truth } from '../values/operators.ts';
import { TemporalValue } from '../values/temporal/temporalValue.ts';
import {
  isInteger,
  isList,
  isMap,
  NodeValue,
  numberOf,
  RelationshipValue,
  toFloat,
  typeName,
  type Value,
} from '../values/values.ts';
import { AGGREGATES } from './aggregates.ts';
import { inConstantList } from './constantList.ts';
import { oncePerNode, slotOfOnlyNode } from './oncePerNode.ts';
import { placed, placedAt } from './placedErrors.ts';

/** Compiles the parts of a query that may be nested in expressions. */
export interface NestedCompiler {
  /** Counts the matches of the pattern. @param most maximum count */
  pattern(pattern: PathPattern, where: Expression | undefined, scope: Scope, most: number): Evaluate;
  patternComprehension(
    pattern: PathPattern,
    where: Expression | undefined,
    result: Expression,
    scope: Scope,
  ): Evaluate;
  subquery(query: Query, scope: Scope, most: number): Evaluate;
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=']);

const isNumberWithText = (a: Value, b: Value): boolean =>
  typeof b === 'string' && a !== null && numberOf(a) !== undefined;

/**
 * Replaces parts of expressions, such as aggregates and grouping keys. @returns `undefined` to leave the part
 * unchanged
 */
export type Replace = (expression: Expression, scope: Scope) => Evaluate | undefined;

/** Maximum number of characters shown of a key. */
const MAX_KEY = 60;

/** Cost in steps of compiling one part of an expression. */
const COMPILE_STEPS = 16;

export class ExpressionCompiler {
  readonly #context: RunContext;
  readonly #nested: NestedCompiler;
  #isWithinMemo = false;

  constructor(context: RunContext, nested: NestedCompiler) {
    this.#context = context;
    this.#nested = nested;
  }

  /** @throws CypherError for unknown names and functions */
  compile(expression: Expression, scope: Scope, replace?: Replace): Evaluate {
    const { budget } = this.#context;
    budget.spend(COMPILE_STEPS);
    const replaced = replace?.(expression, scope);
    if (replaced !== undefined) return replaced;
    if (replace === undefined && !this.#isWithinMemo) {
      const slot = slotOfOnlyNode(expression, scope);
      if (slot !== undefined) return this.#oncePerNode(expression, scope, slot);
    }
    const inner = (part: Expression, within = scope): Evaluate => this.compile(part, within, replace);
    switch (expression.type) {
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'float': {
        const value = toFloat(expression.value);
        return () => value;
      }
      case 'list': {
        const items = expression.items.map((item) => inner(item));
        if (expression.items.every(isConstant)) {
          const list = items.map((item) => item([]));
          return () => list;
        }
        return (row) => {
          budget.spend(items.length);
          return items.map((item) => item(row));
        };
      }
      case 'map': {
        const entries = expression.entries.map(([key, value]) => [key, inner(value)] as const);
        return (row) => Object.fromEntries(entries.map(([key, value]) => [key, value(row)]));
      }
      case 'mapProjection': {
        const of = inner(expression.of);
        const entries = expression.entries.map(([key, value]) => [key, inner(value)] as const);
        return (row) => {
          const value = of(row);
          if (value === null) return null;
          const properties = propertiesOf(this.#context, value);
          if (properties === undefined)
            throw new CypherError(
              'value',
              `a map projection needs a node, a relationship or a map, not ${typeName(value)}`,
              expression.at,
            );
          const made = entries.map(([key, one]) => [key, one(row)] as const);
          return { ...(expression.all && properties), ...Object.fromEntries(made) };
        };
      }
      case 'variable': {
        const { slot } = scope.get(expression.name, expression.at);
        return (row) => row[slot];
      }
      case 'parameter': {
        if (!Object.hasOwn(this.#context.parameters, expression.name))
          throw new CypherError('meaning', `the parameter $${expression.name} has no value`, expression.at);
        const value = this.#context.parameters[expression.name];
        return () => value;
      }
      case 'property':
        return this.#property(expression, scope, inner, replace !== undefined);
      case 'index':
        return this.#index(expression, inner);
      case 'slice':
        return slice(expression, inner, budget);
      case 'labels':
        return this.#labels(expression, inner(expression.of));
      case 'isNull': {
        const of = inner(expression.of);
        return expression.negated ? (row) => of(row) !== null : (row) => of(row) === null;
      }
      case 'not': {
        expectTruth(expression.of, 'NOT');
        const of = inner(expression.of);
        return (row) => {
          const value = truth(of(row), 'NOT', expression.of.at);
          return value === null ? null : !value;
        };
      }
      case 'minus': {
        const of = inner(expression.of);
        return placedAt((row) => negative(of(row)), expression.at);
      }
      case 'plus': {
        const of = inner(expression.of);
        return placedAt((row) => positive(of(row)), expression.at);
      }
      case 'binary':
        return this.#binary(expression, inner);
      case 'chain': {
        const operands = expression.operands.map((operand) => inner(operand));
        const comparisons = expression.operators.map((operator, at) =>
          this.#operation(operator as '=', expression.operands[at].at),
        );
        return (row) => {
          const values = operands.map((operand) => operand(row));
          return allOf(
            comparisons.map((compared, at) => compared(values[at], values[at + 1]) as boolean | null),
          );
        };
      }
      case 'call':
        return this.#call(expression, scope, inner);
      case 'countAll':
        throw new CypherError('meaning', 'count(*) is only allowed in WITH or RETURN', expression.at);
      case 'case':
        return this.#case(expression, inner);
      case 'comprehension':
        return this.#comprehension(expression, scope, inner);
      case 'quantifier':
        return this.#quantifier(expression, scope, inner);
      case 'reduce':
        return this.#reduce(expression, scope, inner);
      case 'pattern': {
        const count = this.#nested.pattern(expression.pattern, undefined, scope, 1);
        return (row) => (count(row) as number) > 0;
      }
      case 'patternComprehension':
        return this.#nested.patternComprehension(
          expression.pattern,
          expression.where,
          expression.result,
          scope,
        );
      case 'exists': {
        const count = this.#nested.subquery(expression.query, scope, 1);
        return (row) => (count(row) as number) > 0;
      }
      case 'count':
        return this.#nested.subquery(expression.query, scope, Number.POSITIVE_INFINITY);
    }
  }

  /** Evaluates a condition on a node once per node, and not once per row. */
  #oncePerNode(expression: Expression, scope: Scope, slot: number): Evaluate {
    this.#isWithinMemo = true;
    let evaluate: Evaluate;
    try {
      evaluate = this.compile(expression, scope);
    } finally {
      this.#isWithinMemo = false;
    }
    return oncePerNode(evaluate, slot, this.#context.graph.nodeCount, this.#context.budget);
  }

  /** Like `compile`, for a WHERE condition. */
  compileCondition(expression: Expression, scope: Scope): Evaluate {
    expectTruth(expression, 'WHERE');
    const type = expression.type === 'variable' ? scope.find(expression.name)?.type : undefined;
    if (type === 'node' || type === 'relationship' || type === 'path')
      throw new CypherError('meaning', `WHERE needs true or false, not a ${type}`, expression.at);
    return this.compile(expression, scope);
  }

  #property(
    { of, key }: Extract<Expression, { type: 'property' }>,
    scope: Scope,
    inner: (part: Expression) => Evaluate,
    isReplaced: boolean,
  ): Evaluate {
    const { graph } = this.#context;
    if (of.type === 'variable' && !isReplaced) {
      const { slot, type } = scope.get(of.name, of.at);
      if (type === 'path')
        throw new CypherError('meaning', `the path \`${of.name}\` has no properties`, of.at);
      // Fast paths for the two most common forms of conditions.
      if (type === 'node')
        return (row) => {
          const value = row[slot];
          return value instanceof NodeValue
            ? graph.nodeProperty(value.node, key)
            : this.#propertyOf(value, key, of.at);
        };
    }
    const evaluate = inner(of);
    return (row) => this.#propertyOf(evaluate(row), key, of.at);
  }

  #propertyOf(value: Value, key: string, at: number): Value {
    if (value === null) return null;
    if (value instanceof NodeValue) return this.#context.graph.nodeProperty(value.node, key);
    if (value instanceof RelationshipValue) return this.#context.graph.edgeProperty(value.edge, key);
    if (isMap(value)) return Object.hasOwn(value, key) ? value[key] : null;
    if (value instanceof TemporalValue) {
      const component = value.component(key);
      if (component !== undefined) return component;
    }
    throw new CypherError('value', `${typeName(value)} has no property ${key.slice(0, MAX_KEY)}`, at);
  }

  #index(
    { of, index }: Extract<Expression, { type: 'index' }>,
    inner: (part: Expression) => Evaluate,
  ): Evaluate {
    const [evaluate, indexOf] = [inner(of), inner(index)];
    return (row) => {
      const [value, at] = [evaluate(row), indexOf(row)];
      if (value === null || at === null) return null;
      if (isList(value)) return value.at(listIndex(at, index)) ?? null;
      const hasKeys = value instanceof NodeValue || value instanceof RelationshipValue || isMap(value);
      if (!hasKeys && !(value instanceof TemporalValue))
        throw new CypherError(
          'value',
          `[ ] needs a list, a map, a node or a relationship, not ${typeName(value)}`,
          of.at,
        );
      if (typeof at !== 'string')
        throw new CypherError(
          'value',
          `${typeName(value)} has properties with names: [ ] needs a string, not ${typeName(at)}`,
          index.at,
        );
      return this.#propertyOf(value, at, of.at);
    };
  }

  #labels({ names, of: { at } }: Extract<Expression, { type: 'labels' }>, of: Evaluate): Evaluate {
    const { graph } = this.#context;
    const sets = names.map((name) => graph.label(name));
    const types = names.map((name) => graph.types(name));
    names.forEach((name, place) => {
      if (sets[place] === undefined && types[place].length === 0) this.#context.warn(noLabel(name, graph));
    });
    return (row) => {
      const value = of(row);
      if (value === null) return null;
      if (value instanceof NodeValue) return sets.every((set) => set?.has(value.node) ?? false);
      if (value instanceof RelationshipValue) {
        const type = graph.out.kinds[value.edge];
        return types.every((numbers) => numbers.includes(type));
      }
      throw new CypherError('value', `${typeName(value)} has no labels`, at);
    };
  }

  #binary(
    { operator, left, right, at }: Extract<Expression, { type: 'binary' }>,
    inner: (part: Expression) => Evaluate,
  ): Evaluate {
    if (operator === 'AND' || operator === 'OR' || operator === 'XOR')
      for (const side of [left, right]) expectTruth(side, operator);
    if (operator === '||' && [left, right].some(isCondition))
      throw new CypherError('meaning', '|| joins texts or lists, not conditions: write OR', at);
    const [a, b] = [inner(left), inner(right)];
    const { budget } = this.#context;
    switch (operator) {
      case 'AND':
        return (row) => {
          const first = truth(a(row), 'AND', left.at);
          if (first === false) return false;
          const second = truth(b(row), 'AND', right.at);
          return second === false ? false : first === null || second === null ? null : true;
        };
      case 'OR':
        return (row) => {
          const first = truth(a(row), 'OR', left.at);
          if (first === true) return true;
          const second = truth(b(row), 'OR', right.at);
          return second === true ? true : first === null || second === null ? null : false;
        };
      case 'XOR':
        return (row) => {
          const [first, second] = [truth(a(row), 'XOR', left.at), truth(b(row), 'XOR', right.at)];
          return first === null || second === null ? null : first !== second;
        };
      default: {
        const looked = operator === 'IN' ? inConstantList(a, right, budget) : undefined;
        if (looked !== undefined) return looked;
        const operation = this.#operation(operator, at);
        return (row) => operation(a(row), b(row));
      }
    }
  }

  /** @returns the operation, whose errors and warnings have the position */
  #operation(operator: keyof typeof OPERATIONS, at: number): (left: Value, right: Value) => Value {
    const { budget } = this.#context;
    const operation = OPERATIONS[operator];
    const warnOfTypes = COMPARISONS.has(operator) ? this.#typeWarning(operator, at) : undefined;
    return (first, second) => {
      if (warnOfTypes !== undefined && typeof first !== typeof second) warnOfTypes(first, second);
      try {
        return operation(first, second, budget);
      } catch (error) {
        throw placed(error, at);
      }
    };
  }

  /** Warns, once per comparison, that a number is never equal to, less than or greater than a text. */
  #typeWarning(operator: BinaryOperator, at: number): (left: Value, right: Value) => void {
    let isSaid = false;
    return (left, right) => {
      if (isSaid || !(isNumberWithText(left, right) || isNumberWithText(right, left))) return;
      isSaid = true;
      this.#context.warn(
        `\`${operator}\` compares a number with a text, which is never true: use toInteger() or toString()`,
        at,
      );
    };
  }

  #call(
    { name, args, distinct, at }: Extract<Expression, { type: 'call' }>,
    scope: Scope,
    inner: (part: Expression) => Evaluate,
  ): Evaluate {
    if (Object.hasOwn(AGGREGATES, name))
      throw new CypherError(
        'meaning',
        `the aggregate ${name}() is only allowed in WITH or RETURN, and not in another aggregate`,
        at,
      );
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (known === undefined) throw new CypherError('meaning', unknownFunction(name), at);
    if (args.length < known.least || args.length > known.most) {
      const wanted = known.least === known.most ? known.least : `${known.least} to ${known.most}`;
      throw new CypherError('meaning', `${name}() takes ${wanted} arguments, not ${args.length}`, at);
    }
    for (const argument of args) expectFit(name, argument, scope);
    if (distinct) throw new CypherError('meaning', `DISTINCT is not allowed in ${name}()`, at);
    const { work } = known;
    const context = this.#context;
    const evaluated = args.map((argument) => inner(argument));
    if (evaluated.length === 1) {
      const [only] = evaluated;
      return (row) => {
        const value = only(row);
        try {
          return work(context, [value]);
        } catch (error) {
          throw placed(error, at);
        }
      };
    }
    return (row) => {
      const values = evaluated.map((argument) => argument(row));
      try {
        return work(context, values);
      } catch (error) {
        throw placed(error, at);
      }
    };
  }

  #case(
    { of, whens, otherwise }: Extract<Expression, { type: 'case' }>,
    inner: (part: Expression) => Evaluate,
  ): Evaluate {
    const subject = of && inner(of);
    const branches = whens.map(({ when, result }) => ({ when: inner(when), result: inner(result) }));
    const last = otherwise && inner(otherwise);
    const { budget } = this.#context;
    return (row) => {
      const value = subject?.(row);
      for (const { when, result } of branches) {
        const condition = when(row);
        const isIt = value === undefined ? condition === true : equals(value, condition, budget) === true;
        if (isIt) return result(row);
      }
      return last?.(row) ?? null;
    };
  }

  /** @returns the list, and the slot for its items */
  #items(
    list: Expression,
    variable: string,
    scope: Scope,
    inner: (part: Expression, within?: Scope) => Evaluate,
  ): {
    readonly items: (row: Row) => readonly Value[] | null;
    readonly slot: number;
    readonly within: Scope;
  } {
    const evaluate = inner(list);
    const { scope: within, variable: bound } = scope.with(variable, 'value');
    const { budget } = this.#context;
    return {
      slot: bound.slot,
      within,
      items: (row) => {
        const value = evaluate(row);
        if (value !== null && !isList(value))
          throw new CypherError('value', `expected a list, not ${typeName(value)}`, list.at);
        if (value !== null) budget.spend(value.length + 1);
        return value;
      },
    };
  }

  #comprehension(
    { list, variable, where, result, at }: Extract<Expression, { type: 'comprehension' }>,
    scope: Scope,
    inner: (part: Expression, within?: Scope) => Evaluate,
  ): Evaluate {
    const { items, slot, within } = this.#items(list, variable, scope, inner);
    const condition = where && inner(where, within);
    const make = result && inner(result, within);
    return (row) => {
      const from = items(row);
      if (from === null) return null;
      const made: Value[] = [];
      for (const item of from) {
        row[slot] = item;
        if (condition !== undefined && truth(condition(row), 'WHERE', where?.at ?? at) !== true) continue;
        made.push(make === undefined ? item : make(row));
      }
      return made;
    };
  }

  #quantifier(
    { quantifier, list, variable, where }: Extract<Expression, { type: 'quantifier' }>,
    scope: Scope,
    inner: (part: Expression, within?: Scope) => Evaluate,
  ): Evaluate {
    const { items, slot, within } = this.#items(list, variable, scope, inner);
    const condition = inner(where, within);
    return (row) => {
      const from = items(row);
      if (from === null) return null;
      const found = { true: 0, false: 0, null: 0 };
      for (const item of from) {
        row[slot] = item;
        found[`${truth(condition(row), quantifier, where.at)}`]++;
      }
      return quantified(quantifier, found);
    };
  }

  #reduce(
    { accumulator, initial, variable, list, result }: Extract<Expression, { type: 'reduce' }>,
    scope: Scope,
    inner: (part: Expression, within?: Scope) => Evaluate,
  ): Evaluate {
    const first = inner(initial);
    const { items, slot, within } = this.#items(list, variable, scope, inner);
    const { scope: both, variable: total } = within.with(accumulator, 'value');
    const step = inner(result, both);
    return (row) => {
      const from = items(row);
      if (from === null) return null;
      let value = first(row);
      for (const item of from) {
        row[slot] = item;
        row[total.slot] = value;
        value = step(row);
      }
      return value;
    };
  }
}

/** Whether its value is the same for every row. */
const isConstant = ({ type }: Expression): boolean => type === 'literal' || type === 'float';

/** Argument types that functions reject at compile time. */
const MISFITS: Readonly<Record<string, readonly VariableType[]>> = {
  type: ['node', 'path', 'scalar'],
  labels: ['relationship', 'path', 'scalar'],
  length: ['node', 'relationship'],
  size: ['node', 'relationship', 'path'],
  nodes: ['node', 'relationship', 'scalar'],
};

function expectFit(name: string, argument: Expression, scope: Scope): void {
  if (name === 'size' && argument.type === 'pattern')
    throw new CypherError('meaning', 'size() does not count patterns: use COUNT { } instead', argument.at);
  const type = argument.type === 'variable' ? scope.find(argument.name)?.type : undefined;
  if (type !== undefined && Object.hasOwn(MISFITS, name) && MISFITS[name].includes(type))
    throw new CypherError('meaning', `${name}() does not work on a ${type}`, argument.at);
}

/** Rejects conditions whose type shows that they cannot be true or false. */
function expectTruth(expression: Expression, operator: string): void {
  const { type, at } = expression;
  const isWrong =
    type === 'float' ||
    type === 'list' ||
    type === 'map' ||
    type === 'comprehension' ||
    (type === 'literal' && expression.value !== null && typeof expression.value !== 'boolean');
  if (isWrong) throw new CypherError('meaning', `${operator} needs true or false`, at);
  if (type === 'binary' && expression.operator === '||')
    throw new CypherError(
      'meaning',
      `${operator} needs true or false, and || joins texts or lists: write OR`,
      at,
    );
}

const CONDITIONS: ReadonlySet<string> = new Set([
  ...['=', '<>', '<', '<=', '>', '>=', 'AND', 'OR', 'XOR'],
  ...['IN', 'STARTS WITH', 'ENDS WITH', 'CONTAINS', '=~'],
]);

/** Whether its value can only be true, false or null. */
function isCondition(expression: Expression): boolean {
  if (expression.type === 'binary') return CONDITIONS.has(expression.operator);
  if (expression.type === 'literal') return typeof expression.value === 'boolean';
  return ['labels', 'isNull', 'not', 'chain', 'quantifier', 'pattern', 'exists'].includes(expression.type);
}

function allOf(results: readonly (boolean | null)[]): boolean | null {
  if (results.includes(false)) return false;
  return results.includes(null) ? null : true;
}

function quantified(
  quantifier: 'all' | 'any' | 'none' | 'single',
  found: { readonly true: number; readonly false: number; readonly null: number },
): boolean | null {
  switch (quantifier) {
    case 'any':
      return found.true > 0 ? true : found.null > 0 ? null : false;
    case 'none':
      return found.true > 0 ? false : found.null > 0 ? null : true;
    case 'all':
      return found.false > 0 ? false : found.null > 0 ? null : true;
    case 'single':
      return found.true > 1 ? false : found.null > 0 ? null : found.true === 1;
  }
}

/** @throws CypherError for another value @returns the index; beyond 2^53, one past all lists */
function listIndex(value: Value, { at }: Expression): number {
  if (isInteger(value)) return value;
  if (typeof value === 'bigint') return Number(value);
  throw new CypherError('value', `a list index must be an integer, not ${typeName(value)}`, at);
}

function slice(
  { of, from, to }: Extract<Expression, { type: 'slice' }>,
  inner: (part: Expression) => Evaluate,
  budget: Spends,
): Evaluate {
  const [list, start, end] = [inner(of), from && inner(from), to && inner(to)];
  return (row) => {
    const value = list(row);
    const bounds = [start?.(row), end?.(row)];
    if (value === null || bounds.includes(null)) return null;
    if (!isList(value))
      throw new CypherError('value', `only a list can be sliced, not ${typeName(value)}`, of.at);
    const [first, last] = [from, to].map((part, place) => {
      const bound = bounds[place];
      return part === undefined || bound === undefined ? undefined : listIndex(bound, part);
    });
    budget.spend(value.length >>> 2);
    return value.slice(first, last);
  };
}
