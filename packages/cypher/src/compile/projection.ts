/** WITH and RETURN: projection, grouping, DISTINCT, ORDER BY, SKIP and LIMIT. */
import { Scope, type Variable, type VariableType } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import { isDeterministic, namesIn, textWithoutPlaces } from '../match/expressionReads.ts';
import type { Budget, Spends } from '../run/budget.ts';
import type { Evaluate, Operator, Row, RunContext } from '../run/context.ts';
import type { Expression, Projection, ProjectionItem } from '../syntax/ast.ts';
import { keyOf, keysOf, order } from '../values/compare.ts';
import { isInteger, NodeValue, typeName, type Value } from '../values/values.ts';
import { type Accumulator, AGGREGATES, Distinct } from './aggregates.ts';
import type { ExpressionCompiler, Replace } from './expressionCompiler.ts';
import { NumberSet, PairSet } from './numberSet.ts';
import { placed, placing } from './placedErrors.ts';

export interface CompiledProjection {
  readonly operators: readonly Operator[];
  /** Names defined after the clause. */
  readonly scope: Scope;
  /** Names that its WHERE may use. A projection without grouping also allows the names defined before it. */
  readonly filterScope: Scope;
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
}

interface Item extends ProjectionItem {
  readonly isAggregate: boolean;
}

export function compileProjection(
  projection: Projection,
  scope: Scope,
  compiler: ExpressionCompiler,
  context: RunContext,
  needsAliases: boolean,
): CompiledProjection {
  const items = itemsOf(projection, scope, needsAliases);
  const isGrouped = items.some(({ isAggregate }) => isAggregate);
  const { operators, variables } = isGrouped
    ? groupedItems(items, scope, compiler, context)
    : plainItems(items, scope, compiler);
  const after = new Scope(scope.frame, variables);
  const columns = [...variables].map(([name, { slot }]) => ({ name, slot }));
  const slots = columns.map(({ slot }) => slot);
  if (projection.distinct) operators.push(distinct(slots, context.budget));
  const skip = bound(projection.skip, 'SKIP', compiler, scope);
  const limit = bound(projection.limit, 'LIMIT', compiler, scope);
  if (projection.orderBy.length > 0) {
    const isClosed = isGrouped || projection.distinct;
    const known = isClosed
      ? onlyColumns(after, scope, isGrouped ? 'an aggregate' : 'DISTINCT', 'ORDER BY')
      : scope.withAll(variables);
    // The first of several columns with the same expression.
    const names = new Map(
      items.toReversed().map(({ expression, name }) => [textOf(expression, context.budget), name]),
    );
    const keys = projection.orderBy.map(({ expression, descending }) => ({
      evaluate: sortKey(expression, names, variables, known, compiler, isClosed, context.budget),
      sign: descending ? -1 : 1,
    }));
    operators.push(sort(keys, slots, context.budget, limit === undefined ? undefined : (skip ?? 0) + limit));
  }
  if (skip !== undefined && skip > 0) operators.push(skipRows(skip));
  if (limit !== undefined) operators.push(limitRows(limit));
  const keepsRows = !isGrouped && projection.orderBy.length === 0;
  const filterScope = keepsRows
    ? scope.withAll(variables)
    : onlyColumns(after, scope, isGrouped ? 'an aggregate' : 'ORDER BY', 'WHERE');
  return { operators, scope: after, filterScope, columns };
}

/** Maximum number of columns that a message names. */
const MAX_NAMED = 10;

/** @returns the scope of the columns, which names them if a clause uses another variable of the rows before */
function onlyColumns(columns: Scope, before: Scope, after: string, clause: string): Scope {
  return columns.explaining((name) => {
    if (before.find(name) === undefined) return undefined;
    const { names } = columns;
    const shown = names.slice(0, MAX_NAMED).map((column) => `\`${column}\``);
    const others = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
    return `after ${after}, ${clause} can use only the returned columns (${shown.join(', ')}${others}), and not \`${name}\``;
  });
}

function itemsOf({ all, items, at }: Projection, scope: Scope, needsAliases: boolean): Item[] {
  const given: ProjectionItem[] = all
    ? scope.names
        .filter((name) => !name.startsWith(' '))
        .sort()
        .map((name) => ({ at, expression: { type: 'variable', at, name }, name, isAliased: true }))
    : [];
  if (all && given.length === 0 && !needsAliases)
    throw new CypherError('meaning', 'RETURN * needs variables', at);
  given.push(...items);
  const names = new Set<string>();
  for (const { name, at: place, expression, isAliased } of given) {
    if (names.has(name)) throw new CypherError('meaning', `the column \`${name}\` occurs twice`, place);
    names.add(name);
    if (needsAliases && !isAliased && expression.type !== 'variable')
      throw new CypherError(
        'meaning',
        'an expression in WITH, or in RETURN of CALL { }, needs a name: AS name',
        place,
      );
  }
  return given.map((item) => ({ ...item, isAggregate: hasAggregate(item.expression) }));
}

