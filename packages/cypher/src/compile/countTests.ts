/**
 * Rewrites an `OPTIONAL MATCH` whose results are counted only to test whether there are any: `count(p) > 0` right
 * after it becomes an `EXISTS`, so unused matches are not enumerated. If the grouping keys determine the result of
 * the `EXISTS`, it becomes a condition before grouping.
 */
import { askedBy } from '../match/countTest.ts';
import { conjuncts, isDeterministic, namesIn } from '../match/expressionReads.ts';
import type { Clause, Expression, Projection, ProjectionItem } from '../syntax/ast.ts';
import { allOfConditions } from '../syntax/labelExpression.ts';
import { knownAfter, madeBy } from './mergeClauses.ts';
import { hasAggregate } from './projection.ts';

type Match = Extract<Clause, { type: 'match' }>;
type Projecting = Extract<Clause, { type: 'with' | 'return' }>;

/** @param outer names defined before the clauses */
export function withoutCountTests(clauses: readonly Clause[], outer: readonly string[]): readonly Clause[] {
  const made: Clause[] = [];
  let known = new Set(outer);
  for (let at = 0; at < clauses.length; at++) {
    const [clause, next] = [clauses[at], clauses[at + 1]];
    const isPair = clause.type === 'match' && clause.optional && next !== undefined;
    const plain =
      isPair && (next.type === 'with' || next.type === 'return')
        ? searched(clause, next, known, clauses.slice(at + 2))
        : undefined;
    known = knownAfter(clause, known);
    if (plain === undefined) {
      made.push(clause);
      continue;
    }
    made.push(...plain);
    known = knownAfter(plain[plain.length - 1], known);
    at++;
  }
  return made;
}

/**
 * @returns the clauses that follow the match, with `EXISTS` instead of counts; `undefined` if they use more of the
 * match
 */
function searched(
  match: Match,
  next: Projecting,
  known: ReadonlySet<string>,
  after: readonly Clause[],
): readonly Clause[] | undefined {
  const { projection } = next;
  if (projection.all) return undefined;
  const names = new Set(madeBy(match).filter((name) => !known.has(name)));
  const made = new Set<unknown>();
  const isSame = isSameInGroups(match, projection, known);
  const search: Search = { names, made, isSame, found: foundBy(match, made, isSame) };
  const where = next.type === 'with' ? next.where : undefined;
  // A count with a column of its own, which only the WHERE of its clause may read.
  const counts = new Map<string, Expression>();
  const items = projection.items.filter(({ name, expression }) => {
    const isTested =
      where !== undefined && isCount(expression, names) && !readsLater(name, projection, after);
    if (isTested) counts.set(name, expression);
    return !isTested;
  });
  const tests = { ...search, counts };
  const columns = items.map((item) => ({
    ...item,
    expression: withSearches(item.expression, { ...tests, counts: NO_COUNTS }),
    isAliased: true,
  }));
  const hidden: Projection['items'][number][] = [];
  const condition = where && withSearches(where, tests, hidden);
  const rest = [...columns, ...projection.orderBy].map(({ expression }) => expression);
  const isChanged =
    (condition !== undefined && condition !== where) ||
    columns.some(({ expression }, at) => expression !== items[at].expression);
  if (!isChanged || reads([...rest, condition], names) || reads(condition, new Set(counts.keys())))
    return undefined;
  // Other aggregates read the rows of the match.
  const isOnlyTests = items.every(
    ({ expression }, at) => !hasAggregate(expression) || columns[at].expression !== expression,
  );
  if (!isOnlyTests || projection.orderBy.some(({ expression }) => hasAggregate(expression))) return undefined;
  if (columns.some(({ expression }) => hasOtherAggregate(expression, search.made))) return undefined;
  if (isSame) return conditionFirst({ next, columns, condition, made, after });
  const changed = { ...projection, items: [...columns, ...hidden] };
  if (next.type === 'return') return [{ ...next, projection: changed }];
  return [{ ...next, projection: changed, ...(condition && { where: condition }) }];
}

