/** Acceptances with a second approver over HTTP: who may decide, what changes, what expires, and what the audit log has. */
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endAcceptanceRequests } from './acceptanceRequests.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  await service.addUser('bob', 'Power User');
  await service.addUser('nora', 'Power User');
  // No role with this right can be limited to environments yet, but the list does not rely on it.
  await service.database.pool.query('update user_account set environments = $1 where principal_name = $2', [
    [sidOf('NORTH')],
    'nora',
  ]);
  await service.addUser('eve', 'User');
  await service.upload(...twoDomains({ NORTH: [1101, 1102], SOUTH: [1101] }, [1101, 1102, 1103]));
}, 120_000);
afterAll(() => service.stop());

const rules = (value: object) => service.call('PUT', 'config', { key: 'findings.acceptance', value });
const LIST = 'attack-paths/acceptance-requests';
const requests = async (query = '?state=eq:waiting', user = 'admin'): Promise<Json[]> => {
  const { status, json } =
    user === 'admin' ? await service.call('GET', LIST + query) : await service.as(user, 'GET', LIST + query);
  expect(status).toBe(200);
  return (json as Json).data;
};
const decide = (user: string, id: number, decision: string, note?: string) => {
  const body = { decision, ...(note !== undefined && { note }) };
  return user === 'admin'
    ? service.call('PUT', `${LIST}/${id}`, body)
    : service.as(user, 'PUT', `${LIST}/${id}`, body);
};
const findings = async (status: string): Promise<Json[]> =>
  service.data('GET', `attack-paths/findings?limit=100&status=eq:${status}`);
const northern = async (): Promise<Json> =>
  (await findings('active')).find(({ source_principal_name: name }) => name === 'U1101@NORTH.EXAMPLE');
const actions = async (): Promise<string[]> => {
  const { rows } = await service.database.pool.query(
    "select action from audit_log where action like '%Acceptance' order by id",
  );
  return rows.map(({ action }: Json) => action);
};

beforeEach(async () => {
  await service.database.pool.query('delete from acceptance_request; delete from audit_log');
  expect((await rules({ second_approver: true, approval_days: 14 })).status).toBe(200);
});

