/** Tests keys of bodies in any case, together with unknown keys, with the contracts of all routes. */
import { routes } from '@clew/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeySchema, respellingOf } from './keys.ts';
import { createContractReader } from './validation.ts';

interface BodySchema extends KeySchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly required?: readonly string[];
  readonly anyOf?: readonly BodySchema[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly patternProperties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000001',
  'date-time': '2026-01-31T10:00:00Z',
};

/** Samples of texts with a pattern. */
const SAMPLES = ['1', '#0a0a0a', '2026-01-31', 'opened:1'];

/** Bodies as in the contract, with some or all optional members. */
function bodiesOf(schema: BodySchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(bodiesOf));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, 0),
        max: Math.min(schema.maximum ?? 1000, 1000),
      });
    case 'array':
      return fc.array(bodiesOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'object': {
      const { properties, patternProperties } = schema;
      if (properties === undefined && patternProperties !== undefined)
        return fc.dictionary(
          fc.constantFrom('Aa', 'aA', 'Name', 'NAME', 'x'),
          bodiesOf(Object.values(patternProperties)[0]),
          { minKeys: schema.minProperties ?? 0 },
        );
      const members = Object.entries(properties ?? {});
      return fc
        .record(Object.fromEntries(members.map(([name, member]) => [name, bodiesOf(member)])), {
          requiredKeys: [...(schema.required ?? [])],
          noNullPrototype: true,
        })
        .filter((body) => Object.keys(body).length >= (schema.minProperties ?? 0));
    }
    case 'string':
      if (schema.pattern !== undefined) {
        const fitting = SAMPLES.find((sample) => new RegExp(schema.pattern as string).test(sample));
        if (fitting === undefined) throw new Error(`no sample fits ${schema.pattern}`);
        return fc.constant(fitting);
      }
      return fc.constant(FORMATS[schema.format ?? ''] ?? 'Text'.padEnd(schema.minLength ?? 0, 'x'));
    default:
      return fc.constantFrom<unknown>('Text', 1, null, { Name: 1, name: 2 });
  }
}

/** The same body with every key of the contract in another case, and additional unknown keys. */
function misspelled(schema: BodySchema, value: unknown, upper: () => boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fits = (one: BodySchema): boolean =>
    Array.isArray(value)
      ? one.items !== undefined
      : one.properties !== undefined || one.patternProperties !== undefined;
  const shape = [schema, ...(schema.anyOf ?? [])].find(fits);
  if (shape === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => misspelled(shape.items ?? {}, item, upper));
  const { properties = {}, patternProperties } = shape;
  if (patternProperties !== undefined)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        misspelled(Object.values(patternProperties)[0], item, upper),
      ]),
    );
  const other = (name: string): string =>
    [...name].map((letter) => (upper() ? letter.toUpperCase() : letter.toLowerCase())).join('');
  return Object.fromEntries([
    // If the contract allows other keys, they are data.
    ...(shape.additionalProperties ? [] : [['no_such_key', { name: 'x' }] as const]),
    ...Object.entries(value).map(([name, member]) => [
      other(name),
      misspelled(properties[name] ?? {}, member, upper),
    ]),
  ]);
}

const BODIES = routes.filter(({ body }) => body !== undefined);

describe('bodies with keys in any case', () => {
  test.each(BODIES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s stay unchanged if written as in the contract',
    (_, route) => {
      const reader = createContractReader(route);
      const schema = route.body as BodySchema;
      fc.assert(
        fc.property(bodiesOf(schema), fc.infiniteStream(fc.boolean()), (body, cases) => {
          const upper = (): boolean => cases.next().value === true;
          expect(reader.checkBody(misspelled(schema, body, upper))).toEqual(body);
        }),
        { numRuns: 50 },
      );
    },
  );

  test('are numerous', () => {
    expect(BODIES.length).toBeGreaterThan(40);
  });

  test('have no two keys that differ only in case', () => {
    const doubled = (schema: BodySchema): string[] => {
      const names = Object.keys(schema.properties ?? {});
      return [
        ...names.filter((name) =>
          names.some((one) => one !== name && one.toLowerCase() === name.toLowerCase()),
        ),
        ...[...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])].flatMap(doubled),
        ...(schema.items === undefined ? [] : doubled(schema.items)),
      ];
    };
    expect(BODIES.flatMap(({ body }) => doubled(body as BodySchema))).toEqual([]);
  });
});

describe('keys', () => {
  const respell = respellingOf({
    properties: {
      name: {},
      parts: { items: { properties: { objectId: {} } } },
      values: { patternProperties: { '': {} } },
    },
  } as KeySchema);

  test('keep other keys if the contract allows them', () => {
    const open = respellingOf({
      properties: {
        nodes: {
          items: {
            properties: { id: {}, properties: { additionalProperties: {} } },
            additionalProperties: { properties: { objectId: {} } },
          },
        },
        closed: { properties: { name: {} }, additionalProperties: false },
      },
      additionalProperties: true,
    });
    const text =
      '{"NODES":[{"Id":1,"Properties":{"Name":1,"name":2},"Other":{"objectid":3}}],"Meta":{"A":1},"closed":{"Name":1,"x":2}}';
    expect(open(JSON.parse(text))).toEqual({
      nodes: [{ id: 1, properties: { Name: 1, name: 2 }, Other: { objectId: 3 } }],
      Meta: { A: 1 },
      closed: { name: 1 },
    });
  });

  test.each([
    ['of two spellings the right one counts', '{"NAME":1,"name":2,"Name":3}', { name: 2 }],
    ['of several wrong ones the last counts', '{"NAME":1,"Name":3}', { name: 3 }],
    ['unknown ones are ignored', '{"nam":1,"__proto__":{"name":1},"constructor":2}', {}],
    [
      'of items',
      '{"Parts":[{"objectid":1},{"OBJECTID":2},3]}',
      { parts: [{ objectId: 1 }, { objectId: 2 }, 3] },
    ],
    ['of maps are data', '{"VALUES":{"Name":1,"NAME":2}}', { values: { Name: 1, NAME: 2 } }],
    ['another type is left to the schema', '[1,"x",null]', [1, 'x', null]],
  ])('%s', (_, text, expected) => {
    expect(respell(JSON.parse(text))).toEqual(expected);
  });
});
