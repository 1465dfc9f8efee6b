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
  /** Called every few thousand steps; throws if the query must stop. */
  readonly checkpoint?: () => void;
  /** Milliseconds since the epoch; default: now. */
  readonly now?: number;
  /**
   * Whether the answer is a graph: duplicate rows that consist only of graph parts are dropped, unless a LIMIT
   * counts them.
   */
  readonly asGraph?: boolean;
  /** Receives the rows instead of the result, and limits them itself. */
  readonly take?: (values: readonly Value[]) => void;
  /** Whether to measure the time of each step of the plan, which adds some overhead. */
  readonly profile?: boolean;
  /** Whether to return the rows found so far when a limit is reached, with a warning. */
  readonly partial?: boolean;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly plan: readonly PlanLine[];
  /** Warnings: the condition that removed all rows, unknown labels, paths that were cut at the length limit. */
  readonly warnings: readonly string[];
  readonly steps: number;
  /** Whether nothing was found: the answer has no rows, or only aggregates over no rows. */
  readonly isEmpty: boolean;
}

/** @throws CypherError for an invalid query, a bad value, or an exceeded limit; errors of `checkpoint` */
export function runQuery(text: string, graph: PropertyGraph, options: QueryOptions = {}): QueryResult {
  const { parameters = {}, checkpoint = () => {}, now = Date.now() } = options;
  const warnings = new Set<string>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new Budget(limits, checkpoint);
  const parsed = parse(text);
  const context: RunContext = {
    graph: graph.spending?.(budget) ?? graph,
    parameters,
    budget,
    now: TemporalInstant.ofEpochMillis(now),
    profile: options.profile,
    ...(options.partial && { progress: {} }),
    warn: (warning, at) => warnings.add(at === undefined ? warning : placedText(warning, text, at)),
  };
  const query = shallow(() => {
    if (!options.asGraph) return compileQuery(parsed, context);
    // An ORDER BY must be valid even if it has no effect.
    if (isSorted(parsed)) compileQuery(parsed, context);
    return compileQuery(withoutCopies(parsed), context);
  });
  const rows: (readonly Value[])[] = [];
  const { take } = options;
  let size = 0;
  let count = 0;
  shallow(() =>
    query.run((values) => {
      // The receiver deduplicates these rows, but the size of lists and texts in them is still limited here.
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
  // A query with one part is also explained if its only row is a count of 0.
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

/** Explains how the query would run. @throws CypherError */
export function explainQuery(
  text: string,
  graph: PropertyGraph,
  options: QueryOptions = {},
): readonly PlanLine[] {
  const budget = new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.checkpoint ?? (() => {}));
  const now = TemporalInstant.ofEpochMillis(options.now ?? Date.now());
  return shallow(
    () =>
      compileQuery(parse(text), {
        graph: graph.spending?.(budget) ?? graph,
        parameters: options.parameters ?? {},
        budget,
        now,
        warn: () => {},
      }).plan,
  );
}
