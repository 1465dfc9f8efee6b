import { PERMISSIONS } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { errorCatalog } from '../errors.ts';
import { bodyBytesOf, errorStatuses } from '../route.ts';
import { routes } from './index.ts';

const permissionNames = new Set<string>(PERMISSIONS.map(({ fullName }) => fullName));

describe('the table of routes', () => {
  test('names each operation once', () => {
    const ids = routes.map((route) => route.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives each method and path to one operation', () => {
    const places = routes.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map((path) => `${route.method} ${path}`),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  test.each(routes.map((route) => [route.operationId, route] as const))(
    '%s describes the parameters of its path, known permissions and a success',
    (_, route) => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(route.params?.properties ?? {})).toEqual(inPath);
      for (const permission of typeof route.access === 'string' ? [] : route.access)
        expect(permissionNames).toContain(permission);
      // OAuth has a form of its own for errors.
      const known = route.path.startsWith('/api/v2/oauth/') ? /^[23]\d\d$|^400$/ : /^[23]\d\d$/;
      expect(Object.keys(route.responses).every((status) => known.test(status))).toBe(true);
      // A form may have a twin in JSON.
      if (route.bodyKind !== 'form') expect(route.body !== undefined).toBe(route.bodyKind === 'json');
      // A row does not repeat statuses that follow from its other members.
      const { errors = [], ...rest } = route;
      expect(errors.filter((status) => errorStatuses(rest).includes(status))).toEqual([]);
    },
  );
});

describe('the catalog of errors', () => {
  test.each(Object.entries(errorCatalog))('%s has the context of its status', (_, { status, context }) => {
    expect(context).toBe(status === 401 ? 'login' : status === 429 ? 'middleware' : 'clients');
  });
});

/** Bodies with a list of ids or a query may be as large as in the public service. */
test.each(
  routes
    .filter(({ body, bodyKind }) => bodyKind === 'json' && JSON.stringify(body).includes('"array"'))
    .map((route) => [route.operationId, route] as const),
)('%s accepts long lists', (_, route) => {
  expect(bodyBytesOf(route)).toBeGreaterThanOrEqual(1024 * 1024);
  const isOfIds = /(ids|objects|seeds|nodes|environments|members)"/.test(JSON.stringify(route.body));
  if (isOfIds && route.maxBodyBytes === undefined) expect(bodyBytesOf(route)).toBe(10 * 1024 * 1024);
});

interface Shape {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** @returns the words of the enumeration under this name in an answer; empty if any text is allowed */
function wordsUnder(name: string, shape: Shape | undefined, depth = 0): readonly unknown[] {
  if (shape === undefined || depth > 8) return [];
  const { properties = {}, anyOf = [], items } = shape;
  return [
    ...(Object.hasOwn(properties, name) ? wordsIn(properties[name]) : []),
    ...[...Object.values(properties), ...anyOf, items].flatMap((part) => wordsUnder(name, part, depth + 1)),
  ];
}

const wordsIn = ({ const: only, enum: words, anyOf = [] }: Shape): readonly unknown[] => [
  ...(typeof only === 'string' ? [only] : []),
  ...(words ?? []),
  ...anyOf.flatMap(wordsIn),
];

/** Without the words, a filter with a misspelled word would return an empty list. */
test('a column that answers declare as an enumeration has its words', () => {
  const columns = routes.flatMap(({ operationId, columns: table = {}, responses }) =>
    Object.entries(table).map(([name, { type, filterable, words }]) => ({
      ...{ place: `${operationId} ${name}`, words },
      declared:
        type === 'string' && filterable ? wordsUnder(name, (responses[200] ?? undefined) as Shape) : [],
    })),
  );
  const declared = columns.filter((one) => one.declared.length > 0);
  expect(declared.length).toBeGreaterThan(8);
  expect(declared.filter(({ words }) => words === undefined).map(({ place }) => place)).toEqual([]);
});
