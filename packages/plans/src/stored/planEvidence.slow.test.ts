/** Transcripts and backups of kits as evidence of a started plan, over HTTP, from the kit to the next collections. */
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;
let plan: number;
let number: number;
let facts: readonly string[];

const USERS = [1101, 1102, 1103, 1104];
let collections = 0;
/** Each collection has one more user, because equal bytes count as one observation. */
const collect = (north: readonly number[]): Promise<number> =>
  service.upload(...twoDomains({ NORTH: north, SOUTH: [1101] }, [...USERS, 1300 + collections++]));

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  await collect([1101, 1102]);
  for (const [name, environments] of [
    ['nora', [sidOf('NORTH')]],
    ['sue', [sidOf('SOUTH')]],
    ['bob', undefined],
  ] as const)
    await service.addUser(name, 'User', environments);
  await vi.waitUntil(async () => (await service.data('GET', 'plan')).computing === null, {
    timeout: 100_000,
  });
  const { cards } = await service.data('GET', 'plan?limit=50');
  const north = cards.filter(({ packages }: Json) =>
    packages.every(({ references }: Json) =>
      references.every(({ object_id }: Json) => object_id.startsWith(sidOf('NORTH'))),
    ),
  );
  const { json } = await service.call('POST', 'plans/adopt', {
    ...{ name: 'North', cards: north.map(({ key }: Json) => key) },
  });
  plan = (json as Json).data.id;
  const change = (await proof()).changes.find(({ title }: Json) => title.includes('U1101@NORTH'));
  number = change.number;
  const repair = north
    .flatMap(({ packages }: Json) => packages)
    .flatMap(({ references }: Json) => references)
    .find(({ principal_id = '' }: Json) => principal_id.endsWith('-1101'));
  const kit = await service.call('POST', 'plan/kit', { repairs: [repair] });
  const { files } = (kit.json as Json).data;
  const declared = JSON.parse(files.find(({ name }: Json) => name === 'changes.json').text);
  facts = declared[0].digests;
  // The script has the same digests.
  const script = files.find(({ name }: Json) => name === 'change-01.ps1').text;
  for (const fact of facts) expect(script).toContain(`'${fact}'`);
}, 240_000);
afterAll(() => service.stop());

const proof = () => service.data('GET', `plans/${plan}/proof`);
const timeOf = (ms = 0): string => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');
const transcript = (more: Record<string, string> = {}): string => {
  const lines = {
    mode: 'Apply',
    time: timeOf(),
    host: 'DC1.north.example',
    before: 'other',
    changed: 'yes',
    after: 'wanted',
    code: '0',
    ...more,
  };
  return [
    'Windows PowerShell transcript start',
    'Clew-record: change change-01',
    ...facts.map((fact) => `Clew-record: fact ${fact}`),
    ...Object.entries(lines).map(([name, value]) => `Clew-record: ${name} ${value}`),
  ].join('\r\n');
};
const backup = (): string =>
  JSON.stringify({
    Change: 'change-01',
    Time: timeOf(),
    Computer: 'ADMIN-7',
    Facts: facts,
    Saved: { Owner: 'S-1-5-21-1-2-3-512' },
  });
type Answer = readonly [status: number, data: Json];
const upload = async (user: string, content: string): Promise<number> => {
  const body = { name: 'change-01.Apply.txt', content: Buffer.from(content).toString('base64') };
  const { json } = await (user === 'admin'
    ? service.call('POST', 'attachments', body)
    : service.as(user, 'POST', 'attachments', body));
  return (json as Json).data.id;
};
const add = async (user: string, content: string): Promise<Answer> => {
  const attachment = await upload(user, content);
  const path = `plans/${plan}/evidence`;
  const { status, json } = await (user === 'admin'
    ? service.call('POST', path, { attachment })
    : service.as(user, 'POST', path, { attachment }));
  return [status, (json as Json).data ?? (json as Json).errors[0].message];
};
const claimOf = async (id: number): Promise<Json> =>
  (await proof()).evidence.find((one: Json) => one.id === id).claims[0];
