/** Files, templates, and the evidence of acceptances over HTTP, and who may read them. */
import { randomBytes } from 'node:crypto';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pruneAttachments } from './attachments.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  for (const [name, role] of [
    ['bob', 'Power User'],
    ['nora', 'Power User'],
    ['eve', 'User'],
    ['sue', 'User'],
    ['ron', 'Read-Only'],
  ] as const)
    await service.addUser(name, role);
  for (const name of ['nora', 'sue'])
    await sql('update user_account set environments = $1 where principal_name = $2', [
      [sidOf('NORTH')],
      name,
    ]);
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
}, 120_000);
afterAll(() => service.stop());

const sql = async (text: string, values: readonly unknown[] = []): Promise<Json[]> =>
  (await service.database.pool.query(text, [...values])).rows;
type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
const call = (user: string, method: Method, path: string, body?: object) =>
  user === 'admin' ? service.call(method, path, body) : service.as(user, method, path, body);
const upload = async (user: string, name: string, content: string | Buffer): Promise<[number, Json]> => {
  const body = { name, content: Buffer.from(content).toString('base64') };
  const { status, json } = await call(user, 'POST', 'attachments', body);
  return [status, json];
};
const uploaded = async (
  user: string,
  name = 'risk.txt',
  content = 'Signed by the board',
): Promise<number> => {
  const [status, json] = await upload(user, name, content);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.data.id;
};
const bytesOf = async (user: string, id: number): Promise<[number, string, Headers]> => {
  const response = await service.fetchAs(user, `attachments/${id}`);
  return [response.status, await response.text(), response.headers];
};
const TEMPLATES = 'attack-paths/acceptance-templates';
const REQUESTS = 'attack-paths/acceptance-requests';
const template = async (more: object = {}): Promise<Json> => {
  const { status, json } = await call('admin', 'POST', TEMPLATES, {
    name: 'Legacy',
    reason: 'It goes',
    ...more,
  });
  expect(status, JSON.stringify(json)).toBe(201);
  return (json as Json).data;
};
const open = (environment: string): Promise<Json[]> =>
  sql(
    'select id, finding from finding where deleted_at is null and part_of_id is null and environment_id = $1 order by id',
    [environment],
  );
const accept = (user: string, findings: readonly number[], more: object = {}) =>
  call(user, 'PUT', 'attack-paths/acceptance', { accepted: true, findings, reason: 'agreed', ...more });
const evidence = async (user: string, id: number): Promise<Json> => {
  const { status, json } = await call(user, 'GET', `attack-paths/${id}/acceptance-evidence`);
  return status === 200 ? (json as Json).data : status;
};
const NONE = { template: null, attachments: [] };
const rule = (second_approver: boolean) =>
  service.call('PUT', 'config', { key: 'findings.acceptance', value: { second_approver } });

let north: number;
let south: number;

beforeEach(async () => {
  await rule(false);
  for (const table of [
    'acceptance_request',
    'bulk_change',
    'evidence',
    'acceptance_template',
    'attachment',
    'audit_log',
  ])
    await sql(`delete from ${table}`);
  await sql(`update finding set status = 'active', accepted_until = null, accepted_by = null, accepted_reason = null,
    accepted_through = null, approved_by = null, accepted_evidence = null where deleted_at is null`);
  [north, south] = [(await open(sidOf('NORTH')))[0].id, (await open(sidOf('SOUTH')))[0].id];
});

