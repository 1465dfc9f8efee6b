/** The use that the clauses after a match make of its rows: which names they read, and whether repetitions matter. */
import { addNames } from '../match/expressionReads.ts';
import type { Clause, Expression, Projection } from '../syntax/ast.ts';
import { hasAggregate } from './projection.ts';

export interface Uses {
  /** Absent: any. */
  readonly names: ReadonlySet<string> | undefined;
  readonly copiesMatter: boolean;
  /** A LIMIT that takes the first rows as they come. */
  readonly takesFirst: boolean;
  /** Whether only the graph that its rows form together is shown. */
  readonly isGraph: boolean;
}

/**
 * The receiver of the rows of the last clause: it returns values, adds them to the row of a query around it, checks whether there is one,
 * counts them, or keeps all.
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
    // The next clauses know only these.
    return clause.projection.all ? undefined : names;
  }
  return end === 'rows' ? undefined : names;
}

/** `CALL (*) { }`, or a WITH * at its beginning. */
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
