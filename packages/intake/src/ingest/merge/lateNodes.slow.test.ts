/** A merge that is under way holds up neither users nor builds of generations nor housekeeping, and loses nothing by that. */

import type { ObjectFacts } from '@clew/model';
import { buildContext, buildGeneration } from '@clew/service/testing';
import { AdvisoryLock, type Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dumpFacts } from '../../../test/ingest/dumpFacts.ts';
import { emptyStore } from '../../../test/ingest/emptyStore.ts';
import { described, edgeSet, mentioned, record } from '../../../test/ingest/facts.ts';
import { dayTime, mergeInBatches } from '../../../test/ingest/mergeHarness.ts';
import { pruneStale } from '../../housekeeping/prune.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

const DOMAIN = 'S-1-5-21-1-2-3';
const EVERYBODY = 'CORP.LOCAL-S-1-5-11';

/** @param round distinguishes the collections */
function collection(round: number): ObjectFacts[] {
  const users = Array.from({ length: 30 }, (_, at) => `${DOMAIN}-${2000 + at}`);
  return [
    record(
      [
        described(DOMAIN, 'Domain', {
          name: 'CORP.LOCAL',
          collected: true,
          functionallevel: `${round}`,
          old: round === 1 ? 'x' : null,
        }),
      ],
      [edgeSet(DOMAIN, 'acl', [`${users[round]} -GetChanges-> ${DOMAIN}`])],
    ),
    ...users.map((id) =>
      record(
        [described(id, 'User', { name: `U${round}` }), mentioned(EVERYBODY, 'Group', { name: 'EVERYBODY' })],
        [edgeSet(id, 'acl', [`${users[round]} -GenericAll-> ${id}`])],
      ),
    ),
    // Said again, of objects that were in batches before.
    record([described(DOMAIN, 'Domain', { distinguishedname: `DC=ROUND${round}` })]),
    record([mentioned(DOMAIN, 'Domain', { hint: 'h' })]),
  ];
}

const merge = (round: number, watch?: (text: string) => Promise<void>) =>
  mergeInBatches(
    database,
    dayTime(round),
    4,
    [{ records: collection(round) }],
    watch && ((_client, text) => watch(text)),
  );

/** @throws Error when it does not end within a few seconds: it waits for the merge that waits for it */
async function inTime(name: string, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} waits for the merge`)), 10_000);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

it('allows other writes while a job is merged', async () => {
  await merge(1);
  let held = 0;
  await merge(2, async (text) => {
    // All batches are merged, and the statements for the whole job have not started.
    if (!text.startsWith('analyze stage_described')) return;
    held++;
    const { rows } = await database.pool.query(
      `select count(*)::integer as open from pg_stat_activity where state = 'idle in transaction' and backend_xid is not null`,
    );
    expect(rows[0].open).toBeGreaterThan(0);
    await inTime(
      'a mark of a domain',
      database.db.transaction().execute(async () => {
        const client = await database.pool.connect();
        try {
          await client.query('begin');
          await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
          await client.query(`update node set properties = properties || '{"marked": true}'
            where id = (select id from object_id where object_id = '${DOMAIN}')`);
          await client.query('update facts_state set version = version + 1');
          await client.query('commit');
        } finally {
          client.release();
        }
      }),
    );
    await inTime('a build', buildGeneration(buildContext(database, () => {})));
    await database.pool.query(
      `update sighting set seen_by_schedule = true, collected_by_schedule = true, last_seen = '2020-01-01', last_collected = '2020-01-01'`,
    );
    await inTime(
      'housekeeping',
      database.db.transaction().execute((db) => pruneStale(db, { objectDays: 7, sessionDays: 3 })),
    );
  });
  expect(held).toBe(1);
  const { rows } = await database.pool.query(
    `select properties from node join object_id using (id) where object_id = '${DOMAIN}'`,
  );
  expect(rows[0].properties).toEqual({
    ...{ name: 'CORP.LOCAL', collected: true, functionallevel: '2', distinguishedname: 'DC=ROUND2' },
    ...{ hint: 'h', marked: true },
  });
  // All that the job describes is there, although housekeeping took it for stale.
  const users = await database.pool.query(
    `select count(*)::integer as users from node where kinds @> array[2]::smallint[] and properties ->> 'name' = 'U2'`,
  );
  expect(users.rows[0].users).toBe(30);
});

it('merges deferred nodes like all others', async () => {
  const parts = async (isLate: boolean): Promise<string> => {
    await emptyStore(database);
    await merge(1);
    if (isLate) await merge(2);
    // Nothing is known of a domain that is not marked as collected, nor of a node that is not a domain.
    else {
      await mergeInBatches(database, dayTime(2), 4, [{ records: collection(2) }], async (client, text) => {
        if (text.startsWith('analyze stage_late')) await client.query('truncate stage_late');
      });
    }
    return dumpFacts(database.pool);
  };
  expect(await parts(true)).toBe(await parts(false));
});

it('merges the description of a well-known group that a build creates concurrently', async () => {
  const [domain, everyone] = ['S-1-5-21-9-9-9', 'OTHER.LOCAL-S-1-1-0'];
  const mergeOne = (day: number, one: ObjectFacts, watch?: (text: string) => Promise<void>) =>
    mergeInBatches(
      database,
      dayTime(day),
      undefined,
      [{ records: [one] }],
      watch && ((_client, text) => watch(text)),
    );
  await mergeOne(1, record([described(domain, 'Domain', { name: 'OTHER.LOCAL', collected: true })]));
  let held = 0;
  await mergeOne(2, record([described(everyone, 'Group', { name: 'ALL' })]), async (text) => {
    // All is sent to the database, and nothing merged.
    if (!text.startsWith('analyze stage_node')) return;
    held++;
    await inTime('a build', buildGeneration(buildContext(database, () => {})));
  });
  expect(held).toBe(1);
  const { rows } = await database.pool.query(
    `select name, described, derived from node join object_id using (id) where object_id = '${everyone}'`,
  );
  expect(rows).toEqual([{ name: 'ALL', described: true, derived: false }]);
});
