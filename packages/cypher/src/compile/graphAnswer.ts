/**
 * Optimizes queries whose answer is a graph. A graph shows neither duplicate rows nor their order, so rows that
 * consist only of graph parts become DISTINCT and are not sorted. Values that only ORDER BY uses are not returned.
 */
import type { Clause, Expression, Query } from '../syntax/ast.ts';

export function withoutCopies(query: Query): Query {
  const [{ clauses }] = query.parts;
  const last = clauses.at(-1);
  if (query.parts.length > 1 || last?.type !== 'return') return query;
  const { projection } = last;
  const { all, items, skip, limit } = projection;
  if (all || skip !== undefined || limit !== undefined) return query;
  const parts = partsOfGraph(clauses.slice(0, -1));
  const areParts = items.every(({ expression }) => isPart(expression, parts));
  if (!areParts) return query;
  const distinct: Clause = {
    ...last,
    projection: { ...projection, distinct: true, orderBy: [], isGraph: true },
  };
  return { ...query, parts: [{ clauses: [...clauses.slice(0, -1), distinct] }] };
}

/** Whether it is a node, a relationship or a path, or all nodes or relationships of a path. */
function isPart(expression: Expression, parts: ReadonlySet<string>): boolean {
  if (expression.type === 'variable') return parts.has(expression.name);
  if (expression.type !== 'call' || !OF_PATHS.has(expression.name) || expression.args.length !== 1)
    return false;
  return isPart(expression.args[0], parts);
}

const OF_PATHS: ReadonlySet<string> = new Set(['nodes', 'relationships', 'rels']);

/** Names of nodes, relationships and paths that are defined only by patterns. */
function partsOfGraph(clauses: readonly Clause[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const clause of clauses) {
    if (clause.type === 'match') {
      for (const { variable, nodes, relationships } of clause.patterns) {
        if (variable !== undefined) names.add(variable);
        for (const node of nodes) if (node.variable !== undefined) names.add(node.variable);
        for (const one of relationships)
          if (one.variable !== undefined && one.length === undefined) names.add(one.variable);
      }
    } else if (clause.type !== 'with' || clause.projection.items.some(({ isAliased }) => isAliased))
      return new Set();
  }
  return names;
}

/** Whether the last clause has an ORDER BY. */
export const isSorted = ({ parts }: Query): boolean =>
  parts.some(({ clauses }) => {
    const last = clauses.at(-1);
    return last?.type === 'return' && last.projection.orderBy.length > 0;
  });
