/**
 * Tests views of the service as another user: they answer with the bytes that the user gets, change nothing, are recorded, and end with
 * their session and with either user.
 */
import { type HttpMethod, isReading, type RouteContract, routes } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operationsOf, sampleOf } from '../test/documentedRequests.ts';
import { startFilledService } from '../test/filledService.ts';
import { PASSWORD, type ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

let service: ServiceUnderTest;
let paths: ReadonlyMap<string, string>;
const users = new Map<string, string>();
const tokens = new Map<string, string>();

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Sender {
  readonly token?: string;
  readonly view?: string;
}

async function send(sender: Sender, method: HttpMethod, path: string, body?: unknown): Promise<Answer> {
  const { token = tokens.get('admin'), view } = sender;
  const answer = await fetch(`${service.service.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${token}`,
      ...(view !== undefined && { 'clew-view-as': view }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(path === '/api/v2/plan' && { prefer: 'wait=1' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const dataOf = ({ text }: Answer): Json => JSON.parse(text).data;
const messageOf = ({ text }: Answer): string => JSON.parse(text).errors[0].message;

async function signIn(name: string): Promise<string> {
  const body = { login_method: 'secret', username: name, secret: PASSWORD };
  const token = (await service.call('POST', 'login', body)).json.data.session_token;
  tokens.set(name, token);
  return token;
}

async function begin(name: string, sender: Sender = {}, more: object = {}): Promise<string> {
  const answer = await send(sender, 'POST', '/api/v2/view-as', { user_id: users.get(name), ...more });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return dataOf(answer).id;
}

const end = (view: string) => send({}, 'DELETE', `/api/v2/view-as/${view}`);
const self = (sender: Sender) => send(sender, 'GET', '/api/v2/self');

async function addUser(name: string, role: string, environments?: readonly string[]): Promise<void> {
  users.set(name, await service.addUser(name, role, environments));
  await signIn(name);
}

beforeAll(async () => {
  ({ service, paths } = await startFilledService());
  await signIn('admin');
  users.set('admin', dataOf(await self({})).id);
  const domains: Json[] = await service.data('GET', 'available-domains');
  await addUser('other', 'Administrator');
  await addUser('limited', 'User', [domains.find(({ type }) => type === 'active-directory').id]);
  await addUser('reader', 'Read-Only');
}, 90_000);
afterAll(() => service.stop());

const targetOf = (route: RouteContract): string => {
  const path = paths.get(route.path);
  return path === undefined ? route.path.replaceAll(/\{\w+\}/g, '1') : path.replace(/^\/?/, '/api/v2/');
};

/** Their answers depend on the request itself, the clock, or the session. */
const OF_THE_MOMENT = new Set([
  ...['GetMetrics', 'GetHealth', 'GetReadiness', 'GetDatapipeStatus', 'GetPlan'],
  // They show which session asks, or redirect a browser.
  ...['ListUserSessions', 'BeginSingleSignOn', 'EndSingleSignOn', 'BeginSamlLogin'],
  // Layers are private.
  'ListQueryLayers',
]);
const gets = routes.filter(
  (route) => route.method === 'GET' && isReading(route) && !OF_THE_MOMENT.has(route.operationId),
);
/** Query times, the present as the end of a period, and ids of requests in errors. */
const stable = ({ status, text }: Answer): string =>
  `${status} ${text
    .replaceAll(/"(timestamp|request_id|start|end)":"[^"]*"/g, '')
    .replaceAll(/"(query_)?milliseconds":[\d.]+/g, '')}`;

/** Each operation is asked as one of them, and at night as all. */
test.each([...['other', 'limited', 'reader'].entries()])(
  '%i: answers with the bytes that the user %s gets, from every operation that reads',
  async (shift, name) => {
    const asked = sampledCases(gets, 3, shift);
    const view = await begin(name);
    const different: string[] = [];
    let answered = 0;
    for (const route of asked) {
      const target = targetOf(route);
      const real = await send({ token: tokens.get(name) as string }, 'GET', target);
      const seen = await send({ view }, 'GET', target);
      if (real.status === 200) answered++;
      if (stable(real) !== stable(seen))
        different.push(`${target}: ${stable(real).slice(0, 300)} | ${stable(seen).slice(0, 300)}`);
    }
    expect(different).toEqual([]);
    expect(answered).toBeGreaterThan((150 * asked.length) / gets.length);
    const query = { query: 'MATCH (n) RETURN n.objectid', rows: true };
    const rowsAs = async (sender: Sender) =>
      dataOf(await send(sender, 'POST', '/api/v2/graphs/cypher', query)).rows;
    expect(await rowsAs({ view })).toEqual(await rowsAs({ token: tokens.get(name) as string }));
    await end(view);
  },
  120_000,
);

test('neither lists nor uses layers of the user', async () => {
  const view = await begin('reader');
  expect((await send({ view }, 'GET', '/api/v2/graphs/cypher/layers')).status).toBe(403);
  const answer = await fetch(`${service.service.url}/api/v2/graphs/cypher`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${tokens.get('admin')}`, 'clew-view-as': view },
      ...{ 'content-type': 'application/json', prefer: 'layer=owned' },
    },
    body: JSON.stringify({ query: 'MATCH (n) SET n.owned = true' }),
  });
  expect([answer.status, messageOf({ status: 0, text: await answer.text() })]).toEqual([
    403,
    expect.stringContaining('layers are private'),
  ]);
  await end(view);
});

test.each([
  [
    'drawings',
    {
      address: 'mode=search',
      objects: [{ object_id: 'S-1', name: 'A', kind: 'User', x: 0, y: 0, pinned: false }],
      relationships: [],
    },
  ],
  ['views', { page: 'findings', query: 'severity=high' }],
] as const)('shows shared %s of the user, and no private ones', async (path, body) => {
  const own = { token: tokens.get('other') as string };
  const made = async (name: string, shared: boolean): Promise<number> => {
    const answer = await send(own, 'POST', `/api/v2/${path}`, { ...body, name, shared });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return dataOf(answer).id;
  };
  const ids = { private: await made('private thoughts', false), shared: await made('for all', true) };
  const namesOf = async (sender: Sender) =>
    dataOf(await send(sender, 'GET', `/api/v2/${path}`)).map(({ name }: Json) => name);
  const view = await begin('other');
  expect((await namesOf(own)).toSorted()).toEqual(['for all', 'private thoughts']);
  expect(await namesOf({ view })).toEqual(['for all']);
  const answers = async (sender: Sender) =>
    Promise.all(
      [ids.private, ids.shared, 999_999].map(
        async (id) => (await send(sender, 'GET', `/api/v2/${path}/${id}`)).status,
      ),
    );
  expect(await answers(own)).toEqual([200, 200, 404]);
  expect(await answers({ view })).toEqual([404, 200, 404]);
  await end(view);
  for (const id of Object.values(ids)) await send(own, 'DELETE', `/api/v2/${path}/${id}`);
});

/** Rows of every table, as text; without the records that answers add. */
async function everything(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await service.database.pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('audit_log', 'seen_signature')`,
  );
  const found = new Map<string, string>();
  for (const { name } of rows) {
    const { rows: digests } = await service.database.pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(row::text, ',' order by row::text)), '') as digest from "${name}" row`,
    );
    found.set(name, digests[0].digest);
  }
  return found;
}

test('no operation that changes something works, though the user may do everything', async () => {
  const operations = operationsOf((await service.call('GET', 'spec?format=json')).json);
  const view = await begin('other');
  const before = await everything();
  const wrong: string[] = [];
  const changing = routes.filter((route) => !isReading(route));
  for (const route of changing) {
    const described = operations.find(
      ({ method, path }) => method === route.method && `/api/v2/${path}` === route.path,
    );
    const body = described?.body === undefined ? undefined : sampleOf(described.body);
    const answer = await send({ view }, route.method, targetOf(route), body);
    if (answer.status !== 403 || !/^changes are off/.test(messageOf(answer)))
      wrong.push(`${route.operationId} ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  expect(changing.length).toBeGreaterThan(110);
  // Operations that only read are asked, too: none of them may change anything.
  for (const route of routes.filter((one) => isReading(one))) {
    const described = operations.find(
      ({ method, path }) => method === route.method && `/api/v2/${path}` === route.path,
    );
    const body = described?.body === undefined ? undefined : sampleOf(described.body);
    await send({ view }, route.method, targetOf(route), body);
  }
  expect(await everything()).toEqual(before);
  await end(view);
}, 120_000);

const auditOf = async (view: string): Promise<Json[]> =>
  (
    await service.database.pool.query(
      'select actor_name, action, fields, status from audit_log where commit_id = $1 order by id',
      [view],
    )
  ).rows;

test('is recorded: who, as whom, until when, and its end; what is asked names both', async () => {
  const view = await begin('limited');
  await send({ view }, 'POST', '/api/v2/graphs/cypher', { query: 'MATCH (n:User) RETURN n LIMIT 1' });
  expect((await end(view)).status).toBe(204);
  expect((await end(view)).status).toBe(404);
  const user = { user_id: users.get('limited'), user_name: 'limited' };
  expect(await auditOf(view)).toEqual([
    {
      ...{ actor_name: 'admin', action: 'BeginViewAs', status: 'success' },
      fields: { ...user, expires_at: expect.stringMatching(/\.\d{6}Z$/) },
    },
    {
      ...{ actor_name: 'admin', action: 'EndViewAs', status: 'success' },
      fields: { ...user, reason: 'ended by its viewer', seconds: expect.any(Number) },
    },
  ]);
  const { rows } = await service.database.pool.query(
    "select actor_name, fields from audit_log where action = 'RunCypherQuery' order by id desc limit 1",
  );
  expect(rows[0]).toMatchObject({
    actor_name: 'admin',
    fields: { viewed_as: 'limited', viewed_as_id: users.get('limited') },
  });
});

const isEnded = async (sender: Sender) => {
  const answer = await self(sender);
  return answer.status === 403 && /^this view as another user has ended/.test(messageOf(answer));
};

test('holds only with the session that began it, and ends with it', async () => {
  const first = await signIn('admin');
  const second = await signIn('admin');
  const view = await begin('reader', { token: first });
  expect(dataOf(await self({ token: first, view })).principal_name).toBe('reader');
  expect(await isEnded({ token: second, view })).toBe(true);
  expect(await isEnded({ token: tokens.get('other') as string, view })).toBe(true);
  expect(
    (await send({ token: tokens.get('other') as string }, 'DELETE', `/api/v2/view-as/${view}`)).status,
  ).toBe(404);
  expect(dataOf(await self({ token: first, view })).principal_name).toBe('reader');
  await send({ token: first }, 'POST', '/api/v2/logout');
  expect((await self({ token: first, view })).status).toBe(401);
});

test.each(['reader', 'other'])('ends when the user %s, or its viewer, is disabled', async (seen) => {
  await addUser(`viewer of ${seen}`, 'Administrator');
  const viewer = { token: tokens.get(`viewer of ${seen}`) as string };
  const setDisabled = (name: string, is_disabled: boolean) =>
    send({}, 'PATCH', `/api/v2/bloodhound-users/${users.get(name)}`, { is_disabled });
  const view = await begin(seen, viewer);
  expect((await setDisabled(seen, true)).status).toBe(200);
  expect(await isEnded({ ...viewer, view })).toBe(true);
  const refused = await send(viewer, 'POST', '/api/v2/view-as', { user_id: users.get(seen) });
  expect([refused.status, messageOf(refused)]).toEqual([409, 'the user is disabled, and sees nothing']);
  await setDisabled(seen, false);
  await signIn(seen);
  const again = await begin(seen, viewer);
  expect((await setDisabled(`viewer of ${seen}`, true)).status).toBe(200);
  expect((await self({ ...viewer, view: again })).status).toBe(401);
});

test('is for administrators, who gain no right by it', async () => {
  for (const name of ['limited', 'reader']) {
    const answer = await send({ token: tokens.get(name) as string }, 'POST', '/api/v2/view-as', {
      user_id: users.get('other'),
    });
    expect([name, answer.status]).toEqual([name, 403]);
  }
  await addUser('demoted', 'Administrator');
  const sender = { token: tokens.get('demoted') as string };
  const view = await begin('other', sender);
  const { roles } = await service.data('GET', 'roles');
  const auditor = roles.find(({ name }: Json) => name === 'Auditor').id;
  const changed = await send({}, 'PATCH', `/api/v2/bloodhound-users/${users.get('demoted')}`, {
    roles: [auditor],
  });
  expect(changed.status).toBe(200);
  // The session may have ended with the role; the view never holds.
  expect([401, 403]).toContain((await self({ ...sender, view })).status);
});

test('takes no other credential, and no text that is not its id', async () => {
  for (const view of [
    '',
    'x',
    '00000000-0000-0000-0000-000000000000',
    "'; drop table view_as; --",
    'é'.repeat(100),
  ])
    expect([view, await isEnded({ view: encodeURIComponent(view) })]).toEqual([view, true]);
  const view = await begin('reader');
  const answer = await fetch(`${service.service.url}/api/v2/self`, { headers: { 'clew-view-as': view } });
  expect(answer.status).toBe(401);
  // A view never begins another one, nor ends itself with the rights of the user.
  expect((await send({ view }, 'POST', '/api/v2/view-as', { user_id: users.get('other') })).status).toBe(403);
  await end(view);
});

test('is bounded in time and number', async () => {
  expect(
    (await send({}, 'POST', '/api/v2/view-as', { user_id: users.get('reader'), minutes: 61 })).status,
  ).toBe(400);
  const views: string[] = [];
  for (let count = 0; count < 21; count++) views.push(await begin('reader', {}, { minutes: 1 }));
  expect(await isEnded({ view: views[0] as string })).toBe(true);
  expect((await auditOf(views[0] as string))[1].fields.reason).toBe('newer ones began');
  const last = views.at(-1) as string;
  expect((await self({ view: last })).status).toBe(200);
  await service.database.pool.query(
    "update view_as set expires_at = now() - interval '1 second' where id = $1",
    [last],
  );
  await vi.waitUntil(() => isEnded({ view: last }), { timeout: 100_000 });
});
