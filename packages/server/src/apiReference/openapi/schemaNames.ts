/**
 * Named schemas: a schema declared by name in the contract is written once under that name, and referenced. So clients generated from the
 * document have named types.
 */
import * as contract from '@clew/api';

type Json = Readonly<Record<string, unknown>>;

/** Keyed by schema text: schemas are plain values, and equal ones are interchangeable. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(contract)
    .filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value))
    .map(([name, value]): [string, string] => [JSON.stringify(value), name])
    // The first name in alphabetical order is used, because the map keeps the last entry.
    .sort(([, a], [, b]) => (a < b ? 1 : -1)),
);

function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, properties, anyOf } = value as Json;
  return (type === 'object' && properties !== undefined) || Array.isArray(anyOf);
}

const REFERENCE = '#/components/schemas/';

export class NamedSchemas {
  readonly #used = new Map<string, Json>();

  /** The referenced schemas by name, in alphabetical order. */
  get components(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** @returns the schema with references to all named parts */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.refer(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = NAMES.get(JSON.stringify(schema));
    if (name === undefined) return this.#parts(schema as Json);
    if (!this.#used.has(name)) {
      // Set before its parts, so that they are also written once.
      this.#used.set(name, {});
      this.#used.set(name, this.#parts(schema as Json));
    }
    return { $ref: `${REFERENCE}${name}` };
  }

  #parts(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.refer(value)]));
  }
}
