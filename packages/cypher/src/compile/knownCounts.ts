/**
 * Answers queries for the number of all relationships of a type without a search: `MATCH ()-[r:MemberOf]->()
 * RETURN count(r)`.
 */
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { type Spends, textSteps } from '../run/budget.ts';
import type { Clause, Expression, NodePattern, RelationshipPattern } from '../syntax/ast.ts';

/** @returns clauses with the count instead of the search; the original clauses for any other query */
export function withKnownCounts(
  clauses: readonly Clause[],
  graph: PropertyGraph,
  budget: Spends,
): readonly Clause[] {
  const [match, last, ...others] = clauses;
  if (match?.type !== 'match' || last?.type !== 'return' || others.length > 0) return clauses;
  const relationship = match.optional || graph.isHidden !== undefined ? undefined : onlyRelationship(match);
  const { items, all, orderBy, skip, limit } = last.projection;
  if (relationship === undefined || all || skip !== undefined || limit !== undefined || orderBy.length > 0)
    return clauses;
  if (!items.every(({ expression }) => isCountOf(expression, relationship.variable))) return clauses;
  const value = countOf(relationship.types, graph, budget);
  // Leaves the clauses unchanged, so an empty answer is explained as usual, for instance by an unknown type.
  if (value === 0) return clauses;
  const counted = items.map((item): typeof item => ({
    ...item,
    expression: { type: 'literal', at: item.at, value },
  }));
  return [{ ...last, projection: { ...last.projection, items: counted } }];
}

/** @returns the relationship, if the pattern consists of nothing else */
function onlyRelationship({
  patterns,
  where,
  more,
}: Extract<Clause, { type: 'match' }>): RelationshipPattern | undefined {
  const [pattern] = patterns;
  if (patterns.length > 1 || where !== undefined || more !== undefined) return undefined;
  const { nodes, relationships, shortest, variable } = pattern;
  const [relationship] = relationships;
  const isPlain =
    relationships.length === 1 &&
    relationship.direction !== 'both' &&
    [relationship.length, relationship.properties, relationship.where, relationship.group].every(
      (part) => part === undefined,
    );
  const [a, b] = nodes;
  const areDifferent = a.variable === undefined || a.variable !== b?.variable;
  if (!isPlain || shortest !== undefined || variable !== undefined || !areDifferent) return undefined;
  return nodes.every(isAny) ? relationship : undefined;
}

const isAny = ({ labels, properties, where }: NodePattern): boolean =>
  labels.length === 0 && properties === undefined && where === undefined;

function isCountOf(expression: Expression, variable: string | undefined): boolean {
  if (expression.type === 'countAll') return true;
  if (expression.type !== 'call' || expression.name !== 'count') return false;
  const [of] = expression.args;
  return of?.type === 'variable' && of.name === variable && expression.args.length === 1;
}

function countOf(names: readonly string[], { edgeCount, out, types }: PropertyGraph, budget: Spends): number {
  if (names.length === 0) return edgeCount;
  const wanted = new Set(names.flatMap((name) => types(name)));
  budget.spend(textSteps(edgeCount));
  let count = 0;
  for (let edge = 0; edge < edgeCount; edge++) if (wanted.has(out.kinds[edge])) count++;
  return count;
}
