/**
 * Explains why a value does not match a schema, in sentences for its sender: the place, and the requirement. Messages of the validation
 * library contain its own terms ("must match a schema in anyOf"), so they are not used.
 */
import { likelyName } from '@clew/model';
import type { TSchema } from 'typebox';

/** The parts of JSON Schema that contracts and settings use. */
interface FaultSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly FaultSchema[];
  readonly format?: string;
  readonly pattern?: string;
  /** The form required by the pattern, in words that follow "must be". */
  readonly 'x-form'?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: FaultSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FaultSchema>>;
  readonly patternProperties?: Readonly<Record<string, FaultSchema>>;
  readonly additionalProperties?: boolean | FaultSchema;
}

/** Maximum number of letters that a sentence repeats from a name or word of the sender. */
const MAX_SHOWN = 100;
/** No one would read more fields. */
const MAX_NAMED = 30;

/**
 * Faults are computed on demand: the first fault of a long list costs as much as the list up to it.
 *
 * @param whole the name of the value in sentences: "the body"
 * @param place of the value, with dots between the parts: `objects.0.kind`
 * @returns sentences without a full stop: "limit must be at most 100"; none for a valid value
 */
export function valueFaults(schema: TSchema, value: unknown, whole: string, place = ''): Iterable<string> {
  return faultsOf(schema as FaultSchema, value, { whole, place });
}

interface Place {
  readonly whole: string;
  readonly place: string;
}

const below = ({ whole, place }: Place, part: string | number): Place => ({
  whole,
  place: place === '' ? shown(String(part)) : `${place}.${shown(String(part))}`,
});
const subject = ({ whole, place }: Place): string => place || whole;
const shown = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}...`;

function* faultsOf(schema: FaultSchema, value: unknown, at: Place): Generator<string> {
  const words = valuesOf(schema);
  if (words !== undefined) {
    if (!words.includes(value)) yield `${subject(at)} must be ${choiceOf(words)}${insteadOf(value, words)}`;
    return;
  }
  if (schema.anyOf !== undefined) return yield* faultsOfChoice(schema.anyOf, value, at);
  if (!isOfType(schema, value)) {
    yield `${subject(at)} must be ${typeName(schema)}`;
    return;
  }
  if (typeof value === 'string') yield* faultsOfText(schema, value, at);
  else if (typeof value === 'number') yield* faultsOfNumber(schema, value, at);
  else if (Array.isArray(value)) yield* faultsOfList(schema, value, at);
  else if (typeof value === 'object' && value !== null)
    yield* faultsOfObject(schema, value as Readonly<Record<string, unknown>>, at);
}

/** @returns the values that the schema enumerates; `undefined` if it allows others */
function valuesOf({ const: only, enum: several, anyOf = [] }: FaultSchema): readonly unknown[] | undefined {
  if (several !== undefined) return several;
  if (only !== undefined) return [only];
  if (anyOf.length === 0) return undefined;
  const choices = anyOf.map((choice) => (choice.type === 'null' ? [null] : valuesOf(choice)));
  return choices.every((choice) => choice !== undefined) ? choices.flat() : undefined;
}

/** The fault of the alternative closest to the value: of the same type with matching words, else the first of the same type. */
function* faultsOfChoice(choices: readonly FaultSchema[], value: unknown, at: Place): Generator<string> {
  const ofType = choices.filter((choice) => valuesOf(choice)?.includes(value) ?? isOfType(choice, value));
  if (ofType.length === 0) {
    yield `${subject(at)} must be ${[...new Set(choices.map(typeName))].join(' or ')}`;
    return;
  }
  const faults = ofType.map((choice) => [...first(faultsOf(choice, value, at))]);
  if (faults.some((list) => list.length === 0)) return;
  const tagged = ofType.findIndex((choice) => hasWordsOf(choice, value));
  yield* faultsOf(ofType[Math.max(tagged, 0)] as FaultSchema, value, at);
}

function* first(faults: Iterable<string>): Generator<string> {
  for (const fault of faults) {
    yield fault;
    return;
  }
}

/** Whether a member with one allowed value, such as the `type` of a platform, has that value. */
function hasWordsOf({ properties = {} }: FaultSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(properties).some(
    ([name, { const: only }]) => only !== undefined && (value as Record<string, unknown>)[name] === only,
  );
}

function isOfType({ type, anyOf }: FaultSchema, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((choice) => isOfType(choice, value));
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function typeName(schema: FaultSchema): string {
  const values = valuesOf(schema);
  if (values !== undefined) return choiceOf(values);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeName))].join(' or ');
  const { type, items } = schema;
  if (type === 'array') return items?.type === undefined ? 'a list' : `a list of ${PLURALS[items.type]}`;
  return NAMES[type ?? ''] ?? 'something else';
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ object: 'an object', array: 'a list', integer: 'an integer', number: 'a number', null: 'null' },
  ...{ string: 'a text', boolean: 'true or false' },
};
const PLURALS: Readonly<Record<string, string>> = {
  ...{ object: 'objects', array: 'lists', integer: 'integers', number: 'numbers', null: 'nulls' },
  ...{ string: 'texts', boolean: 'truth values' },
};

function choiceOf(values: readonly unknown[]): string {
  const texts = values.map((value) =>
    typeof value === 'string' && value !== '' ? value : JSON.stringify(value),
  );
  return texts.length === 1 ? (texts[0] as string) : `one of ${texts.join(', ')}`;
}

function insteadOf(value: unknown, words: readonly unknown[]): string {
  if (typeof value !== 'string') return '';
  const likely = likelyName(
    value,
    words.filter((word) => typeof word === 'string'),
  );
  const meant = likely === undefined ? '' : `: did you mean ${likely}?`;
  return ` and is ${JSON.stringify(shown(value))}${meant}`;
}

const FORMATS: Readonly<Record<string, readonly [form: RegExp, name: string]>> = {
  uuid: [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'a UUID, as 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  'date-time': [
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
    'a time of RFC 3339, as 2026-12-31T12:00:00Z',
  ],
};

function* faultsOfText(schema: FaultSchema, value: string, at: Place): Generator<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format = '', pattern } = schema;
  const length = [...value].length;
  if (length < minLength)
    yield `${subject(at)} must ${minLength === 1 ? 'not be empty' : `have at least ${minLength} characters`}`;
  else if (length > maxLength)
    yield `${subject(at)} must have at most ${maxLength} characters, and has ${length}`;
  else if (FORMATS[format]?.[0].test(value) === false || isNoTime(format, value))
    yield `${subject(at)} must be ${FORMATS[format]?.[1]}`;
  else if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    yield `${subject(at)} must be ${schema['x-form'] ?? `written as ${pattern}`}`;
}

const isNoTime = (format: string, value: string): boolean =>
  format === 'date-time' && Number.isNaN(Date.parse(value));

function* faultsOfNumber({ minimum, maximum }: FaultSchema, value: number, at: Place): Generator<string> {
  if (minimum !== undefined && value < minimum) yield `${subject(at)} must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) yield `${subject(at)} must be at most ${maximum}`;
}

