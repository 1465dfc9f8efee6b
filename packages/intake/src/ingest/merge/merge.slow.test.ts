/** Checks the contents of the store after collections are merged, one after the other. */
import { sampledCases } from '@clew/common/testing';
import { EdgeFlag, type ObjectFacts, type PropertyValue } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dumpFacts } from '../../../test/ingest/dumpFacts.ts';
import { described, edge, edgeSet, mentioned, record } from '../../../test/ingest/facts.ts';
import { dayTime, mergeInBatches, type TestFile, type TestMerge } from '../../../test/ingest/mergeHarness.ts';

let database: Database;
/** Objects merged together: the result is the same. */
let batchObjects: number | undefined;

function mergeFiles(on: Database, observedAt: string, ...files: readonly TestFile[]): Promise<TestMerge> {
  return mergeInBatches(on, observedAt, batchObjects, files);
}

function mergeRecords(on: Database, day: number, ...records: readonly ObjectFacts[]): Promise<TestMerge> {
  return mergeFiles(on, dayTime(day), { records });
}

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate node, sighting, edge_set, sample_edge, object_id restart identity');
});

async function properties(objectId: string): Promise<Record<string, PropertyValue>> {
  const { rows } = await database.pool.query(
    'select properties from node join object_id using (id) where object_id = $1',
    [objectId],
  );
  return rows[0]?.properties;
}

