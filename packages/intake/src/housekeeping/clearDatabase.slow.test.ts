import { JOB_STATUS } from '@clew/api';
import type { Authenticator } from '@clew/common';
import type { Generation } from '@clew/generation';
import { useHandlerServer, userNamed } from '@clew/server/testing';
import { buildContext, buildGeneration, waitingRequest, withdrawRequest } from '@clew/service/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { dumpFacts } from '../../test/ingest/dumpFacts.ts';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { ace, collection, computerRecord, groupRecord, userRecord } from '../../test/ingest/sharpHound.ts';
import { ingestAll, upload } from '../../test/ingest/uploads.ts';
import { listSourceKinds } from '../openGraph/sourceKinds.ts';
import { clearHandlers } from './clearHandler.ts';

const USER = '11111111-0000-4000-8000-000000000001';

const authenticator: Authenticator = {
  async begin({ headers }) {
    const name = headers.authorization?.split(' ')[1] as string;
    const user = userNamed(name, name === 'admin' ? ['db/Wipe'] : ['graphdb/Write']);
    return { principal: { ...user, userId: USER } };
  },
};

const served = useHandlerServer(clearHandlers, { authenticator });
beforeEach(async () => {
  await emptyStore(served.database);
  await served.database.pool.query(
    'delete from deletion_request; delete from source_kind where id > 2; delete from audit_log',
  );
});

