/**
 * Rewrites an `OPTIONAL MATCH` that is only tested for success: `WHERE x IS NOT NULL` right after it makes it a
 * MATCH, and `WHERE x IS NULL` a `NOT EXISTS`, so unused matches are not enumerated.
 */
import { conjuncts, namesIn } from '../match/expressionReads.ts';
import type { Clause, Expression, Projection, ProjectionItem } from '../syntax/ast.ts';
import { allOfConditions } from '../syntax/labelExpression.ts';
import { knownAfter, madeBy } from './mergeClauses.ts';
import { hasAggregate } from './projection.ts';

type Match = Extract<Clause, { type: 'match' }>;
type With = Extract<Clause, { type: 'with' }>;

/** @param outer names defined before the clauses */
export function withoutNullTests(clauses: readonly Clause[], outer: readonly string[]): readonly Clause[] {
  const made: Clause[] = [];
  let known = new Set(outer);
  for (let at = 0; at < clauses.length; at++) {
    const [clause, next] = [clauses[at], clauses[at + 1]];
    const isPair = clause.type === 'match' && clause.optional && next?.type === 'with';
    const plain = isPair ? plainForm(clause, next, known) : undefined;
    made.push(...(plain ?? [clause]));
    known = knownAfter(clause, known);
    if (plain === undefined) continue;
    at++;
    known = knownAfter(next, known);
  }
  return made;
}

/** @returns `undefined` if the rows of the match are used */
function plainForm(match: Match, next: With, known: ReadonlySet<string>): readonly Clause[] | undefined {
  const { projection, where } = next;
  if (where === undefined || !isPassedOn(projection)) return undefined;
  const names = new Set(madeBy(match).filter((name) => !known.has(name)));
  const conditions = conjuncts(where);
  const test = conditions.find((condition) => testedName(condition, projection, names) !== undefined);
  if (test?.type !== 'isNull') return undefined;
  const rest = allOfConditions(conditions.filter((condition) => condition !== test));
  const after: With = { ...next, where: rest };
  if (rest === undefined) delete (after as { where?: Expression }).where;
  if (test.negated) return [{ ...match, optional: false }, after];
  const items = itemsWithNull(projection, names);
  if (items === undefined || (rest !== undefined && reads(rest, names))) return undefined;
  const { at } = match;
  const found: Expression = {
    ...{ type: 'exists', at },
    query: { at, parts: [{ clauses: [{ ...match, optional: false }] }], unionAll: false },
  };
  const filter: With = {
    ...{ type: 'with', at, where: { type: 'not', at, of: found, ...(test.span && { span: test.span }) } },
    projection: { at, all: true, distinct: false, items: [], orderBy: [] },
  };
  return [filter, { ...after, projection: { ...projection, items } }];
}

const isPassedOn = ({ items, orderBy, skip, limit }: Projection): boolean =>
  orderBy.length === 0 &&
  skip === undefined &&
  limit === undefined &&
  !items.some(({ expression }) => hasAggregate(expression));

/** @returns the name that the match introduces and that the condition compares with null */
function testedName(
  condition: Expression,
  { items }: Projection,
  names: ReadonlySet<string>,
): string | undefined {
  if (condition.type !== 'isNull' || condition.of.type !== 'variable') return undefined;
  const { name: tested } = condition.of;
  const item = items.find(({ name }) => name === tested);
  const of = item === undefined ? condition.of : item.expression;
  return of.type === 'variable' && names.has(of.name) ? of.name : undefined;
}

const reads = (expression: Expression, names: ReadonlySet<string>): boolean =>
  [...namesIn(expression)].some((name) => names.has(name));

/** @returns the items with null for the names of a failed match; `undefined` if an item reads more of them */
function itemsWithNull(
  { all, items }: Projection,
  names: ReadonlySet<string>,
): readonly ProjectionItem[] | undefined {
  const made: ProjectionItem[] = [];
  for (const item of items) {
    const { expression } = item;
    const isOfMatch = expression.type === 'variable' && names.has(expression.name);
    if (!isOfMatch && reads(expression, names)) return undefined;
    made.push(isOfMatch ? { ...item, expression: nullAt(expression.at), isAliased: true } : item);
  }
  if (!all) return made;
  for (const name of names)
    if (!made.some((item) => item.name === name))
      made.push({ at: 0, expression: nullAt(0), name, isAliased: true });
  return made;
}

const nullAt = (at: number): Expression => ({ type: 'literal', at, value: null });
