/**
 * Tests a common contract for the service's own records, like that of public lists: each list can be paged, sorted and filtered, each
 * record is found by id, a change keeps unnamed members, and a repeated request creates one record. New record types get a row here.
 */
import { routes } from '@clew/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFilledService } from '../test/filledService.ts';
import type { ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

interface Surface {
  /** The path after `/api/v2/`. */
  readonly list: string;
  /** The member of a record in its address. */
  readonly id: string;
  readonly make: (service: ServiceUnderTest, name: string) => Promise<{ status: number; json: Json }>;
  /** Whether repeating a request updates the existing record, instead of 409. */
  readonly isPut?: true;
  /** A member with another value, and the resulting value in the record. */
  readonly change?: readonly [member: string, value: unknown];
  /** An enumeration member of the body, in another case. */
  readonly sortBy: string;
  readonly named: (name: string) => string;
  readonly without?: readonly ('page' | 'patch' | 'item')[];
}

let service: ServiceUnderTest;
let user: string;
let people: readonly string[] = [];
const constrained: string[] = [];
let cards: readonly string[] = [];
beforeAll(async () => {
  ({ service } = await startFilledService({ makesPlans: true }));
  const query = 'MATCH (u:User) RETURN u.objectid ORDER BY u.objectid LIMIT 10';
  people = (await service.data('POST', 'graphs/cypher', { query, rows: true })).rows.flat();
  user = people[0] ?? '';
  const plan = async () => (await service.call('GET', 'plan')).json.data;
  for (let tries = 0; tries < 300 && cards.length === 0; tries++) {
    cards = ((await plan())?.cards ?? []).map(({ key }: { key: string }) => key);
    if (cards.length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}, 150_000);
afterAll(() => service.stop());

const post = (path: string, body: (name: string) => object) => (on: ServiceUnderTest, name: string) =>
  on.call('POST', path, body(name));
const byName = (name: string): string => `name=eq:${name}`;

const SURFACES: readonly Surface[] = [
  {
    ...{ list: 'checks', id: 'name', isPut: true, sortBy: 'title', change: ['enabled', false] },
    make: (on, name) =>
      on.call('PUT', `checks/Check_${name}`, {
        ...{ title: name, category: 'Own', severity: 'LOW', cypher: 'MATCH (n:User) RETURN n' },
      }),
    named: (name) => `title=eq:${name}`,
  },
  {
    ...{ list: 'drawings', id: 'id', sortBy: 'name', change: ['description', 'other'], named: byName },
    make: post('drawings', (name) => ({
      ...{ name, address: 'mode=query', relationships: [] },
      objects: [{ object_id: user, name: 'one', kind: 'User', x: 0, y: 0, pinned: false }],
    })),
  },
  {
    ...{ list: 'reports', id: 'id', sortBy: 'name', change: ['schedule', 'weekly'], named: byName },
    make: post('reports', (name) => ({ name, audience: 'OPERATIONS' })),
  },
  {
    ...{ list: 'views', id: 'id', sortBy: 'name', change: ['query', 'severity=low'], named: byName },
    make: post('views', (name) => ({ name, page: 'FINDINGS', query: 'severity=high' })),
  },
  {
    ...{ list: 'webhooks', id: 'id', sortBy: 'name', change: ['enabled', false], named: byName },
    make: post('webhooks', (name) => ({
      ...{ name, url: 'https://hooks.example.com/', event_types: ['FINDING.opened'] },
      minimum_severity: 'HIGH',
    })),
  },
  {
    ...{ list: 'plans', id: 'id', sortBy: 'name', change: ['description', 'other'], named: byName },
    make: post('plans', (name) => ({ name, disable: [user] })),
  },
  {
    ...{ list: 'plans/adopted', id: 'plan_id', sortBy: 'name', named: byName, without: ['patch'] },
    make: async (on, name) => {
      const answer = await on.call('POST', 'plans/adopt', { name, cards: cards.slice(0, 1) });
      const data = answer.json.data && { ...answer.json.data, plan_id: answer.json.data.id };
      return { status: answer.status, json: { ...answer.json, data } };
    },
  },
  {
    ...{ list: 'plan/constraints', id: 'id', sortBy: 'title', change: ['reason', 'other'] },
    make: post('plan/constraints', (name) => {
      // The same name is the same request.
      if (!constrained.includes(name)) constrained.push(name);
      const kinds = ['OBJECT', 'container'];
      const place = constrained.indexOf(name);
      return {
        ...{ subject: kinds[place % 2], object_id: people[Math.floor(place / 2)] },
        ...{ title: name, reason: 'in use' },
      };
    }),
    named: (name) => `title=eq:${name}`,
  },
];

const rows = SURFACES.map((surface) => [surface.list, surface] as const);

describe.each(rows)('%s', (list, { make, id, isPut, sortBy, named, change, without = [] }) => {
  test('are created once, whatever is sent twice', async () => {
    const first = await make(service, 'TwiceA');
    expect([first.status, first.json.errors]).toEqual([201, undefined]);
    const second = await make(service, 'TwiceA');
    expect(second.status).toBe(isPut === true ? 200 : 409);
    if (isPut === undefined) expect(second.json.errors[0].message).toMatch(/^Conflict: /);
    const { json } = await service.call('GET', `${list}?${named('TwiceA')}`);
    expect(json).toMatchObject({ count: 1, data: [{ [id]: first.json.data[id] }] });
    // Two simultaneous requests also create one.
    const both = await Promise.all([make(service, 'AtOnceB'), make(service, 'AtOnceB')]);
    expect(both.map(({ status }) => status).sort()).toEqual(isPut === true ? [200, 201] : [201, 409]);
  });

  test('can be paged, sorted and filtered, and refuse invalid parameters', async () => {
    for (const name of ['PageC', 'PageD']) expect((await make(service, name)).status).toBe(201);
    const ask = async (query: string) => (await service.call('GET', `${list}?${query}`)).json;
    const all = await ask('');
    expect(all).toMatchObject({ count: all.data.length, skip: 0 });
    expect(all.count).toBeGreaterThan(2);
    const order = (json: Json): string[] => json.data.map((row: Json) => row[sortBy]);
    const sorted = await ask(`sort_by=${sortBy}`);
    expect(order(sorted)).toEqual(order(all).toSorted());
    expect(order(await ask(`sort_by=-${sortBy}`))).toEqual(order(all).toSorted().toReversed());
    expect(order(await ask(`sort_by=${sortBy}&skip=1&limit=1`))).toEqual([order(sorted)[1]]);
    expect(await ask('limit=0')).toMatchObject({ count: all.count, limit: 0, data: [] });
    expect((await ask(named('PageC'))).count).toBe(1);
    expect((await ask(named('nothing'))).count).toBe(0);
    for (const wrong of ['limit=x', 'skip=-1', 'sort_by=nothing', 'sort_by=', `${named('x')}&nothing=eq:1`])
      expect([wrong, (await service.call('GET', `${list}?${wrong}`)).status]).toEqual([
        wrong,
        wrong === 'sort_by=' ? 200 : 400,
      ]);
  });

  test('are found by id', async () => {
    const { json } = await make(service, 'ItemE');
    const found = await service.data('GET', `${list}/${json.data[id]}`);
    expect(found[id]).toBe(json.data[id]);
    const missing = { checks: 'Check_Nothing', webhooks: '00000000-0000-4000-8000-000000000000' }[list];
    const { status, json: refusal } = await service.call('GET', `${list}/${missing ?? 2_000_000_000}`);
    expect([status, typeof refusal.errors[0].message]).toEqual([404, 'string']);
  });

  test.skipIf(without.includes('patch'))('keep members that a change does not name', async () => {
    const [member, value] = change as readonly [string, unknown];
    const { json } = await make(service, 'PatchF');
    const path = `${list}/${json.data[id]}`;
    const before = await service.data('GET', path);
    const same = await service.call('PATCH', path, {});
    expect([same.status, same.json.errors]).toEqual([200, undefined]);
    const changed = await service.data('PATCH', path, { [member]: value });
    expect(changed[member]).toEqual(value);
    expect(changed[sortBy]).toBe(before[sortBy]);
    expect((await service.data('GET', path))[member]).toEqual(value);
    const wrong = await service.call('PATCH', path, { [member]: [[1]] });
    expect(wrong.status).toBe(400);
  });
});

test('every private list in the contract can be paged and filtered', () => {
  const own = routes.filter(
    ({ method, path, responses }) =>
      method === 'GET' &&
      SURFACES.some(({ list }) => path === `/api/v2/${list}`) &&
      responses[200] !== undefined,
  );
  expect(own).toHaveLength(SURFACES.length);
  for (const { path, columns, query } of own)
    expect([path, columns !== undefined, 'limit' in (query?.properties ?? {})]).toEqual([path, true, true]);
});

test('watches can be paged, sorted and filtered, and watching is idempotent', async () => {
  const { data: query } = (
    await service.call('POST', 'saved-queries', {
      ...{ name: 'Watched', description: '', query: 'MATCH (n:Domain) RETURN n.name' },
    })
  ).json;
  expect((await service.call('PUT', `saved-queries/${query.id}/watch`)).status).toBe(201);
  expect((await service.call('PUT', `saved-queries/${query.id}/watch`)).status).toBe(200);
  const ask = async (text: string) => (await service.call('GET', `saved-queries/watches?${text}`)).json;
  expect(await ask('name=eq:Watched')).toMatchObject({ count: 1, data: [{ query_id: query.id }] });
  expect(await ask('name=eq:Other&sort_by=-name')).toMatchObject({ count: 0, data: [] });
  expect((await service.call('GET', 'saved-queries/watches?limit=x')).status).toBe(400);
});
