/** Plans while generations are published. */

import { createLogger } from '@clew/common';
import { sampledCases } from '@clew/common/testing';
import { type Generation, type GenerationFacts, GenerationHolder } from '@clew/generation';
import { EdgeProperties, NodeProperties } from '@clew/graph';
import { FindingHarness } from '@clew/service/testing';
import { AdvisoryLock, type DatabaseLog } from '@clew/store';
import { fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Planner } from '../threads/planner.ts';
import { PlanThreads } from '../threads/threadTable.ts';
import { startPlanMaker } from './planMaker.ts';

let harness: FindingHarness;
let first: Generation;

beforeAll(async () => {
  harness = await FindingHarness.start();
  const { files } = generateForest({ users: 2, seed: 5, domains: 1 });
  first = await harness.build(
    ...files.map((file) => ({ name: file.name, content: [...fileText(file)].join('') })),
  );
});
afterAll(() => harness?.close());

const rows = async (): Promise<readonly (readonly [generation: number, state: string])[]> => {
  const found = await harness.database.db
    .selectFrom('zone_plan')
    .select(['generation', 'state'])
    .where('zone', '=', 1)
    .orderBy('generation')
    .execute();
  return found.map(({ generation, state }) => [generation, state] as const);
};

/** @param minObjects minimum number of objects for transferring the facts of a plan to the thread of users */
const threadsFor = (minObjects?: number): PlanThreads =>
  new PlanThreads(
    {
      ...{ connection: harness.database.connection, logLevel: 'silent', rules: 'clean' },
      ...{ costs: {}, efforts: {} },
    },
    createLogger('silent'),
    minObjects === undefined ? {} : { minObjects },
  );

const start = (generations: GenerationHolder, log: DatabaseLog, threads = threadsFor()) =>
  startPlanMaker({ database: harness.database, generations, threads, log });

/** A generation whose findings are still being computed. */
const withoutFindings = ({ zones: _, ...known }: Generation): Generation => ({
  ...known,
  publishedAt: '2001-01-01T00:00:00.000000Z',
});

/** Facts without properties. */
function factsOf({ graph }: Generation): GenerationFacts {
  const none = new Uint32Array(Math.ceil(graph.nodeCount / 32));
  return {
    nodeProperties: new NodeProperties(graph.nodeCount).toShared([]),
    edgeProperties: new EdgeProperties().toShared(),
    scanned: { sessions: none, localGroups: none },
  };
}