/** Waits until the plan is compared with the analysis of a new collection. */
const next = async (north: readonly number[]): Promise<void> => {
  const { generation } = await proof();
  await collect(north);
  await vi.waitUntil(async () => (await proof()).generation > generation, {
    timeout: 100_000,
    interval: 100,
  });
};

describe('a transcript', () => {
  it('is a claim about the changes whose facts it has, which waits for a collection', async () => {
    const [status, added] = await add('bob', transcript());
    expect([status, added]).toMatchObject([
      201,
      {
        ...{ kind: 'transcript', added_by: 'bob', file: { name: 'change-01.Apply.txt', uploaded_by: 'bob' } },
        claims: [
          { change: number, mode: 'Apply', host: 'DC1.north.example', verdict: 'waits', other_before: false },
        ],
      },
    ]);
    expect(added.claims[0].text).toMatch(
      /^The transcript says made on DC1\.north\.example at \d{4}-\d\d-\d\d \d\d:\d\d UTC; no collection has looked since$/,
    );
    // It changes no state.
    expect((await proof()).changes.find((one: Json) => one.number === number)).toMatchObject({
      proof: 'open',
      said: null,
    });
  });

  it('that a collection does not confirm disagrees, and agrees once it does', async () => {
    const text = transcript({ time: timeOf(-1000), computer: 'ADMIN-1' });
    const [, { id }] = await add('bob', text);
    // A record with the same bytes would be no new look at its facts.
    await next([1101, 1102, 1103]);
    expect(await claimOf(id)).toMatchObject({
      verdict: 'disagrees',
      text: expect.stringMatching(/; the collection of \d{4}-\d\d-\d\d shows the facts from before$/),
    });
    const [, undone] = await add('bob', transcript({ mode: 'Undo', time: timeOf(-60_000) }));
    expect(undone.claims[0].verdict).toBe('agrees');
    await next([1102]);
    expect(await claimOf(id)).toMatchObject({
      verdict: 'agrees',
      text: expect.stringMatching(/; the analysis of \d{4}-\d\d-\d\d shows it done$/),
    });
    expect(await claimOf(undone.id)).toMatchObject({ verdict: 'disagrees' });
    await next([1101, 1102]);
    expect(await claimOf(id)).toMatchObject({
      verdict: 'disagrees',
      text: expect.stringContaining('it exists again since the analysis of'),
    });
  });

  it('that says nothing was made is not compared', async () => {
    const [, added] = await add('bob', transcript({ changed: 'no', after: 'other', code: '3' }));
    expect(added.claims).toMatchObject([
      {
        verdict: 'not-made',
        text: expect.stringMatching(/^The transcript says that it was not made .*, exit code 3$/),
      },
    ]);
  });

  it('is refused twice, of another form, about another plan, and from another user', async () => {
    const text = transcript({ computer: 'ADMIN-9' });
    expect((await add('bob', text))[0]).toBe(201);
    expect(await add('admin', text)).toEqual([409, 'Conflict: the plan has this file already']);
    for (const other of ['just a text', '{"Change":"change-01"}', '%PDF-1.7 Clew-record: change change-01'])
      expect(await add('bob', other)).toEqual([400, expect.stringContaining('not a transcript or backup')]);
    const foreign = facts.reduce((all, fact) => all.replaceAll(fact, 'f'.repeat(16)), text);
    expect(await add('bob', foreign)).toEqual([400, 'the file is about no change of this plan']);
    const attachment = await upload('bob', transcript({ computer: 'ADMIN-8' }));
    expect((await service.call('POST', `plans/${plan}/evidence`, { attachment })).status).toBe(400);
    expect((await service.as('bob', 'POST', 'plans/999999/evidence', { attachment })).status).toBe(404);
  });
});

