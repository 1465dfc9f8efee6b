/**
 * Tests every list by each of its declared columns, with each predicate and in both orders, on a real database: a type or range that does
 * not match the column would cause an internal error.
 */
import { type Column, PREDICATES_OF, type Predicate, type RouteContract, routes } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFilledService } from '../test/filledService.ts';
import type { ServiceUnderTest } from '../test/serviceUnderTest.ts';
import type { SimulatedCollector } from '../test/simulatedCollector.ts';

let service: ServiceUnderTest;
let paths: ReadonlyMap<string, string>;
let collector: SimulatedCollector;

beforeAll(async () => {
  ({ service, paths, collector } = await startFilledService());
}, 60_000);
afterAll(() => service.stop());

/** Not a list: it counts the objects of a bulk change, and refuses the same filters. */
const COUNT = 'GetMatchingFindings';
const LISTS = routes.filter(
  ({ columns, method, operationId }) => columns !== undefined && method === 'GET' && operationId !== COUNT,
);

/** Values of each type: ordinary ones, the bounds of its columns in PostgreSQL, and values just outside. */
const VALUES: Readonly<Record<Column['type'], readonly string[]>> = {
  string: ['x', "';--", '%', '\\', 'ä'.repeat(300)],
  integer: [0, 32_767, 32_768, -32_769, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 1 - 2 ** 53].map(
    String,
  ),
  number: ['0.5', '-0.5', '1'.padEnd(300, '0'), `0.${'1'.padStart(300, '0')}`],
  time: ['0001-01-01T00:00:00Z', '2026-01-31T10:00:00.5+02:00', '9999-12-31T23:59:59Z'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-ffff-ffff-FFFFFFFFFFFF'],
  boolean: ['true', 'T', 'False', 'f'],
};

const canBeNull = (predicate: Predicate): boolean => predicate === 'eq' || predicate === 'neq';

function valuesOf({ type, words }: Column, predicate: Predicate): readonly string[] {
  const values = words !== undefined && predicate !== '~eq' ? words : VALUES[type];
  return canBeNull(predicate) ? [...values, 'null'] : values;
}

/** All values of each column and predicate at once, in both orders; the result may be empty. @returns those of each column */
function* requestsTo({ columns = {} }: RouteContract): Generator<readonly string[]> {
  for (const [name, column] of Object.entries(columns)) {
    const sorts = column.sortable ? [`sort_by=${name}`, `sort_by=-${name}`] : [];
    const filters = (column.filterable ? PREDICATES_OF[column.type] : []).map((predicate) =>
      new URLSearchParams(
        valuesOf(column, predicate).map((value): [string, string] => [name, `${predicate}:${value}`]),
      ).toString(),
    );
    yield Array.from({ length: Math.max(sorts.length, filters.length) }, (_, at) =>
      [filters[at], sorts[at % 2]].filter((part) => part !== undefined).join('&'),
    );
  }
}

/** Each column, by one of its predicates; the next column by another one, so that a run has each predicate with each type. */
const requestsOf = (route: RouteContract): readonly string[] =>
  [...requestsTo(route)].flatMap((requests, place) => sampledCases(requests, 10, place));

/** Lists of collectors, because users have no jobs of their own. */
const OF_COLLECTORS: ReadonlySet<string> = new Set(['ListAvailableClientJobs', 'ListAvailableClientTasks']);

async function askOf({ path: template, operationId }: RouteContract, query: string) {
  const path = paths.get(template) as string;
  const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
  const answer = OF_COLLECTORS.has(operationId)
    ? await collector.send('GET', `/${target}`)
    : await service.call('GET', target);
  return { target, ...answer };
}

test.each(LISTS.map((route) => [`${route.operationId} ${route.path}`, route] as const))(
  '%s accepts all of its columns',
  async (_, route) => {
    expect(paths.get(route.path), `filledService.ts names no path for ${route.path}`).toBeDefined();
    const faults: unknown[] = [];
    for (const query of requestsOf(route)) {
      const { target, status, json } = await askOf(route, query);
      if (status !== 200) faults.push([target.slice(0, 200), status, json.errors?.[0]?.message]);
    }
    expect(faults.slice(0, 5)).toEqual([]);
  },
);

test.each(LISTS.map((route) => [`${route.operationId} ${route.path}`, route] as const))(
  '%s refuses an unknown predicate and an unknown column',
  async (_, route) => {
    const faults: unknown[] = [];
    const filterable = Object.entries(route.columns ?? {}).filter(([, column]) => column.filterable);
    for (const [name, { words, isId }] of sampledCases(filterable, 3, LISTS.indexOf(route))) {
      // An id may contain a colon.
      for (const value of [
        ...(isId ? [] : ['wrong:1']),
        ...(words === undefined ? [] : ['nonsense', 'eq:nonsense']),
      ]) {
        const { target, status } = await askOf(route, `${name}=${value}`);
        if (status !== 400) faults.push([target.slice(0, 200), status]);
      }
    }
    // Also for a record field that is not a column here.
    for (const name of ['id', 'no_such_column'])
      if ((await askOf(route, `${name}=wrong:1`)).status !== 400) faults.push(name);
    expect(faults).toEqual([]);
  },
);

test('the number of lists equals that of the contract', () => {
  expect(LISTS.length).toBeGreaterThan(100);
  expect(LISTS.flatMap((route) => [...requestsTo(route)].flat()).length).toBeGreaterThan(1000);
});

const TIMES = LISTS.flatMap((route) =>
  Object.entries(route.columns ?? {})
    .filter(([, { type, filterable }]) => type === 'time' && filterable)
    .map(([name]) => [`${route.operationId} ${name}`, route, name] as const),
);
const YEAR_ONE = /^0001-01-01T00:00:00/;

/** Times in records or their wrappers; records may be one level below `data`. */
function* shownTimes(data: unknown, name: string): Generator<string> {
  for (const record of Array.isArray(data) ? data : Object.values(data ?? {}).flat()) {
    const value = (record as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null && 'time' in value) yield String(value.time);
  }
}

test('an unset time is the year 1 in the answers of every list', async () => {
  const faults: unknown[] = [];
  let never = 0;
  for (const [title, route, name] of TIMES) {
    const ask = async (query: string): Promise<string[]> => [
      ...shownTimes((await askOf(route, query)).json.data, name),
    ];
    const hasNever = (await ask('limit=100')).some((time) => YEAR_ONE.test(time));
    if (!hasNever) continue;
    never++;
    const found = await ask(`${name}=lt:2000-01-01T00:00:00Z`);
    if (!found.some((time) => YEAR_ONE.test(time))) faults.push([title, 'lt', found]);
    if ((await ask(`${name}=gt:2000-01-01T00:00:00Z`)).some((time) => YEAR_ONE.test(time)))
      faults.push([title, 'gt']);
    if (route.columns?.[name].sortable && !YEAR_ONE.test((await ask(`sort_by=${name}`))[0]))
      faults.push([title, 'sort_by']);
  }
  expect(never).toBeGreaterThan(8);
  expect(faults).toEqual([]);
});
