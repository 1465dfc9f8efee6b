/** Reports through the real service: visibility, masked reports, and schedules with the rights of their owners and their end. */

import { createLogger } from '@clew/common';
import { emptyGeneration, GenerationHolder } from '@clew/generation';
import { PASSWORD, ServiceUnderTest } from '@clew/service/testing';
import { fileText, generateForest } from '@clew/synthetic';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeDue } from './scheduledReports.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let test: ServiceUnderTest;
let own: Json;
let other: Json;
let userId: string;
/** Names and ids of all objects. */
let real: string[];

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  const { id } = (await test.call('POST', 'file-upload/start')).json.data;
  for (const file of generateForest({ users: 30, seed: 11 }).files)
    await fetch(`${test.service.url}/api/v2/file-upload/${id}`, {
      method: 'POST',
      headers: { authorization: test.authorization, 'content-type': 'application/json' },
      body: [...fileText(file)].join(''),
    });
  await test.call('POST', `file-upload/${id}/end`);
  await vi.waitUntil(async () => (await test.call('GET', 'plan')).json.data.computing === null, {
    timeout: 120_000,
  });
  const environments = (await test.data('GET', 'available-domains')).filter((one: Json) => one.collected);
  [own, other] = environments;
  real = [];
  for (const { id: environment } of environments)
    for (const { id: node, properties } of (
      await test.call('GET', `graphs/export?environment=${environment}`)
    ).json.graph.nodes)
      real.push(node, properties.name ?? '', properties.domain ?? '', properties.samaccountname ?? '');
  const { roles } = await test.data('GET', 'roles');
  const role = roles.find(({ name }: Json) => name === 'User');
  const made = await test.call('POST', 'bloodhound-users', {
    ...{ principal: 'limited', roles: [role.id], secret: PASSWORD },
    environment_targeted_access_control: { environments: [{ environment_id: own.id }] },
  });
  userId = made.json.data.id;
}, 300_000);
afterAll(() => test?.stop());

const issueOf = async ({ id, issues }: Json) =>
  (await test.data('GET', `reports/${id}/issues/${issues[0].id}`)).content;
const setDue = (id: number) =>
  sql`update report set next_at = now() - interval '1 minute' where id = ${id}`.execute(test.database.db);