/** Whether all rows of a group have the same values for all names that the match reads. */
function isSameInGroups(match: Match, { items }: Projection, known: ReadonlySet<string>): boolean {
  const kept = new Set(
    items.flatMap(({ name, expression }) =>
      expression.type === 'variable' && expression.name === name ? [name] : [],
    ),
  );
  const read = [...namesIn(match)].filter((name) => known.has(name));
  return kept.size > 0 && read.every((name) => kept.has(name)) && isDeterministic(match);
}

interface Grouped {
  readonly next: Projecting;
  readonly columns: readonly ProjectionItem[];
  readonly condition: Expression | undefined;
  /** The `EXISTS` expressions in the columns and the condition. */
  readonly made: ReadonlySet<unknown>;
  readonly after: readonly Clause[];
}

/** Filters rows by the `EXISTS` conditions first, then groups with DISTINCT. */
function conditionFirst({ next, columns, condition, made, after }: Grouped): readonly Clause[] {
  const { projection, at } = next;
  if (next.type === 'return' || condition === undefined)
    return [{ ...next, projection: { ...projection, items: columns, distinct: true } }];
  const isSearch = (expression: Expression): boolean =>
    made.has(expression) || (expression.type === 'not' && made.has(expression.of));
  // A column that only the condition reads: `count(p) > 0 AS leads WHERE leads`.
  const tests = new Map(
    columns
      .filter(({ expression, name }) => isSearch(expression) && !readsLater(name, projection, after))
      .map(({ name, expression }) => [name, expression]),
  );
  const testOf = (part: Expression): Expression =>
    part.type === 'not'
      ? { ...part, of: testOf(part.of) }
      : (part.type === 'variable' && tests.get(part.name)) || part;
  const mayGoFirst = projection.skip === undefined && projection.limit === undefined;
  const [first, rest]: [Expression[], Expression[]] = [[], []];
  for (const part of conjuncts(condition)) {
    const test = testOf(part);
    if (mayGoFirst && isSearch(test)) first.push(test);
    else rest.push(part);
  }
  const read = namesIn(rest);
  const items = columns.filter(({ name }) => !tests.has(name) || read.has(name) || !mayGoFirst);
  const where = allOfConditions(rest);
  const { where: _, ...plain } = next;
  const filter = allOfConditions(first);
  return [
    ...(filter === undefined
      ? []
      : [
          {
            ...{ type: 'with' as const, at, where: filter },
            projection: { at, all: true, distinct: false, items: [], orderBy: [] },
          },
        ]),
    { ...plain, projection: { ...projection, items, distinct: true }, ...(where && { where }) },
  ];
}

interface Search {
  /** Names introduced by the match. */
  readonly names: ReadonlySet<string>;
  /** Builds an expression that tests whether any row of a group has a match. */
  readonly found: (at: number) => Expression;
  /** The `EXISTS` expressions returned so far. */
  readonly made: ReadonlySet<unknown>;
  /** Whether the result is the same for all rows of a group. */
  readonly isSame: boolean;
}

const NO_COUNTS: ReadonlyMap<string, Expression> = new Map();

/**
 * Builds `coalesce(max(EXISTS { ... }), false)`: `max` works because false is less than true, and `coalesce`
 * handles empty groups. Builds a plain `EXISTS` if its result is the same for all rows of a group.
 */
function foundBy(match: Match, made: Set<unknown>, isSame: boolean): (at: number) => Expression {
  return (at) => {
    const clauses: readonly Clause[] = [{ ...match, optional: false }];
    const exists: Expression = {
      ...{ type: 'exists', at },
      query: { at, parts: [{ clauses }], unionAll: false },
    };
    if (isSame) {
      made.add(exists);
      return exists;
    }
    const greatest: Expression = { type: 'call', at, name: 'max', distinct: false, args: [exists] };
    const none: Expression = { type: 'literal', at, value: false };
    const search: Expression = {
      type: 'call',
      at,
      name: 'coalesce',
      distinct: false,
      args: [greatest, none],
    };
    made.add(search);
    return search;
  };
}

