/** Determines how later clauses use the rows of a match: which names they read, and whether duplicates matter. */
import { addNames } from '../match/expressionReads.ts';
import type { Clause, Expression, Projection } from '../syntax/ast.ts';
import { hasAggregate } from './projection.ts';

export interface Uses {
  /** Absent if all names may be read. */
  readonly names: ReadonlySet<string> | undefined;
  readonly copiesMatter: boolean;
  /** Whether a LIMIT takes the first rows in any order. */
  readonly takesFirst: boolean;
  /** Whether the answer is the graph formed by all rows. */
  readonly isGraph: boolean;
}

/**
 * The consumer of the rows of the last clause: it returns them, adds them to the row of an outer query, tests
 * whether there is one, counts them, or collects them.
 */
export type End = 'answer' | 'subquery' | 'exists' | 'count' | 'rows';

export function usesAfter(clauses: readonly Clause[], at: number, end: End): Uses {
  const following = clauses.slice(at + 1);
  return {
    names: namesAfter(following, end),
    copiesMatter: doCopiesMatter(following, end),
    takesFirst: takesFirst(following),
    isGraph: following[0]?.type === 'return' && following[0].projection.isGraph === true,
  };
}

function namesAfter(clauses: readonly Clause[], end: End): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const clause of clauses) {
    addNames(clause, names);
    if (clause.type === 'subquery' && readsAll(clause)) return undefined;
    if (clause.type !== 'with' && clause.type !== 'return') continue;
    // The next clauses see only these names.
    return clause.projection.all ? undefined : names;
  }
  return end === 'rows' ? undefined : names;
}

/** Whether it is `CALL (*) { }`, or begins with WITH *. */
function readsAll({ imports, query }: Extract<Clause, { type: 'subquery' }>): boolean {
  if (imports !== 'with') return imports === 'all';
  return query.parts.some(({ clauses: [first] }) => first.type === 'with' && first.projection.all);
}

const KEEPS_EACH_ONCE = new Set(['min', 'max']);

function doCopiesMatter(clauses: readonly Clause[], end: End): boolean {
  for (const clause of clauses) {
    if (clause.type !== 'with' && clause.type !== 'return') continue;
    const { distinct, items, skip, limit } = clause.projection;
    if (items.some(({ expression }) => hasAggregate(expression)))
      return items.some(({ expression }) => hasAggregate(expression) && !isOfEachOnce(expression));
    if (distinct) return false;
    if (skip !== undefined || limit !== undefined) return true;
  }
  return end !== 'exists';
}

const isOfEachOnce = (expression: Expression): boolean =>
  expression.type === 'call' && (expression.distinct || KEEPS_EACH_ONCE.has(expression.name));

function takesFirst(clauses: readonly Clause[]): boolean {
  const [next] = clauses;
  if (next?.type !== 'with' && next?.type !== 'return') return false;
  const { limit, orderBy, distinct, items }: Projection = next.projection;
  const isGrouped = items.some(({ expression }) => hasAggregate(expression));
  return limit !== undefined && orderBy.length === 0 && !distinct && !isGrouped;
}
