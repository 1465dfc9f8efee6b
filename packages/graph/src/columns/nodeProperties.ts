/**
 * Node properties for analysis, by key: yes/no as one byte a node, texts and short lists as codes into a dictionary,
 * numbers as doubles, whole numbers beyond 2^53, long lists and whatever else JSON can say as sparse maps. A property that has another type than the one
 * asked for counts as absent, so a rule never takes the text "false" for a yes.
 */
import { NO_NODE } from './attackGraph.ts';
import { newBitmap } from './bits.ts';
import { NodeSet } from './nodeSet.ts';
import { NumberColumn } from './numberColumn.ts';

export type JsonValue =
  | string
  | number
  /** A whole number beyond 2^53. */
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** States of a yes/no property in its column. */
const ABSENT = 0;
const NO = 1;
const YES = 2;

/** Codes of values begin after it. */
const NO_CODE = 0;

type CodedValue = string | readonly JsonValue[];

/** Limit of distinct texts: with more, most nodes have their own one, as with names, and looking for equal ones is in vain. */
const MAX_CODES = 1 << 16;
/** Longest list that goes into the dictionary. */
const MAX_CODED_LIST = 2;
/** No text of a collection begins like this. */
const LIST_MARK = '\u{1}[]';

/** All values of one key. Each part is made when the first value of its type comes. */
interface Column {
  flags?: Int8Array;
  /** Per node a code into `dictionary`. */
  coded?: NumberColumn;
  /** Texts and short lists: a million accounts have the same empty one. */
  readonly dictionary: CodedValue[];
  /** Keyed by text, or by the `listKey` of a list; absent once there are too many, and then equal ones may repeat. */
  codes?: Map<string, number>;
  numbers?: NumberColumn;
  /** Other lists, objects, and whole numbers that no double holds. */
  others?: Map<number, bigint | readonly JsonValue[] | JsonObject>;
}

export class NodeProperties {
  readonly nodeCount: number;
  readonly #columns = new Map<string, Column>();

  constructor(nodeCount: number) {
    this.nodeCount = nodeCount;
  }

