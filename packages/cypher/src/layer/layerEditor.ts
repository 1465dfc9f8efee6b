/** Changes the nodes and edges of a layer for the rows of a query, and makes the graph with the changes after each clause. */
import type { NamedRows } from '../compile/queryCompiler.ts';
import { CypherError } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { Budget } from '../run/budget.ts';
import { sizeOf } from '../values/size.ts';
import { TemporalValue } from '../values/temporal/temporalValue.ts';
import {
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  RelationshipValue,
  typeName,
  type Value,
  type ValueMap,
} from '../values/values.ts';
import type { GraphChanges } from './graphChanges.ts';
import { COLUMN_BYTES, type LayeredColumns, layeredColumns } from './layeredColumns.ts';
import { layeredGraph } from './layeredGraph.ts';

/** The number of changes of a query, under the names that drivers know. */
export interface UpdateCounts {
  nodesCreated: number;
  nodesDeleted: number;
  relationshipsCreated: number;
  relationshipsDeleted: number;
  propertiesSet: number;
  labelsAdded: number;
  labelsRemoved: number;
}

/** Characters of the values that one query writes. */
const MAX_CHARACTERS = 8 * 2 ** 20;

/** Values that a property may have at most, where 1,024 characters count as one. */
const MAX_VALUE = 1000;

type Rows = NamedRows['rows'];

export class LayerEditor {
  readonly counts: UpdateCounts = {
    ...{ nodesCreated: 0, nodesDeleted: 0, relationshipsCreated: 0, relationshipsDeleted: 0 },
    ...{ propertiesSet: 0, labelsAdded: 0, labelsRemoved: 0 },
  };
  readonly changes: GraphChanges;
  readonly #base: PropertyGraph;
  readonly #budget: Budget;
  #columns: LayeredColumns | undefined;
  #graph: PropertyGraph;
  /** Origins of the edges made since the columns were: their numbers follow those of the graph. */
  #pending: number[] = [];
  #isStructureChanged = false;
  /** Nodes that the present clause removes. */
  readonly #deleted = new Set<number>();
  /** Characters of all values that the query has written. */
  #characters = 0;
  /** Whether the columns were made here, and count as memory of the query. */
  #isOwn = false;

  /** @param changes changed by the clauses */
  constructor(
    base: PropertyGraph,
    changes: GraphChanges,
    columns: LayeredColumns | undefined,
    budget: Budget,
  ) {
    this.#base = base;
    this.changes = changes;
    this.#columns = columns;
    this.#budget = budget;
    this.#graph = layeredGraph(base, changes, columns);
  }

  /** The graph with the changes of all applied clauses. */
  get graph(): PropertyGraph {
    return this.#graph;
  }

  get columns(): LayeredColumns | undefined {
    return this.#columns;
  }

  /** Called before a clause that removes nodes. */
  begin(): void {
    this.#deleted.clear();
  }

