/** Loads the nodes of a generation from the store, sorted by object id, with their properties. */
import { type Environment, KindCounter, type NodeMarks, noMarks, setMark } from '@clew/generation';
import { type GraphBuilder, NO_NODE } from '@clew/graph';
import { FIRST_CUSTOM_KIND, NodeKind } from '@clew/model';
import { type CopyRow, copyOut } from '@clew/store';
import type pg from 'pg';
import { type ChangedNode, changedNode, type KnownNodes } from './known/knownNodes.ts';
import { PowerlessEdges } from './powerlessEdges.ts';

/** Node kinds that are environments, with the type of environment of each. */
export type EnvironmentKinds = ReadonlyMap<number, string>;

export const BUILT_IN_ENVIRONMENTS: EnvironmentKinds = new Map([
  [NodeKind.Domain, 'active-directory'],
  [NodeKind.AZTenant, 'azure'],
]);

const nodesWhere = (condition: string, environments: EnvironmentKinds): string => `
select node.id, object_id, coalesce(nullif(name, ''), properties ->> 'displayname', ''), kinds, derived_kinds, environment_id, derived,
       case when kinds && array[${[...environments.keys()].join()}]::smallint[]
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

export const NOT_DELETED = 'deleted_at is null';
const IS_DELETED = 13;

/** Values of the nodes in addition to the columns of the graph. */
export class LoadedNodes {
  readonly counter = new KindCounter();
  readonly environments: Environment[] = [];
  readonly marked: { readonly mark: keyof NodeMarks; readonly node: number }[] = [];
  readonly powerless = new PowerlessEdges();
  /** Store ids. */
  readonly roleBasedVaults: number[] = [];
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
 * Local groups and users belong to the environment of their computer. Their ids begin with its id, so they directly follow it in the order
 * of ids.
 */
class LocalOwners {
  #computerId = '';
  #environment: number | undefined;

  computer(row: CopyRow, environment: number | undefined): void {
    this.#computerId = row.text(1);
    this.#environment = environment;
  }

  /** @returns the environment of the computer of a local node; `undefined` for other nodes */
  environmentOf(row: CopyRow, kinds: readonly number[]): number | undefined {
    const isLocal = kinds.includes(NodeKind.ADLocalGroup) || kinds.includes(NodeKind.ADLocalUser);
    return isLocal && this.#computerId !== '' && row.text(1).startsWith(`${this.#computerId}-`)
      ? this.#environment
      : undefined;
  }
}

/** Node kinds in addition to the built-in ones. */
export interface NodeKinds {
  /** Numbers of kinds from uploads, by name. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Includes the built-in ones. */
  readonly environments: EnvironmentKinds;
}

/** Reads all nodes. @param known receives their rows */
export async function readNodes(
  client: pg.ClientBase,
  builder: GraphBuilder,
  kinds: NodeKinds,
  known?: KnownNodes,
  signal?: AbortSignal,
): Promise<LoadedNodes> {
  const reader = new NodeReader(builder, kinds);
  const take = (row: CopyRow): void => {
    known?.add(row.raw);
    reader.take(row);
  };
  await copyOut(client, nodesWhere(NOT_DELETED, kinds.environments), take, signal);
  return reader.nodes;
}

/** Reads all nodes again from their rows. */
export function readKnownNodes(builder: GraphBuilder, kinds: NodeKinds, known: KnownNodes): LoadedNodes {
  const reader = new NodeReader(builder, kinds);
  known.forEach((row) => {
    reader.take(row);
  });
  return reader.nodes;
}

/** @param which condition for the rows @returns the existing and the deleted nodes, sorted by object id */
export async function readChangedNodes(
  client: pg.ClientBase,
  which: string,
  { environments }: NodeKinds,
  signal?: AbortSignal,
): Promise<ChangedNode[]> {
  const changes: ChangedNode[] = [];
  const take = (row: CopyRow): void => {
    changes.push(changedNode(row, row.bool(IS_DELETED)));
  };
  await copyOut(client, nodesWhere(which, environments), take, signal);
  return changes;
}

/** Adds the nodes of rows, which are sorted by object id, to a graph. */
class NodeReader {
  readonly nodes = new LoadedNodes();
  readonly #builder: GraphBuilder;
  readonly #kinds: NodeKinds;
  readonly #localTo = new LocalOwners();

  constructor(builder: GraphBuilder, kinds: NodeKinds) {
    this.#builder = builder;
    this.#kinds = kinds;
  }

  take(row: CopyRow): void {
    const { nodes } = this;
    const storeId = row.int4(0);
    const [collectedKinds, derivedKinds] = [smallints(row, 3), smallints(row, 4)];
    const united = derivedKinds.length === 0 ? collectedKinds : unitedKinds(collectedKinds, derivedKinds);
    const kinds = row.isNull(11) ? united : withFirst(united, this.#kinds.numbers.get(row.text(11)));
    const type = row.isNull(7) ? undefined : environmentType(kinds, this.#kinds.environments);
    // An environment without this property belongs to itself.
    const own = type === undefined ? undefined : storeId;
    const stated = row.isNull(5) ? own : row.int4(5);
    const environment = stated ?? this.#localTo.environmentOf(row, kinds);
    if (kinds.includes(NodeKind.Computer)) this.#localTo.computer(row, environment);
    const node = this.#builder.addNode({
      storeId,
      objectId: row.field(1),
      name: row.field(2),
      kinds,
      environmentStoreId: environment,
    });
    nodes.add(storeId, node);
    nodes.counter.addNode(collectedKinds, derivedKinds, row.bool(6));
    if (type !== undefined) nodes.environments.push(environmentOf(row, node, type));
    if (!row.isNull(8) && row.bool(8)) nodes.marked.push({ mark: 'blocksInheritance', node });
    if (!row.isNull(9)) markTags(nodes, node, row.text(9));
    if (!row.isNull(12) && row.bool(12)) {
      nodes.powerless.addRoleBasedVault(node);
      nodes.roleBasedVaults.push(storeId);
    }
    if (!row.isNull(10) && row.bool(10)) nodes.marked.push({ mark: 'roleAssignable', node });
  }
}

function environmentOf(row: CopyRow, node: number, type: string): Environment {
  const id = row.text(1);
  return {
    id,
    name: row.text(2) || id,
    type,
    node,
    collected: row.bool(7),
  };
}

/** A tenant takes precedence over other kinds, a domain over declared kinds. */
function environmentType(kinds: readonly number[], environments: EnvironmentKinds): string | undefined {
  if (kinds.includes(NodeKind.AZTenant)) return environments.get(NodeKind.AZTenant);
  for (const kind of kinds) {
    const type = environments.get(kind);
    if (type !== undefined) return type;
  }
  return undefined;
}

function markTags(nodes: LoadedNodes, node: number, zones: string): void {
  const words = zones.split(/[\s,]+/);
  if (words.includes('admin_tier_0')) nodes.marked.push({ mark: 'tierZero', node });
  if (words.includes('owned')) nodes.marked.push({ mark: 'owned', node });
}

/** Displays the kind that an upload named first; the kind must be in the set. */
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
