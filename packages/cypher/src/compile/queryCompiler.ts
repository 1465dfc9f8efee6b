/** Compiles a query to a chain of operators. */
import { Frame, Scope } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import { type Elements, elementsOf } from '../match/elements.ts';
import { conjuncts, namesIn } from '../match/expressionReads.ts';
import { planMatch } from '../match/matchPlanner.ts';
import { placedInPattern } from '../match/misplacedValues.ts';
import type { PlanLine, Stage } from '../match/planLine.ts';
import type { Next } from '../match/steps.ts';
import type { Budget } from '../run/budget.ts';
import { type ConditionCount, conditionCount, countedCondition } from '../run/conditionCount.ts';
import type { Evaluate, Operator, Row, RunContext, Sink } from '../run/context.ts';
import { isLimit, type Progress, shownProgress } from '../run/progress.ts';
import type { Clause, Expression, MatchPart, PathPattern, Projection, Query } from '../syntax/ast.ts';
import { keysOf } from '../values/compare.ts';
import { truth } from '../values/operators.ts';
import { isList, type Value } from '../values/values.ts';
import { withoutCountTests } from './countTests.ts';
import { ExpressionCompiler, type NestedCompiler } from './expressionCompiler.ts';
import { withKnownCounts } from './knownCounts.ts';
import { mergeClauses, partsOf } from './mergeClauses.ts';
import { withoutNullTests } from './optionalMatches.ts';
import { compileProcedure } from './procedures.ts';
import { compileProjection, hasAggregate } from './projection.ts';
import { type End, type Uses, usesAfter } from './uses.ts';

export interface CompiledPart {
  readonly operators: readonly Operator[];
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
  readonly scope: Scope;
}

export interface CompiledQuery {
  readonly columns: readonly string[];
  readonly plan: readonly PlanLine[];
  /** Steps that must produce rows, for each part of a UNION. */
  readonly stages: readonly (readonly Stage[])[];
  /** @param take receives the values of each row; returns false to stop */
  run(take: (values: readonly Value[]) => boolean): void;
}

