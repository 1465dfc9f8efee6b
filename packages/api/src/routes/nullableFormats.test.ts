/** Tests values with a format in the public description: clients generated from it reject an empty text, and accept null. */
import { describe, expect, test } from 'vitest';
import { routes } from './index.ts';

interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly Shape[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** Names with a format in the public description, in addition to those of times and ids. */
const OF_A_FORMAT = ['actor_email', 'user_email_address', 'source_ip_address', 'ip_address', 'hostname'];
/** Ids of objects that may be missing. */
const IDS = ['actor_id'];

function* placesOf(shape: Shape, name: string, depth = 0): Generator<Shape> {
  if (depth > 10) return;
  const { properties = {}, anyOf = [], items } = shape;
  if (Object.hasOwn(properties, name)) yield properties[name];
  for (const part of [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])])
    yield* placesOf(part, name, depth + 1);
}

describe('answers', () => {
  test.each([...OF_A_FORMAT, ...IDS])('have null where the %s is missing', (name) => {
    const found = routes.flatMap(({ responses }) => [...placesOf((responses[200] ?? {}) as Shape, name)]);
    expect(found.length).toBeGreaterThan(0);
    for (const { anyOf = [] } of found) expect(anyOf.map(({ type }) => type)).toContain('null');
  });
});