const reportOf = (id: number) => test.data('GET', `reports/${id}`);
async function makeDueNow(id: number): Promise<void> {
  await setDue(id);
  await makeDue({ db: test.database.db, generations: new GenerationHolder() }, createLogger('silent'));
}
/** Starts another process, which polls for due reports at once. */
async function makeDueUntil(isMade: () => Promise<boolean>): Promise<void> {
  const another = await test.startAnother({ CLEW_ROLE: 'worker' });
  await vi.waitUntil(isMade, { timeout: 30_000, interval: 100 }).finally(() => another.stop());
}
/** Blocks all report creation until the returned function is called. */
async function holdMaking(): Promise<() => Promise<void>> {
  const client = await test.database.pool.connect();
  await client.query('begin; lock table finding in access exclusive mode');
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
const untilWaiting = () =>
  vi.waitUntil(
    async () => {
      const { rows } = await test.database.pool.query('select from pg_locks where not granted');
      return rows.length > 0;
    },
    { timeout: 30_000, interval: 20 },
  );

describe('a report', () => {
  it('is made with its first repairs, and again on request, of which the newest are kept', async () => {
    const { status, json } = await test.call('POST', 'reports', { name: 'Board', schedule: 'monthly' });
    expect(status).toBe(201);
    const { data } = json as Json;
    expect(data).toMatchObject({
      name: 'Board',
      audience: 'management',
      masked: false,
      ended: null,
      is_own: true,
    });
    expect(data.next_at).toMatch(/-01T06:00:00\.000000Z$/);
    const content = await issueOf(data);
    const plan = await test.data('GET', 'plan?limit=3');
    expect(content.repairs.map(({ titles }: Json) => titles)).toEqual(
      plan.cards.map(({ packages }: Json) => packages.map(({ title }: Json) => title)),
    );
    const exposed = plan.before.reduce((sum: number, one: Json) => sum + one.exposed_count, 0);
    expect(content).toMatchObject({ exposed_count: exposed, zone: 'Tier Zero', not_shown_count: 0 });
    for (let count = 0; count < 13; count++)
      expect((await test.call('POST', `reports/${data.id}/issues`)).status).toBe(201);
    const { issues } = await reportOf(data.id);
    expect(issues).toHaveLength(12);
    expect(issues[0].id).toBeGreaterThan(issues[1].id);
    expect((await test.call('GET', `reports/${data.id}/issues/${data.issues[0].id}`)).status).toBe(404);
    await test.call('DELETE', `reports/${data.id}`);
    expect((await test.call('GET', `reports/${data.id}`)).status).toBe(404);
  });

  it('that is masked has no name and no id of an object', async () => {
    const body = { name: 'Masked', masked: true, audience: 'operations' };
    const { data } = (await test.call('POST', 'reports', body)).json as Json;
    const content = await issueOf(data);
    expect(content.repairs.length).toBeGreaterThan(3);
    expect(content.repairs.some(({ path }: Json) => path !== null)).toBe(true);
    // Checks the database as well.
    const { rows } = await sql<{ content: unknown }>`
      select content from report_issue where report_id = ${data.id}`.execute(test.database.db);
    const text = JSON.stringify([content, rows]).toUpperCase();
    const told = new Set(real.filter((name) => name.length > 3 && text.includes(name.toUpperCase())));
    // Words of pseudonyms and sentences.
    for (const word of ['USER', 'USERS', 'GROUP', 'COMPUTER', 'COMPUTERS', 'DOMAIN', 'DOMAIN CONTROLLERS'])
      told.delete(word);
    // Reasons use fixed words of the service.
    for (const word of ['ADMINISTRATORS', 'Administrator']) told.delete(word);
    expect([...told]).toEqual([]);
    expect(text).toContain('DOMAIN-A');
    // Titles are sentences of the plan with other names.
    const plan = await test.data('GET', 'plan?limit=10');
    const titles = content.repairs.flatMap((repair: Json) => repair.titles);
    const sentences = plan.cards.flatMap(({ packages }: Json) => packages.map(({ title }: Json) => title));
    const firstWords = (all: string[]) => all.map((title) => title.split(' ')[0]);
    expect(firstWords(titles)).toEqual(firstWords(sentences));
    expect(titles.filter((title: string) => sentences.includes(title))).toEqual([]);
    expect(titles.join(' ')).toMatch(/ (?:on|from|of) (?:User|Group|Computer|DOMAIN-)/);
  });

  it('refuses what is not there, too long, or too many', async () => {
    for (const [body, status] of [
      [{ name: '' }, 400],
      [{ name: 'x'.repeat(201) }, 400],
      [{ name: 'x', days: 0 }, 400],
      [{ name: 'x', schedule: 'hourly' }, 400],
      [{ name: 'x', asset_group_tag_id: 99 }, 404],
      [{ name: 'x', environment_id: 'S-1-5-21-9-9-9' }, 404],
      [{ name: '\u0000' }, 400],
    ] as const)
      expect([body, (await test.call('POST', 'reports', body)).status]).toEqual([body, status]);
    const made: Json[] = [];
    let last: Json;
    do {
      last = await test.call('POST', 'reports', { name: '<b>"; drop table report' });
      if (last.status === 201) made.push(last.json.data.id);
    } while (last.status === 201 && made.length < 60);
    expect(last.status).toBe(409);
    for (const id of made) await test.call('DELETE', `reports/${id}`);
  });
});

describe('a user who may see one environment', () => {
  let mine: Json;

  it('has reports of it, and none of others, not even to know that they are there', async () => {
    const whole = ((await test.call('POST', 'reports', { name: 'whole' })).json as Json).data;
    await test.login('limited');
    mine = ((await test.call('POST', 'reports', { name: 'mine', schedule: 'weekly' })).json as Json).data;
    const content = await issueOf(mine);
    expect(content.environments.map((one: Json) => one.environment_id)).toEqual([own.id]);
    expect([content.exposed_count, content.principal_count]).toEqual([0, 0]);
    expect(content.not_shown_count).toBe(1);
    expect((await test.data('GET', 'reports')).map(({ name }: Json) => name)).toEqual(['mine']);
    for (const [method, path] of [
      ['GET', `reports/${whole.id}`],
      ['GET', `reports/${whole.id}/issues/${whole.issues[0].id}`],
      ['GET', `reports/${mine.id}/issues/${whole.issues[0].id}`],
      ['POST', `reports/${whole.id}/issues`],
      ['DELETE', `reports/${whole.id}`],
    ] as const)
      expect([path, (await test.call(method, path)).status]).toEqual([path, 404]);
    const foreign = (await test.call('POST', 'reports', { name: 'x', environment_id: 'S-1-5-21-9-9-9' }))
      .status;
    expect(foreign).toBe(403);
    await test.login('admin');
    // Other users with access to all its environments see it, but cannot change it.
    expect(await issueOf(await reportOf(mine.id))).toEqual(content);
    expect((await test.call('PATCH', `reports/${mine.id}`, { name: 'x' })).status).toBe(403);
    expect((await test.call('POST', `reports/${mine.id}/issues`)).status).toBe(403);
  });

  it('has scheduled ones made with the rights of then, which ends when it may no longer', async () => {
    await setDue(mine.id);
    await makeDueUntil(async () => (await reportOf(mine.id)).issues.length === 2);
    const second = await reportOf(mine.id);
    expect(second.next_at > new Date().toISOString()).toBe(true);
    const { logs } = await test.data('GET', 'audit?action=eq:MakeReport');
    expect(logs[0]).toMatchObject({
      actor_name: 'limited',
      fields: { report_id: mine.id, schedule: 'weekly' },
    });
    // With more rights, the next report covers more, and is hidden from users with fewer rights.
    const users = `bloodhound-users/${userId}`;
    const all = { environment_targeted_access_control: { environments: [] }, all_environments: true };
    expect((await test.call('PATCH', users, all)).status).toBe(200);
    await setDue(mine.id);
    await makeDueUntil(async () => (await reportOf(mine.id)).issues.length === 3);
    expect((await issueOf(await reportOf(mine.id))).environments.length).toBeGreaterThan(1);
    const less = { environment_targeted_access_control: { environments: [{ environment_id: own.id }] } };
    await test.call('PATCH', users, { ...less, all_environments: false });
    await test.login('limited');
    expect((await reportOf(mine.id)).issues).toHaveLength(2);
    await test.login('admin');

    await test.call('PATCH', users, { is_disabled: true });
    await setDue(mine.id);
    await makeDueUntil(async () => (await reportOf(mine.id)).ended !== null);
    expect(await reportOf(mine.id)).toMatchObject({ ended: 'Its owner is disabled', next_at: null });
    const ended = (await test.data('GET', 'audit?action=eq:EndReportSchedule')).logs;
    expect(ended[0].fields).toMatchObject({ report_id: mine.id, reason: 'Its owner is disabled' });
    await test.call('DELETE', users);
    const left = await reportOf(mine.id);
    expect(left).toMatchObject({ owner: 'limited', is_own: false });
    expect(left.issues).toHaveLength(3);
    expect((await test.call('DELETE', `reports/${mine.id}`)).status).toBe(204);
  }, 120_000);
});

describe('a report whose subject is lost', () => {
  it('is not made any more once its zone is deleted', async () => {
    const zone = await test.call('POST', 'asset-group-tags', { type: 1, name: 'Servers' });
    expect(zone.status).toBe(201);
    const { id: asset_group_tag_id } = (zone.json as Json).data.tag ?? (zone.json as Json).data;
    const body = { name: 'zone', schedule: 'weekly', asset_group_tag_id };
    const { id } = ((await test.call('POST', 'reports', body)).json as Json).data;
    expect((await test.call('DELETE', `asset-group-tags/${asset_group_tag_id}`)).status).toBe(204);
    await makeDueNow(id);
    expect(await reportOf(id)).toMatchObject({ ended: 'Its zone was deleted', next_at: null });
    expect((await test.call('POST', `reports/${id}/issues`)).status).toBe(404);
    expect((await test.call('POST', 'reports', body)).status).toBe(404);
  });

  it('is not made any more once its owner may not see its environment', async () => {
    const { roles } = await test.data('GET', 'roles');
    const user = { principal: 'moved', secret: PASSWORD };
    const access = (environment_id: string) => ({
      roles: [roles.find(({ name }: Json) => name === 'User').id],
      environment_targeted_access_control: { environments: [{ environment_id }] },
    });
    const made = await test.call('POST', 'bloodhound-users', { ...user, ...access(own.id) });
    await test.login('moved');
    const body = { name: 'one', schedule: 'weekly', environment_id: own.id };
    const { id } = ((await test.call('POST', 'reports', body)).json as Json).data;
    await test.login('admin');
    const { id: moved } = (made.json as Json).data;
    expect((await test.call('PATCH', `bloodhound-users/${moved}`, access(other.id))).status).toBe(200);
    await makeDueNow(id);
    await test.login('moved');
    const left = await reportOf(id);
    expect(left).toMatchObject({ ended: 'Its owner can no longer see its environment', issues: [] });
    expect((await test.call('POST', `reports/${id}/issues`)).status).toBe(403);
    await test.login('admin');
  });
});

it('a report is not made any more once its owner may not keep reports', async () => {
  const { roles } = await test.data('GET', 'roles');
  const rolesOf = (wanted: string) => [roles.find(({ name }: Json) => name === wanted).id];
  const user = { principal: 'reader', secret: PASSWORD, roles: rolesOf('User') };
  const { id: userNumber } = ((await test.call('POST', 'bloodhound-users', user)).json as Json).data;
  await test.login('reader');
  const body = { name: 'kept', schedule: 'weekly' };
  const { id } = ((await test.call('POST', 'reports', body)).json as Json).data;
  await test.login('admin');
  const less = { roles: rolesOf('Read-Only') };
  expect((await test.call('PATCH', `bloodhound-users/${userNumber}`, less)).status).toBe(200);
  await makeDueNow(id);
  const left = await reportOf(id);
  expect(left).toMatchObject({ ended: 'Its owner can no longer store reports', next_at: null });
  expect(left.issues).toHaveLength(1);
});

describe('a report that is changed while it is made', () => {
  const create = async (schedule: string) =>
    ((await test.call('POST', 'reports', { name: 'race', schedule })).json as Json).data;

  it('has no other issue, and no other date, once its owner has ended the schedule', async () => {
    const { id } = await create('weekly');
    const letGo = await holdMaking();
    const log = createLogger('silent');
    const info = vi.spyOn(log, 'info');
    await setDue(id);
    const current = () => ({ ...emptyGeneration(), environments: [{ ...own, node: 0 }] });
    const generations = { onSwap: () => () => {}, beforeSwap: () => () => {}, current };
    const making = makeDue({ db: test.database.db, generations }, log);
    await untilWaiting();
    expect((await test.call('PATCH', `reports/${id}`, { schedule: 'none' })).status).toBe(200);
    await letGo();
    await making;
    const left = await reportOf(id);
    expect(left).toMatchObject({ schedule: 'none', next_at: null });
    expect(left.issues).toHaveLength(1);
    expect(info).not.toHaveBeenCalled();
    await test.call('DELETE', `reports/${id}`);
  });

  it('is answered as missing where it was deleted', async () => {
    const { id } = await create('none');
    const letGo = await holdMaking();
    const making = test.call('POST', `reports/${id}/issues`);
    await untilWaiting();
    expect((await test.call('DELETE', `reports/${id}`)).status).toBe(204);
    await letGo();
    expect((await making).status).toBe(404);
  });
});