/** @throws CypherError for an invalid query */
export function compileQuery(query: Query, context: RunContext): CompiledQuery {
  const plan: PlanLine[] = [];
  const stages: Stage[][] = query.parts.map(() => []);
  const compiler = new QueryCompiler(context, (stage, part, isOptional) => {
    plan.push(stage.line);
    if (!isOptional) stages[part].push(stage);
  });
  const frame = new Frame();
  const parts = compiler.parts(query, () => new Scope(frame), 'answer');
  const columns = parts[0].columns.map(({ name }) => name);
  const isUnion = parts.length > 1;
  return {
    columns,
    plan,
    stages,
    run(take) {
      const seen = new Set<string>();
      let goesOn = true;
      for (const [at, { operators, columns: own }] of parts.entries()) {
        const slots = columns.map((name) => own.find((column) => column.name === name)?.slot as number);
        const sink: Sink = {
          row(row) {
            const values = slots.map((slot) => row[slot]);
            if (isUnion && !query.unionAll) {
              const key = keysOf(values, context.budget);
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
        if (context.progress !== undefined) {
          if (!runPart(first, row, context, context.progress, query.parts[at].clauses)) return;
          continue;
        }
        first.row(row);
        first.end();
        if (!goesOn) return;
      }
    },
  };
}

/**
 * If a limit is reached, the rows found until then are still grouped, sorted and passed on.
 * @returns whether the result is complete @throws CypherError if a partial result would be wrong
 */
function runPart(
  first: Sink,
  row: Row,
  { budget, warn }: RunContext,
  progress: Progress,
  clauses: readonly Clause[],
): boolean {
  let isEnding = false;
  try {
    first.row(row);
    isEnding = true;
    progress.start = undefined;
    first.end();
    return true;
  } catch (error) {
    if (!isLimit(error)) throw error;
    if (!isEnding && goesOnAfterAll(clauses))
      throw new CypherError(
        'limit',
        `${error.message}; a partial answer is not possible, because a WITH needs all rows`,
      );
    progress.isPart = true;
    budget.extend();
    try {
      if (!isEnding) first.end();
    } catch (again) {
      if (!isLimit(again)) throw again;
    }
    warn(shownProgress(progress, error.message));
    return false;
  }
}

/**
 * Whether clauses process rows that depend on all previous rows, that is, groups, or the rows after SKIP and
 * LIMIT. A RETURN directly after such a WITH is allowed, because it returns those rows unchanged.
 */
function goesOnAfterAll(clauses: readonly Clause[]): boolean {
  return clauses.some((clause, at) => {
    if (clause.type !== 'with') return false;
    const { items, skip, limit } = clause.projection;
    const needsAll =
      skip !== undefined || limit !== undefined || items.some((item) => hasAggregate(item.expression));
    if (!needsAll) return false;
    const next = clauses[at + 1];
    const isShown =
      clause.where === undefined &&
      next?.type === 'return' &&
      !next.projection.items.some((item) => hasAggregate(item.expression)) &&
      next.projection.skip === undefined;
    return !isShown;
  });
}

export type NamedRow = Readonly<Record<string, Value>>;

export interface NamedRows {
  /** In the order of a RETURN; of other clauses, all names. */
  readonly columns: readonly string[];
  readonly rows: readonly NamedRow[];
}

/** Runs a part of a query between clauses that change the graph. */
export function runClauses(
  clauses: readonly Clause[],
  { columns: names, rows: given }: NamedRows,
  context: RunContext,
): NamedRows {
  const frame = new Frame();
  let outer = new Scope(frame);
  for (const name of names) ({ scope: outer } = outer.with(name, 'value'));
  const compiler = new QueryCompiler(context, () => {});
  const { operators, scope, columns: answered } = compiler.clauses(clauses, outer, 'rows');
  const columns =
    answered.length > 0
      ? answered
      : scope.names
          .filter((name) => !name.startsWith(' '))
          .map((name) => ({ name, slot: scope.get(name, 0).slot }));
  const rows: NamedRow[] = [];
  const row: Row = new Array(frame.size).fill(null);
  const first = linked(
    operators,
    {
      row(values) {
        context.budget.hold(1);
        rows.push(Object.fromEntries(columns.map(({ name, slot }) => [name, values[slot]])));
        return true;
      },
      end() {},
    },
    row,
  );
  for (const values of given) {
    names.forEach((name, slot) => {
      row[slot] = values[name];
    });
    first.row(row);
  }
  first.end();
  return { columns: columns.map(({ name }) => name), rows };
}

/** @returns compiles an expression that is evaluated for rows with these names */
export function namedExpressions(
  names: readonly string[],
  context: RunContext,
): (expression: Expression) => (row: NamedRow) => Value {
  const frame = new Frame();
  let scope = new Scope(frame);
  for (const name of names) ({ scope } = scope.with(name, 'value'));
  const expressions = new ExpressionCompiler(context, new QueryCompiler(context, () => {}));
  return (expression) => {
    if (hasAggregate(expression))
      throw new CypherError('meaning', 'a clause that changes the graph cannot aggregate', expression.at);
    const evaluate = expressions.compile(expression, scope);
    return (named) => {
      const row: Row = new Array(frame.size).fill(null);
      names.forEach((name, slot) => {
        row[slot] = named[name];
      });
      return evaluate(row);
    };
  };
}

/** @returns the sink for the first row */
function linked(operators: readonly Operator[], last: Sink, row: Row): Sink {
  return operators.reduceRight((next, operator) => operator(next, row), last);
}

/** @param part index of the UNION part @param isOptional whether rows continue even if the step finds nothing */
type TakeStage = (stage: Stage, part: number, isOptional: boolean) => void;

class QueryCompiler implements NestedCompiler {
  readonly #context: RunContext;
  readonly #expressions: ExpressionCompiler;
  readonly #plan: TakeStage;

  constructor(context: RunContext, plan: TakeStage) {
    this.#context = context;
    this.#plan = plan;
    this.#expressions = new ExpressionCompiler(context, this);
  }

  /** @param scopeOf creates the scope of names defined before the clauses */
  parts(query: Query, scopeOf: (clauses: readonly Clause[]) => Scope, end: End): CompiledPart[] {
    const parts = query.parts.map(({ clauses }, part) => this.clauses(clauses, scopeOf(clauses), end, part));
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

  clauses(written: readonly Clause[], outer: Scope, end: End, part = 0): CompiledPart {
    // Steps within an expression have no plan line.
    const plan = (stage: Stage, isOptional = false): void => {
      if (end === 'answer') this.#plan(stage, part, isOptional);
    };
    const { graph, budget } = this.#context;
    const searched = withoutCountTests(withKnownCounts(written, graph, budget), outer.names);
    const plain = withoutNullTests(searched, outer.names);
    const clauses = mergeClauses(plain, outer.names);
    const operators: Operator[] = [];
    let scope = outer;
    let columns: CompiledPart['columns'] = [];
    for (const [at, clause] of clauses.entries()) {
      switch (clause.type) {
        case 'match': {
          const made = this.#match(clause, scope, usesAfter(clauses, at, end), plan);
          operators.push(made.operator);
          scope = made.scope;
          break;
        }
        case 'unwind': {
          const made = this.#unwind(clause, scope);
          operators.push(counted(made.operator, 'unwind', clause.variable, [], plan));
          scope = made.scope;
          break;
        }
        case 'subquery': {
          const made = this.#subquery(clause, scope);
          operators.push(counted(made.operator, 'subquery', made.names.join(', '), [], plan));
          scope = made.scope;
          break;
        }
        case 'procedure': {
          const made = compileProcedure(clause, scope, this.#expressions, this.#context);
          operators.push(counted(made.operator, 'procedure', clause.name, [], plan));
          scope = made.scope;
          if (clause.where !== undefined) operators.push(...this.#filters(clause.where, scope, plan));
          break;
        }
        case 'with':
        case 'return': {
          const needsAliases = clause.type === 'with' || end === 'subquery';
          const made = this.#project(clause.projection, scope, needsAliases);
          operators.push(...made.operators);
          scope = made.scope;
          columns = made.columns;
          if (clause.type === 'with' && clause.where !== undefined)
            operators.push(...this.#filters(clause.where, made.filterScope, plan));
        }
      }
    }
    const last = clauses.at(-1) as Clause;
    if (end === 'answer' && last.type !== 'return')
      throw new CypherError('syntax', `mismatched input: a query ends with RETURN`, last.at);
    if (end === 'subquery' && (last.type !== 'return' || last.projection.all))
      throw new CypherError('syntax', 'CALL { } needs a RETURN at its end that names its columns', last.at);
    return { operators, columns: last.type === 'return' ? columns : [], scope };
  }

  pattern(pattern: PathPattern, where: Expression | undefined, scope: Scope, most: number): Evaluate {
    const [unknown] = newNames(pattern, scope);
    if (unknown !== undefined)
      throw new CypherError('meaning', `the variable \`${unknown}\` is not defined`, pattern.at);
    const { link } = this.#nestedMatch([{ patterns: [pattern], ...(where && { where }) }], scope, {
      names: new Set(),
      copiesMatter: most !== 1,
      isGraph: false,
      takesFirst: false,
    });
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
    const parts = [{ patterns: [pattern], ...(where && { where }) }];
    const { link, scope: within } = this.#nestedMatch(parts, scope, {
      names: namesIn(result),
      copiesMatter: true,
      isGraph: false,
      takesFirst: false,
    });
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
    const parts = this.parts(query, () => scope, most === 1 ? 'exists' : 'count');
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
        // Operators that buffer rows write into the row of the query, so its values are restored.
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

  #nestedMatch(parts: readonly MatchPart[], scope: Scope, uses: Uses) {
    const elements = elementsOf(parts, scope);
    const step = planMatch(elements, this.#expressions, this.#context, scope, uses);
    return { link: (next: Next) => inPattern(elements, step(next)), scope: elements.scope };
  }

  #match(
    clause: Extract<Clause, { type: 'match' }>,
    scope: Scope,
    uses: Uses,
    plan: (stage: Stage, isOptional: boolean) => void,
  ): { operator: Operator; scope: Scope } {
    const parts = partsOf(clause);
    const elements = elementsOf(parts, scope);
    for (const { where } of parts)
      if (where !== undefined && conjuncts(where).some(hasAggregate))
        throw new CypherError('meaning', 'WHERE cannot aggregate', where.at);
    const { optional } = clause;
    const step = planMatch(elements, this.#expressions, this.#context, scope, {
      ...uses,
      plan: (stage) => plan(stage, optional),
    });
    const { made } = elements;
    const operator: Operator = (next) => {
      let isFound = false;
      const run = inPattern(
        elements,
        step((row) => {
          isFound = true;
          return next.row(row);
        }),
      );
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
    if (hasAggregate(list)) throw new CypherError('meaning', 'UNWIND does not allow aggregates', list.at);
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

  /** Runs a subquery for each row. */
  #subquery({ query, imports, at }: Extract<Clause, { type: 'subquery' }>, scope: Scope) {
    const empty = new Scope(scope.frame);
    const given =
      imports === 'all' || imports === 'with'
        ? scope
        : empty.withAll(imports.map(({ name, at: place }) => [name, scope.get(name, place)] as const));
    const knows = ([first]: readonly Clause[]): Scope =>
      imports === 'with' && first.type !== 'with' ? empty : given;
    const parts = this.parts(query, knows, 'subquery');
    const names = parts[0].columns.map(({ name }) => name);
    let after = scope;
    const outputs: number[] = [];
    for (const name of names) {
      if (scope.find(name) !== undefined)
        throw new CypherError('meaning', `the variable \`${name}\` is already defined`, at);
      const type = parts.length === 1 ? parts[0].scope.find(name)?.type : undefined;
      const made = after.with(name, type ?? 'value');
      after = made.scope;
      outputs.push(made.variable.slot);
    }
    const isEachOnce = parts.length > 1 && !query.unionAll;
    const operator = subqueryRows(parts, outputs, isEachOnce, this.#context.budget);
    return { operator, scope: after, names };
  }

  #project(projection: Projection, scope: Scope, needsAliases: boolean) {
    return compileProjection(projection, scope, this.#expressions, this.#context, needsAliases);
  }

  #filters(where: Expression, scope: Scope, plan: (stage: Stage) => void): Operator[] {
    if (hasAggregate(where)) throw new CypherError('meaning', 'WHERE cannot aggregate', where.at);
    return conjuncts(where).map((condition) => {
      const evaluate = this.#expressions.compileCondition(condition, scope);
      const variables = [...namesIn(condition)].flatMap((name) => scope.find(name) ?? []);
      const count = conditionCount(condition, scope, variables.length === 1 ? variables[0].slot : undefined);
      const passes = countedCondition((row) => truth(evaluate(row), 'WHERE', condition.at) === true, count);
      const filter: Operator = (next) => ({
        row: (row) => !passes(row) || next.row(row),
        end: () => next.end(),
      });
      const detail = [...namesIn(condition)].filter((name) => !name.startsWith(' ')).join(', ');
      return counted(filter, 'filter', detail, [count], plan);
    });
  }
}

/** @returns the same search, whose errors have a position */
const inPattern =
  (elements: Elements, run: Next): Next =>
  (row) => {
    try {
      return run(row);
    } catch (error) {
      throw placedInPattern(error, elements, row);
    }
  };

/** @param outputs slots for the columns of each part, in order */
function subqueryRows(
  parts: readonly CompiledPart[],
  outputs: readonly number[],
  isEachOnce: boolean,
  budget: Budget,
): Operator {
  const rowsOf = (row: Row): (readonly Value[])[] => {
    const found = new Map<string | number, readonly Value[]>();
    for (const { operators, columns } of parts) {
      const sink: Sink = {
        row(values) {
          const made = columns.map(({ slot }) => values[slot]);
          const key = isEachOnce ? keysOf(made, budget) : found.size;
          if (found.has(key)) return true;
          budget.hold(1);
          found.set(key, made);
          return true;
        },
        end() {},
      };
      // Operators that buffer rows write into the row of the query, so its values are restored.
      const before = [...row];
      budget.spend(row.length);
      const first = linked(operators, sink, row);
      first.row(row);
      first.end();
      before.forEach((value, slot) => {
        row[slot] = value;
      });
    }
    return [...found.values()];
  };
  return (next) => ({
    row(row) {
      const found = rowsOf(row);
      const goesOn = found.every((values) => {
        outputs.forEach((slot, column) => {
          row[slot] = values[column];
        });
        return next.row(row);
      });
      budget.release(found.length);
      return goesOn;
    },
    end: () => next.end(),
  });
}

/** Adds a plan line to the operator, which counts its rows. */
function counted(
  operator: Operator,
  step: string,
  detail: string,
  conditions: readonly ConditionCount[],
  plan: (stage: Stage) => void,
): Operator {
  const line: PlanLine = { step, detail, rows: 0 };
  plan({ line, conditions });
  return (next, frame) =>
    operator(
      {
        row(row) {
          line.rows++;
          return next.row(row);
        },
        end: () => next.end(),
      },
      frame,
    );
}

/** Names in a pattern within an expression that are not defined yet. Such patterns may only use existing names. */
function newNames({ nodes, relationships }: PathPattern, scope: Scope): string[] {
  const names = [...nodes, ...relationships].flatMap(({ variable }) =>
    variable === undefined ? [] : [variable],
  );
  return names.filter((name) => scope.find(name) === undefined);
}
