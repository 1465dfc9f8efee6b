import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type FileUploadJob, JOB_STATUS, routes, ZERO_TIME } from '@clew/api';
import { type Authenticator, apiError, type UserPrincipal } from '@clew/common';
import { startTestServer, type TestServer } from '@clew/server/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadHandlers } from './uploadHandlers.ts';

const MAY_INGEST = ['graphdb/IngestManage'];

function user(role: string, permissions: readonly string[] = MAY_INGEST): UserPrincipal {
  const name = role.toLowerCase();
  const email = `${name}@example.com`;
  return {
    kind: 'user',
    userId: randomUUID(),
    name,
    email,
    role,
    permissions: new Set(permissions),
    environments: null,
  };
}

const users = {
  uploader: user('Upload-Only'),
  stranger: user('Upload-Only'),
  administrator: user('Administrator'),
  auditor: user('Auditor', ['graphdb/IngestRead']),
};

/** `Authorization: test NAME`; with a `Signature` the body turns out not to be signed by NAME. */
const authenticator: Authenticator = {
  async begin({ headers }) {
    const principal = users[headers.authorization?.split(' ')[1] as keyof typeof users];
    if (principal === undefined) return { principal: { kind: 'anonymous', permissions: new Set<string>() } };
    if (headers.signature === undefined) return { principal };
    return { principal, body: { update() {}, finish: async () => apiError('unauthorized') } };
  },
};

const collection = (extra = '') =>
  `{"data":[],"meta":{"methods":0,"type":"users","count":0,"version":6}${extra}}`;

let database: Database;
let server: TestServer;

