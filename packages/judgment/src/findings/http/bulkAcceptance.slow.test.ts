/** Accepts many findings in one request over HTTP: by number, and all that match filters as confirmed. */
import type { AnswerOf } from '@clew/api';
import { collectControllers, type TestCaller, useFindingServer } from '@clew/service/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addSimilarFindings } from '../../../test/findings/similarFindings.ts';

const server = useFindingServer();
const { call } = server;

const OF_TYPE = '?finding=T0GenericAll';
const ACCEPTED = { accepted: true, accept_until: '2099-01-01T00:00:00Z', reason: 'The group goes in spring' };

const matching = async (query = OF_TYPE, user: TestCaller = 'admin') => {
  const { status, json } = await call(`/api/v2/attack-paths/matching${query}`, { user });
  expect([query, status]).toEqual([query, 200]);
  return json.data as AnswerOf<'GetMatchingFindings'>['data'];
};
const accept = (
  body: object,
  query = '',
  more: { user?: TestCaller; headers?: Record<string, string> } = {},
) => call(`/api/v2/attack-paths/acceptance${query}`, { method: 'PUT', body, ...more });

async function list(query = ''): Promise<AnswerOf<'ListAttackPathFindings'>['data']> {
  const { json } = await call(`/api/v2/attack-paths/findings${OF_TYPE}&sort_by=id&limit=100${query}`);
  return json.data;
}

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await server.database.pool.query(text, [...values])).rows;
const entries = () =>
  sql("select action, actor_name, fields from audit_log where action like '%cceptRisk' order by id");

/** Adds findings similar to the first one. */
const addFindings = async (count: number) => {
  const [{ id }] = await sql("select id from finding where finding = 'T0GenericAll' order by id limit 1");
  await addSimilarFindings(server.database.pool, id, count);
};

beforeEach(async () => {
  await server.empty();
  await sql('delete from audit_log');
  await collectControllers(server, [1100, 1101, 1102]);
});