/** Whether it contains an aggregate function; subqueries are ignored, because they have their own rows. */
export function hasAggregate(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasAggregate);
  if (typeof part !== 'object' || part === null) return false;
  const { type, name } = part as { type?: string; name?: string };
  if (type === 'countAll') return true;
  if (type === 'call' && Object.hasOwn(AGGREGATES, name as string)) return true;
  if (type === 'exists' || type === 'count') return false;
  return Object.values(part).some((value) => typeof value === 'object' && hasAggregate(value));
}

interface Projected {
  readonly operators: Operator[];
  readonly variables: Map<string, Variable>;
}

function plainItems(items: readonly Item[], scope: Scope, compiler: ExpressionCompiler): Projected {
  const variables = new Map<string, Variable>();
  const made: { readonly slot: number; readonly evaluate: Evaluate }[] = [];
  for (const { expression, name } of items) {
    const known = expression.type === 'variable' ? scope.get(expression.name, expression.at) : undefined;
    if (known !== undefined) {
      variables.set(name, known);
      continue;
    }
    const slot = scope.frame.slot();
    made.push({ slot, evaluate: compiler.compile(expression, scope) });
    variables.set(name, { slot, type: typeOf(expression) });
  }
  if (made.length === 0) return { operators: [], variables };
  const operator: Operator = (next) => ({
    row(row) {
      for (const { slot, evaluate } of made) row[slot] = evaluate(row);
      return next.row(row);
    },
    end: () => next.end(),
  });
  return { operators: [operator], variables };
}

/** Infers the static type of a value, so that values that are not nodes are rejected before the query runs. */
function typeOf(expression: Expression): VariableType {
  switch (expression.type) {
    case 'literal':
      return expression.value === null ? 'value' : 'scalar';
    case 'list':
    case 'comprehension':
    case 'patternComprehension':
      return 'list';
    case 'float':
    case 'map':
    case 'not':
    case 'minus':
    case 'isNull':
    case 'labels':
      return 'scalar';
    default:
      return 'value';
  }
}

interface Aggregate {
  readonly slot: number;
  readonly at: number;
  readonly make: () => Accumulator;
  /** Counts rows if absent. */
  readonly value?: Evaluate;
  readonly extra?: Evaluate;
}

function groupedItems(
  items: readonly Item[],
  scope: Scope,
  compiler: ExpressionCompiler,
  { budget }: RunContext,
): Projected {
  const { frame } = scope;
  const variables = new Map<string, Variable>();
  const keys: {
    readonly text: string;
    readonly slot: number;
    readonly evaluate: Evaluate;
    readonly name: string;
  }[] = [];
  for (const { expression, name, isAggregate } of items) {
    if (isAggregate) continue;
    const slot = frame.slot();
    keys.push({
      text: textOf(expression, budget),
      slot,
      evaluate: compiler.compile(expression, scope),
      name,
    });
    const known = expression.type === 'variable' ? scope.find(expression.name)?.type : undefined;
    variables.set(name, { slot, type: known ?? 'value' });
  }
  const aggregates: Aggregate[] = [];
  const replace: Replace = (expression, within) => {
    const text = textOf(expression, budget);
    const key = keys.find((one) => one.text === text);
    if (key !== undefined) return (row) => row[key.slot];
    if (
      expression.type === 'countAll' ||
      (expression.type === 'call' && Object.hasOwn(AGGREGATES, expression.name))
    ) {
      const aggregate = aggregateOf(expression, scope, compiler, budget);
      aggregates.push(aggregate);
      return (row) => row[aggregate.slot];
    }
    if (
      expression.type === 'variable' &&
      scope.find(expression.name) !== undefined &&
      within.find(expression.name) === scope.find(expression.name)
    )
      throw new CypherError(
        'meaning',
        `\`${expression.name}\` is used with an aggregate but is not a grouping column: add it as a column`,
        expression.at,
      );
    return undefined;
  };
  const after: { readonly slot: number; readonly evaluate: Evaluate }[] = [];
  for (const { expression, name, isAggregate } of items) {
    if (!isAggregate) continue;
    const slot = frame.slot();
    after.push({ slot, evaluate: compiler.compile(expression, scope, replace) });
    variables.set(name, { slot, type: 'value' });
  }
  const ordered = new Map(items.map(({ name }) => [name, variables.get(name) as Variable]));
  const keySlot = slotOfOnlyVariable(
    items.filter(({ isAggregate }) => !isAggregate),
    scope,
  );
  return { operators: [group(keys, keySlot, aggregates, after, budget)], variables: ordered };
}

