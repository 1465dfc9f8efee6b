/**
 * Checks whether a value has the structure that the contract defines: objects, lists, texts and numbers in the expected places, and no
 * missing members. Texts are not compared with the enumerated ones, nor numbers with their limits: a newer service may use more values, and
 * readers accept unknown words.
 */

/** The parts of a JSON schema that are checked. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/** No answer of the service is nested more deeply. */
const MAX_DEPTH = 100;

/** @returns the first mismatch, with its place; `undefined` if the value matches */
export function shapeFault(
  schema: object,
  value: unknown,
  place = 'the answer',
  depth = 0,
): string | undefined {
  if (depth > MAX_DEPTH) return `${place} is nested too deeply`;
  const { anyOf, type, items, properties, required = [], patternProperties, ...rest } = schema as Schema;
  if (anyOf !== undefined) return alternativeFault(anyOf, value, place, depth);
  const wanted = type === undefined ? typesOf(rest) : [type];
  if (wanted.length > 0 && !wanted.some((each) => hasType(each, value)))
    return `${place} is ${nameOf(value)}, not ${wanted.map((each) => NAMES[each] ?? each).join(' or ')}`;
  if (Array.isArray(value)) {
    if (items === undefined) return undefined;
    return first(value, (each, at) => shapeFault(items, each, `${place}[${at}]`, depth + 1));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => !Object.hasOwn(fields, name));
  if (missing !== undefined) return `${place} has no ${missing}`;
  const inner = (name: string): string => (depth === 0 ? name : `${place}.${name}`);
  const fault = first(Object.entries(properties ?? {}), ([name, each]) =>
    Object.hasOwn(fields, name) ? shapeFault(each, fields[name], inner(name), depth + 1) : undefined,
  );
  if (fault !== undefined || patternProperties === undefined) return fault;
  // Records: all their values have the same schema.
  const [others] = Object.values(patternProperties);
  return first(Object.entries(fields), ([name, each]) =>
    others === undefined || properties?.[name] !== undefined
      ? undefined
      : shapeFault(others, each, `${place}[${JSON.stringify(name.slice(0, 100))}]`, depth + 1),
  );
}

/** @returns the fault of the best alternative, whose own type matches */
function alternativeFault(
  schemas: readonly Schema[],
  value: unknown,
  place: string,
  depth: number,
): string | undefined {
  let best: string | undefined;
  for (const schema of schemas) {
    const fault = shapeFault(schema, value, place, depth + 1);
    if (fault === undefined) return undefined;
    if (best === undefined || !fault.startsWith(`${place} is `)) best = fault;
  }
  return best;
}

function typesOf(schema: Pick<Schema, 'const' | 'enum'>): string[] {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : []);
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  ...{
    object: 'an object',
    array: 'a list',
    string: 'a text',
    number: 'a number',
    integer: 'a whole number',
  },
  ...{ boolean: 'true or false', null: 'null' },
};

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return NAMES[Array.isArray(value) ? 'array' : typeof value] ?? 'nothing';
}

function first<Entry>(
  entries: readonly Entry[],
  faultOf: (entry: Entry, at: number) => string | undefined,
): string | undefined {
  for (const [at, entry] of entries.entries()) {
    const fault = faultOf(entry, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
