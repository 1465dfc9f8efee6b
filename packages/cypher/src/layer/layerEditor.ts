/** Changes the nodes and edges of a layer for the rows of a query, and makes the graph with the changes after each clause. */
import type { NamedRows } from '../compile/queryCompiler.ts';
import { CypherError } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { type Budget, textSteps } from '../run/budget.ts';
import { PROPERTIES_STEPS } from '../values/functions.ts';
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
import { boundedColumns, columnBytes, type LayeredColumns } from './layeredColumns.ts';
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
type PlaceOf = (key: string) => number;

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
    this.#graph = layeredGraph(base, changes, columns, budget);
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

  /** @param placeOf returns the offset of a property in the query */
  makeNode(labels: readonly string[], properties: ValueMap, placeOf: PlaceOf): number {
    this.#budget.spend(1 + labels.length);
    this.#isStructureChanged = true;
    this.changes.revision++;
    this.counts.nodesCreated++;
    this.counts.labelsAdded += labels.length;
    this.changes.madeNodes.push({ labels: new Set(labels), properties: this.#checked(properties, placeOf) });
    this.changes.expectBounded();
    this.#budget.hold(1);
    return this.#base.nodeCount + this.changes.madeNodes.length - 1;
  }

  /** @throws CypherError for a name that stands for several types */
  expectType(type: string, at: number): void {
    const { types, typeName: nameOf } = this.#base;
    if (types(type).some((one) => nameOf(one) !== type))
      throw new CypherError('meaning', `${type} stands for several types: a relationship has one type`, at);
  }

  /** @param type for which `expectType` was called */
  makeEdge(start: number, type: string, end: number, properties: ValueMap, placeOf: PlaceOf): number {
    this.#budget.spend(1);
    this.#isStructureChanged = true;
    this.counts.relationshipsCreated++;
    const place =
      this.changes.madeEdges.push({ start, type, end, properties: this.#checked(properties, placeOf) }) - 1;
    this.changes.expectBounded();
    this.#budget.hold(1);
    this.#pending.push(this.#base.edgeCount + place);
    return this.#graph.edgeCount + this.#pending.length - 1;
  }

  /** @throws CypherError for a value that no property can have, and for too many of them */
  #take(value: Value, at: number): void {
    expectProperty(value, at);
    const characters = charactersOf(value);
    this.#budget.spend(textSteps(characters));
    this.#characters += characters;
    if (this.#characters > MAX_CHARACTERS)
      throw new CypherError('limit', `a query may write ${MAX_CHARACTERS / 2 ** 20} MiB to a layer`);
  }

  #checked(properties: ValueMap, placeOf: PlaceOf): Map<string, Value> {
    const kept = Object.entries(properties).filter(([, value]) => value !== null);
    for (const [key, value] of kept) this.#take(value, placeOf(key));
    this.counts.propertiesSet += kept.length;
    return new Map(kept);
  }

  /** The number of an edge in the graph below, or of one that was made. */
  #originOf(edge: number): number {
    const { edgeCount } = this.#graph;
    if (edge >= edgeCount) return this.#pending[edge - edgeCount] ?? -1;
    return this.#columns?.origins[edge] ?? edge;
  }

  /** Removing a property that is not there changes nothing. */
  setProperty(part: NodeValue | RelationshipValue, key: string, value: Value, at: number): void {
    if (value !== null) this.#take(value, at);
    this.#budget.spend(1);
    if (!this.#isThere(part) || (value === null && !this.#has(part, key))) return;
    this.changes.revision++;
    this.counts.propertiesSet++;
    const made = this.#madeProperties(part);
    if (made === undefined) this.#changeOf(part).properties.set(key, value);
    else if (value === null) made.delete(key);
    else made.set(key, value);
  }

  /** Removes all properties, before others are set. @param next the others, which do not count as removed */
  replace(part: NodeValue | RelationshipValue, next: ValueMap): void {
    if (!this.#isThere(part)) return;
    const made = this.#madeProperties(part);
    const before = made === undefined ? this.#keysOf(part) : [...made.keys()];
    this.#budget.spend(1 + before.length);
    this.changes.revision++;
    this.counts.propertiesSet += before.filter(
      (key) => !Object.hasOwn(next, key) || next[key] === null,
    ).length;
    if (made !== undefined) {
      made.clear();
      return;
    }
    const change = this.#changeOf(part);
    change.isReplaced = true;
    change.properties.clear();
  }

  /** Whether no clause has removed the part. */
  #isThere(part: NodeValue | RelationshipValue): boolean {
    if (this.#madeProperties(part) !== undefined) return true;
    if (part instanceof NodeValue)
      return part.node < this.#base.nodeCount && !this.changes.removedNodes.has(part.node);
    const origin = this.#originOf(part.edge);
    return origin >= 0 && origin < this.#base.edgeCount && !this.changes.removedEdges.has(origin);
  }

  #has(part: NodeValue | RelationshipValue, key: string): boolean {
    const made = this.#madeProperties(part);
    if (made !== undefined) return made.has(key);
    const value =
      part instanceof NodeValue
        ? this.#graph.nodeProperty(part.node, key)
        : this.#graph.edgeProperty(part.edge, key);
    return value !== null;
  }

  #keysOf(part: NodeValue | RelationshipValue): string[] {
    const { properties, isReplaced } = this.#changeOf(part);
    if (isReplaced) return [...properties].flatMap(([key, value]) => (value === null ? [] : [key]));
    this.#budget.spend(PROPERTIES_STEPS);
    return Object.keys(
      part instanceof NodeValue
        ? this.#graph.nodeProperties(part.node)
        : this.#graph.edgeProperties(part.edge),
    );
  }

  #madeProperties(part: NodeValue | RelationshipValue): Map<string, Value> | undefined {
    const { madeNodes, madeEdges } = this.changes;
    if (part instanceof NodeValue) return madeNodes[part.node - this.#base.nodeCount]?.properties;
    return madeEdges[this.#originOf(part.edge) - this.#base.edgeCount]?.properties;
  }

  #changeOf(part: NodeValue | RelationshipValue) {
    return part instanceof NodeValue
      ? this.changes.ofNode(part.node)
      : this.changes.ofEdge(this.#originOf(part.edge));
  }

  label(part: NodeValue | RelationshipValue, names: readonly string[], has: boolean, at: number): void {
    if (!(part instanceof NodeValue)) throw new CypherError('value', 'a relationship has no labels', at);
    this.#budget.spend(1 + names.length);
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

  remove(value: Value, at: number): void {
    this.#budget.spend(1 + (value instanceof PathValue ? value.nodes.length : 0));
    if (value === null) return;
    if (value instanceof NodeValue) this.#deleteNode(value.node);
    else if (value instanceof RelationshipValue) this.#deleteEdge(value.edge);
    else if (value instanceof PathValue) {
      for (const edge of value.edges) this.#deleteEdge(edge);
      for (const node of value.nodes) this.#deleteNode(node);
    } else
      throw new CypherError(
        'value',
        `DELETE takes nodes, relationships and paths, not ${typeName(value)}`,
        at,
      );
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

  /** Ends the relationships of the nodes that the clause removed, since no search passes a removed node. */
  detach(): void {
    this.counts.relationshipsDeleted += this.#edgesOfDeleted();
  }

  /** @throws CypherError if a node that the clause removed still has a relationship that the caller can see */
  expectNoEdges(at: number): void {
    if (this.#edgesOfDeleted() > 0)
      throw new CypherError(
        'value',
        'a node that still has relationships cannot be deleted: use DETACH DELETE',
        at,
      );
  }

  /** @returns the number of relationships that the caller could see before the clause, and that the clause did not remove itself */
  #edgesOfDeleted(): number {
    const { removedNodes, madeNodes, madeEdges, removedEdges } = this.changes;
    const { nodeCount, out, in: into, isHidden } = this.#base;
    const deleted = this.#deleted;
    const wasThere = (node: number): boolean =>
      deleted.has(node) ||
      (node < nodeCount
        ? !removedNodes.has(node) && isHidden?.(node) !== true
        : madeNodes[node - nodeCount] !== undefined);
    let count = 0;
    for (const node of deleted) {
      if (node >= nodeCount) continue;
      const [begin, end] = [into.offsets[node], into.offsets[node + 1]];
      this.#budget.spend(1 + out.offsets[node + 1] - out.offsets[node] + end - begin);
      for (let edge = out.offsets[node]; edge < out.offsets[node + 1]; edge++)
        if (!removedEdges.has(edge) && wasThere(out.neighbors[edge])) count++;
      for (let place = begin; place < end; place++) {
        const start = into.neighbors[place];
        // An edge between two of them counts once.
        const isOther = !deleted.has(start) && wasThere(start);
        if (isOther && !removedEdges.has(this.#base.edgeAtIn(place, node))) count++;
      }
    }
    this.#budget.spend(madeEdges.length);
    for (const edge of madeEdges) {
      if (edge === undefined) continue;
      const { start, end } = edge;
      if ((deleted.has(start) || deleted.has(end)) && wasThere(start) && wasThere(end)) count++;
    }
    return count;
  }

  /** Makes the graph with the changes, in which relationships have other numbers. */
  settled(rows: Rows): Rows {
    const budget = this.#budget;
    if (!this.#isStructureChanged) {
      this.#graph = layeredGraph(this.#base, this.changes, this.#columns, budget);
      return rows;
    }
    const before = {
      origins: this.#columns?.origins,
      edgeCount: this.#graph.edgeCount,
      pending: this.#pending,
    };
    // The numbers that the rows have still count.
    const keptBytes = this.#isOwn ? (before.origins?.byteLength ?? 0) : 0;
    if (this.#isOwn && this.#columns !== undefined) budget.unreserve(columnBytes(this.#columns) - keptBytes);
    // Frees the other columns before new ones are made.
    this.#columns = undefined;
    this.#graph = this.#base;
    this.#columns = boundedColumns(this.#base, this.changes, budget);
    this.#isOwn = true;
    this.#graph = layeredGraph(this.#base, this.changes, this.#columns, budget);
    this.#isStructureChanged = false;
    this.#pending = [];
    const { origins } = this.#columns;
    let numbers: Uint32Array | undefined;
    const renumbered = (edge: number): number => {
      const origin =
        edge >= before.edgeCount
          ? (before.pending[edge - before.edgeCount] ?? -1)
          : (before.origins?.[edge] ?? edge);
      numbers ??= numbersOf(origins, this.#base.edgeCount + this.changes.madeEdges.length, budget);
      return numbers[origin] ?? REMOVED_EDGE;
    };
    const moved = movedRows(rows, renumbered, budget);
    budget.unreserve(keptBytes + (numbers?.byteLength ?? 0));
    return moved;
  }
}

const NO_ROOM_FOR_NUMBERS =
  'the query needs more memory than it can use to find its relationships after a change: change the layer in one query, and ask in another';

/** The number of a removed relationship in the rows of its query. */
export const REMOVED_EDGE = 0xffff_ffff;

/** @returns the number of each edge, by its origin */
function numbersOf(origins: Uint32Array, count: number, budget: Budget): Uint32Array {
  budget.spend(count);
  budget.reserve(count * Uint32Array.BYTES_PER_ELEMENT, NO_ROOM_FOR_NUMBERS);
  const numbers = new Uint32Array(count).fill(REMOVED_EDGE);
  origins.forEach((origin, edge) => {
    numbers[origin] = edge;
  });
  return numbers;
}

/** Lists and maps that several rows share are copied once, and only if they hold a relationship. */
function movedRows(rows: Rows, renumbered: (edge: number) => number, budget: Budget): Rows {
  const known = new Map<Value, Value>();
  const moved = (value: Value): Value => {
    if (value instanceof RelationshipValue) return new RelationshipValue(renumbered(value.edge));
    if (value instanceof PathValue) {
      budget.spend(value.edges.length);
      return new PathValue(value.nodes, value.edges.map(renumbered));
    }
    if (!isList(value) && !isMap(value)) return value;
    const copy = known.get(value) ?? copied(value);
    known.set(value, copy);
    return copy;
  };
  const copied = (value: readonly Value[] | ValueMap): Value => {
    let isSame = true;
    const movedPart = (inner: Value): Value => {
      const copy = moved(inner);
      isSame &&= copy === inner;
      return copy;
    };
    if (isList(value)) {
      budget.spend(value.length);
      const copies = value.map(movedPart);
      return isSame ? value : copies;
    }
    const entries = Object.entries(value);
    budget.spend(entries.length);
    const copies = entries.map(([key, inner]) => [key, movedPart(inner)] as const);
    return isSame ? value : Object.fromEntries(copies);
  };
  return rows.map((row) => {
    const entries = Object.entries(row);
    budget.spend(1 + entries.length);
    return Object.fromEntries(entries.map(([name, value]) => [name, moved(value)]));
  });
}

function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return isList(value) ? value.reduce<number>((sum, one) => sum + charactersOf(one), 0) : 8;
}

/** @param at offset of the value @throws CypherError for a value that no property can have */
function expectProperty(value: Value, at: number): void {
  const isPlain = (one: Value): boolean =>
    typeof one === 'string' ||
    typeof one === 'boolean' ||
    numberOf(one) !== undefined ||
    one instanceof TemporalValue;
  const wrong = isList(value) ? value.find((item) => !isPlain(item)) : undefined;
  if (wrong !== undefined)
    throw new CypherError(
      'value',
      `a list in a property cannot contain ${typeName(wrong)}: its items are strings, numbers, booleans and times`,
      at,
    );
  if (!isPlain(value) && !isList(value))
    throw new CypherError(
      'value',
      `a property cannot be ${typeName(value)}: it is a string, a number, a boolean, a time or a list of these`,
      at,
    );
  if (sizeOf(value, MAX_VALUE + 1) > MAX_VALUE)
    throw new CypherError('limit', 'the value of a property is too long for a layer', at);
}
