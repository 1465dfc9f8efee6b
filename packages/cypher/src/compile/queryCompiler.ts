/** A whole query as operators, one after the other. */
import { Frame, Scope } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import { conjuncts, elementsOf } from '../match/elements.ts';
import { type PlanLine, planMatch } from '../match/matchPlanner.ts';
import type { Evaluate, Operator, Row, RunContext, Sink } from '../run/context.ts';
import type { Clause, Expression, PathPattern, Projection, Query } from '../syntax/ast.ts';
import { keyOf } from '../values/compare.ts';
import { truth } from '../values/operators.ts';
import { isList, type Value } from '../values/values.ts';
import { ExpressionCompiler, type NestedCompiler } from './expressionCompiler.ts';
import { compileProjection, hasAggregate } from './projection.ts';

export interface CompiledPart {
  readonly operators: readonly Operator[];
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
  readonly scope: Scope;
}

export interface CompiledQuery {
  readonly columns: readonly string[];
  readonly plan: readonly PlanLine[];
  /** @param take gets the values of each row; returns false when it wants no more */
  run(take: (values: readonly Value[]) => boolean): void;
}

/** @throws CypherError for what says nothing that can be run */
export function compileQuery(query: Query, context: RunContext): CompiledQuery {
  const plan: PlanLine[] = [];
  const compiler = new QueryCompiler(context, (line) => plan.push(line));
  const frame = new Frame();
  const parts = compiler.parts(query, new Scope(frame), true);
  const columns = parts[0].columns.map(({ name }) => name);
  const isUnion = parts.length > 1;
  return {
    columns,
    plan,
    run(take) {
      const seen = new Set<string>();
      let goesOn = true;
      for (const { operators, columns: own } of parts) {
        const slots = columns.map((name) => own.find((column) => column.name === name)?.slot as number);
        const sink: Sink = {
          row(row) {
            const values = slots.map((slot) => row[slot]);
            if (isUnion && !query.unionAll) {
              const key = values.map(keyOf).join();
              if (seen.has(key)) return true;
              context.budget.hold(1);
              seen.add(key);
            }
            goesOn = take(values);
            return goesOn;
          },
          end() {},
        };
        const row: Row = new Array(frame.size).fill(null);
        const first = linked(operators, sink, row);
        first.row(row);
        first.end();
        if (!goesOn) return;
      }
    },
  };
}

/** Some clauses on rows that are there: makes graphs for tests. @returns the rows that come of them */
export function runClauses(
  clauses: readonly Clause[],
  rows: readonly Readonly<Record<string, Value>>[],
  context: RunContext,
): Record<string, Value>[] {
  const frame = new Frame();
  const names = Object.keys(rows[0] ?? {});
  let outer = new Scope(frame);
  for (const name of names) ({ scope: outer } = outer.with(name, 'value'));
  const { operators, scope } = new QueryCompiler(context, () => {}).clauses(clauses, outer, false);
  const made: Record<string, Value>[] = [];
  const row: Row = new Array(frame.size).fill(null);
  const first = linked(
    operators,
    {
      row(values) {
        const named = scope.names.filter((name) => !name.startsWith(' '));
        made.push(Object.fromEntries(named.map((name) => [name, values[scope.get(name, 0).slot]])));
        return true;
      },
      end() {},
    },
    row,
  );
  for (const values of rows) {
    names.forEach((name, slot) => {
      row[slot] = values[name];
    });
    first.row(row);
  }
  first.end();
  return made;
}

/** @returns what takes the first row */
function linked(operators: readonly Operator[], last: Sink, row: Row): Sink {
  return operators.reduceRight((next, operator) => operator(next, row), last);
}

class QueryCompiler implements NestedCompiler {
  readonly #context: RunContext;
  readonly #expressions: ExpressionCompiler;
  readonly #plan: (line: PlanLine) => void;

  constructor(context: RunContext, plan: (line: PlanLine) => void) {
    this.#context = context;
    this.#plan = plan;
    this.#expressions = new ExpressionCompiler(context, this);
  }

  /** @param isWhole it has to hand something out */
  parts(query: Query, scope: Scope, isWhole: boolean): CompiledPart[] {
    const parts = query.parts.map(({ clauses }) => this.clauses(clauses, scope, isWhole));
    const [first] = parts;
    const names = first.columns.map(({ name }) => name);
    for (const { columns } of parts)
      if (columns.length !== names.length || columns.some(({ name }, at) => name !== names[at]))
        throw new CypherError(
          'meaning',
          `the parts of a UNION need the same columns: ${names.join(', ')}`,
          query.at,
        );
    return parts;
  }