/** @returns the slot of the only variable that all items read, if nothing else determines their values */
function slotOfOnlyVariable(items: readonly Item[], scope: Scope): number | undefined {
  const names = new Set(items.flatMap(({ expression }) => [...namesIn(expression)]));
  const variables = [...names].flatMap((name) => scope.find(name) ?? []);
  const isTold = items.every(({ expression }) => isDeterministic(expression));
  return isTold && variables.length === 1 ? variables[0].slot : undefined;
}

function aggregateOf(
  expression: Expression,
  scope: Scope,
  compiler: ExpressionCompiler,
  budget: Budget,
): Aggregate {
  const slot = scope.frame.slot();
  if (expression.type === 'countAll')
    return { slot, at: expression.at, make: () => AGGREGATES.count.make(budget, null) };
  const { name, args, distinct: isDistinct, at } = expression as Extract<Expression, { type: 'call' }>;
  const { args: wanted, make } = AGGREGATES[name];
  if (args.length !== wanted)
    throw new CypherError('meaning', `${name}() takes ${wanted} arguments, not ${args.length}`, at);
  if (args.some(hasAggregate)) throw new CypherError('meaning', 'aggregates cannot be nested', at);
  if (args.some(({ type, ...rest }) => type === 'call' && (rest as { name: string }).name === 'rand'))
    throw new CypherError('meaning', 'an aggregate of random values is not supported', at);
  const [value, extra] = args.map((argument) => compiler.compile(argument, scope));
  // The extra argument is the same for all rows.
  const accumulator = (): Accumulator =>
    placing(args[1]?.at ?? at, () => make(budget, extra === undefined ? null : extra([])));
  return {
    ...{ slot, at, value },
    make: isDistinct ? () => new Distinct(accumulator(), budget) : accumulator,
  };
}

/** The same expression elsewhere in the query has the same key. */
function textOf(expression: Expression, budget: Spends): string {
  const text = textWithoutPlaces(expression);
  budget.spend(text.length);
  return text;
}

interface Group {
  readonly keys: readonly Value[];
  readonly accumulators: readonly Accumulator[];
}

/** @param keySlot slot of the only variable that all keys read, if any: the group of each node is then cached */
function group(
  keys: readonly { readonly slot: number; readonly evaluate: Evaluate }[],
  keySlot: number | undefined,
  aggregates: readonly Aggregate[],
  after: readonly { readonly slot: number; readonly evaluate: Evaluate }[],
  budget: Budget,
): Operator {
  return (next, frame) => {
    const groups = new Map<string, Group>();
    const groupOfNode = new Map<number, Group>();
    const begin = (values: readonly Value[]): Group => {
      budget.hold(1);
      return { keys: values, accumulators: aggregates.map(({ make }) => make()) };
    };
    const byValues = (row: Row): Group => {
      const values = keys.map(({ evaluate }) => evaluate(row));
      const id = values.length === 1 ? keyOf(values[0], budget) : keysOf(values, budget);
      const known = groups.get(id);
      if (known !== undefined) return known;
      const begun = begin(values);
      groups.set(id, begun);
      return begun;
    };
    const groupOf = (row: Row): Group => {
      const of = keySlot === undefined ? undefined : row[keySlot];
      if (!(of instanceof NodeValue)) return byValues(row);
      const known = groupOfNode.get(of.node);
      if (known !== undefined) return known;
      const found = byValues(row);
      groupOfNode.set(of.node, found);
      return found;
    };
    return {
      row(row) {
        const found = groupOf(row);
        for (let place = 0; place < aggregates.length; place++) {
          const { value, at } = aggregates[place];
          try {
            found.accumulators[place].add(value === undefined ? true : value(row));
          } catch (error) {
            throw placed(error, at);
          }
        }
        return true;
      },
      end() {
        if (groups.size === 0 && keys.length === 0) groups.set('', begin([]));
        for (const { keys: values, accumulators } of groups.values()) {
          values.forEach((value, at) => {
            frame[keys[at].slot] = value;
          });
          accumulators.forEach((accumulator, place) => {
            const { slot, at } = aggregates[place];
            frame[slot] = placing(at, () => accumulator.result);
          });
          for (const { slot, evaluate } of after) frame[slot] = evaluate(frame);
          if (!next.row(frame)) break;
        }
        budget.release(groups.size);
        next.end();
      },
    };
  };
}