describe('an acceptance that needs a second approver', () => {
  it('waits, and leaves the finding open until another user approves it', async () => {
    const { id, finding } = await northern();
    const until = '2099-12-31T00:00:00.000000Z';
    const body = { risk_type: finding, accepted: true, accept_until: until, reason: 'until spring' };
    const asked = await service.call('PUT', `attack-paths/${id}/acceptance`, body);
    expect([asked.status, (asked.json as Json).data.Accepted]).toEqual([200, false]);
    const [request] = await requests();
    expect(request).toMatchObject({
      ...{
        id: (asked.json as Json).acceptance_request_id,
        state: 'waiting',
        finding_count: 1,
        finding_ids: [id],
      },
      ...{
        requested_by: 'admin',
        is_own: true,
        accept_until: until,
        reason: 'until spring',
        decided_by: null,
      },
    });
    expect((await northern()).status).toBe('active');
    // The user who asked cannot decide it, and no other user withdraws it.
    for (const decision of ['approve', 'refuse'])
      expect((await decide('admin', request.id, decision)).status).toBe(403);
    expect((await decide('bob', request.id, 'withdraw')).status).toBe(403);
    expect((await decide('eve', request.id, 'approve')).status).toBe(403);
    expect((await northern()).status).toBe('active');
    const approved = await decide('bob', request.id, 'approve', 'as agreed');
    expect([approved.status, (approved.json as Json).data]).toMatchObject([
      200,
      { changed: 1, remaining: 0, request: { state: 'approved', decided_by: 'bob', note: 'as agreed' } },
    ]);
    const accepted = (await findings('accepted')).find((row) => row.id === id);
    expect(accepted).toMatchObject({ accepted_by: 'admin', approved_by: 'bob', accepted_until: until });
    expect(await actions()).toEqual(['RequestAcceptance', 'ApproveAcceptance']);
    // It is decided, and the setting holds for the next one.
    expect((await decide('bob', request.id, 'refuse')).status).toBe(409);
    // Ending it needs no approval.
    await service.call('PUT', `attack-paths/${id}/acceptance`, { risk_type: finding, accepted: false });
    expect((await northern()).status).toBe('active');
  });

  it('of many findings is one request, which another user can refuse', async () => {
    const all = (await findings('active')).map(({ id }) => id);
    const { json } = await service.call('PUT', 'attack-paths/acceptance', {
      ...{ accepted: true, findings: all, reason: 'all' },
    });
    const { acceptance_request_id: id, ...counts } = (json as Json).data;
    expect(counts).toEqual({ findings: all.length, changed: 0, remaining: 0, bulk_change_id: null });
    expect((await decide('bob', id, 'refuse', 'no')).status).toBe(200);
    expect((await requests(''))[0]).toMatchObject({ id, state: 'refused', decided_by: 'bob', note: 'no' });
    expect(await findings('accepted')).toEqual([]);
    expect(await actions()).toEqual(['RequestAcceptance', 'RefuseAcceptance']);
  });

  it('can be withdrawn, and is found by its finding', async () => {
    const { id } = await northern();
    const other = (await findings('active')).find((row) => row.id !== id) as Json;
    await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: [id] });
    const [request] = await requests(`?finding=${id}`);
    expect(await requests(`?finding=${other.id}`)).toEqual([]);
    expect((await decide('admin', request.id, 'withdraw')).status).toBe(200);
    expect(await requests()).toEqual([]);
    expect((await decide('bob', request.id, 'approve')).status).toBe(409);
  });

  it('is seen and decided only by users who may see all of its findings', async () => {
    const all = (await findings('active')).map(({ id }) => id);
    const { id: north } = await northern();
    for (const some of [all, [north]])
      await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: some });
    const [own, both] = await requests();
    expect((await requests(undefined, 'nora')).map(({ id }) => id)).toEqual([own.id]);
    expect((await decide('nora', both.id, 'approve')).status).toBe(404);
    expect((await decide('nora', own.id, 'approve')).status).toBe(200);
    const waiting = async (user: string): Promise<Json[]> => {
      const { json } = await service.as(user, 'GET', 'inbox');
      return (json as Json).data.groups.find(({ group }: Json) => group === 'waiting').items;
    };
    expect((await waiting('bob')).filter(({ kind }) => kind === 'approval')).toMatchObject([
      { by: 'admin', count: all.length },
    ]);
    expect((await waiting('nora')).filter(({ kind }) => kind === 'approval')).toEqual([]);
    // The user who asked cannot approve it.
    const { json } = await service.call('GET', 'inbox');
    expect(JSON.stringify(json)).not.toContain('"kind":"approval"');
    const { finding } = (await findings('accepted')).find(({ id }) => id === north) as Json;
    await service.call('PUT', `attack-paths/${north}/acceptance`, { risk_type: finding, accepted: false });
  });

  it('tells the user who asked how it ended, and no other user', async () => {
    const all = (await findings('active')).map(({ id }) => id);
    const [first] = all;
    const asked = async (some: readonly number[]): Promise<number> => {
      const body = { accepted: true, findings: some, reason: 'x' };
      return ((await service.call('PUT', 'attack-paths/acceptance', body)).json as Json).data
        .acceptance_request_id;
    };
    const decisions = async (user: string, query = ''): Promise<Json[]> => {
      const { json } = await (user === 'admin'
        ? service.call('GET', `inbox${query}`)
        : service.as(user, 'GET', `inbox${query}`));
      const { items } = (json as Json).data.groups.find(({ group }: Json) => group === 'waiting');
      return items.filter(({ kind }: Json) => kind === 'decision');
    };
    const [refused, withdrawn, expired, approved] = [
      await asked(all),
      await asked(all),
      await asked(all),
      await asked([first]),
    ];
    expect(await decisions('admin')).toEqual([]);
    await decide('bob', refused, 'refuse', 'too long');
    await decide('admin', withdrawn, 'withdraw');
    await service.database.pool.query('update acceptance_request set expires_at = now() where id = $1', [
      expired,
    ]);
    await decide('bob', approved, 'approve');
    const none = { accepted_count: 0, skipped_count: 0, finding_id: expect.any(Number) };
    expect(await decisions('admin')).toMatchObject([
      {
        ...{ key: `decision:${approved}`, by: 'bob', count: 1, done: false },
        decision: { state: 'approved', accepted_count: 1, skipped_count: 0, finding_id: first },
      },
      { key: `decision:${expired}`, by: null, count: all.length, decision: { ...none, state: 'expired' } },
      {
        ...{ key: `decision:${refused}`, by: 'bob', count: all.length, note: 'too long' },
        decision: { ...none, state: 'refused' },
      },
    ]);
    for (const user of ['bob', 'nora']) expect(await decisions(user)).toEqual([]);
    await service.call('PUT', 'inbox/marks', { done: [`decision:${refused}`] });
    expect((await decisions('admin')).map(({ key }) => key)).not.toContain(`decision:${refused}`);
    const states = (await decisions('admin', '?all=true')).map(({ decision, done }) => [
      decision.state,
      done,
    ]);
    expect(states).toEqual([
      ['approved', false],
      ['expired', false],
      ['refused', true],
      ['withdrawn', true],
    ]);
    // Work that waits comes before news.
    await service.call('PUT', 'attack-paths/owner', { owner: 'me', findings: all.slice(-1) });
    const { json } = await service.call('GET', 'inbox');
    const { items } = (json as Json).data.groups.find(({ group }: Json) => group === 'waiting');
    expect(items.map(({ kind }: Json) => kind).slice(-3)).toEqual(['assigned', 'decision', 'decision']);
    await service.call('PUT', 'attack-paths/owner', { owner: null, findings: all.slice(-1) });
    // News are of the time that the inbox is about.
    await service.database.pool.query(
      "update acceptance_request set decided_at = now() - interval '1 day' where id = any ($1)",
      [[approved, withdrawn]],
    );
    expect((await decisions('admin', '?all=true')).map(({ key }) => key)).toEqual([
      `decision:${expired}`,
      `decision:${refused}`,
    ]);
    await service.call('PUT', 'attack-paths/acceptance', { accepted: false, findings: [first] });
  });

  it('expires, also before housekeeping notes it', async () => {
    const { id } = await northern();
    await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: [id] });
    const [request] = await requests();
    await service.database.pool.query(
      "update acceptance_request set expires_at = clock_timestamp() - interval '1 minute'",
    );
    expect(await requests()).toEqual([]);
    expect((await decide('bob', request.id, 'approve')).status).toBe(409);
    await endAcceptanceRequests(service.database.db);
    expect((await requests(''))[0]).toMatchObject({ state: 'expired' });
    expect(await actions()).toEqual(['RequestAcceptance', 'ExpireAcceptance']);
    expect((await northern()).status).toBe('active');
  });

  it('is refused with an end in the past, and above the number of waiting ones', async () => {
    const { id } = await northern();
    const ask = (more: object = {}) =>
      service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: [id], ...more });
    expect((await ask({ accept_until: '2020-01-01T00:00:00Z' })).status).toBe(400);
    for (let count = 0; count < 100; count++) expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(409);
  }, 60_000);

  it.each([{ second_approver: 'yes' }, { approval_days: 0 }, { approval_days: 366 }, { more: true }])(
    'refuses the setting %j',
    async (value) => {
      expect((await rules(value)).status).toBe(400);
    },
  );

  it('is not needed once the setting is off', async () => {
    await rules({ second_approver: false });
    const { id, finding } = await northern();
    await service.call('PUT', 'attack-paths/acceptance', { accepted: true, findings: [id] });
    const accepted = (await findings('accepted')).find((row) => row.id === id);
    expect([accepted.accepted_by, accepted.approved_by]).toEqual(['admin', undefined]);
    await service.call('PUT', `attack-paths/${id}/acceptance`, { risk_type: finding, accepted: false });
  });
});
