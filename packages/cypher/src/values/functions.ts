/** Functions by lower-case name. */
import { CypherError } from '../cypherError.ts';
import { type Budget, textSteps } from '../run/budget.ts';
import type { RunContext } from '../run/context.ts';
import { compareText, equals } from './compare.ts';
import { type CypherFunction, misfit, strict } from './cypherFunction.ts';
import { integer, textOf } from './operators.ts';
import { TEMPORAL_FUNCTIONS } from './temporal/temporalFunctions.ts';
import { TemporalValue } from './temporal/temporalValue.ts';
import { expectLength, lengthOf, replace, reversed, slice, split } from './texts.ts';
import {
  integerOf,
  isAnyInteger,
  isInteger,
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  RelationshipValue,
  toFloat,
  type Value,
  type ValueMap,
} from './values.ts';

const onText = (name: string, work: (text: string) => string): CypherFunction =>
  strict(1, 1, ({ budget }, text) => {
    if (typeof text !== 'string') throw misfit(name, text);
    budget.spend(textSteps(text.length));
    const made = work(text);
    expectLength(made.length);
    return made;
  });

const onNumber = (name: string, work: (number: number) => number): CypherFunction =>
  strict(1, 1, (_, value) => {
    const number = numberOf(value);
    if (number === undefined) throw misfit(name, value);
    return toFloat(work(number));
  });

function absolute(value: NonNullable<Value>): Value {
  if (typeof value === 'bigint') return integer(value < 0n ? -value : value);
  const number = numberOf(value);
  if (number === undefined) throw misfit('abs', value);
  return isInteger(value) ? Math.abs(number) : toFloat(Math.abs(number));
}

function needInteger(name: string, value: Value): number {
  if (typeof value === 'bigint')
    throw new CypherError('value', `${name}() does not work on an integer beyond 2^53`);
  if (!isInteger(value)) throw misfit(name, value);
  return value;
}

function needText(name: string, value: Value): string {
  if (typeof value !== 'string') throw misfit(name, value);
  return value;
}

/** @throws CypherError if a list would have too many items */
function expectListed(count: number, { limits }: Budget): void {
  if (count > limits.listItems)
    throw new CypherError('limit', `a list may have at most ${limits.listItems} items`);
}

function range(context: RunContext, first: Value, last: Value, step: Value = 1): Value {
  const [from, to, by] = [first, last, step].map((value) => needInteger('range', value));
  if (by === 0) throw new CypherError('value', 'range() needs a step that is not 0');
  const count = Math.max(0, Math.floor((to - from) / by) + 1);
  expectListed(count, context.budget);
  const list = new Array<number>(count);
  for (let at = 0; at < count; at++) {
    context.budget.spend(1);
    list[at] = from + at * by;
  }
  return list;
}

/** Longer texts are not parsed as numbers. */
const MAX_NUMBER = 1000;

function toInteger(value: NonNullable<Value>): Value {
  if (typeof value === 'string') {
    if (value.length > MAX_NUMBER) return null;
    const text = value.trim();
    if (/^[+-]?\d{1,20}$/.test(text)) return integerOf(BigInt(text.replace('+', ''))) ?? null;
    const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
    return isNumber ? truncated(Number(text)) : null;
  }
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value;
  const number = numberOf(value);
  if (number === undefined) throw misfit('toInteger', value);
  return truncated(number);
}

/** @returns the integer; null if it exceeds 64 bits */
const truncated = (number: number): number | bigint | null =>
  Number.isFinite(number) ? (integerOf(BigInt(Math.trunc(number))) ?? null) : null;

function convertToFloat(value: NonNullable<Value>): Value {
  if (typeof value === 'string') {
    if (value.length > MAX_NUMBER) return null;
    const number = value.trim() === '' ? Number.NaN : Number(value);
    return Number.isNaN(number) ? null : toFloat(number);
  }
  const number = numberOf(value);
  if (number === undefined) throw misfit('toFloat', value);
  return toFloat(number);
}

function toBoolean(value: NonNullable<Value>): Value {
  if (typeof value === 'boolean') return value;
  if (isAnyInteger(value)) return value !== 0;
  if (needText('toBoolean', value).length > MAX_NUMBER) return null;
  const text = needText('toBoolean', value).trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
}

function toText(value: NonNullable<Value>): Value {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || numberOf(value) !== undefined;
  if (!isPlain && !(value instanceof TemporalValue)) throw misfit('toString', value);
  return textOf(value);
}

function size({ budget }: RunContext, value: NonNullable<Value>): Value {
  if (typeof value === 'string') return lengthOf(value, budget);
  if (isList(value)) return value.length;
  throw misfit('size', value);
}

function substring({ budget }: RunContext, value: Value, from: Value, count?: Value): Value {
  const text = needText('substring', value);
  const start = needInteger('substring', from);
  const length = count === undefined ? text.length : needInteger('substring', count);
  if (start < 0 || length < 0) throw new CypherError('value', 'substring() needs nonnegative positions');
  return slice(text, start, start + length, budget);
}