function distinct(slots: readonly number[], budget: Budget): Operator {
  return (next) => {
    const seen = new Set<string>();
    const [nodes, pairs] = [new NumberSet(), new PairSet()];
    /** Only nodes and pairs of nodes occur in millions. */
    const isNew = (row: Row): boolean | undefined => {
      const [first, second] = [row[slots[0]], row[slots[1]]];
      if (slots.length > 2 || !(first instanceof NodeValue)) return undefined;
      if (slots.length === 1) {
        if (!nodes.add(first.node)) return false;
        budget.hold(NumberSet.ROWS_OF_NUMBER);
        return true;
      }
      if (!(second instanceof NodeValue)) return undefined;
      if (!pairs.add(first.node, second.node)) return false;
      budget.hold(PairSet.ROWS_OF_PAIR);
      return true;
    };
    return {
      row(row) {
        const isNewNode = isNew(row);
        if (isNewNode !== undefined) return !isNewNode || next.row(row);
        const key =
          slots.length === 1
            ? keyOf(row[slots[0]], budget)
            : keysOf(
                slots.map((slot) => row[slot]),
                budget,
              );
        if (seen.has(key)) return true;
        budget.hold(1);
        seen.add(key);
        return next.row(row);
      },
      end: () => next.end(),
    };
  };
}

function sortKey(
  expression: Expression,
  names: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, Variable>,
  scope: Scope,
  compiler: ExpressionCompiler,
  isClosed: boolean,
  budget: Budget,
): Evaluate {
  // The column replaces the expression that defines it.
  const columnOf: Replace = (part) => {
    const name = names.get(textOf(part, budget));
    if (name === undefined) return undefined;
    const { slot } = variables.get(name) as Variable;
    return (row) => row[slot];
  };
  const column = columnOf(expression, scope);
  if (column !== undefined) return column;
  return compiler.compile(expression, scope, isClosed ? columnOf : undefined);
}

interface Sorted {
  readonly keys: readonly Value[];
  readonly values: readonly Value[];
  /** Input order, which breaks ties. */
  readonly place: number;
}

/** @param most number of sorted rows that are needed; other rows need not be kept */
function sort(
  keys: readonly { readonly evaluate: Evaluate; readonly sign: number }[],
  slots: readonly number[],
  budget: Budget,
  most: number | undefined,
): Operator {
  const compareRows = (a: Sorted, b: Sorted): number => {
    for (let at = 0; at < keys.length; at++) {
      budget.spend(1);
      const difference = order(a.keys[at], b.keys[at], budget);
      if (difference !== 0) return keys[at].sign * difference;
    }
    return a.place - b.place;
  };
  return (next, frame) => {
    let rows: Sorted[] = [];
    let place = 0;
    return {
      row(row) {
        const entry = {
          keys: keys.map(({ evaluate }) => evaluate(row)),
          values: slots.map((slot) => row[slot]),
          place: place++,
        };
        rows.push(entry);
        budget.hold(1);
        if (most !== undefined && rows.length >= 2 * most + 1000) {
          budget.release(rows.length - most);
          rows = rows.sort(compareRows).slice(0, most);
        }
        return true;
      },
      end() {
        for (const { values } of rows.sort(compareRows)) {
          slots.forEach((slot, at) => {
            frame[slot] = values[at];
          });
          if (!next.row(frame)) break;
        }
        budget.release(rows.length);
        next.end();
      },
    };
  };
}

/** @throws CypherError unless it is a nonnegative integer without variables */
function bound(
  expression: Expression | undefined,
  word: string,
  compiler: ExpressionCompiler,
  scope: Scope,
): number | undefined {
  if (expression === undefined) return undefined;
  const [name] = namesIn(expression);
  if (name !== undefined)
    throw new CypherError('meaning', `${word} cannot use the variable \`${name}\``, expression.at);
  const value = compiler.compile(expression, new Scope(scope.frame))([]);
  if (!isInteger(value))
    throw new CypherError('meaning', `${word} needs an integer, not ${typeName(value)}`, expression.at);
  if (value < 0) throw new CypherError('meaning', `${word} needs a nonnegative number`, expression.at);
  return value;
}

function skipRows(count: number): Operator {
  return (next) => {
    let left = count;
    return {
      row: (row) => (left > 0 ? left-- > 0 : next.row(row)),
      end: () => next.end(),
    };
  };
}

function limitRows(count: number): Operator {
  return (next) => {
    let left = count;
    return {
      row(row) {
        if (left <= 0) return false;
        left--;
        return next.row(row) && left > 0;
      },
      end: () => next.end(),
    };
  };
}
