/**
 * Named schemas: a schema that the contract declares under a name is written once, under that name, and referred to. So clients that are
 * generated from the document have types with names.
 */
import * as contract from '@clew/api';

type Json = Readonly<Record<string, unknown>>;

/** Keyed by the text of the schema: schemas are plain values, and equal ones mean the same. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(contract)
    .filter(([name, value]) => /^[A-Z]/.test(name) && isSchema(value))
    .map(([name, value]): [string, string] => [JSON.stringify(value), name])
    // The first of two names in alphabetical order counts; the map keeps the last.
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

  /** The schemas that were referred to, by name, in alphabetical order. */
  get components(): Json {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** @returns the schema with references in place of all that has a name. */
  refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.refer(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = NAMES.get(JSON.stringify(schema));
    if (name === undefined) return this.#parts(schema as Json);
    if (!this.#used.has(name)) {
      // Before its parts: they are written once, too.
      this.#used.set(name, {});
      this.#used.set(name, this.#parts(schema as Json));
    }
    return { $ref: `${REFERENCE}${name}` };
  }

  #parts(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.refer(value)]));
  }
}