  /** @returns the keys that some node has or had, in ascending order. */
  keys(): string[] {
    return [...this.#columns.keys()].sort();
  }

  /** Sets a property; the last value of a key holds, and `null` clears it. */
  set(key: string, node: number, value: JsonValue): void {
    this.#check(node);
    const column = this.#columns.get(key);
    if (column !== undefined) clear(column, node);
    if (value !== null) store(column ?? this.#make(key), node, value, this.nodeCount);
  }

  /** Sets a property of a node that has none of this key. */
  add(key: string, node: number, value: JsonValue): void {
    this.#check(node);
    if (value !== null) store(this.#columns.get(key) ?? this.#make(key), node, value, this.nodeCount);
  }

  #check(node: number): void {
    if (!(node >= 0 && node < this.nodeCount)) throw new RangeError(`node ${node} is not in the graph`);
  }

  #make(key: string): Column {
    const column: Column = { dictionary: [''], codes: new Map() };
    this.#columns.set(key, column);
    return column;
  }

  /** Sets every property of an object. */
  setAll(node: number, properties: JsonObject): void {
    for (const key of Object.keys(properties)) this.set(key, node, properties[key]);
  }

  /** Gives a node these properties alone. @returns keys whose value is another now */
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

  /** @returns the same properties over the same memory: values that this object caches are stale once the fork is written to */
  fork(): NodeProperties {
    const fork = new NodeProperties(this.nodeCount);
    for (const [key, column] of this.#columns) fork.#columns.set(key, column);
    return fork;
  }

  /**
   * The same properties in a graph whose nodes have other numbers.
   * @param numberOf the new number by the old one; NO_NODE for removed nodes
   */
  renumbered(nodeCount: number, numberOf: Uint32Array): NodeProperties {
    const renumbered = new NodeProperties(nodeCount);
    for (const [key, column] of this.#columns)
      renumbered.#columns.set(key, renumberedColumn(column, nodeCount, numberOf));
    return renumbered;
  }

  /** @returns properties with other values at some nodes; columns of other keys are shared, so neither may be written to. */
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

  /** @returns the yes/no property; `undefined` when it is absent or of another type. */
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

  /** @returns the property as it was set; `undefined` when it is absent. */
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

  /** @returns the nodes whose property is this very yes/no, text or number. */
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

  /** @returns the nodes that have the property, whatever its type. */
  nodesWith(key: string): NodeSet {
    return this.nodesMatching(key, () => true);
  }

  /** @returns the nodes that have the property with a value that passes the test. */
  nodesMatching(key: string, test: (value: NonNullable<JsonValue>) => boolean): NodeSet {
    const column = this.#columns.get(key);
    return this.#collect((add) => {
      if (column === undefined) return;
      forEachFlag(column, (node, state) => {
        if (test(state === YES)) add(node);
      });
      // Each value of the dictionary is tested once, however many nodes have it.
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

function forEachFlag({ flags }: Column, visit: (node: number, state: number) => void): void {
  if (flags === undefined) return;
  // Four nodes at a time: most keys are those of few kinds.
  const words = new Int32Array(flags.buffer, flags.byteOffset, flags.length >>> 2);
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) continue;
    for (let node = at * 4; node < at * 4 + 4; node++) if (flags[node] !== ABSENT) visit(node, flags[node]);
  }
  for (let node = words.length * 4; node < flags.length; node++)
    if (flags[node] !== ABSENT) visit(node, flags[node]);
}

function codedValue(column: Column | undefined, node: number): CodedValue | undefined {
  const code = column?.coded?.get(node);
  return code === undefined ? undefined : column?.dictionary[code];
}

function copyOf({ flags, coded, dictionary, codes, numbers, others }: Column): Column {
  return {
    ...(flags !== undefined && { flags: flags.slice() }),
    ...(coded !== undefined && { coded: coded.copy() }),
    dictionary: [...dictionary],
    ...(codes !== undefined && { codes: new Map(codes) }),
    ...(numbers !== undefined && { numbers: numbers.copy() }),
    ...(others !== undefined && { others: new Map(others) }),
  };
}

function renumberedColumn(column: Column, nodeCount: number, numberOf: Uint32Array): Column {
  const { flags, coded, dictionary, codes, numbers, others } = column;
  const made: Column = { dictionary: [...dictionary], codes: codes && new Map(codes) };
  const stays = (node: number): boolean => numberOf[node] !== NO_NODE;
  if (flags !== undefined) {
    const moved = new Int8Array(nodeCount);
    forEachFlag(column, (node, state) => {
      if (stays(node)) moved[numberOf[node]] = state;
    });
    made.flags = moved;
  }
  made.coded = coded && renumberedNumbers(coded, newCodes(nodeCount), numberOf);
  made.numbers = numbers && renumberedNumbers(numbers, doubles(nodeCount), numberOf);
  made.others =
    others &&
    new Map([...others].flatMap(([node, value]) => (stays(node) ? [[numberOf[node], value] as const] : [])));
  return made;
}

function renumberedNumbers(from: NumberColumn, to: NumberColumn, numberOf: Uint32Array): NumberColumn {
  from.forEach((node, value) => {
    if (numberOf[node] !== NO_NODE) to.set(numberOf[node], value);
  });
  return to;
}

function clear(column: Column, node: number): void {
  if (column.flags !== undefined) column.flags[node] = ABSENT;
  column.coded?.delete(node);
  column.numbers?.delete(node);
  column.others?.delete(node);
}

function store(column: Column, node: number, value: NonNullable<JsonValue>, nodeCount: number): void {
  switch (typeof value) {
    case 'boolean':
      column.flags ??= new Int8Array(nodeCount);
      column.flags[node] = value ? YES : NO;
      return;
    case 'string':
      column.coded ??= newCodes(nodeCount);
      column.coded.set(node, codeOf(column, value, value));
      return;
    case 'number':
      column.numbers ??= doubles(nodeCount);
      column.numbers.set(node, value);
      return;
    default:
      if (isList(value) && value.length <= MAX_CODED_LIST) {
        column.coded ??= newCodes(nodeCount);
        column.coded.set(node, codeOf(column, listKey(value), value));
        return;
      }
      column.others ??= new Map();
      column.others.set(node, value);
  }
}

function newCodes(nodeCount: number): NumberColumn {
  return new NumberColumn(nodeCount, (count) => new Int32Array(count), NO_CODE);
}

function doubles(nodeCount: number): NumberColumn {
  return new NumberColumn(nodeCount, (count) => new Float64Array(count), Number.NaN);
}

function codeOf(column: Column, key: string, value: CodedValue): number {
  const known = column.codes?.get(key);
  if (known !== undefined) return known;
  const code = column.dictionary.push(value) - 1;
  column.codes?.set(key, code);
  if (column.dictionary.length > MAX_CODES) column.codes = undefined;
  return code;
}

function codesOf({ codes, dictionary }: Column, text: string): ReadonlySet<number> {
  if (codes !== undefined) return new Set([codes.get(text) ?? NO_CODE]);
  return new Set([...dictionary.keys()].filter((code) => code !== NO_CODE && dictionary[code] === text));
}

const listKey = (list: readonly JsonValue[]): string =>
  list.length === 0 ? LIST_MARK : LIST_MARK + JSON.stringify(list);

const isSameValue = (a: JsonValue, b: JsonValue): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
