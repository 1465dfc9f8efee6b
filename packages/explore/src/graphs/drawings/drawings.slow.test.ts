/** Tests saved drawings over HTTP: owners, readers, limits, and missing parts of a drawing. */

import type { Reply } from '@clew/service/testing';
import { ServiceUnderTest, sidOf, type TestDomain, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;

const userOf = (domain: TestDomain, rid: number): string => `${sidOf(domain)}-${rid}`;
const groupOf = (domain: TestDomain): string => `${sidOf(domain)}-512`;

const collect = (holders: readonly number[], users: readonly number[]): Promise<number> =>
  service.upload(...twoDomains({ NORTH: holders, SOUTH: holders }, users));

const as = (name: string, method: string, path: string, body?: object): Promise<Reply> =>
  service.as(name, method, `drawings${path}`, body);

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  await collect([1101, 1102], [1101, 1102]);
  await service.addUser('ann', 'User');
  await service.addUser('bob', 'User');
  await service.addUser('eve', 'Read-Only');
  await service.addUser('nora', 'User', [sidOf('NORTH')]);
}, 120_000);
afterAll(() => service.stop());

const drawn = (object_id: string, x: number, pinned = false) => ({
  ...{ object_id, name: `name of ${object_id}`, kind: 'User', x, y: 2 * x, pinned },
});

const DRAWING = {
  name: 'Both groups',
  description: 'for the review',
  address: 'mode=query&q=MATCH%20(n)%20RETURN%20n',
  objects: [
    drawn(groupOf('NORTH'), 0),
    drawn(userOf('NORTH', 1101), 10, true),
    drawn(userOf('NORTH', 1102), 20),
    drawn(groupOf('SOUTH'), 30),
    drawn(userOf('SOUTH', 1101), 40),
  ],
  relationships: [
    { source: 1, kind: 'GenericAll', target: 0 },
    { source: 2, kind: 'GenericAll', target: 0 },
    { source: 4, kind: 'GenericAll', target: 3 },
    { source: 1, kind: 'NoKindOfOurs', target: 0 },
  ],
};

const save = async (name: string, more: object = {}): Promise<number> => {
  const { status, json } = await as(name, 'POST', '', { ...DRAWING, ...more });
  expect([status, json.data?.name]).toEqual([201, { ...DRAWING, ...more }.name]);
  return json.data.id;
};

