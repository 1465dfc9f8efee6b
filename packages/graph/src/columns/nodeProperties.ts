/**
 * Node properties for analysis, by key. A property of another type than the requested one counts as absent, so a
 * rule never mistakes the text "false" for true.
 */
import { newBitmap } from './bits.ts';
import { isList, type JsonObject, type JsonValue } from './jsonValue.ts';
import { NodeSet } from './nodeSet.ts';
import {
  ABSENT,
  type Column,
  clear,
  codedValue,
  codesOf,
  columnOf,
  copyOf,
  emptyColumn,
  forEachFlag,
  NO,
  renumberedColumn,
  type SharedColumn,
  sharedColumn,
  store,
  YES,
} from './propertyColumn.ts';

/** Properties of nodes for another thread. Their memory is shared; no thread may write to them. */
export interface SharedProperties {
  readonly nodeCount: number;
  readonly columns: readonly { readonly key: string; readonly column: SharedColumn }[];
}

export class NodeProperties {
  readonly nodeCount: number;
  readonly #columns = new Map<string, Column>();

  constructor(nodeCount: number) {
    this.nodeCount = nodeCount;
  }

  /** @returns the keys that at least one node has or had, in ascending order */
  keys(): string[] {
    return [...this.#columns.keys()].sort();
  }

  /** Sets a property. The last value of a key wins, and `null` clears it. */
  set(key: string, node: number, value: JsonValue): void {
    this.#check(node);
    const column = this.#columns.get(key);
    if (column !== undefined) clear(column, node);
    if (value !== null) store(column ?? this.#make(key), node, value, this.nodeCount);
  }

  /** Sets a property of a node that does not have this key yet. */
  add(key: string, node: number, value: JsonValue): void {
    this.#check(node);
    if (value !== null) store(this.#columns.get(key) ?? this.#make(key), node, value, this.nodeCount);
  }

  #check(node: number): void {
    if (!(node >= 0 && node < this.nodeCount)) throw new RangeError(`node ${node} is not in the graph`);
  }

  #make(key: string): Column {
    const column = emptyColumn();
    this.#columns.set(key, column);
    return column;
  }

  /** Sets all properties of an object. */
  setAll(node: number, properties: JsonObject): void {
    for (const key of Object.keys(properties)) this.set(key, node, properties[key]);
  }

  /** Replaces all properties of a node. @returns keys whose value changed */
  replace(node: number, properties: JsonObject): string[] {
    const changed: string[] = [];
    for (const key of new Set([...this.#columns.keys(), ...Object.keys(properties)])) {
      const [before, value] = [this.value(key, node), properties[key] ?? null];
      if (isSameValue(before ?? null, value)) continue;
      this.set(key, node, value);
      changed.push(key);
    }
    return changed;
  }

  /**
   * @returns the same properties over the same memory; values that this object caches become stale when the fork
   * is modified
   */
  fork(): NodeProperties {
    const fork = new NodeProperties(this.nodeCount);
    for (const [key, column] of this.#columns) fork.#columns.set(key, column);
    return fork;
  }

  /**
   * Converts the properties to a graph with other node numbers. @param numberOf new number, indexed by old number;
   * NO_NODE for removed nodes
   */
  renumbered(nodeCount: number, numberOf: Uint32Array): NodeProperties {
    const renumbered = new NodeProperties(nodeCount);
    for (const [key, column] of this.#columns)
      renumbered.#columns.set(key, renumberedColumn(column, nodeCount, numberOf));
    return renumbered;
  }

  /**
   * @returns properties with changed values for some nodes. Columns of other keys are shared, so neither object
   * may be modified.
   */
  changed(
    changes: readonly { readonly key: string; readonly node: number; readonly value: JsonValue }[],
  ): NodeProperties {
    const changed = new NodeProperties(this.nodeCount);
    for (const [key, column] of this.#columns) changed.#columns.set(key, column);
    const copied = new Set<string>();
    for (const { key, node, value } of changes) {
      const column = this.#columns.get(key);
      if (column !== undefined && !copied.has(key)) changed.#columns.set(key, copyOf(column));
      copied.add(key);
      changed.set(key, node, value);
    }
    return changed;
  }

  /** @returns a copy of the properties of these keys, for another thread */
  toShared(keys: Iterable<string>): SharedProperties {
    const wanted = new Set(keys);
    const columns = [...this.#columns].filter(([key]) => wanted.has(key));
    return {
      nodeCount: this.nodeCount,
      columns: columns.map(([key, column]) => ({ key, column: sharedColumn(column) })),
    };
  }

  /** @returns the properties that another thread shared. They may be read and forked, but not modified. */
  static ofShared({ nodeCount, columns }: SharedProperties): NodeProperties {
    const properties = new NodeProperties(nodeCount);
    for (const { key, column } of columns) properties.#columns.set(key, columnOf(column, nodeCount));
    return properties;
  }

  /** @returns the boolean property; `undefined` if it is absent or of another type */
  flag(key: string, node: number): boolean | undefined {
    const state = this.#columns.get(key)?.flags?.[node] ?? ABSENT;
    return state === ABSENT ? undefined : state === YES;
  }

  /** @returns the text; `undefined` when it is absent or of another type. */
  text(key: string, node: number): string | undefined {
    const value = codedValue(this.#columns.get(key), node);
    return typeof value === 'string' ? value : undefined;
  }

  /** @returns the number, or the nearest double to it; `undefined` when it is absent or of another type. */
  number(key: string, node: number): number | undefined {
    const column = this.#columns.get(key);
    const other = column?.others?.get(node);
    return column?.numbers?.get(node) ?? (typeof other === 'bigint' ? Number(other) : undefined);
  }

  /** @returns the list; `undefined` when it is absent or of another type. */
  list(key: string, node: number): readonly JsonValue[] | undefined {
    const column = this.#columns.get(key);
    const value = codedValue(column, node) ?? column?.others?.get(node);
    return isList(value) ? value : undefined;
  }

  /** @returns the texts of a list, or of a single text; empty when the property is absent or holds neither. */
  texts(key: string, node: number): readonly string[] {
    const text = this.text(key, node);
    if (text !== undefined) return [text];
    return (this.list(key, node) ?? []).filter((value) => typeof value === 'string');
  }

  /** @returns the original value of the property; `undefined` if it is absent */
  value(key: string, node: number): JsonValue | undefined {
    const column = this.#columns.get(key);
    return (
      this.flag(key, node) ??
      codedValue(column, node) ??
      column?.numbers?.get(node) ??
      column?.others?.get(node)
    );
  }

  /** @returns all properties of a node, keys in ascending order. */
  of(node: number): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const key of this.keys()) {
      const value = this.value(key, node);
      if (value !== undefined) entries.push([key, value]);
    }
    return Object.fromEntries(entries);
  }

  /** @returns the nodes whose property equals this boolean, text or number */
  nodesWhere(key: string, value: boolean | string | number): NodeSet {
    const column = this.#columns.get(key);
    return this.#collect((add) => {
      if (column === undefined) return;
      if (typeof value === 'boolean') {
        const state = value ? YES : NO;
        forEachFlag(column, (node, found) => {
          if (found === state) add(node);
        });
      } else if (typeof value === 'number') {
        column.numbers?.forEach((node, found) => {
          if (found === value) add(node);
        });
      } else {
        const codes = codesOf(column, value);
        column.coded?.forEach((node, found) => {
          if (codes.has(found)) add(node);
        });
      }
    });
  }

  /** @returns the nodes that have the property, of any type */
  nodesWith(key: string): NodeSet {
    return this.nodesMatching(key, () => true);
  }

  /** @returns the nodes that have the property with a value that passes the test */
  nodesMatching(key: string, test: (value: NonNullable<JsonValue>) => boolean): NodeSet {
    const column = this.#columns.get(key);
    return this.#collect((add) => {
      if (column === undefined) return;
      forEachFlag(column, (node, state) => {
        if (test(state === YES)) add(node);
      });
      // Each dictionary value is tested only once for all nodes that have it.
      const passes = column.dictionary.map((value) => test(value));
      column.coded?.forEach((node, code) => {
        if (passes[code]) add(node);
      });
      column.numbers?.forEach((node, value) => {
        if (test(value)) add(node);
      });
      for (const [node, value] of column.others ?? []) if (test(value)) add(node);
    });
  }

  #collect(fill: (add: (node: number) => void) => void): NodeSet {
    const words = newBitmap(this.nodeCount);
    fill((node) => {
      words[node >>> 5] |= 1 << (node & 31);
    });
    return NodeSet.ofBitmap(this.nodeCount, words);
  }
}

const isSameValue = (a: JsonValue, b: JsonValue): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