describe('findings accepted by one request', () => {
  it('are all that match, as they were counted, with one entry in the audit log', async () => {
    const before = await list();
    const { count, by_severity, state, limit } = await matching();
    expect([count, limit]).toEqual([before.length, 100_000]);
    expect(Object.values(by_severity).reduce((sum, one) => sum + one, 0)).toBe(count);
    const { status, json } = await accept({ ...ACCEPTED, all_matching: true, expected: state }, OF_TYPE);
    expect([status, json.data]).toMatchObject([200, { findings: count, changed: count, remaining: 0 }]);
    expect(await list()).toEqual([]);
    const accepted = await list('&status=accepted');
    expect(accepted.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(accepted[0]).toMatchObject({ accepted_by: 'admin', accepted_reason: ACCEPTED.reason });
    expect(accepted[0].last_seen > before[0].last_seen).toBe(true);
    expect(await entries()).toEqual([
      {
        ...{ action: 'AcceptRisk', actor_name: 'admin' },
        fields: {
          ...{
            findings: count,
            finding_ids: before.map(({ id }) => id).join(','),
            filters: OF_TYPE.slice(1),
            bulk_change_id: expect.any(Number),
          },
          ...{ accepted_until: '2099-01-01T00:00:00.000000Z', reason: ACCEPTED.reason },
        },
      },
    ]);
    const again = `${OF_TYPE}&status=accepted`;
    expect((await accept({ ...ACCEPTED, all_matching: true }, again)).json.data.changed).toBe(0);
    const ended = await accept({ accepted: false, all_matching: true }, again);
    expect(ended.json.data).toMatchObject({ findings: count, changed: count, remaining: 0 });
    expect((await list()).length).toBe(count);
    expect((await entries()).at(-1)).toMatchObject({ action: 'UnacceptRisk', fields: { findings: count } });
  });

  it('are not accepted when they are others, or more severe, than those that were counted', async () => {
    const { count, state } = await matching();
    const [first] = await list();
    const changes = [
      ['update finding set severity = (severity + 1) % 4 where id = $1', [first.id]],
      [
        "update finding set status = 'remediated', deleted_at = now(), updated_at = now() where id = $1",
        [first.id],
      ],
    ] as const;
    const confirmed = async () => {
      const { status, json } = await accept({ ...ACCEPTED, all_matching: true, expected: state }, OF_TYPE);
      return [status, json.errors?.[0].message];
    };
    const refusal = (now: number) => [
      409,
      `Conflict: the matching findings have changed in the meantime: ${now} match now. Nothing was changed`,
    ];
    await addFindings(1);
    expect(await confirmed()).toEqual(refusal(count + 1));
    await sql(...changes[1]);
    // The same number of findings, but different ones.
    expect(await confirmed()).toEqual(refusal(count));
    await sql("delete from finding where source_id = 'S-1'");
    await sql("update finding set status = 'active', deleted_at = null where id = $1", [first.id]);
    await sql(...changes[0]);
    expect(await confirmed()).toEqual(refusal(count));
    expect([(await list()).length, await entries()]).toEqual([count, []]);
    const now = await matching();
    const { json } = await accept({ ...ACCEPTED, all_matching: true, expected: now.state }, OF_TYPE);
    expect(json.data.changed).toBe(count);
  });

  it('are those that are named, without archived ones', async () => {
    const [first, second, third] = await list();
    await sql(
      "update finding set status = 'remediated', deleted_at = now(), updated_at = now() where id = $1",
      [third.id],
    );
    const { json } = await accept({ ...ACCEPTED, findings: [first.id, third.id] });
    expect(json.data).toMatchObject({ findings: 1, changed: 1, remaining: 0 });
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    expect((await accept({ ...ACCEPTED, findings: [third.id] })).status).toBe(404);
  });

  it('mention a user once, whose row counts those of all batches', async () => {
    await addFindings(4_500);
    onTestFinished(async () => void (await sql("delete from user_account where principal_name = 'bob'")));
    await sql("insert into user_account (id, principal_name, role_id) values (gen_random_uuid(), 'bob', 3)");
    const reason = 'Known to @bob';
    await accept({ accepted: true, all_matching: true, reason }, OF_TYPE);
    expect(await sql('select count, text from mention')).toEqual([{ count: 4_503, text: reason }]);
    await accept({ accepted: true, all_matching: true, reason: 'Still @bob' }, `${OF_TYPE}&status=accepted`);
    expect(await sql('select count, text from mention')).toEqual([{ count: 4_503, text: 'Still @bob' }]);
    await accept({ accepted: false, all_matching: true }, `${OF_TYPE}&status=accepted`);
    expect(await sql('select count from mention')).toEqual([]);
  });

  it('are accepted in batches, and those are counted that there was no time for', async () => {
    await addFindings(4_500);
    const client = await server.database.pool.connect();
    try {
      // Simulates that an analysis publishes.
      await client.query('begin');
      await client.query('update publication_clock set published_at = published_at');
      const headers = { prefer: 'wait=4' };
      const late = await accept({ ...ACCEPTED, all_matching: true }, OF_TYPE, { headers });
      expect([late.status, late.json.data]).toMatchObject([
        200,
        { findings: 4_503, changed: 0, remaining: 4_503 },
      ]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    const { json } = await accept({ ...ACCEPTED, all_matching: true }, OF_TYPE);
    expect(json.data).toMatchObject({ findings: 4_503, changed: 4_503, remaining: 0 });
    expect((await entries()).map(({ fields }) => fields.findings)).toEqual([2_000, 2_000, 503]);
    expect((await sql("select distinct updated_at from finding where status = 'accepted'")).length).toBe(3);
  });

  it('are at most 100,000, whose number the refusal says', async () => {
    await addFindings(100_000);
    expect((await matching()).count).toBe(100_003);
    const { status, json } = await accept({ ...ACCEPTED, all_matching: true }, OF_TYPE);
    expect([status, json.errors[0].message]).toEqual([
      409,
      'Conflict: more than 100000 findings match: narrow the filters, and change the findings in several steps',
    ]);
    expect(await entries()).toEqual([]);
  });

  it('are those that the user sees, of users who may accept risks', async () => {
    const [{ id }] = await list();
    expect(await matching(OF_TYPE, 'elsewhere')).toMatchObject({ count: 0 });
    const user = 'elsewhere';
    const none = await accept({ ...ACCEPTED, all_matching: true }, OF_TYPE, { user });
    expect(none.json.data).toMatchObject({ findings: 0, changed: 0, remaining: 0 });
    expect((await accept({ ...ACCEPTED, findings: [id] }, '', { user })).status).toBe(404);
    expect((await accept({ ...ACCEPTED, findings: [id] }, '', { user: 'reader' })).status).toBe(403);
    expect(await entries()).toEqual([]);
  });

  it('are not guessed from a request that does not say which it means, or ends in the past', async () => {
    const [{ id }] = await list();
    const wrong: readonly (readonly [object, string?])[] = [
      [ACCEPTED],
      [{ ...ACCEPTED, all_matching: false }],
      [{ ...ACCEPTED, findings: [id], all_matching: true }],
      [{ ...ACCEPTED, findings: [id] }, '?severity=critical'],
      [{ ...ACCEPTED, findings: [] }],
      [{ ...ACCEPTED, findings: ['1; drop table finding'] }],
      [{ ...ACCEPTED, findings: Array(1001).fill(id) }],
      [{ ...ACCEPTED, all_matching: true, expected: 'x'.repeat(65) }],
      [{ ...ACCEPTED, all_matching: true, reason: 'x'.repeat(2001) }],
      [{ ...ACCEPTED, all_matching: true, accept_until: 'soon' }],
      [{ ...ACCEPTED, all_matching: true, accept_until: '2020-01-01T00:00:00Z' }],
      [{ ...ACCEPTED, all_matching: true }, '?owner=somebody'],
      [{ ...ACCEPTED, all_matching: true }, '?nonsense=1'],
      [{ ...ACCEPTED, all_matching: true }, '?severity='],
      [{ all_matching: true }],
    ];
    for (const [body, query] of wrong)
      expect([JSON.stringify(body).slice(0, 120), query, (await accept(body, query)).status]).toEqual([
        ...[JSON.stringify(body).slice(0, 120), query, 400],
      ]);
    for (const query of ['nonsense=1', 'nonsense=', 'severity=', 'severity=eq:critical&owner='])
      expect([query, (await call(`/api/v2/attack-paths/matching?${query}`)).status]).toEqual([query, 400]);
    expect((await list()).length).toBe(3);
  });
});

describe('the owner of all that match', () => {
  it('is not set when other findings match than those that were counted', async () => {
    const { state } = await matching();
    await addFindings(1);
    const body = { owner: null, all_matching: true, expected: state };
    const { status } = await call(`/api/v2/attack-paths/owner${OF_TYPE}`, { method: 'PUT', body });
    expect(status).toBe(409);
  });
});