describe('collections count by their dates', () => {
  /** The time of a claim between the collection and the analysis of it. */
  const moveBeforeAnalysis = async (id: number): Promise<void> => {
    const { published_at } = await proof();
    const at = `${new Date(Date.parse(published_at) - 1).toISOString().slice(0, -1)}000Z`;
    await service.database.pool.query(
      "update plan_evidence set claims = jsonb_set(claims, '{0,at}', to_jsonb($2::text)) where id = $1",
      [id, at],
    );
  };

  // Each collection has members that none had before it, so that it is a new look at them.
  it('an analysis after the run of data from before it proves nothing', async () => {
    await next([1103]);
    await next([1101, 1103]);
    const [, made] = await add('bob', transcript({ computer: 'DATE-1' }));
    await moveBeforeAnalysis(made.id);
    expect(await claimOf(made.id)).toMatchObject({
      verdict: 'waits',
      text: expect.stringMatching(/; no collection has looked since$/),
    });
  });

  it('an undoing that did not work disagrees once a later collection shows the change still done', async () => {
    await next([1104]);
    const [, early] = await add('bob', transcript({ mode: 'Undo', computer: 'DATE-2' }));
    await moveBeforeAnalysis(early.id);
    expect((await claimOf(early.id)).verdict).toBe('waits');
    const [, late] = await add('bob', transcript({ mode: 'Undo', computer: 'DATE-3' }));
    expect(late.claims[0].verdict).toBe('waits');
    await next([1102, 1104]);
    for (const { id } of [early, late])
      expect(await claimOf(id)).toMatchObject({
        verdict: 'disagrees',
        text: expect.stringMatching(/; the collection of \d{4}-\d\d-\d\d shows it done$/),
      });
    await next([1101, 1104]);
    for (const { id } of [early, late]) expect((await claimOf(id)).verdict).toBe('agrees');
  });
});

it('a report counts the claims by verdict', async () => {
  const { evidence } = await proof();
  const verdicts = evidence.flatMap(({ claims }: Json) => claims.map(({ verdict }: Json) => verdict));
  const count = (verdict: string): number => verdicts.filter((one: string) => one === verdict).length;
  expect(count('agrees')).toBeGreaterThan(0);
  const { json } = await service.call('POST', 'reports', { name: 'Board', schedule: 'monthly' });
  const { id, issues } = (json as Json).data;
  const { content } = await service.data('GET', `reports/${id}/issues/${issues[0].id}`);
  expect(content.proof.repairs.flatMap(({ claims = [] }: Json) => claims)).toEqual([
    {
      ...{ agrees: count('agrees'), disagrees: count('disagrees'), waits: count('waits') },
      'not-made': count('not-made'),
    },
  ]);
});

