/**
 * The contract as the client in the browser reads it: names, addresses and shapes of answers as plain values. The schemas of
 * TypeBox, their texts and bounds, and TypeBox itself are not part of a page.
 */
import { type RouteContract, routes } from '@clew/api';
import type { Plugin } from 'vite';

/** The module that has the table of routes. */
const TABLE = /[\\/]api[\\/]src[\\/]routes[\\/]index\.ts$/;

/** Takes the place of TypeBox: no page reads a schema except those of the table. */
const NO_SCHEMAS = '\0no-schemas';

/**
 * Modules with schemas run for their other constants: whatever a schema is asked for, such as its properties, is nothing again.
 * It is not a promise.
 */
const NO_SCHEMAS_MODULE =
  'const nothing = new Proxy(() => nothing, { get: (_, key) => (key === "then" ? undefined : nothing) }); export default nothing;';

export function contract(): Plugin {
  return {
    name: 'contract',
    enforce: 'pre',
    resolveId: (id) => (id === 'typebox' ? NO_SCHEMAS : undefined),
    load(id) {
      if (id === NO_SCHEMAS) return NO_SCHEMAS_MODULE;
      return TABLE.test(id) ? contractModule(routes) : undefined;
    },
  };
}

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Source of a module. Shapes that occur several times are written once. */
export function contractModule(table: readonly RouteContract[]): string {
  const names = new Map<string, string>();
  const lines: string[] = [];
  const named = (source: string): string => {
    const known = names.get(source);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(source, name);
    lines.push(`const ${name}=${source};`);
    return name;
  };
  const shapes = (all: Readonly<Record<string, Schema>>): string =>
    objectOf(Object.entries(all).map(([name, schema]) => [name, shape(schema)]));
  const shape = ({ type, anyOf, properties, patternProperties, required, items, ...rest }: Schema): string =>
    named(
      objectOf([
        ['type', type && JSON.stringify(type)],
        ...typesOnly(rest),
        ['anyOf', anyOf && `[${anyOf.map(shape).join(',')}]`],
        ['properties', properties && shapes(properties)],
        ['patternProperties', patternProperties && shapes(patternProperties)],
        ['required', required?.length ? JSON.stringify(required) : undefined],
        ['items', items && shape(items)],
      ]),
    );
  const rows = table.map(({ operationId, method, path, query, responses }) =>
    objectOf([
      ['operationId', JSON.stringify(operationId)],
      ['method', JSON.stringify(method)],
      ['path', JSON.stringify(path)],
      // Lists that have it are read page by page.
      ['query', query?.properties.skip && `{properties:{skip:{}}}`],
      [
        'responses',
        objectOf(
          Object.entries(responses).map(([status, schema]) => [
            status,
            schema === null ? 'null' : shape(schema as Schema),
          ]),
        ),
      ],
    ]),
  );
  return `${lines.join('\n')}\nexport const routes=[\n${rows.join(',\n')}];`;
}

/** The client compares the types of listed values only: one value of each type is enough. */
function typesOnly(schema: Pick<Schema, 'const' | 'enum'>): [string, string | undefined][] {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : []);
  const byType = new Map(values.map((value) => [value === null ? 'null' : typeof value, value]));
  return [['enum', byType.size === 0 ? undefined : JSON.stringify([...byType.values()])]];
}

const objectOf = (members: readonly (readonly [name: string, source: string | undefined])[]): string =>
  `{${members.flatMap(([name, source]) => (source === undefined ? [] : [`${JSON.stringify(name)}:${source}`])).join(',')}}`;
