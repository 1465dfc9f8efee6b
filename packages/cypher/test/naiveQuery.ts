/**
 * Clauses in the obvious way, for comparison: one after the other, each on all rows of the one before. WITH and RETURN of
 * variables, DISTINCT, and counts alone.
 */
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import type { Clause, Expression, Projection } from '../src/syntax/ast.ts';
import { keyOf } from '../src/values/compare.ts';
import type { Value } from '../src/values/values.ts';
import { FREE, NaiveMatcher } from './naiveMatch.ts';

type Bound = ReadonlyMap<string, Value>;

/** @returns rows of the last clause, by the names of its columns */
export function naiveRows(clauses: readonly Clause[], graph: PropertyGraph): readonly Bound[] {
  const naive = new NaiveMatcher(graph);
  let rows: readonly Bound[] = [new Map()];
  for (const clause of clauses) {
    if (clause.type === 'unwind' || clause.type === 'subquery' || clause.type === 'procedure')
      throw new Error(`no ${clause.type} here`);
    if (clause.type === 'match') {
      rows = rows.flatMap((row): readonly Bound[] => {
        const found = naive.match(clause, row);
        return found.length > 0 || !clause.optional ? found : [withNulls(clause, row)];
      });
      continue;
    }
    const before = rows;
    rows = projected(clause.projection, before);
    const where = clause.type === 'with' ? clause.where : undefined;
    if (where !== undefined) rows = rows.filter((row) => naive.value(where, new Map(row)) === true);
  }
  return rows;
}

function withNulls({ patterns }: Extract<Clause, { type: 'match' }>, row: Bound): Bound {
  const names = patterns.flatMap(({ variable, nodes, relationships }) => [
    variable,
    ...[...nodes, ...relationships].map((element) => element.variable),
  ]);
  const made = new Map<string, Value>(row);
  for (const name of names) if (name !== undefined && !row.has(name)) made.set(name, null);
  return made;
}

function projected({ items, distinct }: Projection, rows: readonly Bound[]): readonly Bound[] {
  const isCount = ({ type }: Expression): boolean => type === 'call' || type === 'countAll';
  const read = (expression: Expression, row: Bound): Value => {
    if (expression.type !== 'variable') throw new Error('variables alone');
    return row.get(expression.name) ?? null;
  };
  const keys = items.filter(({ expression }) => !isCount(expression));
  if (keys.length === items.length) {
    const made = rows.map(
      (row) => new Map(items.map(({ name, expression }) => [name, read(expression, row)])),
    );
    if (!distinct) return made;
    return [
      ...new Map(
        made.map((row) => [[...row.values()].map((value) => keyOf(value, FREE)).join(), row]),
      ).values(),
    ];
  }
  const groups = Map.groupBy(rows, (row) =>
    keys.map(({ expression }) => keyOf(read(expression, row), FREE)).join(),
  );
  if (groups.size === 0 && keys.length === 0) groups.set('', []);
  return [...groups.values()].map(
    (group) =>
      new Map(
        items.map(({ name, expression }): [string, Value] => {
          if (expression.type === 'countAll') return [name, group.length];
          if (expression.type !== 'call') return [name, read(expression, group[0])];
          const values = group.map((row) => read(expression.args[0], row)).filter((value) => value !== null);
          return [
            name,
            expression.distinct ? new Set(values.map((value) => keyOf(value, FREE))).size : values.length,
          ];
        }),
      ),
  );
}
