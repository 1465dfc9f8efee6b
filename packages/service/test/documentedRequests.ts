/** Requests generated from the service's API description, with the described answers. */

// biome-ignore lint/suspicious/noExplicitAny: a document as JSON.
type Json = any;

export interface Operation {
  readonly method: string;
  /** After `/api/v2/`. */
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly Json[];
  /** The body in JSON. */
  readonly body: Json | undefined;
  readonly statuses: ReadonlySet<number>;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]: [string, Json]) =>
    Object.entries(item).flatMap(([method, operation]: [string, Json]) =>
      operation.operationId === undefined
        ? []
        : [
            {
              method: method.toUpperCase(),
              path: path.replace(/^\/api\/v2\//, ''),
              operationId: operation.operationId,
              parameters: (operation.parameters ?? []).map((parameter: Json) => resolve(document, parameter)),
              body: resolve(document, operation.requestBody?.content?.['application/json']?.schema),
              statuses: new Set(Object.keys(operation.responses).map(Number)),
            },
          ],
    ),
  );
}

/** @returns the schema without references, to the depth of samples */
function resolve(document: Json, schema: Json, depth = 0): Json {
  if (typeof schema !== 'object' || schema === null || depth > 12) return schema;
  if (Array.isArray(schema)) return schema.map((part) => resolve(document, part, depth + 1));
  if (typeof schema.$ref === 'string') {
    const parts = schema.$ref.slice(2).split('/');
    return resolve(
      document,
      parts.reduce((at: Json, part: string) => at[part.replaceAll('~1', '/')], document),
      depth + 1,
    );
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, resolve(document, value, depth + 1)]),
  );
}

/** A value that matches the schema, with all members. */
export function sampleOf(schema: Json): Json {
  if (schema === undefined || schema === null) return null;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (schema[key] !== undefined) return sampleOf(schema[key][0]);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [sampleOf(schema.items)];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member)]),
      );
    case 'string':
      if (schema.format === 'uuid') return '00000000-0000-0000-0000-000000000001';
      if (schema.format === 'date-time') return '2026-01-31T10:00:00Z';
      return 'sample'.padEnd(schema.minLength ?? 0, 'x');
    default:
      return 'sample';
  }
}

/** @returns copies of the value, each with one integer of the schema replaced */
export function* withIntegers(value: Json, schema: Json, others: readonly number[]): Generator<Json> {
  if (schema === undefined || schema === null) return;
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (schema[key] !== undefined) return yield* withIntegers(value, schema[key][0], others);
  if (schema.type === 'integer' || schema.type === 'number') return yield* others;
  if (schema.type === 'array' && Array.isArray(value))
    for (const other of withIntegers(value[0], schema.items, others)) yield [other];
  if (schema.type === 'object' && typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(schema.properties ?? {}))
      for (const other of withIntegers(value[name], member, others)) yield { ...value, [name]: other };
}

/** Bodies that no schema allows, or hardly any. */
export const ODD_BODIES: readonly unknown[] = [
  ...[null, [], {}, '', 'text', 0, -1, true, [null], { '\u0000': '\u0000' }],
  { __proto__: null, constructor: {}, toString: 1 },
];
export const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  '%00',
  '\ud800',
  "'",
  '../..',
  'ä'.repeat(400),
  '1e400',
  'eq:',
  ',',
];
