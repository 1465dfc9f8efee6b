/**
 * Tests that wrappers of nullable values have both spellings in every answer: official clients read the capitalized one and fail without
 * it.
 */
import { expect, test } from 'vitest';
import { routes } from '../routes/index.ts';
import { NullInt32, NullTime, NullUuid, nullInt32, nullTime, nullUuid } from './common.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

/** Member names of each object with `valid`. */
function* wrappersIn(
  shape: Shape | null | undefined,
  place: string,
): Generator<readonly [string, readonly string[]]> {
  if (typeof shape !== 'object' || shape === null) return;
  const { properties = {}, items, anyOf = [], patternProperties = {} } = shape;
  if (Object.hasOwn(properties, 'valid') || Object.hasOwn(properties, 'Valid'))
    yield [place, Object.keys(properties).sort()];
  for (const [name, member] of Object.entries(properties)) yield* wrappersIn(member, `${place}.${name}`);
  for (const [name, member] of Object.entries(patternProperties))
    yield* wrappersIn(member, `${place}.${name}`);
  yield* wrappersIn(items, `${place}[]`);
  for (const choice of anyOf) yield* wrappersIn(choice, place);
}

const WHOLE = [NullTime, NullInt32, NullUuid].map(({ properties }) => Object.keys(properties).sort().join());

test('every wrapper of every answer has both spellings', () => {
  const found = routes.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap((schema) => [...wrappersIn(schema as Shape | null, operationId)]),
  );
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(([, members]) => !WHOLE.includes(members.join()))).toEqual([]);
});

test('both spellings have the same value', () => {
  for (const each of [nullTime(null), nullTime('2026-01-31T10:00:00.000000Z')])
    expect([each.Time, each.Valid]).toEqual([each.time, each.valid]);
  for (const each of [nullInt32(null), nullInt32(7)])
    expect([each.Int32, each.Valid]).toEqual([each.int32, each.valid]);
  for (const each of [nullUuid(null), nullUuid('a')])
    expect([each.UUID, each.Valid]).toEqual([each.uuid, each.valid]);
  expect(nullTime(null)).toEqual({
    ...{ time: '0001-01-01T00:00:00.000000Z', valid: false },
    ...{ Time: '0001-01-01T00:00:00.000000Z', Valid: false },
  });
});
