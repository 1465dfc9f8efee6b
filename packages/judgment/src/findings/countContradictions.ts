/**
 * Compares the counts of lists and statistics with Cypher results for the same generation: nodes of each kind, and members of each zone and
 * label. A difference means that a list or a query lacks objects.
 *
 * Rule: `docs/findings.md#contradictions`.
 */

import { labelSet } from '@clew/explore';
import type { Generation } from '@clew/generation';
import { addCount } from '@clew/graph';
import { queryDataOf } from '@clew/queries';
import type pg from 'pg';

export const COUNT_CONTRADICTION = "count that differs from Cypher's";

export interface DifferentCount {
  /** The Cypher label: a kind, or the kind of a zone. */
  readonly label: string;
  readonly listed: number;
  readonly inCypher: number;
}

/** @param client sees the zone members that this generation publishes */
export async function differentCounts(
  client: pg.ClientBase,
  generation: Generation,
): Promise<readonly DifferentCount[]> {
  const listed = new Map<string, number>();
  for (const { nodes } of [generation.collected, generation.derived])
    for (const [kind, count] of Object.entries(nodes)) addCount(listed, kind, count);
  // The graph has no zones until they are computed.
  const { zones = [] } = generation;
  const counts = await membersOf(client);
  for (const { id, kind } of zones) listed.set(kind, counts.get(id) ?? 0);
  const data = queryDataOf(generation);
  return [...listed]
    .map(([label, count]) => ({
      label,
      listed: count,
      inCypher: labelSet(data, label)?.size ?? 0,
    }))
    .filter(({ listed: count, inCypher }) => count !== inCypher);
}

async function membersOf(client: pg.ClientBase): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ tag_id: number; count: number }>(
    'select tag_id, count(*)::integer as count from zone_member where tagged group by tag_id',
  );
  return new Map(rows.map(({ tag_id, count }) => [tag_id, count]));
}
