/** CPU times for the forms of a query, and whether all of them return the same rows. */
import {
  isList,
  NodeValue,
  PathValue,
  type PropertyGraph,
  type QueryResult,
  runQuery,
  type Value,
} from '@clew/cypher';
import type { HardQuestion } from './hardQuestions.ts';

/** A query that takes longer counts as not ending. */
const LIMIT_MS = 30_000;

export const rounded = (number: number): number => Math.round(number * 10) / 10;

export interface Timed {
  readonly rows: number;
  /** Equal for the same rows in any order; for paths, only their number is compared. */
  readonly sum: number;
  readonly firstRow: readonly Value[];
  readonly ms: number;
}

/** CPU time, the better of two runs, because the first one loads and compiles code. */
export function timed(query: string, question: HardQuestion, view: PropertyGraph): Timed {
  let best = Number.POSITIVE_INFINITY;
  let answer: Omit<Timed, 'ms'> | undefined;
  for (let run = 0; run < 2; run++) {
    const began = process.cpuUsage();
    const ms = (): number => {
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    const checkpoint = (): void => {
      if (ms() > LIMIT_MS) throw new Error(`${question.name}: no answer in ${LIMIT_MS} ms: ${query}`);
    };
    const limits = { results: 5_000_000 };
    if (question.asGraph) {
      const nodes = new Set<number>();
      const take = (values: readonly Value[]): void => {
        for (const value of values) for (const node of nodesIn(value)) nodes.add(node);
      };
      runQuery(query, view, { limits, checkpoint, asGraph: true, take });
      answer = { rows: nodes.size, sum: [...nodes].reduce((sum, node) => sum + node, 0), firstRow: [] };
    } else {
      const { rows } = runQuery(query, view, { limits, checkpoint });
      answer = { rows: rows.length, sum: sumOf(rows), firstRow: rows[0] ?? [] };
    }
    best = Math.min(best, ms());
  }
  return { ...(answer as Omit<Timed, 'ms'>), ms: best };
}

function sumOf(rows: QueryResult['rows']): number {
  const numberOf = (value: Value): number =>
    typeof value === 'number' ? value : ((value as { node?: number } | null)?.node ?? 1);
  return rows.reduce(
    (total, row) => total + row.reduce((one: number, value) => one * 31 + numberOf(value), 7),
    0,
  );
}

function nodesIn(value: Value): readonly number[] {
  if (value instanceof NodeValue) return [value.node];
  if (value instanceof PathValue) return value.nodes;
  return isList(value) ? value.flatMap(nodesIn) : [];
}

/** @throws Error if a form returns other rows than the first */
export function expectSameRows(question: HardQuestion, results: readonly Timed[]): void {
  const { name, forms, isEmpty = false } = question;
  const [first] = results as [Timed];
  if ((first.rows === 0) !== isEmpty) throw new Error(`${name}: ${first.rows} rows`);
  for (const [at, { rows, sum }] of results.entries())
    if (rows !== first.rows || (!question.anyRows && sum !== first.sum))
      throw new Error(`${name}: form ${at + 1} has other rows: ${forms[at]}`);
}
