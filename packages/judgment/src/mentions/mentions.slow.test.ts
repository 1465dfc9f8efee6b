/** Mentions in notes over HTTP: which inboxes show them, how long, and users who may not see the subject of a note. */

import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { expireAcceptances } from '../findings/acceptance.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
let plan: number;

const mentionsOf = async (name: string, query = ''): Promise<Json[]> => {
  const { json } = await service.as(name, 'GET', `inbox${query}`);
  const waiting = json.data.groups.find(({ group }: Json) => group === 'waiting');
  return waiting.items.filter(({ kind }: Json) => kind === 'mention');
};
/** No part of a user's inbox contains the text or counts it. */
const expectNothing = async (name: string, text: string): Promise<void> => {
  const { json } = await service.as(name, 'GET', 'inbox?all=true');
  expect(JSON.stringify(json)).not.toContain(text);
  const waiting = json.data.groups.find(({ group }: Json) => group === 'waiting');
  expect(waiting).toMatchObject({ count: 0, items: [] });
};
const writeNotes = async (notes: string, repair = 1): Promise<void> => {
  const { status, json } = await service.call('PATCH', `plans/${plan}/repairs/${repair}`, { notes });
  expect([status, json]).toMatchObject([200, {}]);
};
const findingOf = async (name: string): Promise<Json> =>
  (await service.data('GET', `attack-paths/findings?source_principal_name=eq:${name}`))[0];
const accept = async ({ id, finding }: Json, reason: string, accepted = true): Promise<void> => {
  const body = { risk_type: finding, accepted, reason };
  expect((await service.call('PUT', `attack-paths/${id}/acceptance`, body)).status).toBe(200);
};

/** Number of times that the statement expands a list of packages or changes. */
async function listsRead(text: string, values: unknown[]): Promise<number> {
  const explained = `explain (analyze, timing off, format json) ${text}`;
  const { rows } = await service.database.pool.query(explained, values);
  const loops = (node: Json): number =>
    (node['Function Name'] === 'json_array_elements' ? node['Actual Loops'] : 0) +
    (node.Plans ?? []).reduce((sum: number, one: Json) => sum + loops(one), 0);
  return loops(rows[0]['QUERY PLAN'][0].Plan);
}

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await service.addUser('bob', 'User');
  await service.addUser('Ida Berg', 'Read-Only');
  await service.addUser('uma', 'Upload-Only');
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103, 1104]));
  await service.addUser('nora', 'User', [sidOf('NORTH')]);
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, { timeout: 60_000 });
  await service.call('POST', 'plans/adopt', { name: 'Spring' });
  plan = (await service.data('GET', 'plans/adopted'))[0].plan_id;
}, 120_000);
afterAll(() => service.stop());
/** Each test starts without notes, even after a failed one. */
beforeEach(async () => {
  await service.database.pool.query(`
    delete from mention;
    delete from inbox_mark;
    delete from plan_constraint;
    update plan_repair set notes = '';
    update saved_plan set marks = null;
    update finding set status = 'active', accepted_until = null, accepted_by = null, accepted_reason = null
      where status = 'accepted'`);
});

