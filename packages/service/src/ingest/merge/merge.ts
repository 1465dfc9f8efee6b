/** Brings the staged facts of one job into the store: a fixed sequence of set-based statements, one transaction. */
import type pg from 'pg';
import { mergeDeletions } from './deletions.ts';
import { mergeEdgeSets } from './edgeSets.ts';
import { type RefusedEdge, resolveMatchedEdges } from './matchedEdges.ts';
import { mergeNodes } from './nodes.ts';
import { mergeSamples } from './samples.ts';
import { mergeSightings } from './sightings.ts';
import { MergeSession } from './statement.ts';

export interface MergeResult {
  /** Rows of facts that were written, changed or removed; 0 when the job told nothing new. */
  readonly changes: number;
  readonly refusedEdges: readonly RefusedEdge[];
}

/** Columns the statements join by: enough for the planner, and quick. */
const ANALYSED = [
  'stage_node (id, origin)',
  'stage_node_again (id)',
  'stage_hint (id)',
  'stage_mention (id)',
  'stage_seen (id, origin)',
  'stage_set (owner_id, aspect, source_id, origin)',
  'stage_set_again (owner_id, aspect, source_id)',
  'stage_emptied',
  'stage_sample (start_id, kind_id, end_id)',
  'stage_origin',
];

const REGISTER_SOURCE_KINDS = `
insert into source_kind (name)
select distinct source_kind from source join stage_origin on source_id = source.id
where source_kind is not null and source_kind not in (select name from source_kind)
on conflict do nothing`;

/** @param client the session that staged, inside a transaction */
export async function mergeStaged(client: pg.ClientBase): Promise<MergeResult> {
  const session = new MergeSession(client);
  await session.run(`analyze ${ANALYSED.join(', ')}`);
  await mergeNodes(session);
  const refusedEdges = await resolveMatchedEdges(session);
  await mergeSightings(session);
  await mergeEdgeSets(session);
  await mergeSamples(session);
  await mergeDeletions(session);
  await session.run(REGISTER_SOURCE_KINDS);
  if (session.changes > 0) await session.run('update facts_state set version = version + 1');
  return { changes: session.changes, refusedEdges };
}
