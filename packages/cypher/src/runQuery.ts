/** Runs a query on a graph. */
import { compileQuery } from './compile/queryCompiler.ts';
import { CypherError } from './cypherError.ts';
import type { PropertyGraph } from './graph/propertyGraph.ts';
import type { PlanLine } from './match/matchPlanner.ts';
import { Budget, DEFAULT_LIMITS, type QueryLimits } from './run/budget.ts';
import { parse } from './syntax/parser.ts';
import { TemporalInstant } from './values/temporal/instant.ts';
import type { Value } from './values/values.ts';

export interface QueryOptions {
  readonly parameters?: Readonly<Record<string, Value>>;
  readonly limits?: Partial<QueryLimits>;
  /** Throws when the query has to end; asked every few thousand steps. */
  readonly look?: () => void;
  /** Milliseconds since the epoch; default: now. */
  readonly now?: number;
  /** Take the time of each step of the plan: costs some itself. */
  readonly profile?: boolean;
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly plan: readonly PlanLine[];
  /** Worth telling: labels that no node carries, paths that were not followed to their end. */
  readonly warnings: readonly string[];
  readonly steps: number;
}

/** @throws CypherError with what is wrong with the query, what it met, or which limit it reached; what `look` throws */
export function runQuery(text: string, graph: PropertyGraph, options: QueryOptions = {}): QueryResult {
  const { parameters = {}, look = () => {}, now = Date.now() } = options;
  const warnings = new Set<string>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new Budget(limits, look);
  const query = compileQuery(parse(text), {
    graph,
    parameters,
    budget,
    now: TemporalInstant.ofEpochMillis(now),
    profile: options.profile,
    warn: (warning) => warnings.add(warning),
  });
  const rows: (readonly Value[])[] = [];
  query.run((values) => {
    rows.push(values);
    if (rows.length * values.length > limits.results)
      throw new CypherError('limit', `the answer has more than ${limits.results} values: use LIMIT`);
    return true;
  });
  return { columns: query.columns, rows, plan: query.plan, warnings: [...warnings], steps: budget.steps };
}

/** How the query would be run. @throws CypherError */
export function explainQuery(
  text: string,
  graph: PropertyGraph,
  options: QueryOptions = {},
): readonly PlanLine[] {
  const budget = new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.look ?? (() => {}));
  const now = TemporalInstant.ofEpochMillis(options.now ?? Date.now());
  return compileQuery(parse(text), {
    graph,
    parameters: options.parameters ?? {},
    budget,
    now,
    warn: () => {},
  }).plan;
}