describe('mentions', () => {
  it('of the notes of a repair are in the inbox of the user, with who, where, when and the text', async () => {
    await writeNotes('@BOB and @Ida Berg: please look. @admin, @ghost, @uma and x@bob do not count.');
    const [mention, ...others] = await mentionsOf('bob');
    expect(others).toEqual([]);
    expect(mention).toMatchObject({
      ...{ place: 'repair', by: 'admin', done: false, plan: { id: plan, name: 'Spring' }, repair: 1 },
      ...{ note: expect.stringContaining('please look'), text: expect.stringMatching(/\w/) },
    });
    expect(Date.now() - Date.parse(mention.at)).toBeLessThan(60_000);
    expect(await mentionsOf('Ida Berg')).toHaveLength(1);
    for (const name of ['admin', 'nora']) expect([name, await mentionsOf(name)]).toEqual([name, []]);
    const { count, groups } = (await service.as('bob', 'GET', 'inbox')).json.data as Json;
    expect(count).toBe(groups.reduce((sum: number, group: Json) => sum + group.count, 0));
  });

  it('last as long as the note has them, and are done one by one', async () => {
    await writeNotes('@bob and @Ida Berg: please look.');
    const [{ key }] = await mentionsOf('bob');
    await service.as('bob', 'PUT', 'inbox/marks', { done: [key] });
    expect(await mentionsOf('bob')).toEqual([]);
    // Another text with the same mention is the same row.
    await writeNotes('@bob: thank you.');
    expect(await mentionsOf('bob')).toEqual([]);
    expect(await mentionsOf('bob', '?all=true')).toMatchObject([
      { key, done: true, note: '@bob: thank you.' },
    ]);
    expect(await mentionsOf('Ida Berg')).toEqual([]);
    await service.as('bob', 'PUT', 'inbox/marks', { undone: [key] });
    expect(await mentionsOf('bob')).toMatchObject([{ key, done: false }]);
    await writeNotes('Nothing for bob.');
    expect(await mentionsOf('bob', '?all=true')).toEqual([]);
    await writeNotes('Again, @bob.');
    const [again] = await mentionsOf('bob');
    expect(again.key).not.toBe(key);
    // Changing the owner or the due date does not affect the notes.
    await service.call('PATCH', `plans/${plan}/repairs/1`, { due: '2027-01-01' });
    expect(await mentionsOf('bob')).toMatchObject([{ key: again.key }]);
  });

  it('name the user who wrote the text, also where another user wrote the one before', async () => {
    await writeNotes('@Ida Berg should look.');
    const { status } = await service.as('bob', 'PATCH', `plans/${plan}/repairs/1`, {
      notes: '@Ida Berg should delete it.',
    });
    expect(status).toBe(200);
    expect(await mentionsOf('Ida Berg')).toMatchObject([{ by: 'bob', note: '@Ida Berg should delete it.' }]);
    await writeNotes('@Ida Berg should delete it.');
    expect(await mentionsOf('Ida Berg')).toMatchObject([{ by: 'bob' }]);
  });

  it('of marks are about the first change that still has the note', async () => {
    const mark = (changes: number[], done: boolean, note?: string) =>
      service.call('POST', `plans/${plan}/marks`, { changes, done, ...(note && { note }) });
    expect((await mark([1, 2], true, 'Done with @bob')).status).toBe(200);
    expect(await mentionsOf('bob')).toMatchObject([
      { place: 'change', note: 'Done with @bob', plan: { id: plan }, count: 2, by: 'admin' },
    ]);
    const [{ key, text }] = await mentionsOf('bob');
    await mark([2], false);
    expect(await mentionsOf('bob')).toMatchObject([{ key, count: 1, text }]);
    await mark([1, 2], true, 'Done with @bob');
    await mark([1], false);
    const [other, ...more] = await mentionsOf('bob');
    expect([other, more]).toMatchObject([{ key, count: 1, note: 'Done with @bob' }, []]);
    expect(other.text).not.toBe(text);
    await mark([2], true, 'Nothing to see');
    expect(await mentionsOf('bob')).toEqual([]);
    await mark([1, 2], true, 'Done with @bob');
    await mark([1, 2], true, 'Done twice with @bob');
    expect(await mentionsOf('bob')).toMatchObject([{ note: 'Done twice with @bob', count: 2, text }]);
    await mark([1, 2], false);
    expect(await mentionsOf('bob')).toEqual([]);
  });

  it('of all changes of a large plan read the plan once', async () => {
    const { pool } = service.database;
    const { rows } = await pool.query('select adoption from saved_plan where id = $1', [plan]);
    const { adoption } = rows[0];
    const [first] = adoption.packages;
    const changesOf = (at: number) =>
      Array.from({ length: 40 }, (_, place) => ({ ...first.changes[0], title: `Change ${at} ${place}` }));
    const packages = Array.from({ length: 50 }, (_, at) => ({ ...first, changes: changesOf(at) }));
    const setAdoption = (value: object) =>
      pool.query('update saved_plan set adoption = $1 where id = $2', [JSON.stringify(value), plan]);
    await setAdoption({ ...adoption, packages });
    onTestFinished(async () => void (await setAdoption(adoption)));
    await pool.query(
      `insert into mention (user_id, place, plan_id, number, text, mentioned_by)
       select account.id, 'change', $1, number, 'For @bob', 'admin'
       from user_account account, generate_series(2000, 1001, -1) number where principal_name = 'bob'`,
      [plan],
    );
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => sent.mockRestore());
    expect((await service.as('bob', 'GET', 'inbox?limit=0')).json).toMatchObject({ data: { count: 1000 } });
    const ofTitles = (sent.mock.calls as readonly unknown[][]).filter(([text]) =>
      String(text).includes('from mention where id = any'),
    );
    expect(ofTitles).toHaveLength(1);
    // One for the packages, and one for the changes of each package.
    const [[text, values]] = ofTitles;
    expect(await listsRead(text as string, values as unknown[])).toBe(1 + packages.length);
    const [last] = await mentionsOf('bob');
    expect(last).toMatchObject({ text: 'Change 25 0' });
  });

  it('tell users of some environments nothing of what they may not see', async () => {
    await writeNotes('A secret for @nora');
    await expectNothing('nora', 'secret');
    const [north, south] = [await findingOf('U1101@NORTH.EXAMPLE'), await findingOf('U1101@SOUTH.EXAMPLE')];
    await accept(south, 'A secret of the south for @nora and @bob');
    await expectNothing('nora', 'secret');
    expect(await mentionsOf('bob')).toMatchObject([{ place: 'acceptance', finding: { id: south.id } }]);
    await accept(north, 'Known to @nora');
    expect(await mentionsOf('nora')).toMatchObject([
      { place: 'acceptance', note: 'Known to @nora', finding: { id: north.id }, count: 1, by: 'admin' },
    ]);
    // A reopened finding no longer has a reason.
    for (const finding of [north, south]) await accept(finding, '', false);
    for (const name of ['nora', 'bob']) expect(await mentionsOf(name)).toEqual([]);
    const constraint = { subject: 'kind', repair_kind: 'remove-member', reason: 'A secret for @nora, @bob' };
    const made = await service.call('POST', 'plan/constraints', constraint);
    expect([made.status, made.json]).toMatchObject([201, {}]);
    await expectNothing('nora', 'secret');
    expect(await mentionsOf('bob')).toMatchObject([
      { place: 'constraint', text: /./, note: constraint.reason },
    ]);
    await service.call('DELETE', `plan/constraints/${(made.json as Json).data.id}`);
    expect(await mentionsOf('bob')).toEqual([]);
  });

  it('of an acceptance of many findings are one row that counts them', async () => {
    const body = { accepted: true, all_matching: true, reason: 'All known, @bob' };
    const { status, json } = await service.call('PUT', 'attack-paths/acceptance?status=eq:active', body);
    expect([status, json]).toMatchObject([200, { data: { changed: expect.any(Number) } }]);
    const { changed } = (json as Json).data;
    expect(changed).toBeGreaterThan(1);
    const [mention, ...others] = await mentionsOf('bob');
    expect([mention, others]).toMatchObject([{ place: 'acceptance', count: changed }, []]);
    // The others still have the reason.
    await accept(mention.finding, '', false);
    const [left] = await mentionsOf('bob');
    expect(left).toMatchObject({ key: mention.key, count: changed - 1 });
    expect(left.finding.id).not.toBe(mention.finding.id);
    // Also if a finding other than the first is reopened or expires.
    const having = (await service.data(
      'GET',
      'attack-paths/findings?status=eq:accepted&sort_by=-id',
    )) as Json[];
    const last = having.find(({ id }) => id !== left.finding.id) as Json;
    const endAt = (time: string) =>
      service.database.pool.query(`update finding set accepted_until = ${time} where id = $1`, [last.id]);
    await endAt("clock_timestamp() - interval '1 second'");
    expect(await mentionsOf('bob')).toMatchObject([{ ...left, count: changed - 2 }]);
    await endAt("clock_timestamp() + interval '1 day'");
    expect(await mentionsOf('bob')).toMatchObject([left]);
    await accept(last, '', false);
    expect(await mentionsOf('bob')).toMatchObject([{ ...left, count: changed - 2 }]);
    await accept(last, 'Another reason');
    expect(await mentionsOf('bob')).toMatchObject([{ ...left, count: changed - 2 }]);
    await service.call('PUT', 'attack-paths/acceptance?status=eq:accepted', {
      ...{ accepted: false, all_matching: true },
    });
    expect(await mentionsOf('bob')).toEqual([]);
  });

  it('tell users of some environments not how many findings of others have the reason', async () => {
    const all = (await service.data('GET', 'attack-paths/findings?status=eq:active')) as Json[];
    const north = all.filter(({ environment_id }) => environment_id === sidOf('NORTH'));
    const findings = all.map(({ id }) => id).filter((id) => id >= Math.min(...north.map((one) => one.id)));
    expect(findings.length).toBeGreaterThan(north.length);
    const body = { accepted: true, findings, reason: 'All known, @nora' };
    expect((await service.call('PUT', 'attack-paths/acceptance', body)).status).toBe(200);
    expect(await mentionsOf('nora')).toMatchObject([{ place: 'acceptance', count: 1 }]);
    await service.call('PUT', 'attack-paths/acceptance', { accepted: false, findings });
    expect(await mentionsOf('nora')).toEqual([]);
  });

  it('of an acceptance that expired are not shown, and one that is accepted again is another note', async () => {
    const finding = await findingOf('U1102@NORTH.EXAMPLE');
    await accept(finding, 'For @bob');
    const [{ key }] = await mentionsOf('bob');
    await service.as('bob', 'PUT', 'inbox/marks', { done: [key] });
    await service.database.pool.query(
      "update finding set accepted_until = clock_timestamp() - interval '1 second' where id = $1",
      [finding.id],
    );
    expect(await mentionsOf('bob', '?all=true')).toEqual([]);
    expect(await expireAcceptances(service.database.db)).toBe(1);
    await accept(finding, 'Again for @bob');
    expect(await mentionsOf('bob')).toMatchObject([{ note: 'Again for @bob' }]);
  });

  it('of an acceptance are about the others when the first finding expires or closes', async () => {
    const active = (await service.data('GET', 'attack-paths/findings?status=eq:active&sort_by=id')) as Json[];
    const [expiring, closing] = active;
    const isSouth = closing.environment_id === sidOf('SOUTH');
    const left = active.slice(2).filter((one) => one.environment_id !== closing.environment_id);
    expect(left).not.toEqual([]);
    const findings = [expiring, closing, ...left].map(({ id }) => id);
    await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings, reason: 'For @bob' });
    const [{ key }] = await mentionsOf('bob');
    await service.database.pool.query(
      "update finding set accepted_until = clock_timestamp() - interval '1 second' where id = $1",
      [expiring.id],
    );
    expect(await expireAcceptances(service.database.db)).toBe(1);
    expect(await mentionsOf('bob')).toMatchObject([
      { key, finding: { id: closing.id }, count: 1 + left.length },
    ]);
    await service.upload(
      ...twoDomains(
        { NORTH: isSouth ? [1101, 1102] : [], SOUTH: isSouth ? [] : [1101] },
        [1101, 1102, 1103, 1104],
      ),
    );
    expect(await mentionsOf('bob')).toMatchObject([{ key, finding: { id: left[0].id }, count: left.length }]);
  });

  it('of certifications are about their zone, for users who may see all of its members that were decided', async () => {
    await service.call('PATCH', 'asset-group-tags/1', { require_certify: true });
    const seeds = (['NORTH', 'SOUTH'] as const).map((name) => ({ type: 1, value: `${sidOf(name)}-1104` }));
    await service.call('POST', 'asset-group-tags/1/selectors', { name: 'Two more', seeds });
    const pending = async (): Promise<Json[]> =>
      (await service.data('GET', 'asset-group-tags/certifications?certified=eq:0')).members;
    await vi.waitUntil(async () => (await pending()).length === 2, { timeout: 30_000, interval: 100 });
    const members = await pending();
    const decide = (some: readonly Json[], note: string) =>
      service.call('POST', 'asset-group-tags/certifications', {
        ...{ member_ids: some.map(({ id }) => id), action: 2, note },
      });
    expect((await decide(members, 'A secret for @nora and @bob')).status).toBe(200);
    await expectNothing('nora', 'secret');
    expect(await mentionsOf('bob')).toMatchObject([
      { place: 'certification', text: 'Tier Zero', zone: 1, count: 2 },
    ]);
    const north = members.filter(({ environment_id }) => environment_id === sidOf('NORTH'));
    await decide(north, 'Right, @nora?');
    expect(await mentionsOf('nora')).toMatchObject([{ place: 'certification', note: 'Right, @nora?' }]);
  });

  it('of deleted and disabled users are nothing, and go with their plan', async () => {
    await service.addUser('dan', 'User');
    await service.addUser('del', 'User');
    const { users } = await service.data('GET', 'bloodhound-users?principal_name=eq:dan');
    await service.call('PATCH', `bloodhound-users/${users[0].id}`, { is_disabled: true });
    await writeNotes('@dan @del @bob');
    const rows = async () =>
      (await service.database.pool.query("select count(*)::integer from mention where place = 'repair'"))
        .rows[0].count;
    expect(await rows()).toBe(2);
    const { users: gone } = await service.data('GET', 'bloodhound-users?principal_name=eq:del');
    expect((await service.call('DELETE', `bloodhound-users/${gone[0].id}`)).status).toBe(200);
    expect(await rows()).toBe(1);
    expect((await service.call('DELETE', `plans/${plan}`)).status).toBe(204);
    expect(await rows()).toBe(0);
  });
});
