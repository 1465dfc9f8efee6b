/** Shortened answers that keep their structure and match the contract. */
import type { TSchema } from 'typebox';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Maximum number of members of a map; declared members always stay. */
const MAX_MEMBERS = 4;
const MAX_CHARACTERS = 300;

/** @param schema schema of the answer: its declared members stay, one item of each list, and some members of each map */
export function shortened(value: unknown, schema: TSchema): unknown {
  return cut(value, [schema as Schema]);
}

function cut(value: unknown, schemas: readonly Schema[]): unknown {
  const all = schemas.flatMap((one) => one.anyOf ?? [one]);
  if (typeof value === 'string' && value.length > MAX_CHARACTERS)
    return `${value.slice(0, MAX_CHARACTERS)}...`;
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => (items === undefined ? [] : [items]));
    const most = typeof value[0] === 'object' ? 1 : MAX_MEMBERS;
    return value.slice(0, most).map((item) => cut(item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  let others = 0;
  const members = Object.entries(value).filter(
    ([name]) => all.some(({ properties = {} }) => Object.hasOwn(properties, name)) || ++others <= MAX_MEMBERS,
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, cut(member, all.flatMap(memberOf(name)))]),
  );
}

const memberOf =
  (name: string) =>
  (schema: Schema): readonly Schema[] => {
    const { properties = {}, patternProperties = {}, additionalProperties } = schema;
    if (Object.hasOwn(properties, name)) return [properties[name]];
    const wild = Object.values(patternProperties);
    return typeof additionalProperties === 'object' ? [...wild, additionalProperties] : wild;
  };