describe('limits', () => {
  const page = async (query: string): Promise<Json> => service.data('GET', `plans/${plan}/proof?${query}`);
  const remove = async ({ id }: Json): Promise<number> =>
    (await service.call('DELETE', `plans/${plan}/evidence/${id}`)).status;

  it('a file has the last run of each mode, and an answer only claims about its changes', async () => {
    const runs = Array.from({ length: 200 }, (_, at) => transcript({ computer: `MANY-${at}` }));
    const [status, added] = await add('bob', runs.join('\n'));
    expect([status, added.claims.length, added.change_count, added.claims[0].computer]).toEqual([
      ...[201, 1, 1, 'MANY-199'],
    ]);
    const { change_count, changes } = await page('limit=1000');
    const at = changes.findIndex((one: Json) => one.number === number);
    for (const skip of Array.from({ length: change_count }, (_, place) => place)) {
      const { evidence } = await page(`limit=1&skip=${skip}`);
      const own = evidence.find(({ id }: Json) => id === added.id);
      expect([own.change_count, own.claims.length]).toEqual([1, skip === at ? 1 : 0]);
    }
    expect((await page('month=2001-01')).evidence.flatMap(({ claims }: Json) => claims)).toEqual([]);
    await remove(added);
  });

  it('a user takes a part of the files of the plan of another, who can remove them', async () => {
    await service.database.pool.query('delete from plan_evidence where plan_id = $1', [plan]);
    for (let at = 0; at < 50; at++)
      expect((await add('bob', transcript({ computer: `BOB-${at}` })))[0]).toBe(201);
    const [status, message] = await add('bob', transcript({ computer: 'BOB-50' }));
    expect([status, message]).toEqual([409, expect.stringContaining('you have added 50 files to this plan')]);
    const [own, added] = await add('admin', transcript({ computer: 'ADMIN-0' }));
    expect([own, added.may_remove]).toEqual([201, true]);
    const { json } = await service.as('bob', 'GET', `plans/${plan}/proof`);
    const seen = (json as Json).data.evidence;
    expect(seen.map(({ may_remove, added_by }: Json) => may_remove === (added_by === 'bob'))).toEqual(
      Array(51).fill(true),
    );
    // Claims have a limit, too.
    await service.database.pool.query(
      `update plan_evidence set claims = to_jsonb(array(select claims -> 0 from generate_series(1, 40))) where plan_id = $1`,
      [plan],
    );
    expect(await add('admin', transcript({ computer: 'ADMIN-1' }))).toEqual([
      ...[409, expect.stringContaining('more than 2000 times')],
    ]);
    for (const one of seen) expect(await remove(one)).toBe(204);
  });
});

it('a backup shows the values that it has', async () => {
  const [status, added] = await add('admin', backup());
  expect([status, added.kind, added.claims]).toMatchObject([
    ...[201, 'backup'],
    [{ change: number, saved: [{ name: 'Owner', value: 'S-1-5-21-1-2-3-512' }], after: null }],
  ]);
  expect(added.claims[0].text).toContain('The backup was written from ADMIN-7 at');
});

it('only users who see the plan see the claims, and only those who see all environments the file', async () => {
  const [, { id }] = await add('nora', transcript({ computer: 'NORA-1' }));
  const path = `plans/${plan}/evidence/${id}`;
  const { json } = await service.as('nora', 'GET', `plans/${plan}/proof`);
  const own = (json as Json).data.evidence.find((one: Json) => one.id === id);
  expect([own.file, own.claims.length]).toEqual([null, 1]);
  for (const [user, status] of [
    ['nora', 404],
    ['sue', 404],
    ['bob', 200],
  ] as const)
    expect([user, (await service.fetchAs(user, path)).status]).toEqual([user, status]);
  const file = await service.fetchAs('bob', path);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="change-01\.Apply\.txt"/);
  expect(file.headers.get('content-type')).toBe('application/octet-stream');
  expect(await file.text()).toContain('NORA-1');
  // Only its uploader, the owner of the plan, and users who may edit the graph remove it.
  const asBob = (await service.as('bob', 'GET', `plans/${plan}/proof`)).json as Json;
  const shown = asBob.data.evidence.find((one: Json) => one.id === id);
  expect([own.may_remove, shown.may_remove]).toEqual([true, false]);
  const refused = await service.as('bob', 'DELETE', path);
  expect([refused.status, (refused.json as Json).errors[0].message]).toEqual([
    ...[403, expect.stringContaining('only its uploader, the owner of the plan')],
  ]);
  expect((await service.as('bob', 'DELETE', `plans/${plan}/evidence/999999`)).status).toBe(404);
  expect((await service.as('sue', 'DELETE', path)).status).toBe(404);
  expect((await service.call('DELETE', `plans/${plan + 1}/evidence/${id}`)).status).toBe(404);
  expect((await service.as('nora', 'DELETE', path)).status).toBe(204);
  const { rows } = await service.database.pool.query(
    "select action from audit_log where fields ->> 'evidence_id' = $1 order by id",
    [String(id)],
  );
  expect(rows.map(({ action }: Json) => action)).toEqual(['AddPlanEvidence', 'DeletePlanEvidence']);
});