async function kinds(objectId: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select array(select name from node_kind where node_kind.id = any (kinds) order by node_kind.id) as names
     from node join object_id using (id) where object_id = $1`,
    [objectId],
  );
  return rows[0]?.names;
}

async function edges(): Promise<string[]> {
  const { rows } = await database.pool.query('select start_id, kind, end_id from edge');
  return rows.map((row) => `${row.start_id} -${row.kind}-> ${row.end_id}`).sort();
}

// A commit merges object by object; `mergeSequences.slow.test.ts` merges in batches of all sizes.
describe.each(sampledCases([1, undefined], 2))('in batches of %j', (objects) => {
  beforeEach(() => {
    batchObjects = objects;
  });

  describe('nodes', () => {
    it('merges properties key by key: later descriptions win, null clears', async () => {
      await mergeRecords(
        database,
        1,
        record([described('U1', 'User', { name: 'A', title: 'T', mail: 'M' })]),
      );
      await mergeRecords(database, 2, record([described('U1', 'User', { name: 'B', title: null })]));
      expect(await properties('U1')).toEqual({ name: 'B', mail: 'M' });
    });

    it('fills gaps of a described object from a mention, but never overrides it', async () => {
      await mergeRecords(database, 1, record([described('U1', 'User', { name: 'A' })]));
      await mergeRecords(
        database,
        2,
        record([mentioned('U1', 'User', { name: 'WRONG', domain: 'D', gone: null })]),
      );
      expect(await properties('U1')).toEqual({ name: 'A', domain: 'D' });
    });

    it('creates a stub for an end that was not described, which a later description completes', async () => {
      const membership = edgeSet('G1', 'members', ['U1 -MemberOf-> G1']);
      await mergeRecords(database, 1, record([described('G1', 'Group')], [membership]));
      expect(await properties('U1')).toEqual({});
      expect(await kinds('U1')).toEqual(['Base', 'User']);
      await mergeRecords(database, 2, record([described('U1', 'User', { name: 'A' })]));
      await mergeRecords(database, 3, record([described('G1', 'Group')], [membership]));
      expect(await properties('U1')).toEqual({ name: 'A' });
    });

    it('combines kinds from all mentions', async () => {
      await mergeRecords(database, 1, record([described('G1', 'Group')]));
      const local = { startId: 'G1', startKind: 'ADLocalGroup' };
      await mergeRecords(
        database,
        2,
        record([], [edgeSet('C1', 'local-groups', [edge('G1 -LocalToComputer-> C1', local)])]),
      );
      expect(await kinds('G1')).toEqual(['Base', 'Group', 'ADLocalGroup']);
      expect(await kinds('C1')).toEqual(['Base', 'Computer']);
    });

    const told = [described('X', 'User')];
    const said = (kind: string) => [mentioned('X', kind, { name: 'X' })];

    it.each([
      ['a description alone', [told]],
      ['a mention before it', [said('Group'), told]],
      ['a mention after it', [told, said('Group')]],
      ['mentions on both sides', [said('Computer'), told, said('Group'), told]],
      ['mentions as a local group', [said('ADLocalGroup'), told, said('ADLocalGroup')]],
    ])('prefers the kind of a description to mentions: %s', async (_, parts) => {
      for (const inOneJob of [true, false]) {
        await database.pool.query(
          'truncate node, sighting, edge_set, sample_edge, object_id restart identity',
        );
        const records = parts.map((nodes) => record(nodes));
        if (inOneJob) await mergeRecords(database, 1, ...records);
        else for (const [day, one] of records.entries()) await mergeRecords(database, day + 1, one);
        expect([inOneJob, await kinds('X')]).toEqual([inOneJob, ['Base', 'User']]);
      }
    });

    it.each([
      [0, 1],
      [1, 0],
    ])('treats a group that a computer reports as a local group, too', async (...order) => {
      const parts = [[described('X', 'Group')], said('ADLocalGroup')];
      await mergeRecords(database, 1, record([mentioned('X', 'User')]));
      for (const [day, at] of order.entries())
        await mergeRecords(database, day + 2, record(parts[at] as never));
      expect(await kinds('X')).toEqual(['Base', 'Group', 'ADLocalGroup']);
    });

    it('combines the kinds of mentions if nothing describes the object, and the kinds of descriptions', async () => {
      await mergeRecords(database, 1, record(said('Group')), record(said('Computer')));
      expect(await kinds('X')).toEqual(['Base', 'Computer', 'Group']);
      await mergeRecords(database, 2, record(told), record([described('X', 'Group')]));
      expect(await kinds('X')).toEqual(['Base', 'User', 'Group']);
    });

    it('keeps an object without a kind', async () => {
      await mergeRecords(
        database,
        1,
        record([{ objectId: 'X', kinds: [], properties: { name: 'X' }, described: true }]),
      );
      expect(await kinds('X')).toEqual([]);
      expect(await properties('X')).toEqual({ name: 'X' });
    });

    it('registers kinds of other sources', async () => {
      await mergeRecords(
        database,
        1,
        record(
          [{ objectId: 'X', kinds: ['Zeta', 'Alpha'], properties: {}, described: true }],
          [
            edgeSet('X', 'opengraph', [edge('X -Likes-> Y', { startKind: 'Zeta', endKind: 'Alpha' })], {
              ownerKind: 'Zeta',
            }),
          ],
        ),
      );
      expect((await kinds('X')).sort()).toEqual(['Alpha', 'Zeta']);
      expect(await kinds('Y')).toEqual(['Alpha']);
      expect(await edges()).toEqual(['X -Likes-> Y']);
      const { rows } = await database.pool.query(
        "select name from node_kind where id >= 1000 and name not like 'Tag\\_%' order by id",
      );
      expect(rows.map((row) => row.name)).toEqual(['Alpha', 'Zeta']);
    });

    it('takes the environment from the properties', async () => {
      await mergeRecords(database, 1, record([described('U1', 'User', { domainsid: 'd-1' })]));
      expect(await dumpFacts(database.pool)).toContain('["node","U1",["Base","User"],"D-1"');
    });
  });

  describe('edge sets', () => {
    it('replaces an aspect that is collected again, and removes missing entries', async () => {
      const acl = (...entries: string[]) =>
        record([described('U1', 'User')], [edgeSet('U1', 'acl', entries)]);
      await mergeRecords(database, 1, acl('G1 -GenericAll-> U1', 'G2 -WriteDacl-> U1'));
      await mergeRecords(database, 2, acl('G2 -WriteDacl-> U1'));
      expect(await edges()).toEqual(['G2 -WriteDacl-> U1']);
      await mergeRecords(database, 3, acl());
      expect(await edges()).toEqual([]);
    });

    it('keeps other aspects, owners and sources', async () => {
      await mergeRecords(
        database,
        1,
        record(
          [described('G1', 'Group')],
          [edgeSet('G1', 'acl', ['U1 -GenericAll-> G1']), edgeSet('G1', 'members', ['U1 -MemberOf-> G1'])],
        ),
        record([described('G2', 'Group')], [edgeSet('G2', 'members', ['U1 -MemberOf-> G2'])]),
      );
      await mergeFiles(database, dayTime(2), {
        source: 'other',
        records: [record([described('G1', 'Group')], [edgeSet('G1', 'members', [])])],
      });
      await mergeRecords(database, 3, record([described('G1', 'Group')], [edgeSet('G1', 'acl', [])]));
      expect(await edges()).toEqual(['U1 -MemberOf-> G1', 'U1 -MemberOf-> G2']);
    });

    it('merges the sets of one job for the same aspect, in either order', async () => {
      const full = record(
        [described('G1', 'Group')],
        [edgeSet('G1', 'members', ['U1 -MemberOf-> G1', 'U2 -MemberOf-> G1'])],
      );
      const stub = record([described('G1', 'Group')], [edgeSet('G1', 'members', [])]);
      const other = record(
        [described('G1', 'Group')],
        [edgeSet('G1', 'members', ['U3 -MemberOf-> G1', 'U2 -MemberOf-> G1'])],
      );
      const all = ['U1 -MemberOf-> G1', 'U2 -MemberOf-> G1', 'U3 -MemberOf-> G1'];
      await mergeRecords(database, 1, full, stub, other);
      expect(await edges()).toEqual(all);
      await mergeRecords(database, 2, stub, other, full);
      expect(await edges()).toEqual(all);
      await mergeRecords(database, 3, stub, other);
      expect(await edges()).toEqual(['U2 -MemberOf-> G1', 'U3 -MemberOf-> G1']);
    });

    it('adds to the stored set when the new one does not replace', async () => {
      const add = (entry: string) => record([], [edgeSet('G1', 'members', [entry], { replaces: false })]);
      await mergeRecords(database, 1, add('U1 -MemberOf-> G1'));
      await mergeRecords(database, 2, add('U2 -MemberOf-> G1'));
      expect(await edges()).toEqual(['U1 -MemberOf-> G1', 'U2 -MemberOf-> G1']);
      expect((await mergeRecords(database, 3, add('U2 -MemberOf-> G1'))).changes).toBe(0);
      await mergeRecords(database, 4, record([], [edgeSet('G1', 'members', [], { replaces: false })]));
      expect(await edges()).toHaveLength(2);
      await mergeRecords(database, 5, record([], [edgeSet('G1', 'members', [])]));
      expect(await edges()).toEqual([]);
    });

    it('keeps one edge for several entries; an explicit one makes it not inherited', async () => {
      const entry = (flags: number, inheritancehash?: string) =>
        edge('G1 -GenericAll-> U1', { flags, properties: inheritancehash ? { inheritancehash } : undefined });
      const inherited = EdgeFlag.Acl | EdgeFlag.Inherited | EdgeFlag.HasAcl;
      const explicit = EdgeFlag.Acl | EdgeFlag.HasAcl;
      const sets = [edgeSet('U1', 'acl', [entry(inherited, 'H'), entry(explicit)])];
      await mergeRecords(database, 1, record([described('U1', 'User')], sets));
      const stored = () =>
        database.pool.query('select flags, properties from edge_set').then(({ rows }) => rows);
      expect(await stored()).toEqual([{ flags: [explicit], properties: { 0: { inheritancehash: 'H' } } }]);
      const apart = [entry(explicit), entry(inherited, 'H')].map((one) =>
        record([described('U1', 'User')], [edgeSet('U1', 'acl', [one])]),
      );
      await mergeRecords(database, 2, ...apart);
      expect(await stored()).toEqual([{ flags: [explicit], properties: { 0: { inheritancehash: 'H' } } }]);
    });

    it('writes only times if a collection is repeated', async () => {
      const collection = [
        record(
          [described('U1', 'User', { name: 'A', x: null })],
          [edgeSet('U1', 'acl', ['G1 -GenericAll-> U1'])],
        ),
        record([described('G1', 'Group', { name: 'B' })], [edgeSet('G1', 'members', ['U1 -MemberOf-> G1'])]),
        record([described('G1', 'Group', { x: 1 })], [edgeSet('G1', 'members', [])]),
      ];
      await mergeRecords(database, 1, ...collection);
      const rowVersions = () =>
        database.pool
          .query(
            'select array_agg(xmin::text || ctid::text) from node union all select array_agg(xmin::text || ctid::text) from edge_set',
          )
          .then(({ rows }) => rows);
      const [versions, dump] = [await rowVersions(), await dumpFacts(database.pool, { times: false })];
      const { changes } = await mergeRecords(database, 2, ...collection);
      expect(changes).toBe(0);
      expect(await rowVersions()).toEqual(versions);
      expect(await dumpFacts(database.pool, { times: false })).toBe(dump);
    });

    it('stores large sets like small ones', async () => {
      const members = Array.from({ length: 5000 }, (_, at) => edge(`U${(at * 7919) % 5000} -MemberOf-> G1`));
      const again = members.toReversed();
      await mergeRecords(
        database,
        1,
        record([described('G1', 'Group')], [edgeSet('G1', 'members', members)]),
      );
      expect(await edges()).toHaveLength(5000);
      const { changes } = await mergeRecords(
        database,
        2,
        record([described('G1', 'Group')], [edgeSet('G1', 'members', again)]),
      );
      expect(changes).toBe(0);
    });
  });

  describe('times', () => {
    const seen = async (objectId: string) => {
      const { rows } = await database.pool.query(
        'select first_seen, last_seen, last_collected from sighting join node on node.id = node_id join object_id using (id) where object_id = $1',
        [objectId],
      );
      return [rows[0].first_seen, rows[0].last_seen, rows[0].last_collected];
    };

    it('keeps when an object was first and last seen, and last described', async () => {
      const membership = edgeSet('G1', 'members', ['U1 -MemberOf-> G1']);
      await mergeRecords(database, 1, record([described('G1', 'Group')], [membership]));
      await mergeRecords(
        database,
        2,
        record([described('G1', 'Group')], [membership]),
        record([described('U1', 'User')]),
      );
      await mergeRecords(database, 3, record([described('G1', 'Group')], [membership]));
      expect(await seen('U1')).toEqual([dayTime(1), dayTime(3), dayTime(2)]);
      expect(await seen('G1')).toEqual([dayTime(1), dayTime(3), dayTime(3)]);
    });

    it('does not change if an older observation arrives again', async () => {
      await mergeRecords(database, 2, record([described('U1', 'User')]));
      await mergeRecords(database, 1, record([described('U1', 'User')]));
      expect(await seen('U1')).toEqual([dayTime(2), dayTime(2), dayTime(2)]);
    });

    it('dates a set that was not collected this time by its last collection', async () => {
      const acl = edgeSet('G1', 'acl', ['U1 -GenericAll-> G1']);
      const members = edgeSet('G1', 'members', ['U1 -MemberOf-> G1']);
      await mergeRecords(database, 1, record([described('G1', 'Group')], [acl, members]));
      await mergeRecords(database, 2, record([described('G1', 'Group')], [acl, members]));
      await mergeRecords(database, 3, record([described('G1', 'Group')], [acl]));
      const { rows } = await database.pool.query('select aspect, collected_at from edge_set order by aspect');
      // The list of members was confirmed on day 2; the access list is as fresh as its owner.
      expect(rows).toEqual([
        { aspect: 1, collected_at: dayTime(1) },
        { aspect: 2, collected_at: dayTime(2) },
      ]);
      const sighting = await database.pool.query(
        'select aspects from sighting where last_collected is not null',
      );
      expect(sighting.rows).toEqual([{ aspects: 2 }]);
    });
  });

  describe('samples', () => {
    it('accumulates sessions with the time of their last sighting', async () => {
      const sessions = (...entries: string[]) =>
        record([described('C1', 'Computer')], [edgeSet('C1', 'sessions', entries)]);
      await mergeRecords(database, 1, sessions('C1 -HasSession-> U1', 'C1 -HasSession-> U2'));
      await mergeRecords(database, 2, sessions('C1 -HasSession-> U2', 'C1 -HasSession-> U3'));
      await mergeRecords(database, 3, sessions());
      const { rows } = await database.pool.query(
        'select object_id, last_seen from sample_edge join object_id on id = end_id order by 1',
      );
      expect(rows.map((row) => [row.object_id, row.last_seen])).toEqual([
        ['U1', dayTime(1)],
        ['U2', dayTime(2)],
        ['U3', dayTime(2)],
      ]);
    });

    it('counts new and changed sessions, and no sessions that are only seen again', async () => {
      const seen = (user: string, flags = 0) =>
        record(
          [described('C1', 'Computer')],
          [edgeSet('C1', 'sessions', [edge(`C1 -HasSession-> ${user}`, { flags })])],
        );
      await mergeRecords(database, 1, seen('U1'));
      expect((await mergeRecords(database, 2, seen('U1'))).changes).toBe(0);
      const { rows } = await database.pool.query('select last_seen from sample_edge');
      expect(rows).toEqual([{ last_seen: dayTime(2) }]);
      expect((await mergeRecords(database, 3, seen('U1', EdgeFlag.Acl))).changes).toBe(1);
      expect((await mergeRecords(database, 4, seen('U2'))).changes).toBeGreaterThan(0);
    });
  });

  describe('deletion', () => {
    it('removes the object and its edges, and a later collection restores it', async () => {
      const described1 = record(
        [described('G1', 'Group', { name: 'A' })],
        [edgeSet('G1', 'members', ['U1 -MemberOf-> G1'])],
      );
      await mergeRecords(database, 1, described1);
      await mergeRecords(database, 2, record([], [], { deletedIds: ['G1', 'NOBODY'] }));
      const alive = () =>
        database.pool
          .query('select object_id from node join object_id using (id) where deleted_at is null order by 1')
          .then(({ rows }) => rows.map((row) => row.object_id));
      expect(await alive()).toEqual(['U1']);
      expect(await edges()).toEqual([]);
      await mergeRecords(database, 3, described1);
      expect(await alive()).toEqual(['G1', 'U1']);
      expect(await edges()).toEqual(['U1 -MemberOf-> G1']);
    });

    it('forgets the description: the object occurs again with what is written about it then', async () => {
      const u1 = async () => {
        const { rows } = await database.pool.query(
          `select properties, described, environment_id, deleted_at from node join object_id using (id)
           where object_id = 'U1'`,
        );
        return [...rows, await kinds('U1')];
      };
      const first = described('U1', 'Computer', { name: 'A', domainsid: 'S-1-5-21-1' });
      const member = record([described('G1', 'Group')], [edgeSet('G1', 'members', ['U1 -MemberOf-> G1'])]);
      await mergeRecords(database, 1, record([first]), member);
      await mergeRecords(database, 2, record([], [], { deletedIds: ['U1'] }));
      await mergeRecords(database, 3, member);
      const stub = { properties: {}, described: false, environment_id: null, deleted_at: null };
      expect(await u1()).toEqual([stub, ['Base', 'User']]);
      await mergeRecords(database, 4, record([described('U1', 'User', { title: 'T' })]));
      expect(await u1()).toEqual([
        { ...stub, properties: { title: 'T' }, described: true },
        ['Base', 'User'],
      ]);
      // It has the same description in both batches of a job that first mentions it.
      await mergeRecords(database, 5, record([], [], { deletedIds: ['U1'] }));
      await mergeRecords(database, 6, member, record([described('U1', 'User', { mail: 'M' })]));
      expect(await u1()).toEqual([{ ...stub, properties: { mail: 'M' }, described: true }, ['Base', 'User']]);
    });
  });

  describe('edges matched by properties', () => {
    const byName = (distinguishedname: string, createMissing = true) =>
      record(
        [described('G1', 'Group')],
        [
          edgeSet('G1', 'members', ['U1 -MemberOf-> G1'], {
            matchedEdges: [
              {
                start: { matchers: [{ key: 'distinguishedname', value: distinguishedname }] },
                startKind: 'User',
                kind: 'MemberOf',
                end: 'G1',
                endKind: 'Group',
                flags: 0,
                createMissing,
              },
            ],
          }),
        ],
      );

    it('keeps the other edges of the set if a matcher is invalid', async () => {
      const set = edgeSet('G1', 'members', ['U1 -MemberOf-> G1'], {
        matchedEdges: [
          {
            ...edge('U2 -MemberOf-> G1'),
            start: { matchers: [{ key: 'name', value: 'x' }], kind: 'K'.repeat(300) },
            end: 'G1',
            createMissing: false,
          },
        ],
      });
      const { issues } = await mergeRecords(database, 1, record([described('G1', 'Group')], [set]));
      expect(await edges()).toEqual(['U1 -MemberOf-> G1']);
      expect(issues).toMatchObject([
        { severity: 'rejected', reason: `no node of kind ${'K'.repeat(128)} is known` },
      ]);
    });

    it('merges with the parts of the job for the same set before and after it', async () => {
      const some = (entry: string) => record([described('G1', 'Group')], [edgeSet('G1', 'members', [entry])]);
      await mergeRecords(database, 1, some('U9 -MemberOf-> G1'));
      await mergeRecords(database, 2, some('U3 -MemberOf-> G1'), byName('CN=U2'), some('U4 -MemberOf-> G1'));
      expect(await edges()).toEqual(['CN=U2', 'U1', 'U3', 'U4'].map((member) => `${member} -MemberOf-> G1`));
    });

    it('finds the one matching node, also in the same job', async () => {
      await mergeRecords(
        database,
        1,
        byName('CN=U2'),
        record([described('U2', 'User', { distinguishedname: 'CN=U2' })]),
      );
      expect(await edges()).toEqual(['U1 -MemberOf-> G1', 'U2 -MemberOf-> G1']);
    });

    it('creates a missing node that the collector names in full', async () => {
      await mergeRecords(database, 1, byName('CN=U2'));
      expect(await edges()).toEqual(['CN=U2 -MemberOf-> G1', 'U1 -MemberOf-> G1']);
      expect(await properties('CN=U2')).toEqual({ distinguishedname: 'CN=U2' });
      expect(await kinds('CN=U2')).toEqual(['Base', 'User']);
      expect((await mergeRecords(database, 2, byName('CN=U2'))).changes).toBe(0);
    });

    it('rejects an edge if several nodes match, keeps it waiting if none matches, and keeps the rest of the set', async () => {
      const twins = ['U2', 'U3'].map((id) =>
        record([described(id, 'User', { distinguishedname: 'CN=TWIN' })]),
      );
      const ambiguous = await mergeRecords(database, 1, byName('CN=TWIN'), ...twins);
      expect(ambiguous.matched.refused.map(({ reason }) => reason)).toEqual([
        'several objects match the properties of an edge: start of MemberOf with "distinguishedname" "CN=TWIN"',
      ]);
      const missing = await mergeRecords(database, 2, byName('CN=NOBODY', false));
      expect(missing.matched).toMatchObject({
        refused: [],
        waiting: [
          {
            count: 1,
            reason:
              'no object matches the properties of an edge yet; the edge is kept until one arrives: start of MemberOf with "distinguishedname" "CN=NOBODY"',
          },
        ],
      });
      expect(await edges()).toEqual(['U1 -MemberOf-> G1']);
    });
  });

  describe('values that the database cannot hold', () => {
    it('replaces NUL characters and broken Unicode, and reports it', async () => {
      const { issues } = await mergeRecords(
        database,
        1,
        record([
          described('U1', 'User', {
            name: 'A\0B',
            'k\0': '\ud800x',
            path: 'C:\\u0000',
            list: ['\0'],
            gone: null,
          }),
        ]),
      );
      expect(await properties('U1')).toEqual({
        ...{ name: 'A\ufffdB', 'k\ufffd': '\ufffdx', path: 'C:\\u0000', list: ['\ufffd'] },
      });
      expect(issues).toMatchObject([{ severity: 'repaired', object: 'U1' }]);
    });

    it('rejects ids that cannot be indexed, and keeps the other values', async () => {
      const long = 'X'.repeat(3000);
      const { issues } = await mergeRecords(
        database,
        1,
        record(
          [described('G1', 'Group'), described(long, 'User'), described('NUL\0', 'User')],
          [edgeSet('G1', 'members', [edge('U1 -MemberOf-> G1', { startId: long }), 'U2 -MemberOf-> G1'])],
        ),
      );
      expect(await edges()).toEqual(['U2 -MemberOf-> G1']);
      expect(issues.map(({ severity, reason }) => [severity, reason])).toEqual([
        ['rejected', 'the object id is longer than 2048 bytes'],
        ['rejected', 'the object id is longer than 2048 bytes'],
        ['rejected', 'the object id contains a NUL character'],
      ]);
    });
  });
});