describe('an uploaded file', () => {
  it('is always saved by clients, and never shown', async () => {
    const id = await uploaded('bob', '../../größe "x".txt', 'text');
    const [status, text, headers] = await bytesOf('bob', id);
    expect([status, text]).toEqual([200, 'text']);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="gr__e _x_.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20_x_.txt`,
    );
  });

  it('is refused with another type, above the size, and if it is not base64', async () => {
    for (const [name, content, message] of [
      ['a.pdf', '<html><script>alert(1)</script>', 'markup'],
      ['a.png', '<svg onload="alert(1)"/>', 'markup'],
      ['a.txt', Buffer.from([77, 90, 0, 1]), 'not a PDF'],
      ['a.bin', randomBytes(4 * 1024 * 1024 + 1), ''],
    ] as const) {
      const [status, json] = await upload('bob', name, content);
      expect([name, [400, 413].includes(status), json.errors[0].message.includes(message)]).toEqual([
        name,
        true,
        true,
      ]);
    }
    const whole = Buffer.concat([Buffer.from('%PDF-'), randomBytes(4 * 1024 * 1024 - 5)]);
    expect((await upload('bob', 'a.pdf', whole))[0]).toBe(201);
    for (const content of ['', 'a', 'ab==cd', 'YQ', 'YR==', '%%%%', 'YQ==\n', 1, null]) {
      const { status } = await call('bob', 'POST', 'attachments', { name: 'a.txt', content } as never);
      expect([content, status]).toEqual([content, 400]);
    }
    expect((await call('bob', 'POST', 'attachments', { name: '', content: 'YQ==' })).status).toBe(400);
    expect((await call('ron', 'POST', 'attachments', { name: 'a', content: 'YQ==' })).status).toBe(403);
  });

  it('is of its user alone until something has it', async () => {
    const id = await uploaded('bob');
    for (const user of ['admin', 'nora', 'eve'])
      expect([
        user,
        (await bytesOf(user, id))[0],
        (await call(user, 'DELETE', `attachments/${id}`)).status,
      ]).toEqual([...[user, 404, 404]]);
    const { status, json } = await accept('admin', [north], { attachments: [id] });
    expect([status, (json as Json).errors[0].message]).toEqual([
      400,
      expect.stringContaining(`no file ${id} of yours`),
    ]);
    expect((await sql("select from finding where status = 'accepted'")).length).toBe(0);
    expect((await call('bob', 'DELETE', `attachments/${id}`)).status).toBe(204);
    expect((await bytesOf('bob', id))[0]).toBe(404);
  });

  it('is not deleted while something begins to use it', async () => {
    const id = await uploaded('bob');
    const client = await service.database.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `with made as (insert into evidence (template) values (null) returning id)
         insert into evidence_file (evidence_id, attachment_id) select id, $1 from made`,
        [id],
      );
      const deleting = call('bob', 'DELETE', `attachments/${id}`);
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      await vi.waitUntil(async () => (await sql(waiting)).length > 0, { timeout: 100_000 });
      await client.query('commit');
      expect((await deleting).status).toBe(409);
    } finally {
      client.release();
    }
    expect((await bytesOf('bob', id))[0]).toBe(200);
  });

  it('is counted for its user and for all', async () => {
    await sql(`insert into attachment (user_id, uploaded_by, name, media_type, byte_count, sha256, content)
      select id, 'bob', 'x', 'text/plain', 1, '', 'x' from user_account, generate_series(1, 50) where principal_name = 'bob'`);
    const [many, text] = await upload('bob', 'a.txt', 'a');
    expect([many, text.errors[0].message]).toEqual([409, expect.stringContaining('50 files')]);
    expect((await upload('nora', 'a.txt', 'a'))[0]).toBe(201);
    await sql('delete from attachment');
    await sql(`insert into attachment (user_id, uploaded_by, name, media_type, byte_count, sha256, content)
      select id, 'bob', 'x', 'text/plain', 200 * 1024 * 1024, '', 'x' from user_account where principal_name = 'bob'`);
    expect((await upload('bob', 'a.txt', 'a'))[0]).toBe(409);
    expect((await upload('nora', 'a.txt', 'a'))[0]).toBe(201);
    await sql(`insert into attachment (uploaded_by, name, media_type, byte_count, sha256, content)
      values ('gone', 'x', 'text/plain', 900 * 1024 * 1024, '', 'x')`);
    expect((await upload('nora', 'a.txt', 'a'))[0]).toBe(409);
  });
});