  makeNode(labels: readonly string[], properties: ValueMap): number {
    this.#isStructureChanged = true;
    this.counts.nodesCreated++;
    this.counts.labelsAdded += labels.length;
    this.changes.madeNodes.push({ labels: new Set(labels), properties: this.#checked(properties) });
    this.changes.expectBounded();
    this.#budget.hold(1);
    return this.#base.nodeCount + this.changes.madeNodes.length - 1;
  }

  makeEdge(start: number, type: string, end: number, properties: ValueMap): number {
    this.#isStructureChanged = true;
    this.counts.relationshipsCreated++;
    const place =
      this.changes.madeEdges.push({ start, type, end, properties: this.#checked(properties) }) - 1;
    this.changes.expectBounded();
    this.#budget.hold(1);
    this.#pending.push(this.#base.edgeCount + place);
    return this.#graph.edgeCount + this.#pending.length - 1;
  }

  /** @throws CypherError for a value that no property can have, and for too many of them */
  #take(value: Value): void {
    expectProperty(value);
    this.#characters += charactersOf(value);
    if (this.#characters > MAX_CHARACTERS)
      throw new CypherError('limit', `a query may write ${MAX_CHARACTERS / 2 ** 20} MiB to a layer`);
  }

  #checked(properties: ValueMap): Map<string, Value> {
    const kept = Object.entries(properties).filter(([, value]) => value !== null);
    for (const [, value] of kept) this.#take(value);
    this.counts.propertiesSet += kept.length;
    return new Map(kept);
  }

  /** The number of an edge in the graph below, or of one that was made. */
  #originOf(edge: number): number {
    const { edgeCount } = this.#graph;
    if (edge >= edgeCount) return this.#pending[edge - edgeCount] ?? -1;
    return this.#columns?.origins[edge] ?? edge;
  }

  setProperty(part: NodeValue | RelationshipValue, key: string, value: Value): void {
    if (value !== null) this.#take(value);
    this.#budget.spend(1);
    this.counts.propertiesSet++;
    const made = this.#madeProperties(part);
    if (made !== undefined) {
      if (value === null) made.delete(key);
      else made.set(key, value);
      return;
    }
    this.#changeOf(part)?.properties.set(key, value);
  }

  replace(part: NodeValue | RelationshipValue): void {
    const made = this.#madeProperties(part);
    made?.clear();
    const change = made === undefined ? this.#changeOf(part) : undefined;
    if (change === undefined) return;
    change.isReplaced = true;
    change.properties.clear();
  }

  #madeProperties(part: NodeValue | RelationshipValue): Map<string, Value> | undefined {
    const { madeNodes, madeEdges } = this.changes;
    if (part instanceof NodeValue) return madeNodes[part.node - this.#base.nodeCount]?.properties;
    return madeEdges[this.#originOf(part.edge) - this.#base.edgeCount]?.properties;
  }

  /** @returns `undefined` for a removed part */
  #changeOf(part: NodeValue | RelationshipValue) {
    if (part instanceof NodeValue) {
      const isThere = part.node < this.#base.nodeCount && !this.changes.removedNodes.has(part.node);
      return isThere ? this.changes.ofNode(part.node) : undefined;
    }
    const origin = this.#originOf(part.edge);
    const isThere = origin >= 0 && origin < this.#base.edgeCount && !this.changes.removedEdges.has(origin);
    return isThere ? this.changes.ofEdge(origin) : undefined;
  }

  label(part: NodeValue | RelationshipValue, names: readonly string[], has: boolean, at: number): void {
    if (!(part instanceof NodeValue)) throw new CypherError('value', 'a relationship has no labels', at);
    const { node } = part;
    const made = this.changes.madeNodes[node - this.#base.nodeCount];
    for (const name of names) {
      const isThere =
        made?.labels.has(name) ??
        this.changes.nodes.get(node)?.labels.get(name) ??
        this.#base.label(name)?.has(node) === true;
      if (isThere === has) continue;
      if (has) this.counts.labelsAdded++;
      else this.counts.labelsRemoved++;
      if (made === undefined) {
        if (node < this.#base.nodeCount) this.changes.ofNode(node).labels.set(name, has);
      } else if (has) made.labels.add(name);
      else made.labels.delete(name);
    }
  }

  remove(value: Value): void {
    if (value === null) return;
    if (value instanceof NodeValue) this.#deleteNode(value.node);
    else if (value instanceof RelationshipValue) this.#deleteEdge(value.edge);
    else if (value instanceof PathValue) {
      for (const edge of value.edges) this.#deleteEdge(edge);
      for (const node of value.nodes) this.#deleteNode(node);
    } else
      throw new CypherError('value', `DELETE takes nodes, relationships and paths, not ${typeName(value)}`);
  }

  /** Its relationships end with it, since no search passes a removed node. */
  #deleteNode(node: number): void {
    const { madeNodes, removedNodes } = this.changes;
    const place = node - this.#base.nodeCount;
    if (place >= 0 ? madeNodes[place] === undefined : removedNodes.has(node)) return;
    this.counts.nodesDeleted++;
    this.#deleted.add(node);
    if (place >= 0) madeNodes[place] = undefined;
    else removedNodes.add(node);
    this.#isStructureChanged = true;
    this.changes.expectBounded();
  }

  #deleteEdge(edge: number): void {
    const origin = this.#originOf(edge);
    const { madeEdges, removedEdges } = this.changes;
    const place = origin - this.#base.edgeCount;
    if (origin < 0 || (place >= 0 ? madeEdges[place] === undefined : removedEdges.has(origin))) return;
    this.counts.relationshipsDeleted++;
    if (place >= 0) madeEdges[place] = undefined;
    else removedEdges.add(origin);
    this.#isStructureChanged = true;
    this.changes.expectBounded();
  }

  /** @throws CypherError if a node that the clause removed still has a relationship that the caller can see */
  expectNoEdges(at: number): void {
    const { removedNodes, madeNodes, madeEdges, removedEdges } = this.changes;
    const { nodeCount, out, in: into, isHidden } = this.#base;
    const budget = this.#budget;
    const wasThere = (node: number): boolean =>
      this.#deleted.has(node) ||
      (node < nodeCount
        ? !removedNodes.has(node) && isHidden?.(node) !== true
        : madeNodes[node - nodeCount] !== undefined);
    const isHeld = (node: number): boolean => {
      if (node >= nodeCount) return false;
      budget.spend(out.offsets[node + 1] - out.offsets[node] + into.offsets[node + 1] - into.offsets[node]);
      for (let edge = out.offsets[node]; edge < out.offsets[node + 1]; edge++)
        if (!removedEdges.has(edge) && wasThere(out.neighbors[edge])) return true;
      for (let place = into.offsets[node]; place < into.offsets[node + 1]; place++)
        if (wasThere(into.neighbors[place]) && !removedEdges.has(this.#base.edgeAtIn(place, node)))
          return true;
      return false;
    };
    budget.spend(madeEdges.length);
    const isOfMade = madeEdges.some(
      (edge) =>
        edge !== undefined &&
        (this.#deleted.has(edge.start) || this.#deleted.has(edge.end)) &&
        wasThere(edge.start) &&
        wasThere(edge.end),
    );
    if (isOfMade || [...this.#deleted].some(isHeld))
      throw new CypherError(
        'value',
        'a node that still has relationships cannot be deleted: use DETACH DELETE',
        at,
      );
  }

  /** Makes the graph with the changes, in which relationships have other numbers. */
  settled(rows: Rows): Rows {
    if (!this.#isStructureChanged) {
      this.#graph = layeredGraph(this.#base, this.changes, this.#columns);
      return rows;
    }
    const budget = this.#budget;
    const before = { columns: this.#columns, edgeCount: this.#graph.edgeCount, pending: this.#pending };
    const bytes = (columns: LayeredColumns | undefined): number =>
      columns === undefined
        ? 0
        : columns.edgeCount * COLUMN_BYTES.edge + columns.nodeCount * COLUMN_BYTES.node;
    budget.spend(this.#base.edgeCount + this.#base.nodeCount);
    this.#columns = layeredColumns(this.#base, this.changes);
    budget.reserve(bytes(this.#columns));
    if (before.columns !== undefined && this.#isOwn) budget.unreserve(bytes(before.columns));
    this.#isOwn = true;
    this.#graph = layeredGraph(this.#base, this.changes, this.#columns);
    this.#isStructureChanged = false;
    this.#pending = [];
    const { origins } = this.#columns;
    const count = this.#base.edgeCount + this.changes.madeEdges.length;
    let numbers: Uint32Array | undefined;
    const renumbered = (edge: number): number => {
      const origin =
        edge >= before.edgeCount
          ? (before.pending[edge - before.edgeCount] ?? -1)
          : (before.columns?.origins[edge] ?? edge);
      numbers ??= numbersOf(origins, count);
      return numbers[origin] ?? REMOVED_EDGE;
    };
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, moved(value, renumbered)])),
    );
  }
}

/** The number of a removed relationship in the rows of its query. */
export const REMOVED_EDGE = 0xffff_ffff;

/** @returns the number of each edge, by its origin */
function numbersOf(origins: Uint32Array, count: number): Uint32Array {
  const numbers = new Uint32Array(count).fill(REMOVED_EDGE);
  origins.forEach((origin, edge) => {
    numbers[origin] = edge;
  });
  return numbers;
}

function moved(value: Value, renumbered: (edge: number) => number): Value {
  if (value instanceof RelationshipValue) return new RelationshipValue(renumbered(value.edge));
  if (value instanceof PathValue) return new PathValue(value.nodes, value.edges.map(renumbered));
  if (isList(value)) return value.map((item) => moved(item, renumbered));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moved(inner, renumbered)]));
}

function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return isList(value) ? value.reduce<number>((sum, one) => sum + charactersOf(one), 0) : 8;
}

/** @throws CypherError for a value that no property can have */
function expectProperty(value: Value): void {
  const isPlain = (one: Value): boolean =>
    typeof one === 'string' ||
    typeof one === 'boolean' ||
    numberOf(one) !== undefined ||
    one instanceof TemporalValue;
  if (!isPlain(value) && !(isList(value) && value.every(isPlain)))
    throw new CypherError(
      'value',
      `a property cannot be ${typeName(value)}: it is a plain value or a list of these`,
    );
  if (sizeOf(value, MAX_VALUE + 1) > MAX_VALUE)
    throw new CypherError('limit', 'the value of a property is too long for a layer');
}
