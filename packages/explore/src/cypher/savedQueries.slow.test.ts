/** Tests saved queries over HTTP: owners, sharing, files. */
import { nullUuid } from '@clew/api';
import { zipOf } from '@clew/intake/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
/** Sessions by user. */
const sessions = new Map<string, { readonly id: string; readonly authorization: string }>();

const PASSWORD = 'Correct-Horse-1';
const ROLES = { ann: 'User', bob: 'User', eve: 'Read-Only' };

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  sessions.set('admin', { id: (await service.data('GET', 'self')).id, authorization: service.authorization });
  const { roles } = await service.data('GET', 'roles');
  for (const [name, role] of Object.entries(ROLES)) {
    const body = {
      ...{ principal: name, first_name: name, last_name: name, email_address: `${name}@one.example` },
      ...{
        roles: [roles.find((one: Json) => one.name === role).id],
        secret: PASSWORD,
        needs_password_reset: false,
      },
    };
    const { id } = await service.data('POST', 'bloodhound-users', body);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await service.login(name);
    sessions.set(name, { id, authorization: service.authorization });
    await service.login('admin');
  }
});
afterAll(() => service.stop());

const idOf = (name: string): string => (sessions.get(name) as { id: string }).id;

async function as(
  name: string,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<{ status: number; json: Json; text: string; bytes: Buffer; answer: Response }> {
  const isRaw = Buffer.isBuffer(body);
  const answer = await fetch(`${service.service.url}/api/v2/saved-queries${path}`, {
    method,
    headers: {
      authorization: (sessions.get(name) as { authorization: string }).authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : isRaw ? new Uint8Array(body) : JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString();
  return {
    status: answer.status,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
    text,
    bytes,
    answer,
  };
}

const save = async (name: string, title: string, query = 'MATCH (n) RETURN n'): Promise<number> =>
  (await as(name, 'POST', '', { name: title, query, description: `of ${name}` })).json.data.id;

const namesOf = async (name: string, scope: string): Promise<string[]> =>
  (await as(name, 'GET', `?scope=${scope}`)).json.data.map((row: Json) => `${row.name} ${row.scope}`);

describe('saved queries', () => {
  it('belong to the user who saves them, with names unique per user', async () => {
    const made = await as('ann', 'POST', '', {
      name: 'Mine',
      query: 'this is not a query, and is kept',
      description: 'x',
    });
    expect([made.status, made.json.data]).toMatchObject([
      201,
      {
        name: 'Mine',
        query: 'this is not a query, and is kept',
        description: 'x',
        user_id: idOf('ann'),
        deleted_at: { valid: false },
      },
    ]);
    const again = await as('ann', 'POST', '', { name: 'Mine', query: 'RETURN 1' });
    expect([again.status, again.json.errors[0].message]).toEqual([
      400,
      'duplicate name for saved query: please choose a different name',
    ]);
    expect((await as('bob', 'POST', '', { name: 'Mine', query: 'RETURN 1' })).status).toBe(201);
    expect((await as('ann', 'POST', '', { name: 'No query' })).json.errors[0].message).toBe(
      'the name and/or query field is empty',
    );
    expect((await as('eve', 'POST', '', { name: 'Reader', query: 'RETURN 1' })).status).toBe(403);
    expect(await namesOf('ann', 'owned')).toEqual(['Mine owned']);
    const { id } = made.json.data;
    expect((await as('ann', 'GET', `/${id}`)).status).toBe(200);
    expect((await as('bob', 'GET', `/${id}`)).json.errors[0].message).toBe('query not found');
    expect((await as('admin', 'GET', `/${id}`)).status).toBe(200);
    const changed = await as('ann', 'PUT', `/${id}`, { name: '', query: 'RETURN 2' });
    expect(changed.json.data).toMatchObject({ name: 'Mine', query: 'RETURN 2', description: 'x' });
    expect((await as('bob', 'PUT', `/${id}`, { query: 'RETURN 3' })).status).toBe(404);
    expect((await as('bob', 'DELETE', `/${id}`)).json.errors[0].message).toBe(
      'User does not have permission to delete this query',
    );
    expect((await as('ann', 'DELETE', `/${id}`)).status).toBe(204);
    expect((await as('ann', 'DELETE', `/${id}`)).json.errors[0].message).toBe('query does not exist');
  });

  it('can be shared with users, and unshared', async () => {
    const id = await save('ann', 'For Bob');
    expect((await as('ann', 'GET', `/${id}/permissions`)).status).toBe(404);
    const shared = await as('ann', 'PUT', `/${id}/permissions`, { user_ids: [idOf('bob'), idOf('eve')] });
    expect(shared.status).toBe(201);
    expect(shared.json.data.map((row: Json) => row.shared_to_user_id)).toEqual([
      nullUuid(idOf('bob')),
      nullUuid(idOf('eve')),
    ]);
    expect(await namesOf('bob', 'shared')).toEqual(['For Bob shared']);
    expect(await namesOf('bob', 'all')).toContain('For Bob shared');
    expect((await as('ann', 'GET', `/${id}/permissions`)).json.data).toEqual({
      query_id: id,
      public: false,
      shared_to_user_ids: [idOf('bob'), idOf('eve')],
    });
    const put = async (body: object) =>
      (await as('ann', 'PUT', `/${id}/permissions`, body)).json.errors[0].message;
    expect(await put({ user_ids: [idOf('ann')] })).toBe('Cannot share query to self');
    expect(await put({ user_ids: [idOf('bob')], public: true })).toBe(
      'Public cannot be true while user_ids is populated',
    );
    expect(await put({ user_ids: ['missing'] })).toBe('user missing does not exist');
    expect((await as('bob', 'PUT', `/${id}/permissions`, { user_ids: [idOf('eve')] })).status).toBe(403);
    // A user with whom it is shared may hide it.
    expect((await as('bob', 'DELETE', `/${id}/permissions`, { user_ids: [idOf('eve')] })).status).toBe(403);
    expect((await as('bob', 'DELETE', `/${id}/permissions`, { user_ids: [idOf('bob')] })).status).toBe(204);
    expect(await namesOf('bob', 'shared')).toEqual([]);
    expect((await as('bob', 'DELETE', `/${id}/permissions`, { user_ids: [idOf('bob')] })).status).toBe(400);
    expect((await as('ann', 'PUT', `/${id}/permissions`, {})).status).toBe(204);
    expect((await as('ann', 'GET', `/${id}/permissions`)).status).toBe(404);
  });

  it('can be shared with everyone, and then administrators may also change them', async () => {
    const id = await save('ann', 'For all');
    expect((await as('admin', 'PUT', `/${id}`, { name: 'Taken' })).status).toBe(404);
    expect((await as('ann', 'PUT', `/${id}/permissions`, { public: true })).json.data).toMatchObject([
      { query_id: id, public: true, shared_to_user_id: nullUuid(null) },
    ]);
    expect((await as('ann', 'PUT', `/${id}/permissions`, { public: true })).status).toBe(204);
    expect(await namesOf('eve', 'public')).toEqual(['For all public']);
    expect((await as('ann', 'PUT', `/${id}/permissions`, { user_ids: [idOf('bob')] })).status).toBe(400);
    expect((await as('bob', 'PUT', `/${id}`, { name: 'Taken' })).status).toBe(404);
    expect((await as('admin', 'PUT', `/${id}`, { name: 'Tidier' })).json.data.name).toBe('Tidier');
    expect((await as('admin', 'DELETE', `/${id}`)).status).toBe(204);
  });

  it('are listed in pages, filtered and sorted', async () => {
    for (const title of ['List B', 'List A', 'List C']) await save('bob', title, `RETURN '${title}'`);
    const list = async (query: string) => {
      const { status, json } = await as('bob', 'GET', `?${query}`);
      return status === 200 ? json.data.map(({ name }: Json) => name) : json.errors[0].message;
    };
    expect(await list('name=~eq:List&sort_by=-name')).toEqual(['List C', 'List B', 'List A']);
    expect(await list('name=~eq:List&sort_by=name&skip=1&limit=1')).toEqual(['List B']);
    expect(await list("query=eq:RETURN 'List A'")).toEqual(['List A']);
    expect(await list('scope=mine')).toBe('invalid scope parameter: mine');
    expect(await list('color=eq:red')).toMatch(/cannot be filtered/);
  });

  it('are exported and imported as files: all of them, or none', async () => {
    await save('ann', 'a/b: "c"', 'MATCH (n) RETURN n LIMIT 1');
    await save('ann', 'A/B: "c"', 'MATCH (n) RETURN n LIMIT 2');
    const { answer, bytes } = await as('ann', 'GET', '/export?scope=owned');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="exported_queries.zip"');
    expect((await as('ann', 'GET', '/export')).json.errors[0].message).toBe(
      'scope query parameter cannot be empty',
    );
    const zip = { 'content-type': 'application/zip' };
    const taken = await as('ann', 'POST', '/import', bytes, zip);
    expect(taken.json.errors[0].message).toMatch(/^duplicate name/);
    const before = (await namesOf('eve', 'owned')).length;
    expect(before).toBe(0);
    const imported = await as('admin', 'POST', '/import', bytes, zip);
    expect([imported.status, imported.text]).toEqual([
      201,
      `imported ${(await namesOf('ann', 'owned')).length} queries`,
    ]);
    expect(await namesOf('admin', 'owned')).toContain('a/b: "c" owned');

    const one = Buffer.from(JSON.stringify({ name: 'One', query: 'RETURN 1', description: '' }));
    expect((await as('bob', 'POST', '/import', one)).text).toBe('imported 1 queries');
    const id = (await as('bob', 'GET', '?name=eq:One')).json.data[0].id;
    const alone = await as('bob', 'GET', `/${id}/export`);
    expect([JSON.parse(alone.text), alone.answer.headers.get('content-disposition')]).toEqual([
      { name: 'One', query: 'RETURN 1', description: '' },
      'attachment; filename="One.json"',
    ]);
  });

  it('are imported individually: an invalid or existing one is reported and does not affect the others', async () => {
    const entry = (name: string, more: object = {}) => ({ name, query: 'RETURN 1', ...more });
    const archive = await zipOf(
      { name: 'good.json', content: entry('Good', { description: null }) },
      { name: 'mark.json', content: `\ufeff${JSON.stringify(entry('With a mark'))}` },
      { name: 'list.json', content: [entry('First of a list'), entry('Good'), { name: 'no text' }] },
      { name: 'bad.json', content: '{"name":' },
      { name: '__MACOSX/._good.json', content: 'x' },
    );
    const zip = { 'content-type': 'application/zip' };
    const { answer, text } = await as('bob', 'POST', '/import', archive, zip);
    expect(answer.status).toBe(201);
    expect(text).toMatch(/^imported 3 queries, refused 3: /);
    for (const fault of [
      'bad.json: it is not JSON',
      'list.json, entry 2: a query with the name "Good" already exists',
      'list.json, entry 3: ',
    ])
      expect(text).toContain(fault);
    expect(await namesOf('bob', 'owned')).toEqual(
      expect.arrayContaining(['First of a list owned', 'Good owned', 'With a mark owned']),
    );
    const again = await as('bob', 'POST', '/import', Buffer.from(JSON.stringify([entry('Good')])));
    expect(again.json.errors.map(({ message }: { message: string }) => message).join(' ')).toContain(
      'the file, entry 1: a query with the name "Good" already exists',
    );
  });

  it.each([
    ['no JSON', Buffer.from('{"name":'), 'application/json', 400, 'failed to unmarshal json file'],
    [
      'no query in it',
      Buffer.from('{"name": "x"}'),
      'application/json',
      400,
      'failed to unmarshal json file',
    ],
    ['no archive', Buffer.from('PK but no archive'), 'application/zip', 400, 'failed to unmarshal json file'],
    [
      'another type',
      Buffer.from('x'),
      'text/plain',
      415,
      'Content type must be application/json or application/zip',
    ],
    ['too much', Buffer.alloc(11 * 1024 * 1024, 'x'), 'application/json', 413, '10 MiB'],
  ])('refuses a file with %s', async (_, body, type, status, message) => {
    const answer = await as('bob', 'POST', '/import', body, { 'content-type': type });
    expect([answer.status, answer.json?.errors[0].message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });
});