beforeAll(async () => {
  database = await startTestDatabase();
  for (const { userId, name } of Object.values(users))
    await database.db
      .insertInto('user_account')
      .values({ id: userId, principal_name: `${name}-${userId}`, role_id: 1 } as never)
      .execute();
  const handlers = uploadHandlers(database.db, { uploadBytes: 1024 * 1024 });
  const contracts = routes.filter(({ operationId }) => operationId in handlers);
  server = await startTestServer(contracts, handlers, { authenticator });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

async function call(
  who: keyof typeof users | undefined,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<{
  status: number;
  json: { data: never; errors: { message: string }[] } & Record<string, unknown>;
}> {
  const headers = { ...(who === undefined ? {} : { authorization: `test ${who}` }), ...init.headers };
  const answer = await fetch(`${server.url}/api/v2/file-upload${path}`, { method, ...init, headers });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
}

const start = async (who: keyof typeof users): Promise<FileUploadJob> =>
  (await call(who, 'POST', '/start')).json.data;
const send = (
  who: keyof typeof users,
  id: number,
  body: RequestInit['body'],
  headers: Record<string, string> = {},
) => call(who, 'POST', `/${id}`, { body, headers: { 'content-type': 'application/json', ...headers } });
const storedFiles = (id: number) =>
  database.db.selectFrom('upload_file').selectAll().where('job_id', '=', id).execute();

describe('an upload job', () => {
  test('rejects a graph that violates the schema, with a summary and every error', async () => {
    const { id } = await start('uploader');
    const edge = { kind: 'no kind', start: { value: 'A' }, end: { value: '' } };
    const refused = await send('uploader', id, JSON.stringify({ graph: { edges: [edge] } }));
    expect(refused.status).toBe(400);
    expect(refused.json.errors.map(({ message }) => message)).toEqual([
      'Error saving ingest file. File failed schema validation.',
      'graph.edges[0].kind must be a text of letters, digits and underscores',
      'graph.edges[0].end.value must be a text that is not empty',
    ]);
    const many = await send('uploader', id, JSON.stringify({ graph: { edges: Array(50).fill(1) } }));
    expect(many.json.errors).toHaveLength(16);
    expect(await storedFiles(id)).toEqual([]);
  });

  test('starts running, with the times of its start', async () => {
    const { status, json } = await call('uploader', 'POST', '/start');
    expect(status).toBe(201);
    const job: FileUploadJob = json.data;
    expect(job).toMatchObject({
      user_id: users.uploader.userId,
      user_email_address: users.uploader.email,
      status: JOB_STATUS.running,
      status_message: '',
      end_time: ZERO_TIME,
      deleted_at: { time: ZERO_TIME, valid: false, Time: ZERO_TIME, Valid: false },
      total_files: 0,
      failed_files: 0,
    });
    expect(job.last_ingest).toBe(job.start_time);
  });

  test('accepts files, ends once, and is listed', async () => {
    const { id } = await start('uploader');
    expect((await send('uploader', id, collection())).status).toBe(202);
    const compressed = gzipSync(collection());
    expect(
      (
        await send('uploader', id, compressed, {
          'content-encoding': 'gzip',
          'x-file-upload-name': 'a%20b.json',
        })
      ).status,
    ).toBe(202);
    expect(await storedFiles(id)).toMatchObject([{ complete: true }, { complete: true, name: 'a b.json' }]);
    expect(await call('uploader', 'POST', `/${id}/end`)).toEqual({ status: 200, json: undefined });
    const again = await call('uploader', 'POST', `/${id}/end`);
    expect([again.status, again.json.errors[0].message]).toEqual([
      400,
      'job must be in running status to end',
    ]);
    const late = await send('uploader', id, collection());
    expect([late.status, late.json.errors[0].message]).toEqual([
      400,
      'job must be in running status to attach files',
    ]);
    const page = await call('auditor', 'GET', `?id=eq:${id}&sort_by=-id`);
    expect(page.json).toMatchObject({
      count: 1,
      skip: 0,
      limit: 100,
      data: [{ id, status: JOB_STATUS.ingesting }],
    });
  });

  test.each(['end', 'cancel'])(
    'whose files are all refused fails with their names and reasons: %s',
    async (how) => {
      const { id } = await start('uploader');
      await send('uploader', id, '{"users":[]}', { 'x-file-upload-name': 'other%0a.json' });
      await send('uploader', id, 'PK?', {
        'content-type': 'application/zip',
        'x-file-upload-name': 'a/broken.zip',
      });
      // An unsigned file says nothing about the job.
      await send('uploader', id, collection(), { signature: 'wrong' });
      expect((await call('uploader', 'POST', `/${id}/${how}`)).status).toBe(200);
      const job = async () => (await call('uploader', 'GET', `?id=eq:${id}`)).json.data[0] as FileUploadJob;
      expect(await job()).toMatchObject({
        status: JOB_STATUS.failed,
        status_message: expect.stringMatching(
          /^No file was accepted: other\.json: .*; broken\.zip: file is not a zip archive: it does not start like one$/,
        ),
      });
      expect((await call('uploader', 'POST', `/${id}/${how}`)).status).toBe(400);
    },
  );

  const endedWithout = { status: JOB_STATUS.failed, status_message: 'No file was received completely' };
  const jobOf = async (id: number) =>
    (await call('uploader', 'GET', `?id=eq:${id}`)).json.data[0] as FileUploadJob;

  test('fails if it is ended without a file', async () => {
    const { id } = await start('uploader');
    expect((await call('uploader', 'POST', `/${id}/end`)).status).toBe(200);
    expect(await jobOf(id)).toMatchObject({ ...endedWithout, total_files: 0 });
    expect((await jobOf(id)).end_time).not.toBe(ZERO_TIME);
    expect((await call('uploader', 'POST', `/${id}/retry`)).status).toBe(400);
  });

  test.each(['still arrives', 'was broken off'])(
    'fails if it is ended while its only file %s',
    async (how) => {
      const { id } = await start('uploader');
      const sending = request(`${server.url}/api/v2/file-upload/${id}`, {
        method: 'POST',
        headers: {
          authorization: 'test uploader',
          'content-type': 'application/json',
          'content-length': collection().length,
        },
      });
      const refused = new Promise<number | undefined>((resolve) => {
        sending.on('response', (answer) => resolve(answer.resume().statusCode));
        sending.on('error', () => resolve(undefined));
      });
      sending.write(collection().slice(0, 20));
      await expect.poll(() => storedFiles(id)).toMatchObject([{ complete: false }]);
      if (how === 'was broken off') {
        sending.destroy();
        await expect.poll(() => storedFiles(id)).toEqual([]);
      }
      expect((await call('uploader', 'POST', `/${id}/end`)).status).toBe(200);
      expect(await jobOf(id)).toMatchObject(endedWithout);
      if (how === 'still arrives') sending.end(collection().slice(20));
      expect(await refused).toBe(how === 'still arrives' ? 400 : undefined);
      expect(await jobOf(id)).toMatchObject(endedWithout);
    },
  );

  test('with an accepted file goes on without the reasons of others, and has a short message', async () => {
    const { id } = await start('uploader');
    for (let sent = 0; sent < 40; sent++)
      await send('uploader', id, '[', { 'x-file-upload-name': `${'x'.repeat(200)}.json` });
    const job = async () => (await call('uploader', 'GET', `?id=eq:${id}`)).json.data[0] as FileUploadJob;
    const { status_message } = await job();
    expect(status_message.length).toBeGreaterThan(500);
    expect(status_message.length).toBeLessThan(2000);
    await send('uploader', id, collection());
    await call('uploader', 'POST', `/${id}/end`);
    expect(await job()).toMatchObject({ status: JOB_STATUS.ingesting, status_message: '' });
  });

  test('discards a file whose signature does not match', async () => {
    const { id } = await start('uploader');
    const { status, json } = await send('uploader', id, collection(), { signature: 'wrong' });
    expect([status, json.errors[0].message]).toEqual([401, 'Unauthorized']);
    expect(await storedFiles(id)).toEqual([]);
  });

  test.each([
    ['text/plain', collection(), 'Content type must be application/json or application/zip'],
    ['application/json', '{"data":[', 'Error saving ingest file: file is not valid json'],
    ['application/json', '', 'Error saving ingest file: file is not valid json'],
    ['application/json', '{"data":[]}', 'no valid meta tag found'],
    ['application/zip', 'no zip', 'Error saving ingest file: file is not a zip archive'],
    ['application/json', ' '.repeat(1024 * 1024 + 1), 'the request body is larger than 1048576 bytes'],
  ])('rejects a file of %s: %j', async (type, body, message) => {
    const { id } = await start('uploader');
    const { status, json } = await send('uploader', id, body, { 'content-type': type });
    expect([status, json.errors[0].message]).toEqual([400, message]);
    expect(await storedFiles(id)).toEqual([]);
  });

  test.each([
    ['application/zip', 'no zip', 'file is not a zip archive: it does not start like one'],
    [
      'application/json',
      'Dear all',
      "file is not valid json: it begins with 'D', as neither a collection nor a ZIP archive does (at byte 0)",
    ],
    [
      'application/json',
      '\u0089PNG',
      'file is not valid json: it begins with byte 194, as neither a collection nor a ZIP archive does (at byte 0)',
    ],
  ])('gives a second message with the reason for rejecting a file of %s: %j', async (type, body, message) => {
    const { id } = await start('uploader');
    const { json } = await send('uploader', id, body, { 'content-type': type });
    expect(json.errors[1].message).toBe(message);
  });

  const NO_TAGS = 'no valid meta tag or data tag found';
  test.each([
    ['application/zip', 'PK\u0005\u0006', 'Error saving ingest file: the archive has no files'],
    [
      'application/json',
      '{"a":1}',
      `${NO_TAGS}: the file is not one of SharpHound, AzureHound or an OpenGraph source`,
    ],
    ['application/json', '{"nodes":[],"edges":[]}', `${NO_TAGS}: "nodes" and "edges" must be in "graph"`],
    [
      'application/json',
      '[1,2,3]',
      `${NO_TAGS}: the file is not a JSON object: it begins with '[', as neither a collection nor a ZIP archive does (at byte 0)`,
    ],
    [
      'application/json',
      '{"graph":{},"data":[]}',
      `${NO_TAGS}: collection members and graph members are mixed in one file: data (at byte 12)`,
    ],
  ])('gives the reason in the only message for a file of %s: %j', async (type, body, message) => {
    const { id } = await start('uploader');
    const { status, json } = await send('uploader', id, body, { 'content-type': type });
    expect([status, json.errors.map((one: { message: string }) => one.message)]).toEqual([400, [message]]);
  });

  test.each([
    ['POST', '/x', 400, 'id is malformed'],
    ['POST', '/0', 404, 'resource not found'],
    ['POST', '/2147483647', 404, 'resource not found'],
    ['POST', '/99999999999', 404, 'resource not found'],
    ['POST', '/1.5/end', 400, 'id is malformed'],
    ['POST', '/0/end', 404, 'resource not found'],
    ['GET', '/0/completed-tasks', 404, 'resource not found'],
    ['GET', '?status=eq:x', 400, 'there are errors in the query parameter filters specified'],
    ['GET', '?sort_by=user_id', 400, 'column format does not support sorting: user_id'],
  ])('%s %s', async (method, path, status, message) => {
    const answer = await call('uploader', method, path);
    expect([answer.status, answer.json.errors[0].message]).toEqual([status, message]);
  });

  test('belongs to its user, except for administrators, who are audited', async () => {
    const { id } = await start('uploader');
    for (const path of [`/${id}`, `/${id}/end`]) {
      const { status } = await call('stranger', 'POST', path, { body: collection() });
      expect(status).toBe(403);
    }
    expect((await call('auditor', 'POST', `/${id}/end`)).status).toBe(403);
    expect((await call(undefined, 'POST', `/${id}/end`)).status).toBe(401);
    expect((await send('administrator', id, collection())).status).toBe(202);
    expect((await call('administrator', 'POST', `/${id}/end`)).status).toBe(200);
    const traces = await database.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'fields'])
      .where('actor_id', '=', users.administrator.userId)
      .orderBy('id')
      .execute();
    expect(traces).toMatchObject([
      { action: 'UploadFileToJob', fields: { job_id: id } },
      { action: 'EndFileUploadJob', fields: { job_id: id } },
    ]);
  });

  test('has an empty list of tasks before it is ingested', async () => {
    const { id } = await start('uploader');
    expect((await call('auditor', 'GET', `/${id}/completed-tasks`)).json).toEqual({ data: [] });
  });
});

test('accepted types are listed', async () => {
  expect((await call('auditor', 'GET', '/accepted-types')).json.data).toContain('application/zip');
});
