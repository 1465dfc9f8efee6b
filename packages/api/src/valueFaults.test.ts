/** Tests sentences about invalid values, for all bodies of the contract and for special schemas. */
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { routes } from './routes/index.ts';
import { valueFaults } from './valueFaults.ts';

const faultsOf = (schema: TSchema, value: unknown): string[] => [...valueFaults(schema, value, 'it')];

const Body = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  severity: Type.Optional(Type.Enum(['low', 'critical'])),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  owner: Type.Optional(Type.Union([Type.String({ format: 'uuid' }), Type.Null()])),
  day: Type.Optional(Type.String({ pattern: '^\\d{4}$', 'x-form': 'a year, as 2026' })),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  items: Type.Optional(Type.Array(Type.Object({ kind: Type.String() }), { minItems: 1, maxItems: 2 })),
  shape: Type.Optional(
    Type.Union([
      Type.Object({ type: Type.Literal('circle'), radius: Type.Number() }),
      Type.Object({ type: Type.Literal('square'), side: Type.Number() }),
    ]),
  ),
});

describe('a fault', () => {
  test.each([
    [[], 'it must be an object'],
    [{}, 'name is missing'],
    [{ nmae: 'x' }, 'name is missing; nmae was sent'],
    [{ name: 1 }, 'name must be a text'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'abcdef' }, 'name must have at most 5 characters, and has 6'],
    [
      { name: 'x', severity: 'crit' },
      'severity must be one of low, critical and is "crit": did you mean critical?',
    ],
    [{ name: 'x', severity: 5 }, 'severity must be one of low, critical'],
    [{ name: 'x', count: 0 }, 'count must be at least 1'],
    [{ name: 'x', count: 10 }, 'count must be at most 9'],
    [{ name: 'x', count: '3' }, 'count must be an integer'],
    [{ name: 'x', owner: 5 }, 'owner must be a text or null'],
    [{ name: 'x', owner: 'me' }, 'owner must be a UUID, as 3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    [{ name: 'x', day: '26' }, 'day must be a year, as 2026'],
    [{ name: 'x', at: '2026-13-01T00:00:00Z' }, 'at must be a time of RFC 3339, as 2026-12-31T12:00:00Z'],
    [{ name: 'x', items: {} }, 'items must be a list of objects'],
    [{ name: 'x', items: [] }, 'items must not be empty'],
    [{ name: 'x', items: [1, 2, 3] }, 'items must not have more than 2 items, and has 3'],
    [{ name: 'x', items: [{ kind: 'a' }, { kind: 1 }] }, 'items.1.kind must be a text'],
    [{ name: 'x', shape: { type: 'square' } }, 'shape.side is missing'],
    [{ name: 'x', shape: { type: 'circle', radius: 'r' } }, 'shape.radius must be a number'],
    [{ name: 'x', shape: 'circle' }, 'shape must be an object'],
  ])('of %j is %s', (value, sentence) => {
    expect(faultsOf(Body, value)[0]).toBe(sentence);
  });

  test('of an unknown field lists the known ones', () => {
    const strict = Type.Object({ limit: Type.Optional(Type.Integer()) }, { additionalProperties: false });
    expect(faultsOf(strict, { limt: 1 })).toEqual(['limt is not a known field: did you mean limit?']);
    expect(faultsOf(strict, { wide: 1 })).toEqual(['wide is not a known field; known are limit']);
  });

  test('of a long list is found without reading all of it', () => {
    const list = Type.Object({ items: Type.Array(Type.Integer()) });
    const [first] = valueFaults(list, { items: new Array(3_000_000).fill('x') }, 'it');
    expect(first).toBe('items.0 must be an integer');
  });
});

/** The terms of the validation library. */
const FOREIGN =
  /schema|anyOf|must match|must NOT|<=|>=|equal to|fewer than|required propert|undefined|\[object/;

const bodies = routes.flatMap(({ operationId, body }) =>
  body === undefined ? [] : [[operationId, body] as const],
);

test.each(bodies)('every rejected value of %s has a fault, and no accepted one', (_, body) => {
  const validator = Compile(body);
  const names = Object.keys((body as { properties?: object }).properties ?? {});
  const members = fc.record(Object.fromEntries(names.map((name) => [name, fc.jsonValue({ maxDepth: 2 })])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(fc.oneof(members, fc.jsonValue({ maxDepth: 3 })), (value) => {
      const faults = faultsOf(body, value);
      expect([value, faults.length === 0]).toEqual([value, validator.Check(value)]);
      for (const fault of faults) expect(fault.replace(/ and is ".*$/, '')).not.toMatch(FOREIGN);
    }),
    { numRuns: 40 },
  );
});

test('every pattern describes its form', () => {
  const patterns = (schema: unknown): unknown[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema] : [];
    return [...own, ...Object.values(schema).flatMap(patterns)];
  };
  const all = routes.flatMap(({ body }) => patterns(body));
  expect(all.length).toBeGreaterThan(4);
  for (const schema of all) expect(schema).toHaveProperty(['x-form']);
});
