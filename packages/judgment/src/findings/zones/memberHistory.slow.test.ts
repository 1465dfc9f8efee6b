import { NOT_DELETED } from '@clew/api';
import { useFindingServer } from '@clew/service/testing';
/** Members of groups over time, over HTTP: the changes of each generation can be read later. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ANN, BOB, DOMAIN, forest, SERVER } from '../../../test/findings/forest.ts';

const GROUPS = '/api/v2/asset-groups';
const server = useFindingServer();
let group: string;

beforeEach(async () => {
  await server.empty();
  await server.collect(...forest());
  const { json } = await server.call(GROUPS, { method: 'POST', body: { name: 'Watched' } });
  group = `${GROUPS}/${json.data.id}`;
});

/** Adds objects to the group and removes some; takes effect with an analysis. */
async function change(...changes: readonly (readonly ['add' | 'remove', string])[]) {
  const body = changes.map(([action, sid]) => ({ action, sid }));
  expect((await server.call(`${group}/selectors`, { method: 'PUT', body })).status).toBe(201);
  await server.collect();
}

interface Collection {
  readonly id: number;
  readonly created_at: string;
  readonly entries: readonly { readonly object_id: string; readonly node_label: string }[];
}

async function collections(query = '', user: 'admin' | 'elsewhere' = 'admin'): Promise<Collection[]> {
  const answer = await server.call(`${group}/collections${query}`, { user });
  expect([query, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([query, 200, '']);
  return answer.json.data;
}

const membersOf = (found: readonly Collection[]) =>
  found.map(({ entries }) => entries.map(({ object_id }) => object_id));

describe('collections of an asset group', () => {
  test('show who was in it after each change, and who is now', async () => {
    expect(await collections()).toEqual([]);
    await change(['add', BOB]);
    await change(['add', ANN], ['add', SERVER]);
    await change(['remove', BOB]);
    // This analysis changes nothing.
    await server.collect(...forest({ bobOverAnn: [] }));
    await change(['add', BOB]);
    const found = await collections();
    expect(membersOf(found)).toEqual([[BOB], [ANN, BOB, SERVER], [ANN, SERVER], [ANN, BOB, SERVER]]);
    const { json } = await server.call(`${group}/members`);
    const now = json.data.members.map(({ object_id }: { object_id: string }) => object_id);
    expect(now.sort()).toEqual([ANN, BOB, SERVER]);
    expect(found.map(({ created_at }) => created_at)).toEqual(
      found.map(({ created_at }) => created_at).toSorted(),
    );
    expect(found[2].entries[0]).toMatchObject({
      node_label: 'User',
      created_at: found[1].created_at,
      deleted_at: NOT_DELETED,
      properties: { objectid: ANN, name: 'ANN@CORP.LOCAL', environment_id: DOMAIN },
    });
  });

  test('are chosen and sorted by their times', async () => {
    await change(['add', BOB]);
    await change(['add', ANN]);
    const [first, second] = await collections();
    expect(await collections('?sort_by=-created_at')).toEqual([second, first]);
    expect(await collections(`?created_at=gt:${first.created_at}`)).toEqual([second]);
    expect(await collections(`?id=${first.id}&deleted_at=eq:null`)).toEqual([first]);
    for (const wrong of ['?sort_by=entries', '?id=x', '?created_at=gt:yesterday'])
      expect((await server.call(`${group}/collections${wrong}`)).status).toBe(400);
  });

  test('show nothing to users who only see other environments', async () => {
    await change(['add', BOB]);
    expect(membersOf(await collections('', 'elsewhere'))).toEqual([]);
  });

  test('are there of Tier Zero, and go with a group that is deleted', async () => {
    await change(['add', BOB]);
    const { json } = await server.call(`${GROUPS}/1/collections`);
    expect(membersOf(json.data)[0]).toContain(`${DOMAIN}-512`);
    await server.call(group, { method: 'DELETE' });
    await server.collect();
    for (const gone of [group, `${GROUPS}/7777`])
      expect((await server.call(`${gone}/collections`)).status).toBe(404);
    const { rows } = await sql`select 1 from zone_stay where tag_id > 2`.execute(server.database.db);
    expect(rows).toEqual([]);
  });

  test('of a large group are whole', async () => {
    await change(['add', BOB]);
    const [{ id, created_at }] = await collections();
    await sql`insert into zone_stay (tag_id, object_id, name, primary_kind, joined_at)
      select tag_id, 'X-' || lpad(n::text, 5, '0'), 'x', 'User', created_at
      from zone_collection, generate_series(1, 4500) n where id = ${id}`.execute(server.database.db);
    const [{ entries }] = await collections(`?created_at=eq:${created_at}`);
    expect(new Set(entries.map(({ object_id }) => object_id)).size).toBe(4501);
  });

  test('of days long past are kept to the last of each day, with who was in it then', async () => {
    await change(['add', BOB]);
    await change(['add', ANN], ['remove', BOB]);
    await change(['remove', ANN], ['add', SERVER]);
    const before = await collections();
    await sql`update zone_stay set joined_at = joined_at - interval '40 days', left_at = left_at - interval '40 days'`.execute(
      server.database.db,
    );
    await sql`update zone_collection set created_at = created_at - interval '40 days'`.execute(
      server.database.db,
    );
    await change(['add', ANN]);
    const days = new Set(before.map(({ created_at }) => created_at.slice(0, 10))).size;
    const left = membersOf(await collections());
    // If midnight was between two changes, more than one day has a last change.
    expect(left).toEqual([...membersOf(before).slice(-days), [ANN, SERVER]]);
  });
});