describe('the evidence of an acceptance', () => {
  it('has the template and the files, for users who see the finding', async () => {
    const own = await uploaded('bob', 'mail.txt', 'We accept it');
    const policy = await uploaded('admin', 'policy.txt', 'Policy 7');
    const { id } = await template({ attachments: [policy], days: 30 });
    expect((await accept('bob', [south], { template: id, attachments: [own] })).status).toBe(200);
    expect(await evidence('eve', south)).toMatchObject({
      template: 'Legacy',
      attachments: [
        { id: own, name: 'mail.txt', uploaded_by: 'bob', media_type: 'text/plain', byte_count: 12 },
        { id: policy, name: 'policy.txt', uploaded_by: 'admin' },
      ],
    });
    const [row] = (await service.data(
      'GET',
      `attack-paths/findings?id=eq:${south}&status=eq:accepted`,
    )) as Json[];
    expect(row).toMatchObject({ accepted_reason: 'agreed', accepted_evidence: true });
    expect((await bytesOf('eve', own))[1]).toBe('We accept it');
    // Users of another environment do not see the finding.
    expect(await evidence('nora', south)).toBe(404);
    for (const user of ['nora', 'sue']) expect([user, (await bytesOf(user, own))[0]]).toEqual([user, 404]);
    // Nora may accept risks, and therefore sees templates; Sue may not.
    expect([(await bytesOf('nora', policy))[0], (await bytesOf('sue', policy))[0]]).toEqual([200, 404]);
    expect((await call('bob', 'DELETE', `attachments/${own}`)).status).toBe(409);
    const [{ fields }] = await sql("select fields from audit_log where action = 'AcceptRisk'");
    expect(fields).toMatchObject({ template: 'Legacy', attachment_ids: String(own) });
    // The template may be changed or removed: the acceptance has what was chosen.
    expect((await call('admin', 'DELETE', `${TEMPLATES}/${id}`)).status).toBe(204);
    expect((await evidence('eve', south)).attachments).toHaveLength(2);
    expect((await bytesOf('nora', policy))[0]).toBe(404);
  });

  it('ends with the acceptance, comes back when that is undone, and is deleted when nothing has it', async () => {
    const [{ finding }] = await sql('select finding from finding where id = $1', [north]);
    const own = await uploaded('bob');
    const accepted = await accept('bob', [north], { attachments: [own] });
    const { bulk_change_id: first } = (accepted.json as Json).data;
    const ended = await accept('bob', [north], { accepted: false, reason: '' });
    expect(await evidence('bob', north)).toEqual(NONE);
    expect((await bytesOf('eve', own))[0]).toBe(404);
    const old = "clock_timestamp() - interval '25 hours'";
    await sql(`update attachment set uploaded_at = ${old}`);
    await sql(`update evidence set created_at = ${old}`);
    // The change can still be undone.
    expect(await pruneAttachments(service.database.db)).toBe(0);
    const { bulk_change_id: second } = (ended.json as Json).data;
    expect((await call('bob', 'POST', `attack-paths/bulk-changes/${second}/undo`)).status).toBe(200);
    expect((await evidence('eve', north)).attachments).toMatchObject([{ id: own }]);
    await sql('delete from bulk_change');
    expect(await pruneAttachments(service.database.db)).toBe(0);
    await call('bob', 'PUT', `attack-paths/${north}/acceptance`, { risk_type: finding, accepted: false });
    expect(await pruneAttachments(service.database.db)).toBe(1);
    expect([await sql('select from evidence'), (await bytesOf('bob', own))[0]]).toEqual([[], 404]);
    expect(first).not.toBe(second);
  });

  it('stays with the same terms, and is replaced by new evidence', async () => {
    const [{ finding }] = await sql('select finding from finding where id = $1', [north]);
    const terms = { risk_type: finding, accepted: true, reason: 'x', accept_until: '2099-01-01T00:00:00Z' };
    const [one, two] = [await uploaded('bob'), await uploaded('bob', 'b.txt')];
    const set = (more: object) =>
      call('bob', 'PUT', `attack-paths/${north}/acceptance`, { ...terms, ...more });
    expect((await set({ attachments: [one] })).status).toBe(200);
    expect((await set({})).status).toBe(200);
    expect((await evidence('bob', north)).attachments).toMatchObject([{ id: one }]);
    expect((await set({ attachments: [two] })).status).toBe(200);
    expect((await evidence('bob', north)).attachments).toMatchObject([{ id: two }]);
    expect((await set({ reason: 'y' })).status).toBe(200);
    expect(await evidence('bob', north)).toEqual(NONE);
    for (const more of [
      { attachments: [one, one] },
      { attachments: Array.from({ length: 11 }, (_, at) => at + 1) },
      { attachments: [0] },
      { attachments: [2 ** 31] },
      { template: 0 },
      { template: 999 },
    ])
      expect([more, (await set(more)).status]).toEqual([more, 400]);
  });

  it('is the same for the same template and files, so that a repeated request changes nothing', async () => {
    const [one, two] = [await uploaded('bob'), await uploaded('bob', 'b.txt')];
    const { id } = await template();
    const changed = async (more: object): Promise<number> =>
      ((await accept('bob', [north, south], more)).json as Json).data.changed;
    expect(await changed({ template: id, attachments: [one, two] })).toBe(2);
    expect(await changed({ template: id, attachments: [two, one] })).toBe(0);
    expect(await sql('select from evidence')).toHaveLength(1);
    for (const more of [{ attachments: [one, two] }, { attachments: [one] }, { template: id }])
      expect([more, await changed(more), await changed(more)]).toEqual([more, 2, 0]);
    expect(await evidence('bob', north)).toMatchObject({ template: 'Legacy', attachments: [] });
    // Housekeeping keeps what is chosen again.
    await sql("update evidence set created_at = clock_timestamp() - interval '25 hours'");
    await sql('delete from bulk_change');
    await accept('bob', [north], { attachments: [one] });
    await call('bob', 'PUT', `attack-paths/acceptance`, { accepted: false, findings: [north, south] });
    await sql('delete from bulk_change');
    await pruneAttachments(service.database.db);
    expect(await sql('select from evidence')).toHaveLength(1);
  });

  it('is part of a request, before the second approver decides', async () => {
    await rule(true);
    const own = await uploaded('bob');
    const { id: chosen } = await template();
    const asked = await accept('bob', [south], { attachments: [own], template: chosen });
    const { acceptance_request_id: id } = (asked.json as Json).data;
    const [request] = await service.data('GET', `${REQUESTS}?id=eq:${id}`);
    expect(request).toMatchObject({ template: 'Legacy', attachments: [{ id: own, uploaded_by: 'bob' }] });
    expect([
      (await bytesOf('admin', own))[0],
      (await bytesOf('nora', own))[0],
      (await bytesOf('eve', own))[0],
    ]).toEqual([200, 404, 404]);
    expect((await call('admin', 'PUT', `${REQUESTS}/${id}`, { decision: 'approve' })).status).toBe(200);
    expect(await evidence('eve', south)).toMatchObject({ template: 'Legacy', attachments: [{ id: own }] });
    const bad = await accept('bob', [north], { template: 999 });
    expect(bad.status).toBe(400);
    expect(await sql("select from acceptance_request where state = 'waiting'")).toEqual([]);
  });
});

