/**
 * Runs the queries of checks while a generation is built, on its graph and zones. If a check fails, its last result is kept, with its date.
 *
 * Rule: `docs/checks.md#with-each-generation`.
 */

import {
  CHECK_LIMITS,
  type Ran,
  runStoredQueries,
  type SelectorGraph,
  type SelectorRunOptions,
  type TimedOut,
} from '@clew/explore';
import type { AttackGraph, DeclaredCheck } from '@clew/graph';
import { nameOf, objectIdOf } from '@clew/graph';
import { type Statements, storableJson, storableText } from '@clew/store';
import type pg from 'pg';
import { type CheckFound, checkFound } from './checkAnswer.ts';

/** The query of a check, with the outcome of its last run. */
export interface CheckQuery {
  readonly id: number;
  readonly name: string;
  readonly cypher: string;
  readonly query_ms: number | null;
  readonly query_timed_out: TimedOut | null;
}

export interface RanCheck {
  readonly id: number;
  readonly name: string;
  /** The query that ran: its result is invalid for another text. */
  readonly cypher: string;
  readonly ran: Ran<CheckFound>;
}

/**
 * Runs the checks that the graph knows: a check stored a moment ago waits for the next generation. @param client must not be in a
 * transaction
 */
export async function runChecks(
  client: pg.ClientBase,
  graph: SelectorGraph,
  options: Pick<SelectorRunOptions, 'connection' | 'signal' | 'bounds'>,
): Promise<readonly RanCheck[]> {
  return runCheckQueries(graph, await readCheckQueries(client, graph.graph), options);
}

/** @returns the checks that the graph knows */
export async function readCheckQueries(
  client: Statements,
  { declared: { checks } }: AttackGraph,
): Promise<readonly CheckQuery[]> {
  if (checks.length === 0) return [];
  const { rows } = await client.query<CheckQuery>(
    `select id, name, definition ->> 'cypher' as cypher, query_ms, query_timed_out from custom_check
     where name = any ($1) order by id`,
    [checks.map(({ id }) => id)],
  );
  return rows;
}

export async function runCheckQueries(
  graph: SelectorGraph,
  rows: readonly CheckQuery[],
  options: Pick<SelectorRunOptions, 'connection' | 'signal' | 'bounds'>,
): Promise<readonly RanCheck[]> {
  if (rows.length === 0) return [];
  const queries = rows.map(({ id, cypher, query_ms, query_timed_out }) => ({
    ...{ selectorId: id, queries: [cypher] },
    ...(query_ms !== null && { milliseconds: query_ms }),
    ...(query_timed_out !== null && { timedOut: query_timed_out }),
  }));
  const shownName = (node: number): string => nameOf(graph.graph, node) || objectIdOf(graph.graph, node);
  const limits = options.bounds?.limits ?? CHECK_LIMITS;
  const ran = await runStoredQueries(
    graph,
    queries,
    { ...options, bounds: { ...options.bounds, limits } },
    {
      ...{ plural: 'checks', selects: false },
      take: ([answer]) => checkFound(answer, shownName),
    },
  );
  return rows.flatMap(({ id, name, cypher }) => {
    const one = ran.get(id);
    return one === undefined ? [] : [{ id, name, cypher, ran: one }];
  });
}

/** @returns the graph with the findings of its checks; failed checks keep their earlier findings */
export function withOffenders(graph: AttackGraph, ran: readonly RanCheck[]): AttackGraph {
  if (ran.length === 0) return graph;
  const found = new Map(ran.map((check) => [check.name, check.ran]));
  const checks = graph.declared.checks.map((check): DeclaredCheck => {
    const now = found.get(check.id);
    if (now === undefined || 'error' in now) return check;
    const offenders = Uint32Array.from(now.offenders.keys(), (node) => graph.storeIds[node]).sort();
    return { ...check, offenders };
  });
  return { ...graph, declared: { ...graph.declared, checks } };
}

/** Maximum number of warnings kept per check; each is a sentence. */
const MAX_WARNINGS = 10;

/**
 * Stores the outcome of each check, and the findings of successful ones, if the check still has the query that ran. Deleted objects are
 * removed from the findings of all checks, including failed ones.
 * @param client in the transaction of the generation @param instant instant of the findings
 */
export async function publishChecks(
  client: pg.ClientBase,
  graph: AttackGraph,
  ran: readonly RanCheck[],
  instant: string,
): Promise<void> {
  // Locks in the same order as edits: the check first, then its findings; several checks by id.
  await client.query('select from custom_check order by id for update');
  await client.query(GONE);
  for (const { id, cypher, ran: one } of ran) {
    const milliseconds = one.milliseconds ?? null;
    if ('error' in one) {
      const timedOut = JSON.stringify(one.timedOut ?? null);
      await client.query(FAILED, [id, cypher, instant, milliseconds, one.error, timedOut]);
      continue;
    }
    const warnings = one.warnings.slice(0, MAX_WARNINGS).map(storableText);
    const { rowCount } = await client.query(WORKED, [
      ...[id, cypher, instant, milliseconds],
      ...[warnings.length === 0 ? null : warnings, one.columns.map(storableText)],
    ]);
    // The check was edited or removed while it ran.
    if (rowCount === 0) continue;
    const nodes = [...one.offenders.keys()].map((node) => graph.storeIds[node]);
    await client.query(
      'delete from custom_check_offender where check_id = $1 and node_id <> all ($2::integer[])',
      [id, nodes],
    );
    await client.query(OFFENDERS, [
      id,
      nodes,
      [...one.offenders.values()].map((rows) => storableJson(rows).json),
    ]);
  }
}

const GONE =
  'delete from custom_check_offender where not exists (select from node where node.id = custom_check_offender.node_id)';

const FAILED = `
update custom_check
set ran_at = $3, query_ms = coalesce($4, query_ms), query_error = $5, query_timed_out = nullif($6::jsonb, 'null'), query_warnings = null
where id = $1 and definition ->> 'cypher' = $2`;

const WORKED = `
update custom_check
set ran_at = $3, query_ms = $4, query_error = null, query_timed_out = null, query_warnings = $5, found_at = $3, found_columns = $6
where id = $1 and definition ->> 'cypher' = $2`;

/** Writes the findings of a check whose row is locked. */
const OFFENDERS = `
insert into custom_check_offender (check_id, node_id, evidence)
select $1, given.node_id, given.evidence::jsonb
from unnest($2::integer[], $3::text[]) as given (node_id, evidence)
on conflict (check_id, node_id) do update set evidence = excluded.evidence
where custom_check_offender.evidence is distinct from excluded.evidence`;
