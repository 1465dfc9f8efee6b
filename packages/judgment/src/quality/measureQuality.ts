/**
 * Measures the contents of each environment in a generation: objects and relations by kind, and the share of scanned computers. One pass
 * over nodes and edges.
 *
 * Rule: `docs/findings.md#records-over-time` for completeness. Only collected relations count, because the measure is about the data, not
 * about the analysis.
 */
import { type ScannedComputers, UNREAD_PROPERTIES, unreadParts } from '@clew/analysis';
import type { Environment } from '@clew/generation';
import { type AttackGraph, addCount, NO_NODE, type NodeProperties, nodesOfKind } from '@clew/graph';
import { EdgeFlag, EdgeKind, NodeKind, type UnreadPart } from '@clew/model';

/** Counts keyed by kind number. */
export type CountsByKind = ReadonlyMap<number, number>;

export interface EnvironmentQuality {
  readonly environment: Environment;
  /** Number of its kind. */
  readonly environmentKind: number;
  /** A node counts under each of its kinds. */
  readonly nodes: CountsByKind;
  readonly edges: CountsByKind;
  readonly relationships: number;
  /** Access list entries. */
  readonly acls: number;
  readonly sessions: number;
  /** Enabled computers that logged on in the last 14 days, and the number of them that were scanned. */
  readonly activeComputers: number;
  readonly sessionComputers: number;
  readonly groupComputers: number;
  readonly unread: readonly UnreadPart[];
}

export interface QualityInput {
  readonly graph: AttackGraph;
  readonly environments: readonly Environment[];
  /** Has the properties of `QUALITY_PROPERTIES`. */
  readonly properties: NodeProperties;
  readonly scanned: ScannedComputers;
  /** Seconds since 1970. */
  readonly now: number;
}

export const QUALITY_PROPERTIES: readonly string[] = [
  'enabled',
  'lastlogon',
  'lastlogontimestamp',
  ...UNREAD_PROPERTIES,
];

const ACTIVE_SECONDS = 14 * 86_400;

/** @returns one entry per collected environment, in order */
export function measureQuality(input: QualityInput): EnvironmentQuality[] {
  const { graph } = input;
  const collected = input.environments.filter((environment) => environment.collected);
  const rows = rowsOf(graph, collected);
  const byKindSet = countKindSets(graph, rows);
  const computers = countComputers(input, rows);
  const { byKind, acls } = countEdges(graph, rows);
  const unread = unreadParts({ ...input, environments: collected });
  return collected.map((environment, row) => {
    const [activeComputers, sessionComputers, groupComputers] = computers.row(row);
    const edges = byKind.row(row);
    return {
      environment,
      environmentKind: kindOf(graph, environment),
      nodes: kindsOfSets(graph, byKindSet.row(row)),
      edges: new Map([...edges.entries()].filter(([, count]) => count > 0)),
      relationships: edges.reduce((sum, count) => sum + count, 0),
      acls: acls[row],
      sessions: edges[EdgeKind.HasSession] ?? 0,
      activeComputers,
      sessionComputers,
      groupComputers,
      unread: unread.get(environment.node) ?? [],
    };
  });
}

function kindOf({ declared }: AttackGraph, { type }: Environment): number {
  const own = declared.environments.find(({ name }) => name === type)?.kind;
  return own ?? (type === 'azure' ? NodeKind.AZTenant : NodeKind.Domain);
}

/** Layout of the counts: one row per measured environment, then two unused rows. */
interface Rows {
  readonly count: number;
  /** Row of nodes without an environment. */
  readonly nowhere: number;
  /** Environment of each node. A narrow column, because edges read it in random order. */
  readonly of: Uint16Array | Uint32Array;
}

function rowsOf(graph: AttackGraph, environments: readonly Environment[]): Rows {
  const [notMeasured, nowhere] = [environments.length, environments.length + 1];
  const of = new (nowhere <= 0xffff ? Uint16Array : Uint32Array)(graph.nodeCount);
  const rows = new Map(environments.map(({ node }, row) => [node, row]));
  for (let node = 0; node < graph.nodeCount; node++) {
    const environment = graph.environmentOf[node];
    of[node] = environment === NO_NODE ? nowhere : (rows.get(environment) ?? notMeasured);
  }
  return { count: nowhere + 1, nowhere, of };
}

class CountTable {
  readonly columns: number;
  readonly cells: Uint32Array;

  constructor(rows: number, columns: number) {
    this.columns = columns;
    this.cells = new Uint32Array(rows * columns);
  }

  row(row: number): Uint32Array {
    return this.cells.subarray(row * this.columns, (row + 1) * this.columns);
  }
}

function countKindSets(graph: AttackGraph, rows: Rows): CountTable {
  const table = new CountTable(rows.count, graph.kindSets.length);
  for (let node = 0; node < graph.nodeCount; node++) {
    table.cells[rows.of[node] * table.columns + graph.kindSetOf[node]]++;
  }
  return table;
}

function kindsOfSets(graph: AttackGraph, byKindSet: Uint32Array): CountsByKind {
  const counts = new Map<number, number>();
  byKindSet.forEach((count, set) => {
    if (count === 0) return;
    for (const kind of graph.kindSets[set]) addCount(counts, kind, count);
  });
  return counts;
}

/** Columns: active computers, active computers scanned for sessions, active computers scanned for local groups. */
function countComputers({ graph, properties, scanned, now }: QualityInput, rows: Rows): CountTable {
  const table = new CountTable(rows.count, 3);
  nodesOfKind(graph, NodeKind.Computer).forEach((node) => {
    if (!isActive(properties, node, now)) return;
    const counts = table.row(rows.of[node]);
    counts[0]++;
    if (scanned.sessions.has(node)) counts[1]++;
    if (scanned.localGroups.has(node)) counts[2]++;
  });
  return table;
}

function isActive(properties: NodeProperties, node: number, now: number): boolean {
  if (properties.flag('enabled', node) !== true) return false;
  const logon = Math.max(
    properties.number('lastlogon', node) ?? 0,
    properties.number('lastlogontimestamp', node) ?? 0,
  );
  return logon >= now - ACTIVE_SECONDS;
}

/**
 * A relation counts in the environment of its end, the object it was collected with; a session, and a relation to an object without an
 * environment, counts where its start is.
 */
function countEdges(graph: AttackGraph, rows: Rows): { byKind: CountTable; acls: Uint32Array } {
  const { offsets, neighbors, kinds, flags } = graph.out;
  const byKind = new CountTable(rows.count, kinds.reduce((most, kind) => Math.max(most, kind), 0) + 1);
  const acls = new Uint32Array(rows.count);
  for (let node = 0; node < graph.nodeCount; node++) {
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      if ((flags[edge] & EdgeFlag.Derived) !== 0) continue;
      const kind = kinds[edge];
      let row = kind === EdgeKind.HasSession ? rows.nowhere : rows.of[neighbors[edge]];
      if (row === rows.nowhere) row = rows.of[node];
      byKind.cells[row * byKind.columns + kind]++;
      if ((flags[edge] & EdgeFlag.Acl) !== 0) acls[row]++;
    }
  }
  return { byKind, acls };
}
