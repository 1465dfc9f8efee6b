/**
 * All values of one property. Booleans take one byte per node, texts and short lists are codes into a dictionary,
 * numbers are doubles. Integers beyond 2^53, long lists, and all other JSON values are in a sparse map.
 */
import { deserialize, serialize } from 'node:v8';
import { NO_NODE } from './attackGraph.ts';
import { isList, type JsonObject, type JsonValue } from './jsonValue.ts';
import { sharedBytes } from './largeArrays.ts';
import { NumberColumn, type SharedNumbers } from './numberColumn.ts';

/** States of a boolean property in its column. */
export const ABSENT = 0;
export const NO = 1;
export const YES = 2;

/** Represents no value; the codes of values start after it. */
const NO_CODE = 0;

export type CodedValue = string | readonly JsonValue[];

/**
 * Maximum number of distinct texts. Beyond it, most nodes have a unique text, such as a name, and deduplication is
 * useless.
 */
const MAX_CODES = 1 << 16;
/** Maximum length of a list in the dictionary. */
const MAX_CODED_LIST = 2;
/** Collected texts never begin with this prefix. */
const LIST_MARK = '\u{1}[]';

/** All values of one key. Each part is created with the first value of its type. */
export interface Column {
  flags?: Int8Array;
  /** Code of each node, an index into `dictionary`. */
  coded?: NumberColumn;
  /** Texts and short lists. Deduplicated because a million accounts may have the same empty list. */
  readonly dictionary: CodedValue[];
  /**
   * Keyed by text, or by the `listKey` of a list. Absent if there are too many, in which case equal values may
   * repeat.
   */
  codes?: Map<string, number>;
  numbers?: NumberColumn;
  /** Other lists, objects, and integers that a double cannot represent. */
  others?: Map<number, bigint | readonly JsonValue[] | JsonObject>;
}

/** The values of a key for another thread. */
export interface SharedColumn {
  readonly flags?: Int8Array;
  readonly coded?: SharedNumbers['dense'];
  readonly numbers?: SharedNumbers['dense'];
  /** Everything else, serialized once, so threads can forward it unchanged. */
  readonly rest: Uint8Array;
}

interface Rest extends Pick<Column, 'dictionary' | 'others'> {
  readonly coded?: SharedNumbers['sparse'];
  readonly numbers?: SharedNumbers['sparse'];
}

export const emptyColumn = (): Column => ({ dictionary: [''], codes: new Map() });

export function sharedColumn({ flags, coded, dictionary, numbers, others }: Column): SharedColumn {
  const [ofCodes, ofNumbers] = [coded?.toShared(), numbers?.toShared()];
  const rest: Rest = {
    dictionary,
    ...(others && { others }),
    ...(ofCodes?.sparse && { coded: ofCodes.sparse }),
    ...(ofNumbers?.sparse && { numbers: ofNumbers.sparse }),
  };
  return {
    ...(flags && { flags: sharedBytes(flags) }),
    ...(ofCodes?.dense && { coded: ofCodes.dense }),
    ...(ofNumbers?.dense && { numbers: ofNumbers.dense }),
    rest: sharedBytes(serialize(rest)),
  };
}

export function columnOf({ flags, coded, numbers, rest }: SharedColumn, nodeCount: number): Column {
  const others = deserialize(rest) as Rest;
  const codes = coded === undefined ? others.coded && { sparse: others.coded } : { dense: coded };
  const values = numbers === undefined ? others.numbers && { sparse: others.numbers } : { dense: numbers };
  return {
    dictionary: others.dictionary,
    ...(others.dictionary.length <= MAX_CODES && { codes: codesIn(others.dictionary) }),
    ...(flags && { flags }),
    ...(codes && { coded: newCodes(nodeCount).fill(codes) }),
    ...(values && { numbers: doubles(nodeCount).fill(values) }),
    ...(others.others && { others: others.others }),
  };
}

/** Keyed in the same way as `Column.codes`. */
const codesIn = (dictionary: readonly CodedValue[]): Map<string, number> =>
  new Map(dictionary.slice(1).map((value, at) => [isList(value) ? listKey(value) : value, at + 1]));

export function forEachFlag({ flags }: Column, visit: (node: number, state: number) => void): void {
  if (flags === undefined) return;
  // Reads four nodes at a time, because most nodes do not have a given key.
  const words = new Int32Array(flags.buffer, flags.byteOffset, flags.length >>> 2);
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) continue;
    for (let node = at * 4; node < at * 4 + 4; node++) if (flags[node] !== ABSENT) visit(node, flags[node]);
  }
  for (let node = words.length * 4; node < flags.length; node++)
    if (flags[node] !== ABSENT) visit(node, flags[node]);
}

export function codedValue(column: Column | undefined, node: number): CodedValue | undefined {
  const code = column?.coded?.get(node);
  return code === undefined ? undefined : column?.dictionary[code];
}

export function copyOf({ flags, coded, dictionary, codes, numbers, others }: Column): Column {
  return {
    ...(flags !== undefined && { flags: flags.slice() }),
    ...(coded !== undefined && { coded: coded.copy() }),
    dictionary: [...dictionary],
    ...(codes !== undefined && { codes: new Map(codes) }),
    ...(numbers !== undefined && { numbers: numbers.copy() }),
    ...(others !== undefined && { others: new Map(others) }),
  };
}

export function renumberedColumn(column: Column, nodeCount: number, numberOf: Uint32Array): Column {
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

export function clear(column: Column, node: number): void {
  if (column.flags !== undefined) column.flags[node] = ABSENT;
  column.coded?.delete(node);
  column.numbers?.delete(node);
  column.others?.delete(node);
}

export function store(column: Column, node: number, value: NonNullable<JsonValue>, nodeCount: number): void {
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

export function codesOf({ codes, dictionary }: Column, text: string): ReadonlySet<number> {
  if (codes !== undefined) return new Set([codes.get(text) ?? NO_CODE]);
  return new Set([...dictionary.keys()].filter((code) => code !== NO_CODE && dictionary[code] === text));
}

const listKey = (list: readonly JsonValue[]): string =>
  list.length === 0 ? LIST_MARK : LIST_MARK + JSON.stringify(list);
