/** Writes the measures of a generation, one row per environment. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { CountsByKind, EnvironmentQuality } from './measureQuality.ts';

/** @param client in the transaction that publishes the generation */
export async function writeQuality(
  client: pg.ClientBase,
  generation: { readonly id: number; readonly publishedAt: string },
  measures: readonly EnvironmentQuality[],
): Promise<void> {
  if (measures.length === 0) return;
  const rows = measures.map((measure) => ({
    environment_id: measure.environment.id,
    environment_kind: measure.environmentKind,
    node_counts: byName(measure.nodes),
    edge_counts: byName(measure.edges),
    relationships: measure.relationships,
    acls: measure.acls,
    sessions: measure.sessions,
    active_computers: measure.activeComputers,
    session_computers: measure.sessionComputers,
    group_computers: measure.groupComputers,
    not_read: measure.unread,
  }));
  await client.query(
    `insert into data_quality (
       generation_id, run_id, created_at, environment_id, environment_kind, node_counts, edge_counts, relationships,
       acls, sessions, active_computers, session_computers, group_computers, not_read
     )
     select $1, $2, $3, made.*
     from jsonb_to_recordset($4) as made (
       environment_id text, environment_kind smallint, node_counts jsonb, edge_counts jsonb, relationships bigint,
       acls bigint, sessions bigint, active_computers integer, session_computers integer, group_computers integer,
       not_read text[]
     )`,
    [generation.id, randomUUID(), generation.publishedAt, JSON.stringify(rows)],
  );
}

function byName(counts: CountsByKind): Record<string, number> {
  return Object.fromEntries(counts);
}
