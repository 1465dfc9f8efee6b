/**
 * Loads the graph of a generation out of the store, in one snapshot: nodes in the order of their object ids, edges of
 * all sets and samples, and what else a generation or an analysis wants to know of them.
 */

import { type Environment, KindCounter, type NodeMarks, noMarks, setMark } from '@clew/generation';
import {
  type AttackGraph,
  type EdgeProperties,
  GraphBuilder,
  type JsonObject,
  NO_NODE,
  NodeProperties,
} from '@clew/graph';
import { EdgeFlag, FIRST_CUSTOM_KIND, NodeKind } from '@clew/model';
import { type CopyRow, copyOut } from '@clew/store';
import type pg from 'pg';
import { type ChangedNode, changedNode, type KnownNodes } from './known/knownNodes.ts';
import type { KnownProperties, Written } from './known/knownRows.ts';
import { loadEdges, setsOf } from './loadEdges.ts';
import type { LoadOptions } from './loadOptions.ts';
import { PowerlessEdges } from './powerlessEdges.ts';

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

/** @param client in a repeatable-read transaction, so that all parts are of one moment */
export async function loadGraph(client: pg.ClientBase, options: LoadOptions): Promise<LoadedGraph> {
  // An edge that some entry gives outright is not inherited; one that was collected is not derived.
  const builder = new GraphBuilder({ unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited });
  const [customNodeKinds, customEdgeKinds] = [
    await customKinds(client, 'node_kind'),
    await customKinds(client, 'edge_kind'),
  ];
  const kindNumbers = new Map([...customNodeKinds].map(([id, name]) => [name, id]));
  const written = await options.known?.begin(client, recipeOf(options), setsOf(options.derived));
  const nodes = await loadNodes(client, builder, kindNumbers, options, written);
  const nodeProperties = await loadNodeProperties(client, nodes, options, written);
  const edgeProperties = await loadEdges(client, builder, nodes, options, written);
  options.known?.finish({ values: nodeProperties, nodeOf: nodes.nodeOf });
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

/** What is read of each row. */
function recipeOf({ derived, nodeProperties = [], edgeProperties }: LoadOptions): string {
  const ofEdges = edgeProperties && [[...edgeProperties.keys].sort(), [...edgeProperties.kinds].sort()];
  return JSON.stringify([derived, [...nodeProperties].sort(), ofEdges]);
}

const nodesWhere = (condition: string): string => `
select node.id, object_id, coalesce(nullif(name, ''), properties ->> 'displayname', ''), kinds, derived_kinds, environment_id, derived,
       case when kinds && array[${NodeKind.Domain}, ${NodeKind.AZTenant}]::smallint[]
            then coalesce(properties -> 'collected' = 'true', false) end,
       case when kinds && array[${NodeKind.OU}]::smallint[] then properties -> 'blocksinheritance' = 'true' end,
       properties ->> 'system_tags',
       case when kinds && array[${NodeKind.AZGroup}]::smallint[] then properties -> 'isassignabletorole' = 'true' end,
       case when greatest(kinds[1], kinds[cardinality(kinds)]) >= ${FIRST_CUSTOM_KIND} then properties ->> 'primarykind' end,
       case when kinds && array[${NodeKind.AZKeyVault}]::smallint[] then properties -> 'enablerbacauthorization' = 'true' end,
       deleted_at is not null
from node join object_id using (id)
where ${condition}
order by object_id`;

const NOT_DELETED = 'deleted_at is null';
const IS_DELETED = 13;

/** What the nodes say beside the columns of the graph. */
export class LoadedNodes {
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
  { known, signal }: LoadOptions,
  written: Written | undefined,
): Promise<LoadedNodes> {
  const nodes = new LoadedNodes();
  const localTo = new LocalOwners();
  const take = (row: CopyRow): void => {
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
  };
  if (
    written !== undefined &&
    known !== undefined &&
    (await refreshNodes(client, known.nodes, written, signal))
  ) {
    known.nodes.forEach(take);
    return nodes;
  }
  const readAll = (row: CopyRow): void => {
    known?.nodes.add(row.raw);
    take(row);
  };
  await copyOut(client, nodesWhere(NOT_DELETED), readAll, signal);
  return nodes;
}

/** @returns whether the rows are those of the store now; none are known any more when they could not be made so */
async function refreshNodes(
  client: pg.ClientBase,
  nodes: KnownNodes,
  { condition, nodeCount }: Written,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const changes: ChangedNode[] = [];
  await copyOut(
    client,
    nodesWhere(condition('node')),
    (row) => changes.push(changedNode(row, row.bool(IS_DELETED))),
    signal,
  );
  nodes.change(changes);
  if (nodes.count === nodeCount) return true;
  nodes.clear();
  return false;
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
  { nodeProperties: keys = [], known, signal }: LoadOptions,
  written: Written | undefined,
): Promise<NodeProperties> {
  if (keys.length === 0) return new NodeProperties(nodes.count);
  const before = written && known?.properties;
  const properties = before === undefined ? new NodeProperties(nodes.count) : renumbered(before, nodes);
  const rows = before === undefined ? "properties <> '{}'" : written?.condition('node');
  const wanted = new Set(keys);
  await copyOut(
    client,
    `select id, properties from node where ${NOT_DELETED} and ${rows}`,
    (row) => {
      const node = nodes.nodeOf[row.int4(0)];
      const all = row.json(1) as JsonObject;
      if (before !== undefined) properties.clear(node);
      for (const key of Object.keys(all)) if (wanted.has(key)) properties.set(key, node, all[key]);
    },
    signal,
  );
  return properties;
}

/** @returns the same properties if no node has another number */
function renumbered({ values, nodeOf }: KnownProperties, nodes: LoadedNodes): NodeProperties {
  const numberOf = new Uint32Array(values.nodeCount).fill(NO_NODE);
  let isSame = values.nodeCount === nodes.count;
  for (const [storeId, node] of nodeOf.entries()) {
    if (node === NO_NODE) continue;
    numberOf[node] = nodes.nodeOf[storeId] ?? NO_NODE;
    isSame &&= numberOf[node] === node;
  }
  return isSame ? values : values.renumbered(nodes.count, numberOf);
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