  clauses(clauses: readonly Clause[], outer: Scope, isWhole: boolean): CompiledPart {
    const operators: Operator[] = [];
    let scope = outer;
    let columns: CompiledPart['columns'] = [];
    for (const [at, clause] of clauses.entries()) {
      switch (clause.type) {
        case 'match': {
          const made = this.#match(clause, scope, asksForEndsAlone(clauses, at));
          operators.push(made.operator);
          scope = made.scope;
          break;
        }
        case 'unwind': {
          const made = this.#unwind(clause, scope);
          operators.push(made.operator);
          scope = made.scope;
          break;
        }
        case 'with':
        case 'return': {
          const made = this.#project(clause.projection, scope, clause.type === 'with');
          operators.push(...made.operators);
          scope = made.scope;
          columns = made.columns;
          if (clause.type === 'with' && clause.where !== undefined)
            operators.push(this.#filter(clause.where, made.filterScope));
        }
      }
    }
    const last = clauses.at(-1) as Clause;
    if (isWhole && last.type !== 'return')
      throw new CypherError('syntax', `mismatched input: a query ends with RETURN`, last.at);
    return { operators, columns: last.type === 'return' ? columns : [], scope };
  }

  pattern(pattern: PathPattern, where: Expression | undefined, scope: Scope, most: number): Evaluate {
    const [unknown] = newNames(pattern, scope);
    if (unknown !== undefined)
      throw new CypherError('meaning', `the variable \`${unknown}\` is not defined`, pattern.at);
    const { link } = this.#nestedMatch([pattern], where, scope, most === 1);
    let count = 0;
    const run = link(() => {
      count++;
      return count < most;
    });
    return (row) => {
      count = 0;
      run(row);
      return count;
    };
  }

  patternComprehension(
    pattern: PathPattern,
    where: Expression | undefined,
    result: Expression,
    scope: Scope,
  ): Evaluate {
    const { link, scope: within } = this.#nestedMatch([pattern], where, scope, false);
    const evaluate = this.#expressions.compile(result, within);
    let made: Value[] = [];
    const run = link((row) => {
      this.#context.budget.hold(1);
      made.push(evaluate(row));
      return true;
    });
    return (row) => {
      made = [];
      run(row);
      return made;
    };
  }

  subquery(query: Query, scope: Scope, most: number): Evaluate {
    const parts = this.parts(query, scope, false);
    return (row) => {
      let count = 0;
      const sink: Sink = {
        row() {
          count++;
          return count < most;
        },
        end() {},
      };
      for (const { operators } of parts) {
        if (count >= most) break;
        // Operators that keep rows write into the row of the query: what was there comes back.
        const before = [...row];
        const first = linked(operators, sink, row);
        first.row(row);
        first.end();
        before.forEach((value, slot) => {
          row[slot] = value;
        });
      }
      return count;
    };
  }

  #nestedMatch(
    patterns: readonly PathPattern[],
    where: Expression | undefined,
    scope: Scope,
    onlyEnds: boolean,
  ) {
    const elements = elementsOf(patterns, where, scope);
    const link = planMatch(elements, this.#expressions, this.#context, scope, { onlyEnds, plan: () => {} });
    return { link, scope: elements.scope };
  }

  #match(
    { patterns, where, optional }: Extract<Clause, { type: 'match' }>,
    scope: Scope,
    onlyEnds: boolean,
  ): { operator: Operator; scope: Scope } {
    const elements = elementsOf(patterns, where, scope);
    if (where !== undefined && conjuncts(where).some(hasAggregate))
      throw new CypherError('meaning', 'WHERE cannot aggregate', where.at);
    const step = planMatch(elements, this.#expressions, this.#context, scope, { onlyEnds, plan: this.#plan });
    const { made } = elements;
    const operator: Operator = (next) => {
      let isFound = false;
      const run = step((row) => {
        isFound = true;
        return next.row(row);
      });
      return {
        row(row) {
          if (!optional) return run(row);
          isFound = false;
          if (!run(row)) return false;
          if (isFound) return true;
          for (const slot of made) row[slot] = null;
          return next.row(row);
        },
        end: () => next.end(),
      };
    };
    return { operator, scope: elements.scope };
  }

  #unwind({ list, variable, at }: Extract<Clause, { type: 'unwind' }>, scope: Scope) {
    if (scope.find(variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${variable}\` is already defined`, at);
    if (hasAggregate(list)) throw new CypherError('meaning', 'UNWIND cannot aggregate', list.at);
    const evaluate = this.#expressions.compile(list, scope);
    const { scope: after, variable: bound } = scope.with(variable, 'value');
    const { budget } = this.#context;
    const operator: Operator = (next) => ({
      row(row) {
        const value = evaluate(row);
        if (value === null) return true;
        for (const item of isList(value) ? value : [value]) {
          budget.spend(1);
          row[bound.slot] = item;
          if (!next.row(row)) return false;
        }
        return true;
      },
      end: () => next.end(),
    });
    return { operator, scope: after };
  }

  #project(projection: Projection, scope: Scope, needsAliases: boolean) {
    return compileProjection(projection, scope, this.#expressions, this.#context, needsAliases);
  }

  #filter(where: Expression, scope: Scope): Operator {
    if (hasAggregate(where)) throw new CypherError('meaning', 'WHERE cannot aggregate', where.at);
    const evaluate = this.#expressions.compileCondition(where, scope);
    return (next) => ({
      row: (row) => truth(evaluate(row), 'WHERE') !== true || next.row(row),
      end: () => next.end(),
    });
  }
}

/** Names that a pattern within an expression would make: there they can only be known. */
function newNames({ nodes, relationships }: PathPattern, scope: Scope): string[] {
  const names = [...nodes, ...relationships].flatMap(({ variable }) =>
    variable === undefined ? [] : [variable],
  );
  return names.filter((name) => scope.find(name) === undefined);
}

const KEEPS_EACH_ONCE = new Set(['min', 'max']);

/**
 * Whether rows that differ in nothing but how often they come make no difference: what follows is DISTINCT, or groups by
 * functions that do not count. Then the ends of trails are enough.
 */
function asksForEndsAlone(clauses: readonly Clause[], at: number): boolean {
  for (const clause of clauses.slice(at + 1)) {
    if (clause.type === 'match') {
      if (clause.optional) return false;
      continue;
    }
    if (clause.type === 'unwind') return false;
    const { distinct, items, all } = clause.projection;
    const isGrouped = items.some(({ expression }) => hasAggregate(expression));
    if (!isGrouped) return distinct && !all;
    return items.every(
      ({ expression }) =>
        !hasAggregate(expression) ||
        (expression.type === 'call' && (expression.distinct || KEEPS_EACH_ONCE.has(expression.name))),
    );
  }
  return false;
}
