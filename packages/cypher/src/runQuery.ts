/** Runs a query on a graph. */
import { isSorted, withoutCopies } from './compile/graphAnswer.ts';
import { compileQuery } from './compile/queryCompiler.ts';
import { whyEmpty } from './compile/whyEmpty.ts';
import { CypherError, placedText } from './cypherError.ts';
import type { PropertyGraph } from './graph/propertyGraph.ts';
import type { PlanLine } from './match/planLine.ts';
import { Budget, DEFAULT_LIMITS, type QueryLimits } from './run/budget.ts';
import type { RunContext } from './run/context.ts';
import { shallow } from './run/shallow.ts';
import { parse } from './syntax/parser.ts';
import { sizeOf } from './values/size.ts';
import { TemporalInstant } from './values/temporal/instant.ts';
import type { Value } from './values/values.ts';

export interface QueryOptions {
  readonly parameters?: Readonly<Record<string, Value>>;
  readonly limits?: Partial<QueryLimits>;
  /** Throws when the query has to end; called every few thousand steps. */
  readonly look?: () => void;
  /** Milliseconds since the epoch; default: now. */
  readonly now?: number;
  /**
   * The answer is a graph: of rows that name nothing but its parts, equal ones come once, where no LIMIT counts them.
   */
  readonly asGraph?: boolean;
  /** Gets the rows instead of the result, and bounds them itself. */
  readonly take?: (values: readonly Value[]) => void;
  /** Take the time of each step of the plan: costs some itself. */
  readonly profile?: boolean;
  /** At a limit, the rows found before are the answer, which says so. */
  readonly partial?: boolean;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly plan: readonly PlanLine[];
  /** Warnings: the condition that emptied the answer, labels that no node carries, paths that were not followed to their end. */
  readonly warnings: readonly string[];
  readonly steps: number;
  /** Nothing was found: the answer has no row, or only aggregates of nothing. */
  readonly isEmpty: boolean;
}

/** @throws CypherError with the fault of the query, a bad value, or the limit it reached; the errors of `look` */
export function runQuery(text: string, graph: PropertyGraph, options: QueryOptions = {}): QueryResult {
  const { parameters = {}, look = () => {}, now = Date.now() } = options;
  const warnings = new Set<string>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new Budget(limits, look);
  const parsed = parse(text);
  const context: RunContext = {
    graph,
    parameters,
    budget,
    now: TemporalInstant.ofEpochMillis(now),
    profile: options.profile,
    ...(options.partial && { progress: {} }),
    warn: (warning, at) => warnings.add(at === undefined ? warning : placedText(warning, text, at)),
  };
  const query = shallow(() => {
    if (!options.asGraph) return compileQuery(parsed, context);
    // An order that does not matter may not be wrong nevertheless.
    if (isSorted(parsed)) compileQuery(parsed, context);
    return compileQuery(withoutCopies(parsed), context);
  });
  const rows: (readonly Value[])[] = [];
  const { take } = options;
  let size = 0;
  let count = 0;
  shallow(() =>
    query.run((values) => {
      // The receiver keeps one of each of these rows; lists and texts in them are limited here nevertheless.
      const ofValues = values.reduce<number>((sum, value) => sum + sizeOf(value, limits.results - sum), 0);
      size = take === undefined ? size + ofValues : Math.max(0, ofValues - values.length);
      if (size > limits.results)
        throw new CypherError('limit', `the answer has more than ${limits.results} values: use LIMIT`);
      count++;
      if (take === undefined) rows.push(values);
      else take(values);
      return true;
    }),
  );
  const isPart = context.progress?.isPart === true;
  let isEmpty = count === 0 && !isPart;
  // A query with one part is also explained when its only row is a count of nothing.
  if (!isPart && (count === 0 || query.stages.length === 1))
    for (const stages of query.stages) {
      const reason = whyEmpty(text, stages, context);
      isEmpty ||= stages.some(({ line }) => line.rows === 0);
      if (reason !== undefined) warnings.add(reason);
    }
  return {
    columns: query.columns,
    rows,
    plan: query.plan,
    warnings: [...warnings],
    steps: budget.steps,
    isEmpty,
  };
}

/** How the query would be run. @throws CypherError */
export function explainQuery(
  text: string,
  graph: PropertyGraph,
  options: QueryOptions = {},
): readonly PlanLine[] {
  const budget = new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.look ?? (() => {}));
  const now = TemporalInstant.ofEpochMillis(options.now ?? Date.now());
  return shallow(
    () =>
      compileQuery(parse(text), {
        graph,
        parameters: options.parameters ?? {},
        budget,
        now,
        warn: () => {},
      }).plan,
  );
}