/** @returns null for values that the conversion refuses */
const orNull =
  (convert: (value: NonNullable<Value>) => Value) =>
  (value: NonNullable<Value>): Value => {
    try {
      return convert(value);
    } catch (error) {
      if (error instanceof CypherError && error.kind === 'value') return null;
      throw error;
    }
  };

const converted = (convert: (value: NonNullable<Value>) => Value): CypherFunction =>
  strict(1, 1, (_, value) => orNull(convert)(value));

/** Converts each item; items that cannot be converted become null. */
const convertedList = (name: string, convert: (value: NonNullable<Value>) => Value): CypherFunction =>
  strict(1, 1, ({ budget }, list) => {
    const items = listOf(name, list);
    budget.spend(items.length);
    return items.map((item) => (item === null ? null : orNull(convert)(item)));
  });

const characterCount = (name: string): CypherFunction =>
  strict(1, 1, ({ budget }, text) => lengthOf(needText(name, text), budget));

/** Cost in steps of collecting the properties of one object. */
export const PROPERTIES_STEPS = 100;

/** @returns `undefined` for a value without properties */
export function propertiesOf(context: RunContext, value: Value): ValueMap | undefined {
  context.budget.spend(PROPERTIES_STEPS);
  if (value instanceof NodeValue) return context.graph.nodeProperties(value.node);
  if (value instanceof RelationshipValue) return context.graph.edgeProperties(value.edge);
  return isMap(value) ? value : undefined;
}

function needProperties(name: string, context: RunContext, value: Value): ValueMap {
  const properties = propertiesOf(context, value);
  if (properties === undefined) throw misfit(name, value);
  return properties;
}

function turned({ budget }: RunContext, value: NonNullable<Value>): Value {
  if (typeof value === 'string') return reversed(value, budget);
  if (!isList(value)) throw misfit('reverse', value);
  budget.spend(value.length);
  return value.toReversed();
}

/** Without decimal places, halves round up: `round(-2.5)` is -2. With decimal places, they round away from zero. */
function round(value: number, places: number): number {
  if (places === 0) return Math.round(value) + 0;
  const factor = 10 ** places;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor)) / factor;
}

function listOf(name: string, value: NonNullable<Value>): readonly Value[] {
  if (!isList(value)) throw misfit(name, value);
  return value;
}

function pathOf(name: string, value: NonNullable<Value>): PathValue {
  if (!(value instanceof PathValue)) throw misfit(name, value);
  return value;
}

function edgeOf(name: string, value: NonNullable<Value>): RelationshipValue {
  if (!(value instanceof RelationshipValue)) throw misfit(name, value);
  return value;
}

const constant = (value: number): CypherFunction => ({ least: 0, most: 0, work: () => toFloat(value) });

