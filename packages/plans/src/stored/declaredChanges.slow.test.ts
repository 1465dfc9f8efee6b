/**
 * The declared changes of kits in the real service: after the changes of the first card and of all cards, a new service and a second
 * collection of the same service both show the exposure that the plan predicts. Sessions that no collection shows again count until they
 * end.
 */
import type { PlanRecord } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { pruneStale } from '@clew/intake';
import { type DeclaredChange, type EditableFile, editableFile, makeDeclared } from '@clew/planning/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { factsChanged } from '@clew/store';
import { generateForest } from '@clew/synthetic';
import { expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const SESSION_DAYS = 3;
/** Changes of one kit. */
const OF_KIT = 100;

/** The same directory at each call. */
const filesOf = (seed: number): EditableFile[] => generateForest({ users: 60, seed }).files.map(editableFile);

type Exposures = PlanRecord['before'];
const counts = (all: Exposures) =>
  all
    .map(({ environment_id: id, exposed_count: exposed, principal_count: principals }) => ({
      id,
      exposed,
      principals,
    }))
    .sort((one, other) => one.id.localeCompare(other.id));

async function start(): Promise<AsyncDisposable & { readonly service: ServiceUnderTest }> {
  const service = await ServiceUnderTest.start({ CLEW_LOGON_SESSION_DAYS: String(SESSION_DAYS) });
  return { service, [Symbol.asyncDispose]: () => service.stop() };
}

/** @param run of the collector: files of other runs have other bytes */
const collect = (service: ServiceUnderTest, files: readonly EditableFile[], run: number): Promise<number> =>
  service.upload(
    ...files.map(({ type, records: data }) => ({
      data,
      meta: { type, version: 6, methods: 521_215, count: data.length, run },
    })),
  );

async function planOf(service: ServiceUnderTest): Promise<PlanRecord> {
  await service.settled();
  const read = async () => (await service.data('GET', 'plan?limit=50')) as PlanRecord;
  await vi.waitUntil(async () => (await read()).computing === null, { timeout: 150_000, interval: 200 });
  return read();
}

/** The declared changes, as the files of the kits have them. */
async function declaredIn(service: ServiceUnderTest, cards: PlanRecord['cards']): Promise<DeclaredChange[]> {
  const all = cards.flatMap(({ packages }) => packages.flatMap(({ references }) => references));
  const found: DeclaredChange[] = [];
  for (let at = 0; at < all.length; at += OF_KIT) {
    const kit = await service.data('POST', 'plan/kit', { repairs: all.slice(at, at + OF_KIT) });
    found.push(...JSON.parse(kit.files.find(({ name }: Json) => name === 'changes.json').text));
  }
  return found;
}

const endsSessions = ({ removed }: DeclaredChange): boolean =>
  removed.some(({ relation }) => relation === 'HasSession');

/** Lets sessions that the last collection does not show count as ended, as those of scheduled collections do after some days. */
async function endUnseenSessions({ database, settled }: ServiceUnderTest): Promise<void> {
  await database.pool.query(
    `update sample_edge set by_schedule = true, last_seen = last_seen - make_interval(days => $1)
     where last_seen < (select max(last_seen) from sample_edge)`,
    [SESSION_DAYS + 1],
  );
  await database.db.transaction().execute(async (transaction) => {
    expect(await pruneStale(transaction, { objectDays: 0, sessionDays: SESSION_DAYS })).toBeGreaterThan(0);
    await factsChanged(transaction);
  });
  await settled();
}

/** Starts a plan of the cards, whose changes are all marked as done. @returns reads state and evidence of each change */
async function startMarked(
  service: ServiceUnderTest,
  cards: PlanRecord['cards'],
): Promise<() => Promise<string[]>> {
  const started = await service.call('POST', 'plans/adopt', {
    name: 'All',
    cards: cards.map(({ key }) => key),
  });
  expect(started.status).toBe(201);
  const { id } = started.json.data;
  const { changes } = await service.data('GET', `plans/adopted/${id}`);
  const numbers = changes.map(({ number }: Json) => number);
  for (let at = 0; at < numbers.length; at += OF_KIT)
    expect(
      (
        await service.call('POST', `plans/${id}/marks`, {
          changes: numbers.slice(at, at + OF_KIT),
          done: true,
        })
      ).status,
    ).toBe(200);
  return async () =>
    (await service.data('GET', `plans/adopted/${id}`)).changes.map(
      ({ state, marked }: Json) => `${state}, ${marked.evidence}`,
    );
}

/** Ten organizations, of which a run examines one. */
const SEEDS = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

it.each(sampledCases(SEEDS, 10))(
  'reach the promise in a new and in the same service: seed %i',
  async (seed) => {
    await using same = await start();
    await collect(same.service, filesOf(seed), 0);
    const { before, cards } = await planOf(same.service);
    expect(cards.length).toBeGreaterThan(1);
    const all = await declaredIn(same.service, cards);
    const first = await declaredIn(same.service, cards.slice(0, 1));
    const evidence = await startMarked(same.service, cards);
    for (const [run, declared] of [first, all].entries()) {
      const promised = counts((run === 0 ? cards[0] : cards.at(-1))?.exposure ?? []);
      expect(promised).not.toEqual(counts(before));
      const files = filesOf(seed);
      makeDeclared(files, declared);
      {
        await using other = await start();
        await collect(other.service, files, 0);
        expect(counts((await planOf(other.service)).before)).toEqual(promised);
      }
      await collect(same.service, files, run + 1);
      if (declared.some(endsSessions)) {
        await planOf(same.service);
        await vi.waitFor(
          async () => expect((await evidence()).some((one) => one.endsWith('waiting'))).toBe(true),
          { timeout: 60_000, interval: 200 },
        );
        await endUnseenSessions(same.service);
      }
      expect(counts((await planOf(same.service)).before)).toEqual(promised);
    }
    // An ended session does not prove anything.
    const ends = all.some(endsSessions) ? ['done, verified', 'not-seen, waiting'] : ['done, verified'];
    // The progress of a plan follows its analysis.
    await vi.waitFor(async () => expect([...new Set(await evidence())].sort()).toEqual(ends), {
      timeout: 60_000,
      interval: 200,
    });
  },
  600_000,
);