describe('a template', () => {
  it('is kept by administrators, and chosen by users who may accept risks', async () => {
    const { id } = await template({ days: 30 });
    for (const [method, path] of [
      ['POST', TEMPLATES],
      ['PUT', `${TEMPLATES}/${id}`],
      ['DELETE', `${TEMPLATES}/${id}`],
    ] as const)
      expect((await call('eve', method, path, { name: 'x', reason: 'y' })).status).toBe(403);
    expect((await call('eve', 'GET', TEMPLATES)).status).toBe(403);
    const { json } = await call('bob', 'GET', TEMPLATES);
    expect((json as Json).data).toMatchObject([
      { id, name: 'Legacy', reason: 'It goes', days: 30, changed_by: 'admin', attachments: [] },
    ]);
  });

  it('has one name, bounds, and files of its author', async () => {
    const { id } = await template();
    const set = (body: object, of = id) =>
      call('admin', 'PUT', `${TEMPLATES}/${of}`, { name: 'Legacy', reason: 'x', ...body });
    expect((await call('admin', 'POST', TEMPLATES, { name: ' LEGACY ', reason: 'x' })).status).toBe(409);
    const others = await uploaded('bob');
    for (const body of [
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { reason: '' },
      { reason: 'x'.repeat(2001) },
      { days: 0 },
      { days: 3651 },
      { attachments: [others] },
    ])
      expect([body, (await set(body)).status]).toEqual([body, 400]);
    expect((await set({}, 999)).status).toBe(404);
    const own = await uploaded('admin');
    expect((await set({ attachments: [own] })).status).toBe(200);
    // Another administrator keeps the files that it has.
    await sql("update attachment set user_id = null where uploaded_by = 'admin'");
    const kept = await set({ attachments: [own], days: 7 });
    expect([kept.status, (kept.json as Json).data]).toMatchObject([
      200,
      { days: 7, attachments: [{ id: own }] },
    ]);
    for (let count = 2; count <= 100; count++)
      await sql("insert into acceptance_template (name, reason, changed_by) values ($1, 'x', 'x')", [
        `t${count}`,
      ]);
    expect((await call('admin', 'POST', TEMPLATES, { name: 'One more', reason: 'x' })).status).toBe(409);
  });
});
