/** The proof of a started plan and its webhooks, over HTTP: facts, uploads, marks, promises, recurring changes, and overdue repairs. */

import type { WebhookReceiver } from '@clew/service/testing';
import { ServiceUnderTest, sidOf, startWebhookReceiver, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;
let receiver: WebhookReceiver;

const MONTH = new Date().toISOString().slice(0, 7);
const USERS = [1101, 1102, 1103, 1104];

beforeAll(async () => {
  service = await ServiceUnderTest.start({ CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  receiver = await startWebhookReceiver();
}, 120_000);
afterAll(async () => {
  receiver.close();
  await service.stop();
});

let collections = 0;

/** Each collection has one more user, because equal bytes count as one observation. */
function collect(north: readonly number[], writes?: readonly string[]): Promise<number> {
  const files = twoDomains({ NORTH: north, SOUTH: [1101] }, [...USERS, 1200 + collections++]);
  for (const { data } of files as { data: Json[] }[])
    for (const { ObjectIdentifier: id, Properties } of data)
      if (writes !== undefined && id === `${sidOf('NORTH')}-512`) Properties.lastwrites = writes;
  return service.upload(...files);
}

/** In whole seconds. */
const hoursAgo = (hours: number): string =>
  new Date(Date.now() - hours * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
const writes = (at: string): string[] => [
  'member: 2026-11-01T08:00:00Z on DC9 (version 1)',
  `nTSecurityDescriptor: ${at} on DC1 (version 3)`,
  'text of a file',
];

async function created(path: string, body: object): Promise<Json> {
  const { status, json } = await service.call('POST', path, body);
  expect([status, status === 201 ? '' : json]).toEqual([201, '']);
  return json.data;
}

const proofOf = (plan: number, query = '') => service.data('GET', `plans/${plan}/proof${query}`);
const changeOf = (proof: Json, name: string): Json =>
  proof.changes.find(({ title }: Json) => title.includes(`${name}@NORTH`));

async function addWebhook(path: string, environments: readonly string[] | null): Promise<void> {
  const types = ['done', 'undone', 'contradicted', 'overdue'].map((kind) => `repair.${kind}`);
  const body = { name: path, url: receiver.addressOf(path), event_types: types, environments };
  expect((await service.call('POST', 'webhooks', body)).status).toBe(201);
}

const told = (path: string, type: string): Json[] =>
  receiver.events.filter((event) => event.path === `/${path}` && event.type === `repair.${type}`);

/** @returns the proof after the next analysis was compared with the plan */
async function proofAfter(plan: number, last: number): Promise<Json> {
  await vi.waitUntil(async () => (await proofOf(plan)).generation > last, {
    timeout: 100_000,
    interval: 100,
  });
  return proofOf(plan);
}

it('shows what changed, by which upload, who said so, what the card reached, and tells webhooks', async () => {
  await collect([1101, 1102], writes(hoursAgo(2)));
  await service.addUser('nora', 'User', [sidOf('NORTH')]);
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, {
    timeout: 100_000,
  });
  const { cards } = await service.data('GET', 'plan?limit=50');
  const { id: plan } = await created('plans/adopt', { name: 'Spring' });
  const north = cards.filter(
    ({ exposure, packages }: Json) =>
      packages.every(({ references }: Json) =>
        references.every(({ object_id }: Json) => object_id.startsWith(sidOf('NORTH'))),
      ) && exposure.length > 0,
  );
  const { id: ofNorth } = await created('plans/adopt', {
    ...{ name: 'North', cards: north.map(({ key }: Json) => key) },
  });
  await addWebhook('all', null);
  await addWebhook('north', [sidOf('NORTH')]);

  const fresh = await proofOf(plan);
  expect(fresh).toMatchObject({ overdue_count: 0, months: [], name: 'Spring' });
  expect(fresh.counts).toEqual({
    ...{ proved: 0, said: 0, contradicted: 0, 'came-back': 0, 'not-seen': 0, open: fresh.change_count },
  });
  expect(fresh.cards.map(({ promised }: Json) => promised.after)).toEqual(
    cards.map(({ exposure }: Json) => exposure),
  );

  // One repair is overdue, and one change is marked as done.
  const [first, second] = [changeOf(fresh, 'U1101'), changeOf(fresh, 'U1102')];
  await service.call('PATCH', `plans/${plan}/repairs/${first.repair}`, { due: '2020-01-31' });
  await service.call('POST', `plans/${plan}/marks`, {
    ...{ changes: [second.number], done: true, note: 'CHG-7' },
  });
  const said = await proofOf(plan);
  expect(changeOf(said, 'U1102')).toMatchObject({ proof: 'said', said: { by: 'admin', note: 'CHG-7' } });
  expect(changeOf(said, 'U1102').text).toMatch(
    /^No proof: admin marked it as done on .*, but no collection shows it yet$/,
  );
  expect(said.overdue_count).toBe(1);
  expect(said.text).toMatch(/; 1 repair overdue$/);
  expect((await service.data('GET', `plans/adopted/${plan}`)).text).toMatch(/; 1 repair overdue$/);
  expect(said.repairs.find(({ number }: Json) => number === first.repair).overdue).toBe(true);

  // Before the previous analysis, which uploads of other data make, too; after the write that it read.
  const written = hoursAgo(1);
  const upload = await collect([1102], writes(written));
  const done = await proofAfter(plan, said.generation);
  expect(changeOf(done, 'U1101')).toMatchObject({
    ...{ proof: 'proved', state: 'done', came_back_count: 0, said: null },
    events: [
      { state: 'done', fact_count: 1, jobs: [{ id: upload, by: 'admin' }], generation: done.generation },
    ],
  });
  expect(changeOf(done, 'U1101').text).toContain(`first shown by upload ${upload} of admin`);
  const [{ facts, since, at }] = changeOf(done, 'U1101').events;
  expect(since < at).toBe(true);
  expect(facts).toEqual([
    {
      ...{ what: 'relationship', name: 'GenericAll', old: 'exists', new: 'removed' },
      text: `GenericAll from U1101@NORTH.EXAMPLE to DOMAIN ADMINS@NORTH.EXAMPLE was removed; nTSecurityDescriptor last written at ${written.slice(0, 16).replace('T', ' ')} UTC on DC1 (version 3); the directory does not record by whom`,
      last_write: {
        ...{ attribute: 'nTSecurityDescriptor', controller: 'DC1', version: 3 },
        at: written.replace('Z', '.000000Z'),
      },
      objects: [
        { object_id: `${sidOf('NORTH')}-1101`, name: 'U1101@NORTH.EXAMPLE', kind: 'User' },
        { object_id: `${sidOf('NORTH')}-512`, name: 'DOMAIN ADMINS@NORTH.EXAMPLE', kind: 'Group' },
      ],
    },
  ]);
  expect(changeOf(done, 'U1102')).toMatchObject({ proof: 'contradicted', state: 'open' });
  const card = done.cards.find(({ repairs }: Json) => repairs.includes(first.repair));
  expect(card).toMatchObject({
    reached: null,
    text: expect.stringMatching(/^predicted .* not reached yet$/),
  });
  await vi.waitUntil(() => told('all', 'overdue').length > 0 && told('all', 'contradicted').length > 0, {
    timeout: 100_000,
  });
  expect(told('all', 'overdue').map(({ data }) => data)).toMatchObject([
    { plan_id: plan, plan: 'Spring', repair: first.repair, due: '2020-01-31', changes: [] },
  ]);
  expect(told('all', 'contradicted').map(({ data }) => data)).toMatchObject([
    {
      ...{ plan_id: plan, repair: second.repair, change_count: 1 },
      changes: [{ number: second.number, said_by: 'admin', title: second.title }],
      ...{ page: `/ui/fix/${plan}-${second.repair}`, proof: `/api/v2/plans/${plan}/proof` },
    },
  ]);
  const seen = await proofOf(plan);
  expect(seen.months).toEqual([
    {
      ...{ month: MONTH, done_count: 1, came_back_count: 0, not_seen_count: 0 },
      ...{ contradicted_count: 1, overdue_count: 1 },
    },
  ]);

  // It stays overdue with another date in the past.
  const overdueCauses = async (): Promise<string[]> => {
    const { rows } = await service.database.pool.query(
      "select cause from plan_event where plan_id = $1 and kind = 'overdue' order by id",
      [plan],
    );
    return rows.map(({ cause }: Json) => cause);
  };
  await service.call('PATCH', `plans/${plan}/repairs/${first.repair}`, { due: '2020-02-28' });
  await collect([1102, 1103]);
  const later = await proofAfter(plan, done.generation);

  // The repair is completed: the measured effect equals the promise of the card, and the mark is proved.
  await collect([]);
  const whole = await proofAfter(plan, later.generation);
  expect(changeOf(whole, 'U1102').text).toMatch(
    /^An analysis .* found it done, first shown by upload .*; admin marked it as done on/,
  );
  const { reached, promised, text } = whole.cards.find(({ number }: Json) => number === card.number);
  expect(reached.generation).toBe(whole.generation);
  const exposed = (all: Json[]) => all.reduce((sum, { exposed_count }) => sum + exposed_count, 0);
  expect(exposed(reached.before) - exposed(reached.after)).toBe(
    exposed(promised.before) - exposed(promised.after),
  );
  expect(text).toMatch(/^predicted .* -> .*, reached .* -> /);
  await vi.waitUntil(() => told('all', 'done').length > 0 && told('north', 'done').length > 0, {
    timeout: 100_000,
  });

  expect(await overdueCauses()).toEqual([expect.stringMatching(/^overdue \d+ until \d+$/)]);
  expect(told('all', 'overdue')).toHaveLength(1);

  // A mark that an analysis verified is not contradicted by a recurrence of the change.
  await service.call('POST', `plans/${plan}/marks`, { changes: [first.number], done: true });
  await collect([1101]);
  const back = await proofAfter(plan, whole.generation);
  expect(changeOf(back, 'U1101')).toMatchObject({ proof: 'came-back', came_back_count: 1 });
  // Later collections do not have the write, so it does not explain the return.
  expect(changeOf(back, 'U1101').events[0].facts).toMatchObject([
    { old: 'removed', new: 'exists', last_write: null },
  ]);
  expect(back.cards.find(({ number }: Json) => number === card.number).reached).toBe(null);
  await vi.waitUntil(() => told('all', 'undone').length >= 2, { timeout: 100_000 });
  expect(
    told('all', 'undone')
      .map(({ data }) => data.plan_id)
      .sort(),
  ).toEqual([plan, ofNorth].sort());
  const { rows } = await service.database.pool.query(
    "select change from plan_event where kind = 'contradicted'",
  );
  expect(rows).toEqual([{ change: second.number }]);
  // It is overdue again.
  await vi.waitUntil(() => told('all', 'overdue').length === 2, { timeout: 100_000 });
  expect(await overdueCauses()).toEqual([expect.stringMatching(/ until \d+$/), `overdue ${first.repair}`]);
  // A webhook of some environments gets events of plans within them.
  await vi.waitUntil(() => told('north', 'undone').length > 0, { timeout: 100_000 });
  const ofOthers = receiver.events.filter(({ path, data }) => path === '/north' && data.plan_id !== ofNorth);
  expect(ofOthers).toEqual([]);

  // Stored reports contain the proof; a masked one has no names, ids and users.
  const reportOf = async (more: object, of: (path: string, body: object) => Promise<Json>) => {
    const { id, issues } = await of('reports', {
      name: JSON.stringify(more),
      audience: 'operations',
      ...more,
    });
    return { id, issue: issues[0].id };
  };
  const plain = await reportOf({}, created);
  const { content } = await service.data('GET', `reports/${plain.id}/issues/${plain.issue}`);
  expect(content.proof).toMatchObject({ came_back_count: 2, overdue_count: 1, proved_count: 2 });
  const [shown] = content.proof.repairs;
  expect([shown.title, shown.came_back_count]).toEqual([back.repairs[0].title, 1]);
  expect(shown.facts).toContain(facts[0].text);
  const hidden = await reportOf({ masked: true }, created);
  const masked = (await service.data('GET', `reports/${hidden.id}/issues/${hidden.issue}`)).content.proof;
  expect(masked.repairs.map((one: Json) => one.facts.length)).toEqual(
    content.proof.repairs.map((one: Json) => one.facts.length),
  );
  expect(masked.repairs[0].facts[0]).toMatch(
    /^GenericAll from User \d+ to Group \d+ (was removed|exists again)$/,
  );
  expect(JSON.stringify(masked)).not.toMatch(/U1[12]0|NORTH|SOUTH|ADMINS|S-1-5|admin|CHG-7/);
  const limited = await reportOf(
    {},
    async (path, body) => (await service.as('nora', 'POST', path, body)).json.data,
  );
  const seenByNora = await service.as('nora', 'GET', `reports/${limited.id}/issues/${limited.issue}`);
  expect((seenByNora.json as Json).data.content.proof).toMatchObject({ change_count: 2, overdue_count: 0 });
  const other = await reportOf({ environment_id: sidOf('SOUTH') }, created);
  expect((await service.data('GET', `reports/${other.id}/issues/${other.issue}`)).content.proof).toBe(null);

  // Only the requested month, in pages.
  expect((await proofOf(plan, '?month=2020-01')).changes).toEqual([]);
  expect((await proofOf(plan, `?month=${MONTH}`)).changes.length).toBe(2);
  const page = await proofOf(plan, '?skip=1&limit=1');
  expect(page.changes).toEqual([back.changes[1]]);
  expect(page.change_count).toBe(back.change_count);
  for (const query of ['?month=2026-13', '?month=x', '?limit=1001', '?skip=-1'])
    expect([query, (await service.call('GET', `plans/${plan}/proof${query}`)).status]).toEqual([query, 400]);

  // A user of one domain has the proof of its plan, without uploads.
  const asNora = (path: string) => service.as('nora', 'GET', path);
  expect((await asNora(`plans/${plan}/proof`)).status).toBe(404);
  const own = (await asNora(`plans/${ofNorth}/proof`)).json.data;
  expect(changeOf(own, 'U1101')).toMatchObject({ proof: 'came-back' });
  expect(
    changeOf(own, 'U1101').events.map(({ jobs, facts: ofEvent }: Json) => [jobs, ofEvent.length]),
  ).toEqual([
    [[], 1],
    [[], 1],
  ]);
  const { id: saved } = await created('plans', { name: 'What if', disable: [`${sidOf('NORTH')}-1101`] });
  expect((await service.call('GET', `plans/${saved}/proof`)).status).toBe(404);
  await service.call('DELETE', `plans/${plan}`);
  expect((await service.call('GET', `plans/${plan}/proof`)).status).toBe(404);
}, 300_000);

it('tells contradictions and overdue repairs when they are noted, and no old results of analyses', async () => {
  const { id: plan } = await created('plans', { name: 'Late', disable: [`${sidOf('NORTH')}-1101`] });
  await addWebhook('late', null);
  await service.database.pool.query(
    `insert into plan_event (plan_id, repair, kind, cause, happened_at)
     select $1, 1, kind, kind, now() - interval '3 days' from unnest('{done,undone,contradicted,overdue}'::text[]) kind`,
    [plan],
  );
  await vi.waitUntil(() => told('late', 'contradicted').length > 0 && told('late', 'overdue').length > 0, {
    timeout: 100_000,
  });
  expect(
    receiver.events
      .filter(({ path }) => path === '/late')
      .map(({ type }) => type)
      .sort(),
  ).toEqual(['repair.contradicted', 'repair.overdue']);
  await service.call('DELETE', `plans/${plan}`);
}, 200_000);