function* faultsOfList(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems, items }: FaultSchema,
  value: readonly unknown[],
  at: Place,
): Generator<string> {
  if (value.length < minItems)
    yield `${subject(at)} must ${minItems === 1 ? 'not be empty' : `have at least ${minItems} items`}`;
  if (value.length > maxItems) {
    // Checking the items of a long list would take too long.
    yield `${subject(at)} must not have more than ${maxItems} items, and has ${value.length}`;
    return;
  }
  if (uniqueItems === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    yield `${subject(at)} must not have an item twice`;
  if (items === undefined) return;
  for (const [index, item] of value.entries()) yield* faultsOf(items, item, below(at, index));
}

function* faultsOfObject(
  schema: FaultSchema,
  value: Readonly<Record<string, unknown>>,
  at: Place,
): Generator<string> {
  const { required = [], properties = {}, patternProperties = {}, additionalProperties } = schema;
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const sent = Object.keys(value);
  if (sent.length < minProperties) yield `${subject(at)} must have a member`;
  if (sent.length > maxProperties) {
    yield `${subject(at)} must not have more than ${maxProperties} members, and has ${sent.length}`;
    return;
  }
  const unknown = sent.filter((name) => !Object.hasOwn(properties, name));
  for (const name of required)
    if (!Object.hasOwn(value, name)) yield `${subject(below(at, name))} is missing${misspelt(name, unknown)}`;
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const patterned = Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(name));
    const known = own ?? patterned?.[1];
    if (known !== undefined) yield* faultsOf(known, member, below(at, name));
    else if (additionalProperties === false)
      yield `${subject(below(at, name))} is not a known field${fieldsInstead(name, Object.keys(properties))}`;
    else if (typeof additionalProperties === 'object')
      yield* faultsOf(additionalProperties, member, below(at, name));
  }
}

/** A required member is missing, and an unknown one has a similar name. */
function misspelt(name: string, unknown: readonly string[]): string {
  const likely = likelyName(name, unknown);
  return likely === undefined ? '' : `; ${shown(likely)} was sent`;
}

function fieldsInstead(name: string, known: readonly string[]): string {
  const likely = likelyName(name, known);
  if (likely !== undefined) return `: did you mean ${likely}?`;
  return known.length === 0 || known.length > MAX_NAMED ? '' : `; known are ${known.join(', ')}`;
}