/**
 * Whether it is `count(p)`, `count(DISTINCT p)` or `size(collect(p))` of a name that the match introduces: 0 if
 * there is no match.
 */
function isCount(expression: Expression, names: ReadonlySet<string>): boolean {
  if (expression.type !== 'call' || expression.args.length !== 1) return false;
  const [of] = expression.args;
  if (expression.name === 'size')
    return of.type === 'call' && of.name === 'collect' && isOf(of.args[0], names);
  return expression.name === 'count' && isOf(of, names);
}

const isOf = (expression: Expression | undefined, names: ReadonlySet<string>): boolean =>
  expression?.type === 'variable' && names.has(expression.name);

/** @param hidden receives a column for each `EXISTS` in a condition; absent if the expression itself may aggregate */
function withSearches(
  expression: Expression,
  search: Search & { readonly counts: ReadonlyMap<string, Expression> },
  hidden?: Projection['items'][number][],
): Expression {
  const { names, counts, found, isSame } = search;
  if (expression.type === 'binary') {
    const { left, right, at } = expression;
    const isTested = (of: Expression): boolean =>
      hidden === undefined ? isCount(of, names) : of.type === 'variable' && counts.has(of.name);
    const asked = askedBy(expression, isTested);
    if (asked !== undefined) {
      const value = hidden === undefined || isSame ? found(at) : columnOf(hidden, found(at));
      return asked ? value : { type: 'not', at, of: value };
    }
    const [a, b] = [withSearches(left, search, hidden), withSearches(right, search, hidden)];
    return a === left && b === right ? expression : { ...expression, left: a, right: b };
  }
  if (expression.type !== 'not') return expression;
  const of = withSearches(expression.of, search, hidden);
  return of === expression.of ? expression : { ...expression, of };
}

/** A column with a name that no query can use. */
function columnOf(hidden: Projection['items'][number][], expression: Expression): Expression {
  const { at } = expression;
  const name = ' found';
  if (hidden.length === 0) hidden.push({ at, expression, name, isAliased: true });
  return { type: 'variable', at, name };
}

function readsLater(name: string, projection: Projection, after: readonly Clause[]): boolean {
  if (projection.orderBy.some(({ expression }) => namesIn(expression).has(name))) return true;
  for (const clause of after) {
    if (namesIn(clause).has(name)) return true;
    if (clause.type === 'subquery') return true;
    if (clause.type === 'with' || clause.type === 'return') return clause.projection.all;
  }
  return true;
}

const reads = (part: unknown, names: ReadonlySet<string>): boolean =>
  [...namesOutside(part)].some((name) => names.has(name));

/** Names that are read outside of subqueries, which have their own names. */
function namesOutside(part: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(part)) for (const item of part) namesOutside(item, found);
  else if (typeof part === 'object' && part !== null) {
    const { type, name } = part as { type?: string; name?: unknown };
    if (type === 'exists') return found;
    if (type === 'variable' && typeof name === 'string') found.add(name);
    for (const value of Object.values(part)) if (typeof value === 'object') namesOutside(value, found);
  }
  return found;
}

/**
 * Whether it contains an aggregate other than these `EXISTS` expressions. Such an aggregate needs the rows of the
 * match.
 */
function hasOtherAggregate(part: unknown, searches: ReadonlySet<unknown>): boolean {
  if (searches.has(part) || typeof part !== 'object' || part === null) return false;
  if (Array.isArray(part)) return part.some((item) => hasOtherAggregate(item, searches));
  const { type } = part as { type?: string };
  const isAggregate = (type === 'call' || type === 'countAll') && hasAggregate({ ...part, args: [] });
  if (isAggregate) return true;
  if (type === 'exists' || type === 'count') return false;
  return Object.values(part).some((value) => hasOtherAggregate(value, searches));
}