async function clear(body: object, who = 'admin'): Promise<{ status: number; message?: string }> {
  const answer = await fetch(`${served.url}/api/v2/clear-database`, {
    method: 'POST',
    headers: { authorization: `test ${who}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return text === ''
    ? { status: answer.status }
    : { status: answer.status, message: JSON.parse(text).errors[0].message };
}

async function ingest(...contents: object[]): Promise<number> {
  const id = await upload(
    served.database,
    ...contents.map((content, at) => ({ name: `${at}.json`, content })),
  );
  await ingestAll(served.database);
  return id;
}

async function publish(): Promise<Generation | undefined> {
  let made: Generation | undefined;
  await buildGeneration(buildContext(served.database, (generation) => (made = generation)));
  return made;
}

async function kindsOf(): Promise<Record<string, string>> {
  const { rows } = await served.database.pool.query(
    `select object_id, (select string_agg(name, ' ' order by node_kind.id) from node_kind where node_kind.id = any (kinds)) as kinds
     from node join object_id using (id) order by object_id`,
  );
  return Object.fromEntries(rows.map(({ object_id, kinds }) => [object_id, kinds]));
}

async function edges(): Promise<string[]> {
  const { rows } = await served.database.pool.query('select start_id, kind, end_id from edge');
  return rows.map((row) => `${row.start_id} ${row.kind} ${row.end_id}`).sort();
}

const idOf = async (name: string): Promise<number> =>
  (await listSourceKinds(served.database.db)).find((kind) => kind.name === name)?.id as number;

const AD = [
  collection(
    'users',
    userRecord('S-1-9-1', {
      Aces: [ace('S-1-9-2', 'GenericAll'), { ...ace('S-1-9-2', 'WriteDacl', true), InheritanceHash: 'AB' }],
    }),
  ),
  collection(
    'groups',
    groupRecord('S-1-9-2', { Members: [{ ObjectIdentifier: 'S-1-9-1', ObjectType: 'User' }] }),
  ),
];
const graphOf = (sourceKind: string | undefined, kind: string, prefix: string) => ({
  ...(sourceKind === undefined ? {} : { metadata: { source_kind: sourceKind } }),
  graph: {
    nodes: [{ id: `${prefix}1`, kinds: [kind], properties: { name: `${prefix}1` } }],
    edges: [{ kind: 'SignsInAs', start: { value: `${prefix}1` }, end: { value: 'S-1-9-1' } }],
  },
});

describe('clearing', () => {
  test.each([
    [{}, 'the request selects nothing to delete'],
    [{ deleteCollectedGraphData: false, deleteSourceKinds: [] }, 'the request selects nothing to delete'],
    [{ deleteSourceKinds: [4711] }, 'requested source kind id 4711 not found'],
    [{ deleteRelationships: ['Nope'] }, 'requested relationship kind Nope is not a valid kind'],
    [
      { deleteCollectedGraphData: true, deleteSourceKinds: [0] },
      'deleteCollectedGraphData cannot be combined with deleteSourceKinds or deleteRelationships',
    ],
  ])('of %j is rejected', async (body, message) => {
    expect(await clear(body)).toEqual({ status: 400, message });
    const { rows } = await served.database.pool.query('select count(*) from audit_log');
    expect(Number(rows[0].count)).toBe(0);
  });

  test('needs the permission to wipe, and leaves an audit record', async () => {
    expect((await clear({ deleteFileIngestHistory: true }, 'writer')).status).toBe(403);
    expect(await clear({ deleteFileIngestHistory: true, deleteSourceKinds: [0, 1] })).toEqual({
      status: 204,
    });
    const { rows } = await served.database.pool.query(
      'select actor_name, action, status, fields from audit_log',
    );
    expect(rows).toEqual([
      {
        actor_name: 'admin',
        action: 'DeleteBloodhoundData',
        status: 'success',
        fields: { deleteFileIngestHistory: true, deleteSourceKinds: '0, 1' },
      },
    ]);
  });

  test('of the graph waits for the data pipe, and cannot be canceled', async () => {
    await ingest(...AD);
    const before = await dumpFacts(served.database.pool);
    await clear({ deleteRelationships: ['MemberOf'] });
    await clear({ deleteSourceKinds: [0, 1] });
    expect(await dumpFacts(served.database.pool)).toBe(before);
    expect(await waitingRequest(served.database.db)).toMatchObject({
      requested_by: USER,
      request_type: 'deletion',
      delete_all_graph: false,
      delete_sourceless_graph: true,
      delete_source_kinds: ['Base'],
      delete_relationships: ['MemberOf'],
    });
    await expect(withdrawRequest(served.database.db)).rejects.toMatchObject({ status: 409 });
    await ingestAll(served.database);
    expect((await waitingRequest(served.database.db)).request_type).not.toBe('deletion');
    expect(await kindsOf()).toEqual({});
  });

  test('deletes the whole graph, and later uploads are ingested after it', async () => {
    await ingest(...AD, graphOf('Hub', 'HubUser', 'H'));
    await publish();
    await served.database.pool.query(
      `with made as (
         insert into custom_check (name, definition, created_by, updated_by)
         values ('Check_X', '{}', 'test', 'test') returning id
       ) insert into custom_check_offender select made.id, node.id, '[]' from made, node`,
    );
    await served.database.pool.query(
      `insert into directory_reading (environment_id, name, controller, account, reported_by)
       values ('S-1-9', 'AURORA.EXAMPLE', 'dc1', 'reader', 'test')`,
    );
    await clear({ deleteCollectedGraphData: true });
    const later = await upload(served.database, {
      name: 'u.json',
      content: collection('users', userRecord('S-9')),
    });
    await ingestAll(served.database);
    expect(await kindsOf()).toEqual({ 'S-9': 'Base User' });
    expect(await edges()).toEqual([]);
    expect(await listSourceKinds(served.database.db)).toHaveLength(3);
    const offenders = await served.database.pool.query('select from custom_check_offender');
    expect(offenders.rowCount).toBe(0);
    expect((await served.database.pool.query('select from directory_reading')).rowCount).toBe(0);
    await served.database.pool.query('delete from custom_check');
    const generation = await publish();
    expect(generation?.collected).toMatchObject({ total_nodes: 1, total_edges: 0 });
    const { rows } = await served.database.pool.query('select status from upload_job where id = $1', [later]);
    expect(rows[0].status).toBe(JOB_STATUS.complete);
  });

  test('allows the same upload again, with the new time', async () => {
    await ingest(...AD);
    const facts = await dumpFacts(served.database.pool, { times: false });
    const [{ observed_at: first }] = (await served.database.pool.query('select observed_at from observation'))
      .rows;
    await clear({ deleteCollectedGraphData: true });
    await ingestAll(served.database);
    await ingest(...AD);
    expect(await dumpFacts(served.database.pool, { times: false })).toBe(facts);
    const [{ observed_at: second }] = (
      await served.database.pool.query('select observed_at from observation')
    ).rows;
    expect(second > first).toBe(true);
  });

  test('of one source kind leaves objects of other sources', async () => {
    await ingest(
      ...AD,
      graphOf('Hub', 'HubUser', 'H'),
      graphOf('Vault', 'VaultUser', 'V'),
      graphOf(undefined, 'Loose', 'L'),
    );
    // Objects that a payload only refers to do not belong to its source.
    expect((await kindsOf())['S-1-9-1']).toBe('Base User');
    const others = async () =>
      (await dumpFacts(served.database.pool, { times: false }))
        .split('\n')
        .filter((line) => !/H1|opengraph:Hub/.test(line));
    const before = await others();

    await clear({ deleteSourceKinds: [await idOf('Hub')] });
    await ingestAll(served.database);
    expect(await kindsOf()).toEqual({
      L1: 'Loose',
      'S-1-9-1': 'Base User',
      'S-1-9-2': 'Base Group',
      V1: 'Vault VaultUser',
    });
    expect(await edges()).toContain('V1 SignsInAs S-1-9-1');
    expect(await edges()).not.toContain('H1 SignsInAs S-1-9-1');
    expect(await others()).toEqual(before);
    expect((await listSourceKinds(served.database.db)).map(({ name }) => name)).toEqual([
      'Base',
      'AZBase',
      'Vault',
      'Sourceless',
    ]);

    await clear({ deleteSourceKinds: [0, await idOf('Vault')] });
    await ingestAll(served.database);
    expect(await kindsOf()).toEqual({ 'S-1-9-1': 'Base User', 'S-1-9-2': 'Base Group' });
  });

  test('of the collector keeps nodes that OpenGraph data describe', async () => {
    await ingest(...AD, graphOf('Hub', 'HubUser', 'H'));
    await clear({ deleteSourceKinds: [1] });
    await ingestAll(served.database);
    expect(Object.keys(await kindsOf())).toEqual(['H1', 'S-1-9-1']);
    expect(await edges()).toEqual(['H1 SignsInAs S-1-9-1']);
  });

  test('of relationships deletes only those kinds, and keeps the properties of the others', async () => {
    const session = { UserSID: 'S-1-9-1', ComputerSID: 'S-1-9-3' };
    await ingest(
      ...AD,
      collection(
        'computers',
        computerRecord('S-1-9-3', { Sessions: { Collected: true, Results: [session] } }),
      ),
      {
        graph: {
          edges: [
            { kind: 'Aaa', start: { value: 'X' }, end: { value: 'Y' }, properties: { a: 1 } },
            { kind: 'Bbb', start: { value: 'X' }, end: { value: 'Y' }, properties: { b: 2 } },
            { kind: 'Ccc', start: { value: 'X' }, end: { value: 'Y' } },
          ],
        },
      },
    );
    const before = await edges();
    await clear({ deleteRelationships: ['GenericAll', 'HasSession', 'Aaa', 'MemberOf'] });
    await ingestAll(served.database);
    expect(await edges()).toEqual(before.filter((edge) => !/GenericAll|HasSession|Aaa|MemberOf/.test(edge)));
    expect(before.filter((edge) => /GenericAll|HasSession|Aaa|MemberOf/.test(edge))).toHaveLength(4);
    const { rows } = await served.database.pool.query(
      'select properties from edge_set where properties is not null union all select properties from sample_edge order by 1',
    );
    expect(rows.map(({ properties }) => properties)).toEqual([
      { 0: { inheritancehash: 'AB' } },
      { b: 2 },
      null,
    ]);
    const { rows: empty } = await served.database.pool.query("select from edge_set where start_ids = '{}'");
    expect(empty).toEqual([]);
  });

  test('of histories is immediate, and keeps jobs that have not ended', async () => {
    await ingest(...AD);
    await publish();
    const waiting = await upload(served.database, { name: 'u.json', content: AD[0] });
    await served.database.pool.query(
      `insert into data_quality (generation_id, run_id, created_at, environment_id, environment_kind, node_counts,
         edge_counts, relationships, acls, sessions, active_computers, session_computers, group_computers)
       values (1, gen_random_uuid(), now(), 'X', 1, '{}', '{}', 0, 0, 0, 0, 0, 0)`,
    );
    await clear({ deleteFileIngestHistory: true, deleteDataQualityHistory: true });
    const { rows: jobs } = await served.database.pool.query('select id from upload_job');
    expect(jobs).toEqual([{ id: waiting }]);
    expect((await served.database.pool.query('select from ingest_task')).rowCount).toBe(0);
    expect((await served.database.pool.query('select from data_quality')).rowCount).toBe(0);
    expect(Object.keys(await kindsOf())).toHaveLength(2);
  });

  test('of selectors keeps those of the service', async () => {
    await served.database.pool.query(
      `insert into asset_group_tag_selector (asset_group_tag_id, name, created_by, updated_by)
       select min(id), 'mine', 'x', 'x' from asset_group_tag`,
    );
    const count = async (condition: string): Promise<number> =>
      Number(
        (await served.database.pool.query(`select count(*) from asset_group_tag_selector where ${condition}`))
          .rows[0].count,
      );
    const defaults = await count('is_default');
    const [{ id }] = (await served.database.pool.query('select min(id) as id from asset_group_tag')).rows;
    expect(await clear({ deleteAssetGroupSelectors: [id] })).toEqual({ status: 204 });
    expect([await count('not is_default'), await count('is_default')]).toEqual([0, defaults]);
    const { rows } = await served.database.pool.query(
      `select action, target from asset_group_history where action not like 'Create%'`,
    );
    expect(rows).toEqual([{ action: 'DeleteSelector', target: 'mine' }]);
  });
});
