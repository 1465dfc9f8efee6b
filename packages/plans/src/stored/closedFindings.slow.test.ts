/** Answers about an archived finding: they contain the end time, and only data of the current graph. */

import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
let relationship: Json;

const listed = async (query: string): Promise<Json[]> =>
  service.data('GET', `attack-paths/findings?${query}`);
const paths = (id: number) => `attack-paths/findings/${id}/paths`;
const evidence = (id: number) => `attack-paths/findings/${id}/evidence`;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  await service.upload(...twoDomains({ NORTH: [1101], SOUTH: [1101] }, [1101, 1102]));
  await service.addUser('nora', 'User', [sidOf('NORTH')]);
  await service.addUser('sid', 'User', [sidOf('SOUTH')]);
  [relationship] = await listed('finding=T0GenericAll&source_principal_name=U1101@NORTH.EXAMPLE');
}, 120_000);
afterAll(() => service.stop());

const isClosed = { status: 'remediated', at: expect.stringMatching(/^\d{4}-.*Z$/) };
const NO_PATHS = {
  ...{ paths: [], shortest: null, most_used: null, count: 0, is_complete: true, principal_count: null },
};

test('a current finding is not closed', async () => {
  const { id } = relationship;
  expect(await service.data('GET', evidence(id))).toMatchObject({ closed: null });
  const { closed, paths: found, shortest } = await service.data('GET', paths(id));
  expect([closed, found.length > 0, shortest]).toEqual([null, true, 0]);
});

test('a mended one has no paths and no repairs, but the present values of its objects', async () => {
  const { id } = relationship;
  await service.upload(...twoDomains({ NORTH: [], SOUTH: [1101] }, [1101, 1102]));
  const [row] = await listed(`id=eq:${id}`);
  expect(row.status).toBe('remediated');
  expect(await service.data('GET', paths(id))).toMatchObject({ closed: isClosed, ...NO_PATHS });
  const found = await service.data('GET', evidence(id));
  expect(found).toMatchObject({ closed: { ...isClosed, at: row.last_seen }, repairs: [], attack_path: null });
  expect(found.seen.map(({ name }: Json) => name).sort()).toEqual([
    'DOMAIN ADMINS@NORTH.EXAMPLE',
    'U1101@NORTH.EXAMPLE',
  ]);
  expect((await service.as('nora', 'GET', evidence(id))).json.data).toMatchObject({ closed: isClosed });
  for (const target of [paths(id), evidence(id)])
    expect([target, (await service.as('sid', 'GET', target)).status]).toEqual([target, 404]);
});

test('one whose objects and type no longer exist has that only', async () => {
  await service.call('PUT', 'checks/Check_Members', {
    ...{ name: 'Check_Members', title: 'Members', severity: 'high' },
    cypher: 'MATCH (u:User) RETURN u',
  });
  await service.settled();
  const [ofType] = await listed('finding=Check_Members');
  expect((await service.call('DELETE', 'checks/Check_Members')).status).toBe(204);
  expect((await service.call('POST', 'clear-database', { deleteCollectedGraphData: true })).status).toBe(204);
  // The analysis without the check comes before the one without objects.
  const isGone = async () =>
    (await listed(`id=eq:${ofType.id}`))[0].status !== 'active' &&
    (await listed('status=eq:active')).length === 0;
  await vi.waitUntil(isGone, { timeout: 60_000, interval: 50 });
  const archived = await listed('status=neq:active&status=neq:accepted&limit=100');
  expect(new Set(archived.map(({ finding_type }) => finding_type))).toEqual(
    new Set(['relationship', 'list']),
  );
  for (const { id, status, finding_type } of archived) {
    const closed = { status, at: isClosed.at };
    const found = await service.data('GET', evidence(id));
    expect(found).toMatchObject({
      closed,
      values: [],
      relations: [],
      seen: [],
      repairs: [],
      attack_path: null,
    });
    const answer = await service.call('GET', paths(id));
    // A finding about one object has no relationship that is a step of a path.
    if (finding_type === 'list') expect(answer.status).toBe(404);
    else expect(answer.json.data).toMatchObject({ closed, ...NO_PATHS });
  }
});
