/**
 * Loads the graph of a generation out of the store, in one snapshot: nodes in the order of their object ids, edges of
 * all sets and samples, and what else a generation or an analysis wants to know of them.
 */

import { type Environment, KindCounter, type NodeMarks, noMarks, setMark } from '@clew/generation';
import {
  type AttackGraph,
  EdgeProperties,
  GraphBuilder,
  type JsonObject,
  NO_NODE,
  NodeProperties,
} from '@clew/graph';
import { EdgeFlag, FIRST_CUSTOM_KIND, NodeKind } from '@clew/model';
import { type CopyRow, copyOut } from '@clew/store';
import type pg from 'pg';
import { EdgeChunks } from './edgeChunks.ts';
import { PowerlessEdges } from './powerlessEdges.ts';

/** Edges beside those of the store, by store ids. */
export interface StoreEdge {
  readonly startId: number;
  readonly kind: number;
  readonly endId: number;
  readonly flags: number;
}

export interface LoadOptions {
  /** Whether edges that analysis wrote back are loaded. */
  readonly derived: boolean;
  readonly moreEdges?: readonly StoreEdge[];
  /** Keys of node properties to load; none by default. */
  readonly nodeProperties?: readonly string[];
  /** Keys of edge properties to load, of edges of the given kinds only; none by default. */
  readonly edgeProperties?: { readonly keys: readonly string[]; readonly kinds: ReadonlySet<number> };
  readonly signal?: AbortSignal;
}

export interface LoadedGraph {
  readonly graph: AttackGraph;
  readonly environments: readonly Environment[];
  readonly marks: NodeMarks;
  /** Has counted the nodes. */
  readonly counter: KindCounter;
  readonly nodeProperties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
}

/** Name of the source whose edges analysis writes. */
export const ANALYSIS_SOURCE = 'analysis';

/** @param client in a repeatable-read transaction, so that all parts are of one moment */
export async function loadGraph(client: pg.ClientBase, options: LoadOptions): Promise<LoadedGraph> {
  // An edge that some entry gives outright is not inherited; one that was collected is not derived.
  const builder = new GraphBuilder({ unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited });
  const [customNodeKinds, customEdgeKinds] = [
    await customKinds(client, 'node_kind'),
    await customKinds(client, 'edge_kind'),
  ];
  const kindNumbers = new Map([...customNodeKinds].map(([id, name]) => [name, id]));
  const nodes = await loadNodes(client, builder, kindNumbers, options.signal);
  const nodeProperties = await loadNodeProperties(client, nodes, options);
  const edgeProperties = await loadEdges(client, builder, nodes, options);
  const graph = builder.build();
  return {
    graph,
    environments: nodes.environments,
    marks: nodes.marks(),
    counter: nodes.counter,
    nodeProperties,
    edgeProperties,
    customNodeKinds,
    customEdgeKinds,
  };
}

const NODES = `
select node.id, object_id, coalesce(nullif(name, ''), properties ->> 'displayname', ''), kinds, derived_kinds, environment_id, derived,
       case when kinds && array[${NodeKind.Domain}, ${NodeKind.AZTenant}]::smallint[]
            then coalesce(properties -> 'collected' = 'true', false) end,
       case when kinds && array[${NodeKind.OU}]::smallint[] then properties -> 'blocksinheritance' = 'true' end,
       properties ->> 'system_tags',
       case when kinds && array[${NodeKind.AZGroup}]::smallint[] then properties -> 'isassignabletorole' = 'true' end,
       case when greatest(kinds[1], kinds[cardinality(kinds)]) >= ${FIRST_CUSTOM_KIND} then properties ->> 'primarykind' end,
       case when kinds && array[${NodeKind.AZKeyVault}]::smallint[] then properties -> 'enablerbacauthorization' = 'true' end
from node join object_id using (id)
where deleted_at is null
order by object_id`;

/** What the nodes say beside the columns of the graph. */
class LoadedNodes {
  readonly counter = new KindCounter();
  readonly environments: Environment[] = [];
  readonly marked: { readonly mark: keyof NodeMarks; readonly node: number }[] = [];
  readonly powerless = new PowerlessEdges();
  count = 0;
  #nodeOf = new Uint32Array(1024).fill(NO_NODE);