/** Number of the thread's connections that have read facts and nothing since. */
const haveRead = async (): Promise<number> => {
  const { rows: found } = await harness.database.pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where application_name = 'clew plan' and state = 'idle' and query = 'rollback'`,
  );
  return found[0].count;
};

describe('a plan', { timeout: 300_000 }, () => {
  it('stops for a newer generation, three times in a row, and is made of the newest then', async () => {
    const generations = new GenerationHolder();
    generations.swap(first);
    const log = createLogger('silent');
    const info = vi.spyOn(log, 'info');
    const said = (): unknown[] => info.mock.calls.map((call) => call[1]);
    const client = await harness.database.pool.connect();
    // Blocks reads of plan data.
    await client.query('begin');
    await client.query('lock table node in access exclusive mode');
    const maker = start(generations, log);
    try {
      for (let id = first.id; id < first.id + 4; id++) {
        await vi.waitUntil(async () => (await rows()).some(([own]) => own === id), { timeout: 100_000 });
        expect(await rows()).toEqual([[id, 'computing']]);
        generations.swap({ ...first, id: id + 1 });
      }
      expect(said().filter((message) => message === 'stopped a plan for a newer generation')).toHaveLength(3);
      await client.query('rollback');
      // First the plan that may no longer be stopped, then that of the newest generation.
      const made = () => said().filter((message) => message === 'created a plan');
      await vi.waitUntil(() => made().length === 2, { timeout: 100_000 });
      expect(await rows()).toEqual([[first.id + 4, 'complete']]);
    } finally {
      client.release();
      await maker.stop();
    }
  });

  it('reads its facts while its generation is being published', async () => {
    const generations = new GenerationHolder();
    const log = createLogger('silent');
    const info = vi.spyOn(log, 'info');
    const newer = { ...first, id: first.id + 10 };
    const client = await harness.database.pool.connect();
    const maker = start(generations, log);
    try {
      generations.announce(newer);
      await vi.waitUntil(async () => (await haveRead()) > 0, { timeout: 100_000 });
      await client.query('begin');
      await client.query('lock table node in access exclusive mode');
      await generations.offer(newer);
      await vi.waitUntil(() => info.mock.calls.some(([, message]) => message === 'created a plan'), {
        timeout: 100_000,
      });
      expect(await rows()).toEqual([[newer.id, 'complete']]);
    } finally {
      await client.query('rollback');
      client.release();
      await maker.stop();
    }
  });

  it('goes on as it was begun, unless its zones are others when its generation is published', async () => {
    const request = {
      ...{ zone: 1, goal: 0.1, environments: [], within: [], ownedBy: null, costs: {} },
      ...{ constraints: [], previous: [] },
    };
    const threads = threadsFor();
    const planOf = async (planner: Planner, generation: Generation) => {
      const { before, cards } = await planner.run(
        generation,
        'zonePlan',
        request,
        AbortSignal.timeout(100_000),
      );
      return { before, cards: cards.map(({ key, exposed_after }) => [key, exposed_after]) };
    };
    /** Computes the plan until its cards are known. */
    const begin = async (generation: Generation): Promise<void> => {
      threads.prepare(generation, request);
      await vi.waitUntil(() => !threads.isBusy('next'), { timeout: 100_000 });
    };
    const selectors = (isOn: boolean) =>
      harness.database.pool.query(
        `update asset_group_tag_selector set disabled_at = ${isOn ? 'null' : 'now()'}
         where asset_group_tag_id = 1 and default_key <> 'domain-admins'`,
      );
    try {
      const expected = await planOf(threads.users, first);
      await begin(first);
      await threads.plan(first, async (begun) => {
        expect(await planOf(begun, first)).toEqual(expected);
        expect(await planOf(begun, first)).toEqual(expected);
        return false;
      });
      const newer = { ...first, id: first.id + 40 };
      await begin(newer);
      await selectors(false);
      const ofFewer = await planOf(threads.users, newer);
      expect(ofFewer).not.toEqual(expected);
      await threads.plan(newer, async (begun) => {
        expect(await planOf(begun, newer)).toEqual(ofFewer);
        return false;
      });
    } finally {
      await selectors(true);
      await threads.close();
    }
  });

  it('leaves its facts to the questions of users, who have older ones or none', async () => {
    const generations = new GenerationHolder();
    const log = createLogger('silent');
    const info = vi.spyOn(log, 'info');
    const threads = threadsFor(1);
    const maker = start(generations, log, threads);
    const holds = ({ id }: Generation): boolean => threads.rows.users.generation === id;
    const chokePoints = (generation: Generation, ms = 100_000) =>
      threads.users.run(
        generation,
        'chokePoints',
        { zone: 1, count: 3, uncuttable: true, seen: null },
        AbortSignal.timeout(ms),
      );
    const client = await harness.database.pool.connect();
    try {
      for (const id of [first.id + 30, first.id + 31]) {
        const newer = { ...first, id };
        await generations.offer(newer);
        await vi.waitUntil(
          async () => (await rows()).some(([own, state]) => own === id && state === 'complete'),
          {
            timeout: 100_000,
          },
        );
        await vi.waitUntil(() => holds(newer), { timeout: 100_000 });
        await client.query('begin');
        // Blocks reads of facts.
        await client.query('lock table node, edge in access exclusive mode');
        const { generation } = await chokePoints(newer);
        expect(generation).toBe(id);
        await client.query('rollback');
      }
      // Facts without a request are released while newer ones are read.
      const unasked = { ...first, id: first.id + 32 };
      await generations.offer(unasked);
      await vi.waitUntil(() => holds(unasked), { timeout: 100_000 });
      generations.announce({ ...first, id: first.id + 33 });
      await vi.waitUntil(() => !holds(unasked), { timeout: 100_000 });
      expect(info.mock.calls.filter(([, message]) => message === 'created a plan')).toHaveLength(3);
    } finally {
      await client.query('rollback');
      client.release();
      await maker.stop();
      await threads.close();
    }
  });

  /** Runs a maker while the properties of nodes cannot be read, and waits for its plan. @param publish announces and publishes */
  async function withoutProperties(
    generations: GenerationHolder,
    newer: { readonly id: number },
    publish: () => unknown,
  ): Promise<void> {
    const client = await harness.database.pool.connect();
    await client.query('begin');
    await client.query('lock table node in access exclusive mode');
    const maker = start(generations, createLogger('silent'));
    try {
      await publish();
      const isMade = async () =>
        (await rows()).some(([own, state]) => own === newer.id && state === 'complete');
      await vi.waitUntil(isMade, { timeout: 100_000 });
    } finally {
      await client.query('rollback');
      client.release();
      await maker.stop();
    }
  }

  const ANNOUNCED = [
    ['while a plan was being made', { at: 50, isBefore: false, isEarly: false }],
    ['before an earlier plan began', { at: 60, isBefore: true, isEarly: false }],
    ['with its graph while a plan was being made', { at: 70, isBefore: false, isEarly: true }],
    ['with its graph before an earlier plan began', { at: 80, isBefore: true, isEarly: true }],
  ] as const;
  it.each(sampledCases(ANNOUNCED, 4))(
    'uses the facts of a generation that was announced %s',
    async (_, { at, isBefore, isEarly }) => {
      const generations = new GenerationHolder();
      const older = { ...first, id: first.id + at };
      const newer = { ...first, id: first.id + at + 1 };
      const announce = () => {
        if (isEarly) generations.announceGraph(withoutFindings(newer), factsOf(newer));
        else generations.announce(newer, factsOf(newer));
      };
      await withoutProperties(generations, newer, async () => {
        if (isBefore) {
          announce();
          await vi.waitUntil(async () => (await haveRead()) > 0, { timeout: 100_000 });
        }
        generations.swap(older);
        const isAtWork = async () => (await rows()).some(([own]) => own === older.id);
        await vi.waitUntil(isAtWork, { timeout: 100_000 });
        if (!isBefore) announce();
        if (isEarly) generations.announce(newer);
        await generations.offer(newer);
      });
    },
  );

  it('uses the facts of a generation that was published before the store said which plan is next', async () => {
    const generations = new GenerationHolder();
    const newer = { ...first, id: first.id + 110 };
    await withoutProperties(generations, newer, async () => {
      generations.announceGraph(withoutFindings(newer), factsOf(newer));
      generations.swap(newer);
    });
  });

  it('is of the whole generation where its graph was announced before', async () => {
    const generations = new GenerationHolder();
    const newer = { ...first, id: first.id + 90 };
    const maker = start(generations, createLogger('silent'));
    try {
      generations.announceGraph(withoutFindings(newer), factsOf(newer));
      await vi.waitUntil(async () => (await haveRead()) > 0, { timeout: 100_000 });
      await generations.offer(newer);
      const made = () =>
        harness.database.db
          .selectFrom('zone_plan')
          .select(['plan'])
          .where('generation', '=', newer.id)
          .where('state', '=', 'complete')
          .executeTakeFirst();
      await vi.waitUntil(async () => (await made()) !== undefined, { timeout: 100_000 });
      expect((await made())?.plan).toMatchObject({ plan: { published_at: newer.publishedAt } });
    } finally {
      await maker.stop();
    }
  });

  it('does not keep questions of users waiting for facts', async () => {
    const generations = new GenerationHolder();
    const newer = { ...first, id: first.id + 100 };
    const threads = threadsFor();
    const maker = start(generations, createLogger('silent'), threads);
    const client = await harness.database.pool.connect();
    try {
      generations.announce(newer, factsOf(newer));
      // The preparation comes first.
      await vi.waitUntil(async () => (await haveRead()) > 0, { timeout: 100_000 });
      await client.query('begin');
      await client.query('lock table node in access exclusive mode');
      const ended = AbortSignal.timeout(100_000);
      const question = { zone: 1, count: 3, uncuttable: true, seen: null };
      expect((await threads.users.run(newer, 'chokePoints', question, ended)).generation).toBe(newer.id);
    } finally {
      await client.query('rollback');
      client.release();
      await maker.stop();
      await threads.close();
    }
  });

  it('gives back the facts that it read ahead where another process plans', async () => {
    const generations = new GenerationHolder();
    const newer = { ...first, id: first.id + 20 };
    const client = await harness.database.pool.connect();
    await client.query('select pg_advisory_lock($1)', [AdvisoryLock.plans]);
    const maker = start(generations, createLogger('silent'));
    const connections = async (): Promise<number> => {
      const found = await harness.database.pool.query<{ count: number }>(
        "select count(*)::integer as count from pg_stat_activity where application_name = 'clew plan'",
      );
      return found.rows[0].count;
    };
    try {
      generations.announce(newer);
      await vi.waitUntil(async () => (await haveRead()) > 0, { timeout: 100_000 });
      await generations.offer(newer);
      await vi.waitUntil(async () => (await connections()) === 0, { timeout: 60_000 });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [AdvisoryLock.plans]);
      client.release();
      await maker.stop();
    }
  });
});
