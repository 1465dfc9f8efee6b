/**
 * Converts schemas to the OpenAPI 3.0 dialect, which most generators and tools still use: without `const`, the type `null`, and property
 * name patterns (OpenAPI 3.0.3, Schema Object).
 */

type Json = Readonly<Record<string, unknown>>;

export function asVersion30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asVersion30);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Json;
  if (Array.isArray(schema.anyOf)) return choice(schema);
  if ('const' in schema && 'type' in schema) {
    const { const: only, ...rest } = schema;
    return { ...(asVersion30(rest) as Json), enum: [only] };
  }
  const { patternProperties, ...rest } = schema;
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, asVersion30(part)]));
  if (typeof patternProperties !== 'object' || patternProperties === null) return mapped;
  const [values = {}] = Object.values(patternProperties);
  return { ...mapped, additionalProperties: asVersion30(values) };
}

/** `null` in a union becomes a schema attribute; constants of one type become an enumeration. */
function choice({ anyOf, ...rest }: Json): Json {
  const choices = anyOf as readonly Json[];
  const others = choices.filter(({ type }) => type !== 'null');
  const nullable = others.length < choices.length ? { nullable: true } : {};
  const annotations = asVersion30(rest) as Json;
  const types = new Set(others.map(({ type }) => type));
  if (others.length > 0 && others.every((one) => 'const' in one) && types.size === 1) {
    return { ...annotations, type: others[0].type, enum: others.map((one) => one.const), ...nullable };
  }
  const [first] = others;
  if (others.length > 1) return { ...annotations, anyOf: others.map(asVersion30), ...nullable };
  // Members next to a `$ref` are ignored, so it is wrapped.
  if (first !== undefined && '$ref' in first) return { ...annotations, allOf: [first], ...nullable };
  return { ...annotations, ...(asVersion30(first ?? {}) as Json), ...nullable };
}