export const FUNCTIONS: Readonly<Record<string, CypherFunction>> = {
  coalesce: { least: 1, most: 1000, work: (_, args) => args.find((value) => value !== null) ?? null },
  toupper: onText('toUpper', (text) => text.toUpperCase()),
  upper: onText('upper', (text) => text.toUpperCase()),
  tolower: onText('toLower', (text) => text.toLowerCase()),
  lower: onText('lower', (text) => text.toLowerCase()),
  trim: onText('trim', (text) => text.trim()),
  ltrim: onText('ltrim', (text) => text.trimStart()),
  rtrim: onText('rtrim', (text) => text.trimEnd()),
  reverse: strict(1, 1, turned),
  size: strict(1, 1, size),
  char_length: characterCount('char_length'),
  character_length: characterCount('character_length'),
  length: strict(1, 1, (context, value) =>
    value instanceof PathValue ? value.edges.length : size(context, value),
  ),
  split: strict(2, 2, ({ budget }, text, by) => {
    const separators = isList(by) ? by.map((part) => needText('split', part)) : [needText('split', by)];
    return separators.reduce<string[]>(
      (parts, separator) => {
        const made = parts.flatMap((part) => split(part, separator, budget));
        expectListed(made.length, budget);
        return made;
      },
      [needText('split', text)],
    );
  }),
  replace: strict(3, 3, ({ budget }, text, from, to) =>
    replace(needText('replace', text), needText('replace', from), needText('replace', to), budget),
  ),
  substring: strict(2, 3, substring as never),
  left: strict(2, 2, (context, text, count) => substring(context, text, 0, count)),
  right: strict(2, 2, (context, text, count) => {
    const wanted = needInteger('right', count);
    if (wanted < 0) throw new CypherError('value', 'right() needs a nonnegative number');
    return wanted === 0 ? '' : slice(needText('right', text), -wanted, undefined, context.budget);
  }),
  tostring: strict(1, 1, (_, value) => toText(value)),
  tointeger: strict(1, 1, (_, value) => toInteger(value)),
  toint: strict(1, 1, (_, value) => toInteger(value)),
  tofloat: strict(1, 1, (_, value) => convertToFloat(value)),
  toboolean: strict(1, 1, (_, value) => toBoolean(value)),
  tostringornull: converted(toText),
  tointegerornull: converted(toInteger),
  tofloatornull: converted(convertToFloat),
  tobooleanornull: converted(toBoolean),
  tostringlist: convertedList('toStringList', toText),
  tointegerlist: convertedList('toIntegerList', toInteger),
  tofloatlist: convertedList('toFloatList', convertToFloat),
  tobooleanlist: convertedList('toBooleanList', toBoolean),
  nullif: {
    ...{ least: 2, most: 2 },
    work: ({ budget }, [value, other]) => (equals(value, other, budget) === true ? null : value),
  },
  isempty: strict(1, 1, (_, value) => {
    if (typeof value === 'string' || isList(value)) return value.length === 0;
    if (!isMap(value)) throw misfit('isEmpty', value);
    return Object.keys(value).length === 0;
  }),
  head: strict(1, 1, (_, list) => listOf('head', list)[0] ?? null),
  last: strict(1, 1, (_, list) => listOf('last', list).at(-1) ?? null),
  tail: strict(1, 1, ({ budget }, list) => {
    budget.spend(listOf('tail', list).length >>> 2);
    return listOf('tail', list).slice(1);
  }),
  range: strict(2, 3, range as never),
  keys: strict(1, 1, (context, value) =>
    Object.keys(needProperties('keys', context, value)).sort(compareText),
  ),
  properties: strict(1, 1, (context, value) => needProperties('properties', context, value)),
  labels: strict(1, 1, ({ graph }, value) => {
    if (!(value instanceof NodeValue)) throw misfit('labels', value);
    return graph.labelsOf(value.node);
  }),
  type: strict(1, 1, ({ graph }, value) => graph.typeName(graph.out.kinds[edgeOf('type', value).edge])),
  id: strict(1, 1, ({ graph }, value) => {
    if (value instanceof NodeValue) return graph.nodeId(value.node);
    return graph.edgeId(edgeOf('id', value).edge);
  }),
  elementid: strict(1, 1, ({ graph }, value) => {
    if (value instanceof NodeValue) return String(graph.nodeId(value.node));
    return String(graph.edgeId(edgeOf('elementId', value).edge));
  }),
  startnode: strict(
    1,
    1,
    ({ graph }, value) => new NodeValue(graph.startOf(edgeOf('startNode', value).edge)),
  ),
  endnode: strict(
    1,
    1,
    ({ graph }, value) => new NodeValue(graph.out.neighbors[edgeOf('endNode', value).edge]),
  ),
  'gds.util.asnode': strict(1, 1, ({ graph }, id) => {
    const node = graph.nodeWithId(needInteger('gds.util.asNode', id));
    return node === undefined ? null : new NodeValue(node);
  }),
  nodes: strict(1, 1, (_, path) => pathOf('nodes', path).nodes.map((node) => new NodeValue(node))),
  relationships: strict(1, 1, (_, path) =>
    isList(path) ? path : pathOf('relationships', path).edges.map((edge) => new RelationshipValue(edge)),
  ),
  rels: strict(1, 1, (_, path) => pathOf('rels', path).edges.map((edge) => new RelationshipValue(edge))),
  abs: strict(1, 1, (_, value) => absolute(value)),
  sign: strict(1, 1, (_, value) => {
    const number = numberOf(value);
    if (number === undefined) throw misfit('sign', value);
    return Math.sign(number) || 0;
  }),
  ceil: onNumber('ceil', Math.ceil),
  floor: onNumber('floor', Math.floor),
  round: strict(1, 2, (_, value, places = 0) => {
    const number = numberOf(value);
    if (number === undefined) throw misfit('round', value);
    return toFloat(round(number, needInteger('round', places)));
  }),
  sqrt: onNumber('sqrt', Math.sqrt),
  exp: onNumber('exp', Math.exp),
  log: onNumber('log', Math.log),
  log10: onNumber('log10', Math.log10),
  sin: onNumber('sin', Math.sin),
  cos: onNumber('cos', Math.cos),
  tan: onNumber('tan', Math.tan),
  asin: onNumber('asin', Math.asin),
  acos: onNumber('acos', Math.acos),
  atan: onNumber('atan', Math.atan),
  atan2: strict(2, 2, (_, a, b) => toFloat(Math.atan2(numberOf(a) ?? Number.NaN, numberOf(b) ?? Number.NaN))),
  degrees: onNumber('degrees', (radians) => (radians * 180) / Math.PI),
  radians: onNumber('radians', (degrees) => (degrees * Math.PI) / 180),
  pi: constant(Math.PI),
  e: constant(Math.E),
  rand: { least: 0, most: 0, work: () => toFloat(Math.random()) },
  ...TEMPORAL_FUNCTIONS,
};
