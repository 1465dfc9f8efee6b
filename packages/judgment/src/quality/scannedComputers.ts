/**
 * Determines which computers a collector scanned: the collector said so when it last described them, or its results from there are still
 * stored. Computers that refused or were unreachable leave no record.
 */
import type { ScannedComputers } from '@clew/analysis';
import {
  type Adjacency,
  type AttackGraph,
  findNodeByStoreId,
  NO_NODE,
  NodeSet,
  nodesOfKind,
} from '@clew/graph';
import { Aspect, EdgeKind, NodeKind } from '@clew/model';
import type pg from 'pg';

/** @param client in the transaction in which the graph was read */
export async function readScannedComputers(
  client: pg.ClientBase,
  graph: AttackGraph,
): Promise<ScannedComputers> {
  const computers = nodesOfKind(graph, NodeKind.Computer);
  const noted = await notedComputers(client, graph);
  const met = (adjacency: Adjacency, kind: number): NodeSet =>
    computers.filter((node) => hasEdge(adjacency, node, kind));
  return {
    sessions: NodeSet.of(graph.nodeCount, noted.sessions).or(met(graph.out, EdgeKind.HasSession)),
    localGroups: NodeSet.of(graph.nodeCount, noted.localGroups).or(met(graph.in, EdgeKind.LocalToComputer)),
  };
}

/** Aspects are bits of the sightings, so one scan of a narrow table is enough. */
async function notedComputers(
  client: pg.ClientBase,
  graph: AttackGraph,
): Promise<{ sessions: number[]; localGroups: number[] }> {
  const { rows } = await client.query<{ sessions: number[]; local_groups: number[] }>(
    `select coalesce(array_agg(node_id) filter (where aspects >> ${Aspect.sessions} & 1 = 1), '{}') as sessions,
            coalesce(array_agg(node_id) filter (where aspects >> ${Aspect['local-groups']} & 1 = 1), '{}') as local_groups
     from sighting
     where aspects & ${2 ** Aspect.sessions + 2 ** Aspect['local-groups']} <> 0`,
  );
  const known = (storeIds: readonly number[]): number[] =>
    storeIds.map((id) => findNodeByStoreId(graph, id)).filter((node) => node !== NO_NODE);
  return { sessions: known(rows[0].sessions), localGroups: known(rows[0].local_groups) };
}

function hasEdge({ offsets, kinds }: Adjacency, node: number, kind: number): boolean {
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (kinds[at] === kind) return true;
  }
  return false;
}
