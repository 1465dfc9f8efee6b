/** Tests enumeration values in any case, and booleans in filter form, with the contracts of all routes. */
import { routes, sameWord, type WordSchema, withWordsOf, wordsOf } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { createContractReader } from './validation.ts';

interface Place {
  readonly name: string;
  readonly schema: WordSchema;
}

/** Finds the enumerations in a body: each with a minimal body around it. */
function* wordsIn(
  schema: WordSchema,
  wrap: (value: unknown) => unknown,
  depth = 0,
): Generator<[readonly string[], typeof wrap]> {
  if (depth > 6) return;
  const words = wordsOf(schema);
  if (words !== undefined) yield [words, wrap];
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* wordsIn(member, (value) => wrap({ [name]: value }), depth + 1);
  if (schema.items !== undefined) yield* wordsIn(schema.items, (value) => wrap([value]), depth + 1);
}

const bodies = routes.flatMap(({ operationId, body }) =>
  body === undefined
    ? []
    : [...wordsIn(body as WordSchema, (value) => value)].map(
        ([words, wrap]) => [`${operationId}: ${words.join(', ')}`, body as WordSchema, words, wrap] as const,
      ),
);

describe('words of a body', () => {
  test.each(bodies)('%s', (_, schema, words, wrap) => {
    for (const word of words)
      for (const other of [word.toLowerCase(), word.toUpperCase()])
        expect(withWordsOf(schema, wrap(other))).toEqual(wrap(sameWord(words, other)));
    // Any other text stays unchanged, and is refused by the schema.
    expect(withWordsOf(schema, wrap('no such word'))).toEqual(wrap('no such word'));
  });

  test('are numerous', () => {
    expect(bodies.length).toBeGreaterThan(5);
  });
});

const parametersOf = (fits: (schema: WordSchema) => boolean) =>
  routes.flatMap((route) =>
    Object.entries((route.query?.properties ?? {}) as Record<string, WordSchema & { 'x-parsed-by'?: string }>)
      .filter(([, schema]) => schema['x-parsed-by'] === undefined && fits(schema))
      .map(([name, schema]) => [`${route.operationId} ${name}`, route, { name, schema } as Place] as const),
  );

/** Reads one parameter of a query with all required parameters of the route. */
const readOne = (route: (typeof routes)[number], name: string, value: string): unknown => {
  const required = ((route.query?.required ?? []) as readonly string[]).filter((other) => other !== name);
  const query = new URLSearchParams([
    ...required.map((other): [string, string] => [other, '1']),
    [name, value],
  ]);
  return createContractReader(route).readQuery(query)[name];
};

describe('parameters', () => {
  test('count as missing if empty, on every operation', () => {
    for (const route of routes) {
      const required = (route.query?.required ?? []) as readonly string[];
      const fitting = required.map((name): [string, string] => [name, '1']);
      const empty = Object.keys(route.query?.properties ?? {})
        .filter((name) => !required.includes(name))
        .map((name): [string, string] => [name, '']);
      const read = (query: [string, string][]) =>
        createContractReader(route).readQuery(new URLSearchParams(query));
      let expected: unknown;
      try {
        expected = read(fitting);
      } catch {
        continue;
      }
      expect([route.operationId, read([...fitting, ...empty])]).toEqual([route.operationId, expected]);
    }
  });

  test('of bulk changes need values', () => {
    const changes = routes.filter(({ body }) => JSON.stringify(body ?? {}).includes('"all_matching"'));
    expect(changes.length).toBeGreaterThan(1);
    for (const { operationId, needsFilterValues } of changes)
      expect([operationId, needsFilterValues]).toEqual([operationId, true]);
  });

  test.each(parametersOf(({ type }) => type === 'boolean'))(
    '%s is accepted in filter form',
    (_, route, { name }) => {
      for (const value of ['t', 'T', 'TRUE', 'true', 'True', 'eq:t', 'eq:True', 'neq:f', 'neq:FALSE'])
        expect([value, readOne(route, name, value)]).toEqual([value, true]);
      for (const value of ['f', 'F', 'FALSE', 'false', 'False', 'eq:f', 'eq:False', 'neq:true'])
        expect([value, readOne(route, name, value)]).toEqual([value, false]);
      for (const value of ['yes', 'gt:true', 'eq:', 'eq:eq:true'])
        expect(() => readOne(route, name, value)).toThrow();
    },
  );

  test.each(parametersOf((schema) => wordsOf(schema) !== undefined))(
    '%s is accepted in any case',
    (_, route, { name, schema }) => {
      for (const word of (wordsOf(schema) ?? []).filter((one) => one !== '')) {
        expect(readOne(route, name, word)).toBe(word);
        expect(String(readOne(route, name, word.toUpperCase())).toLowerCase()).toBe(word.toLowerCase());
      }
      expect(() => readOne(route, name, 'no such word')).toThrow();
    },
  );
});