describe('saved drawings', () => {
  it('belong to the user who saves them: others see shared ones, and change none', async () => {
    const id = await save('ann');
    expect((await as('bob', 'GET', '')).json.data).toEqual([]);
    for (const method of ['GET', 'DELETE']) expect((await as('bob', method, `/${id}`)).status).toBe(404);
    expect((await as('bob', 'PATCH', `/${id}`, { name: 'Mine' })).status).toBe(404);
    const shared = await as('ann', 'PATCH', `/${id}`, { shared: true });
    expect(shared.json.data).toMatchObject({ shared: true, is_own: true, name: 'Both groups' });
    expect((await as('bob', 'GET', '')).json.data).toMatchObject([
      { id, owner: 'ann', is_own: false, object_count: 5, relationship_count: 4 },
    ]);
    expect((await as('bob', 'PATCH', `/${id}`, { name: 'Mine' })).status).toBe(403);
    expect((await as('bob', 'DELETE', `/${id}`)).status).toBe(403);
    // Readers can open shared drawings, but not save any.
    expect((await as('eve', 'GET', `/${id}`)).status).toBe(200);
    expect((await as('eve', 'POST', '', DRAWING)).status).toBe(403);
    const moved = { ...DRAWING.objects[0], x: -5 };
    const content = { address: 'object=1', objects: [moved], relationships: [] };
    await as('ann', 'PATCH', `/${id}`, { name: 'One', content });
    expect((await as('bob', 'GET', `/${id}`)).json.data).toMatchObject({
      ...{ name: 'One', description: 'for the review', address: 'object=1' },
      ...{ places: [{ object_id: groupOf('NORTH'), x: -5, y: 0, pinned: false }], relationship_count: 0 },
    });
    expect((await as('ann', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await as('ann', 'GET', `/${id}`)).status).toBe(404);
    const { logs } = await service.data('GET', 'audit?action=~eq:Drawing&limit=100');
    expect(new Set(logs.map(({ action }: Json) => action))).toEqual(
      new Set(['CreateDrawing', 'UpdateDrawing', 'DeleteDrawing']),
    );
  });

  it('refuse an invalid drawing, a duplicate name and too many', async () => {
    const wrong: readonly (readonly [number, object])[] = [
      [400, { name: '  ' }],
      [400, { name: 'x'.repeat(201) }],
      [400, { description: 'x'.repeat(2001) }],
      [400, { objects: [], relationships: [] }],
      [400, { objects: [drawn('A', 0), drawn('a', 1)], relationships: [] }],
      [400, { objects: [{ ...drawn('A', 0), x: 1e9 }], relationships: [] }],
      [400, { objects: [{ ...drawn('A', 0), x: '1' }], relationships: [] }],
      [400, { objects: [{ ...drawn('A\u0000', 0) }], relationships: [] }],
      [400, { objects: Array.from({ length: 1501 }, (_, at) => drawn(`A${at}`, 0)), relationships: [] }],
      [400, { relationships: [{ source: 0, kind: 'MemberOf', target: 5 }] }],
      [400, { relationships: [{ source: -1, kind: 'MemberOf', target: 0 }] }],
      [400, { relationships: Array(6001).fill(DRAWING.relationships[0]) }],
      [400, { address: 'x'.repeat(16_001) }],
    ];
    for (const [status, more] of wrong) {
      const answer = await as('bob', 'POST', '', { ...DRAWING, ...more });
      expect([JSON.stringify(more).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(more).slice(0, 60),
        status,
      ]);
    }
    const known = { ...DRAWING, objects: [drawn('A', 0)], relationships: [] };
    expect((await as('bob', 'POST', '', { ...known, name: 'Plain' })).status).toBe(201);
    await save('bob', { name: 'Kept' });
    expect((await as('bob', 'POST', '', { ...DRAWING, name: 'Kept' })).status).toBe(409);
    const other = await save('bob', { name: 'Other' });
    expect((await as('bob', 'PATCH', `/${other}`, { name: 'Kept' })).status).toBe(409);
    // The limit applies per user, and names of others do not matter.
    const names = Array.from({ length: 197 }, (_, at) => ({ name: `Drawing ${at}` }));
    for (const each of names) await save('bob', each);
    const full = await as('bob', 'POST', '', { ...DRAWING, name: 'One more' });
    expect([full.status, full.json.errors[0].message]).toEqual([
      409,
      'Conflict: you already have 200 drawings: delete one of them first',
    ]);
    await save('ann', { name: 'Kept' });
  });

  it('report missing parts, and show users of one environment no part of others', async () => {
    const gone = userOf('NORTH', 1199);
    const id = await save('ann', {
      ...{ name: 'Aging', shared: true, objects: [...DRAWING.objects, drawn(gone, 50)] },
      relationships: [...DRAWING.relationships, { source: 5, kind: 'MemberOf', target: 0 }],
    });
    const before = (await as('ann', 'GET', `/${id}`)).json.data;
    const [first, second] = [userOf('NORTH', 1101), userOf('NORTH', 1102)];
    const target = groupOf('NORTH');
    const missing = {
      objects: [{ object_id: gone, name: `name of ${gone}`, kind: 'User' }],
      relationships: [
        { source: first, kind: 'NoKindOfOurs', target },
        { source: gone, kind: 'MemberOf', target },
      ],
    };
    expect(before.missing).toEqual(missing);
    expect([Object.keys(before.graph.nodes).length, before.graph.edges.length]).toEqual([5, 3]);
    await collect([1101], [1101, 1102]);
    const after = (await as('ann', 'GET', `/${id}`)).json.data;
    expect(after.missing).toEqual({
      ...missing,
      relationships: [{ source: second, kind: 'GenericAll', target }, ...missing.relationships],
    });
    expect([after.places.length, after.relationship_count]).toEqual([6, 5]);
    expect([Object.keys(after.graph.nodes).length, after.graph.edges.length]).toEqual([5, 2]);
    const limited = await as('nora', 'GET', `/${id}`);
    expect(JSON.stringify(limited.json)).not.toContain(sidOf('SOUTH'));
    expect(JSON.stringify(limited.json)).not.toContain(gone);
    expect(limited.json.data).toMatchObject({
      hidden_objects: 3,
      address: '',
      missing: { objects: [] },
    });
    expect(limited.json.data.missing.relationships).toHaveLength(2);
    expect(limited.json.data.places.map(({ object_id }: Json) => object_id)).toEqual([
      ...[target, first, second],
    ]);
    expect(limited.json.data.graph.edges).toHaveLength(1);
  }, 120_000);
});