  /** Node number by store id. */
  get nodeOf(): Uint32Array {
    return this.#nodeOf;
  }

  add(storeId: number, node: number): void {
    if (storeId >= this.#nodeOf.length) {
      const grown = new Uint32Array(Math.max(this.#nodeOf.length * 2, storeId + 1)).fill(NO_NODE);
      grown.set(this.#nodeOf);
      this.#nodeOf = grown;
    }
    this.#nodeOf[storeId] = node;
    this.count++;
  }

  marks(): NodeMarks {
    const marks = noMarks(this.count);
    for (const { mark, node } of this.marked) setMark(marks, mark, node);
    return marks;
  }
}

/**
 * Local groups and users belong where their computer does. Their ids begin with its id, so in the order of ids they come
 * right after it.
 */
class LocalOwners {
  #computerId = '';
  #environment: number | undefined;

  computer(row: CopyRow, environment: number | undefined): void {
    this.#computerId = row.text(1);
    this.#environment = environment;
  }

  /** @returns that of the computer the node is local to; nothing for any other node */
  environmentOf(row: CopyRow, kinds: readonly number[]): number | undefined {
    const isLocal = kinds.includes(NodeKind.ADLocalGroup) || kinds.includes(NodeKind.ADLocalUser);
    return isLocal && this.#computerId !== '' && row.text(1).startsWith(`${this.#computerId}-`)
      ? this.#environment
      : undefined;
  }
}

/** @param kindNumbers of kinds of uploads, by name */
async function loadNodes(
  client: pg.ClientBase,
  builder: GraphBuilder,
  kindNumbers: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<LoadedNodes> {
  const nodes = new LoadedNodes();
  const localTo = new LocalOwners();
  await copyOut(
    client,
    NODES,
    (row) => {
      const storeId = row.int4(0);
      const [collectedKinds, derivedKinds] = [smallints(row, 3), smallints(row, 4)];
      const united = derivedKinds.length === 0 ? collectedKinds : unitedKinds(collectedKinds, derivedKinds);
      const kinds = row.isNull(11) ? united : withFirst(united, kindNumbers.get(row.text(11)));
      const stated = row.isNull(5) ? ownEnvironment(kinds, storeId) : row.int4(5);
      const environment = stated ?? localTo.environmentOf(row, kinds);
      if (kinds.includes(NodeKind.Computer)) localTo.computer(row, environment);
      const node = builder.addNode({
        storeId,
        objectId: row.field(1),
        name: row.field(2),
        kinds,
        environmentStoreId: environment,
      });
      nodes.add(storeId, node);
      nodes.counter.addNode(collectedKinds, derivedKinds, row.bool(6));
      if (!row.isNull(7)) nodes.environments.push(environmentOf(row, node, kinds));
      if (!row.isNull(8) && row.bool(8)) nodes.marked.push({ mark: 'blocksInheritance', node });
      if (!row.isNull(9)) markTags(nodes, node, row.text(9));
      if (!row.isNull(12) && row.bool(12)) nodes.powerless.addRoleBasedVault(node);
      if (!row.isNull(10) && row.bool(10)) nodes.marked.push({ mark: 'roleAssignable', node });
    },
    signal,
  );
  return nodes;
}

function environmentOf(row: CopyRow, node: number, kinds: readonly number[]): Environment {
  const id = row.text(1);
  return {
    id,
    name: row.text(2) || id,
    type: kinds.includes(NodeKind.AZTenant) ? 'azure' : 'active-directory',
    node,
    collected: row.bool(7),
  };
}

/** A domain or tenant whose properties do not say so belongs to itself. */
function ownEnvironment(kinds: readonly number[], storeId: number): number | undefined {
  return kinds.includes(NodeKind.Domain) || kinds.includes(NodeKind.AZTenant) ? storeId : undefined;
}

function markTags(nodes: LoadedNodes, node: number, zones: string): void {
  const words = zones.split(/[\s,]+/);
  if (words.includes('admin_tier_0')) nodes.marked.push({ mark: 'tierZero', node });
  if (words.includes('owned')) nodes.marked.push({ mark: 'owned', node });
}

/** The kind that an upload named first is the one to show: of kinds that are not built in, the first of the set is. */
function withFirst(kinds: readonly number[], first: number | undefined): readonly number[] {
  if (first === undefined || kinds[0] === first || !kinds.includes(first)) return kinds;
  return [first, ...kinds.filter((kind) => kind !== first)];
}

function unitedKinds(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((first, second) => first - second);
}

function smallints(row: CopyRow, field: number): number[] {
  const values: number[] = [];
  row.int2Array(field, values, 0);
  return values;
}

async function loadNodeProperties(
  client: pg.ClientBase,
  nodes: LoadedNodes,
  { nodeProperties: keys = [], signal }: LoadOptions,
): Promise<NodeProperties> {
  const properties = new NodeProperties(nodes.count);
  if (keys.length === 0) return properties;
  const wanted = new Set(keys);
  const query = "select id, properties from node where deleted_at is null and properties <> '{}'";
  await copyOut(
    client,
    query,
    (row) => {
      const node = nodes.nodeOf[row.int4(0)];
      const all = row.json(1) as JsonObject;
      for (const key of Object.keys(all)) if (wanted.has(key)) properties.set(key, node, all[key]);
    },
    signal,
  );
  return properties;
}

async function loadEdges(
  client: pg.ClientBase,
  builder: GraphBuilder,
  nodes: LoadedNodes,
  { derived, moreEdges = [], edgeProperties: wanted, signal }: LoadOptions,
): Promise<EdgeProperties> {
  const properties = new EdgeProperties();
  const chunks = new EdgeChunks(nodes.nodeOf, (chunk) => builder.addEdges(chunk), nodes.powerless);
  await copyOut(
    client,
    edgesQuery(derived, wanted?.kinds),
    (row) => {
      if (wanted !== undefined && !row.isNull(4)) addEdgeProperties(properties, row, nodes.nodeOf, wanted);
      chunks.addRow(row);
    },
    signal,
  );
  chunks.finish();
  for (const { startId, kind, endId, flags } of moreEdges) {
    const [start, end] = [nodes.nodeOf[startId] ?? NO_NODE, nodes.nodeOf[endId] ?? NO_NODE];
    if (start !== NO_NODE && end !== NO_NODE) builder.addEdge(start, kind, end, flags);
  }
  return properties;
}

/** @param kinds of edges whose properties are read: nearly every entry of an access list has some, few are of use */
function edgesQuery(derived: boolean, kinds: ReadonlySet<number> = new Set()): string {
  const fromAnalysis = `(select id from source where name = '${ANALYSIS_SOURCE}')`;
  const condition = derived ? '' : `where source_id is distinct from ${fromAnalysis}`;
  const wanted = `array[${[...kinds].join()}]::smallint[]`;
  return `
    select start_ids, kind_ids, end_ids, flags, case when kind_ids && ${wanted} then properties end
    from edge_set ${condition}
    union all
    select array[start_id], array[kind_id], array[end_id], array[flags],
           case when kind_id = any (${wanted}) and properties is not null then jsonb_build_object('0', properties) end
    from sample_edge`;
}

function addEdgeProperties(
  properties: EdgeProperties,
  row: CopyRow,
  nodeOf: Uint32Array,
  { keys, kinds }: NonNullable<LoadOptions['edgeProperties']>,
): void {
  const count = row.arrayLength(0);
  const [starts, edgeKinds, ends] = [new Uint32Array(count), new Uint16Array(count), new Uint32Array(count)];
  row.int2Array(1, edgeKinds, 0);
  row.int4Array(0, starts, 0);
  row.int4Array(2, ends, 0);
  for (const [place, all] of Object.entries(row.json(4) as Readonly<Record<string, JsonObject>>)) {
    const at = Number(place);
    const [start, end] = [nodeOf[starts[at]] ?? NO_NODE, nodeOf[ends[at]] ?? NO_NODE];
    if (!kinds.has(edgeKinds[at]) || start === NO_NODE || end === NO_NODE) continue;
    const some = Object.fromEntries(keys.filter((key) => key in all).map((key) => [key, all[key]]));
    if (Object.keys(some).length > 0) properties.set(start, edgeKinds[at], end, some);
  }
}

async function customKinds(
  client: pg.ClientBase,
  table: 'node_kind' | 'edge_kind',
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `select id, name from ${table} where id >= ${FIRST_CUSTOM_KIND}`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
