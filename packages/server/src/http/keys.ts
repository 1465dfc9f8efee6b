/**
 * Keys in JSON bodies are case-insensitive, as in the public service: they are converted to the case in the contract. An unknown key is
 * dropped, so that no handler can store or read it. If the contract allows other keys, they are data, and unchanged. Rule:
 * `docs/reference/api.md#bodies`.
 */

/** The parts of a JSON Schema that determine which members a value may have. */
export interface KeySchema {
  readonly anyOf?: readonly KeySchema[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  /** Schemas of values in maps, whose keys are data. */
  readonly patternProperties?: Readonly<Record<string, KeySchema>>;
  /** Schemas of values with other keys, which are also data. */
  readonly additionalProperties?: KeySchema | boolean;
  readonly items?: KeySchema;
}

/** The shape of a value: if there are several alternatives, it has the members of all. */
interface Shape {
  /** Keyed by lower-case key. */
  readonly members: ReadonlyMap<string, Member>;
  /** Whether keys are data and kept. */
  readonly isMap: boolean;
  readonly values: Shape | undefined;
  readonly items: Shape | undefined;
}

interface Member {
  readonly key: string;
  readonly shape: Shape | undefined;
}

export type Respell = (value: unknown) => unknown;

/** @returns a function that converts the keys of a parsed body to those of the contract, and drops unknown ones; keys of maps are kept */
export function respellingOf(schema: KeySchema): Respell {
  const shape = shapeOf([schema]);
  return shape === undefined ? (value) => value : (value) => respelled(shape, value);
}

/** @returns `undefined` if there are no keys to convert */
function shapeOf(schemas: readonly KeySchema[]): Shape | undefined {
  const all = schemas.flatMap(withChoices);
  const members = new Map<string, Member>();
  for (const key of new Set(all.flatMap(({ properties }) => Object.keys(properties ?? {})))) {
    const found = all.flatMap(({ properties }) => properties?.[key] ?? []);
    members.set(key.toLowerCase(), { key, shape: shapeOf(found) });
  }
  const values = all.flatMap(({ patternProperties, additionalProperties: others }) => [
    ...Object.values(patternProperties ?? {}),
    ...(typeof others === 'object' ? [others] : others === true ? [{}] : []),
  ]);
  const items = all.flatMap((one) => one.items ?? []);
  const shape = {
    members,
    isMap: values.length > 0,
    values: values.length === 0 ? undefined : shapeOf(values),
    items: items.length === 0 ? undefined : shapeOf(items),
  };
  const isData = members.size === 0 && shape.values === undefined && shape.items === undefined;
  return isData ? undefined : shape;
}

const withChoices = (schema: KeySchema): KeySchema[] => [
  schema,
  ...(schema.anyOf ?? []).flatMap(withChoices),
];

function respelled(shape: Shape | undefined, value: unknown): unknown {
  if (shape === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return shape.items === undefined ? value : value.map((item) => respelled(shape.items, item));
  const { members, isMap, values } = shape;
  // Uses entries, because assigning `__proto__` creates no member.
  const entries = new Map<string, unknown>();
  for (const [name, content] of Object.entries(value)) {
    const member = members.get(name.toLowerCase());
    if (member === undefined) {
      if (isMap) entries.set(name, respelled(values, content));
      // If two keys are equal, the correctly spelled one is used.
    } else if (name === member.key || !Object.hasOwn(value, member.key))
      entries.set(member.key, respelled(member.shape, content));
  }
  return Object.fromEntries(entries);
}
