/** All answers state the same exposure, and the right process returns the plan: a small organization in the real service. */

import type { RunningService } from '@clew/service/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { type CollectionFile, fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const DAY_MS = 86_400_000;
const forest = generateForest({ users: 25, seed: 11 });

let test: ServiceUnderTest;
let plan: Json;

/** Uploads files as one job, and waits until they are in the graph. */
const upload = (files: readonly CollectionFile[]): Promise<number> =>
  test.uploadBytes(files.map((file) => [...fileText(file)].join('')));

const readPlan = (): Promise<Json> => test.data('GET', 'plan?limit=50');

const storedPlan = async (): Promise<Json> => {
  await vi.waitUntil(async () => (await test.call('GET', 'plan')).json.data.computing === null, {
    timeout: 100_000,
  });
  return readPlan();
};

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  await upload(forest.files);
  plan = await storedPlan();
});
afterAll(() => test?.stop());

/** Exposed and total principals of each environment. */
type Figures = Readonly<Record<string, readonly [exposed: number, principals: number]>>;

const figures = (exposures: readonly Json[]): Figures =>
  Object.fromEntries(
    exposures.map((one) => [one.environment_id, [one.exposed_count, one.principal_count] as const]),
  );

const sum = (all: Figures): readonly [number, number] =>
  Object.values(all).reduce<[number, number]>(
    ([exposed, principals], one) => [exposed + one[0], principals + one[1]],
    [0, 0],
  );

describe('the path of the least attack effort', () => {
  it('is the same in all operations that find paths', async () => {
    const { before } = plan.cards.flatMap(({ paths }: Json) => paths)[0];
    const [start, end] = [before.nodes[0], before.nodes.at(-1)].map(({ object_id }) => object_id);
    const ends = `start_node=${start}&end_node=${end}&weight=effort`;
    const [easiest] = (await test.data('GET', `graphs/alternative-paths?${ends}&limit=1`)).paths;
    const graph = await test.data('GET', `graphs/shortest-path?${ends}`);
    expect(graph.edges).toHaveLength(easiest.relations.length);
    const kinds = graph.edges.map(({ kind }: Json) => kind).sort();
    const older = Object.entries<Json>(await test.data('GET', `pathfinding?${ends}`));
    expect(
      older
        .filter(([key]) => key.startsWith('rel_'))
        .map(([, { label }]) => label.text)
        .sort(),
    ).toEqual(kinds);
    const refused = await test.call('GET', `graphs/shortest-path?${ends}&only_traversable=false`);
    expect(refused.status).toBe(400);
  });
});

describe('the reach of an object', () => {
  it('counts those outside its zone, and shows the easiest path of one of them', async () => {
    const paths = plan.cards.flatMap((card: Json) => card.paths);
    const ends: Json[] = [
      ...new Map(paths.map(({ before }: Json) => [before.nodes.at(-1).object_id, before])).values(),
    ];
    expect(ends.length).toBeGreaterThan(0);
    for (const { nodes } of ends.slice(0, 5)) {
      const [start, end] = [nodes[0], nodes.at(-1)].map(({ object_id }) => object_id);
      const reach = await test.data('GET', `graphs/reach?object_id=${end}&include_path=true`);
      expect(reach.zone).toEqual({ id: 1, name: 'Tier Zero' });
      const [reaching, counted] = ['reaching_count', 'principal_count'].map((name) =>
        reach.environments.reduce((all: number, one: Json) => all + one[name], 0),
      );
      expect([reach.reaching_count, reach.principal_count]).toEqual([reaching, counted]);
      expect(reaching).toBeGreaterThan(0);
      expect(reaching).toBeLessThanOrEqual(counted);
      // Each environment uses the base of its exposure.
      for (const one of reach.environments) {
        const known = figures(plan.before)[one.environment_id];
        expect(one.principal_count).toBe(known[1]);
        expect(one.reaching_count).toBeLessThanOrEqual(known[0]);
      }
      const between = async (from: string): Promise<number> =>
        (
          await test.data(
            'GET',
            `graphs/alternative-paths?start_node=${from}&end_node=${end}&limit=1&weight=effort`,
          )
        ).paths[0].effort;
      const { effort, nodes: shown } = reach.easiest_path;
      expect(effort).toBe(await between(shown[0].object_id));
      expect(effort).toBeLessThanOrEqual(await between(start));
      const quick = await test.data('GET', `graphs/reach?object_id=${end}`);
      expect(quick).toEqual({ ...reach, easiest_path: null });
    }
    const unknown = await test.call('GET', 'graphs/reach?object_id=S-1-5-21-1-2-3-4444');
    expect(unknown.status).toBe(404);
    // A principal outside all zones counts neither itself nor members of Tier Zero.
    const [{ before }] = paths;
    const outside = await test.data('GET', `graphs/reach?object_id=${before.nodes[0].object_id}`);
    expect(outside.zone).toBeNull();
  });
});

describe('exposure', () => {
  it('is one in all operations that state it, over one base', async () => {
    const known = figures(plan.before);
    const [exposed, principals] = sum(known);
    expect(Object.keys(known).length).toBeGreaterThan(2);
    expect(exposed).toBeGreaterThan(0);
    expect(exposed).toBeLessThan(principals);

    expect(figures((await test.data('POST', 'plan/simulate', {})).before)).toEqual(known);
    expect((await test.data('GET', 'plan/choke-points')).exposed_count).toBe(exposed);
    const bands = Object.fromEntries(
      plan.effort.map((one: Json) => {
        const { none, ...open } = one.bands as Record<string, number>;
        const count = Object.values(open).reduce((all, each) => all + each, 0);
        return [one.environment_id, [count, count + (none as number)]];
      }),
    );
    expect(bands).toEqual(known);

    const stats = await test.data('GET', 'posture-stats?limit=100');
    const postures = Object.fromEntries(
      stats.map((one: Json) => [one.domain_sid, one.exposure_index] as const),
    );
    const summary = await test.data('GET', 'posture/summary');
    const summaries = Object.fromEntries(
      summary.environments.map((one: Json) => [one.environment_id, one.exposure]),
    );
    for (const [id, [count, of]] of Object.entries(known)) {
      const share = of === 0 ? 0 : count / of;
      expect([id, postures[id], summaries[id]]).toEqual([id, share, share]);
    }
    const part = summary.score.parts.find(({ name }: Json) => name === 'exposure');
    expect(part.because).toBe(
      `${exposed.toLocaleString('en-US')} of ${principals.toLocaleString('en-US')} users and computers outside the zone can reach it`,
    );
    const [day] = await test.data(
      'GET',
      `posture-history/exposure?${Object.keys(known)
        .map((id) => `environments=${id}`)
        .join('&')}`,
    );
    expect(day.value).toBeCloseTo((100 * exposed) / principals, 9);

    const rootOf = async (path: string) =>
      Object.values((await test.data('GET', path)) as Record<string, Json>).find(({ data }) => data?.is_root);
    for (const [id, [count]] of Object.entries(known)) {
      const { data } = await rootOf(`meta-trees/${id}`);
      expect([id, data.upstream_principal_count]).toEqual([id, count]);
    }
    expect((await rootOf('asset-groups/1/combo-node')).data.upstream_principal_count).toBe(exposed);

    const since = new Date(Date.now() - DAY_MS).toISOString();
    const { exposure } = await test.data('GET', `analysis/difference?since=${since}`);
    for (const { environment_id, after } of exposure) {
      // If nothing can be reached, the plan has no entry.
      const [count, of] = known[environment_id] ?? [0, 0];
      expect([environment_id, after]).toEqual([environment_id, of === 0 ? 0 : count / of]);
    }
  });

  it('of a plan for one environment also has the attack effort of that environment', async () => {
    const own = plan.before.find((one: Json) => one.exposed_count > 0);
    const { before, effort, cards } = await test.data('GET', `plan?environment=${own.environment_id}`);
    const of = (all: readonly Json[]): string[] => all.map(({ environment_id }) => environment_id);
    expect([of(before), of(effort)]).toEqual([[own.environment_id], [own.environment_id]]);
    for (const card of cards) {
      expect(of(card.effort)).toEqual([own.environment_id]);
      for (const id of of(card.paths)) expect(id).toBe(own.environment_id);
    }
  });

  it('says that it was computed with other constraints', async () => {
    expect((await test.data('GET', 'plan')).excluded).not.toHaveProperty('is_outdated');
    const { pool } = test.database;
    await pool.query("update zone_plan set basis = 'other ' || basis");
    const older = await test.call('GET', 'plan', undefined, 'wait=1');
    expect(older.json.data.excluded.is_outdated).toBe(true);
    expect(older.json.data.cards.length).toBeGreaterThan(0);
    await pool.query("delete from zone_plan where basis not like 'other %'");
    await pool.query("update zone_plan set basis = replace(basis, 'other ', '')");
    expect((await test.data('GET', 'plan')).excluded).not.toHaveProperty('is_outdated');
  });

  it('of an environment that does not exist is refused', async () => {
    const own = plan.before.find((one: Json) => one.exposed_count > 0);
    for (const name of ['environment', 'within'])
      for (const id of ['nosuch', own.environment_name, plan.cards[0].packages[0].references[0].object_id]) {
        if (id === own.environment_id) continue;
        const { status, json } = await test.call('GET', `plan?${name}=${encodeURIComponent(id)}`);
        expect([name, id, status]).toEqual([name, id, 400]);
        expect(json.errors[0].message).toContain(`"${name}" is malformed: no environment has the id ${id}`);
      }
    for (const name of ['environment', 'within'])
      expect((await test.call('GET', `plan?${name}=${own.environment_id.toLowerCase()}`)).status).toBe(200);
  });

  it('of a finding is over the same base as that of its environment', async () => {
    const known = figures(plan.before);
    const rows: Json[] = await test.data('GET', 'attack-paths/findings?limit=1000');
    const crossing = rows.filter((row) => row.asset_group_tag_id === 1 && row.exposure_count > 0);
    expect(crossing.length).toBeGreaterThan(5);
    for (const { environment_id, exposure_count, exposure_percentage } of crossing) {
      const [exposed, principals] = known[environment_id] as readonly [number, number];
      expect(exposure_count / exposure_percentage).toBeCloseTo(principals, 6);
      expect(exposure_count).toBeLessThanOrEqual(exposed);
    }
  });
});

describe('a process that serves the API alone', () => {
  let api: RunningService;
  beforeAll(async () => {
    api = await test.startAnother({ CLEW_ROLE: 'api' });
  });
  afterAll(() => api?.stop());

  const ask = (method: string, path: string, body?: object, wait = 30) =>
    fetch(`${api.url}/api/v2/${path}`, {
      method,
      headers: {
        ...{ authorization: test.authorization, 'content-type': 'application/json' },
        prefer: `wait=${wait}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  it('answers with the plan that another process made', async () => {
    // Findings are mapped to its cards after it is stored, possibly between two answers.
    await vi.waitFor(
      async () => {
        const known = await readPlan();
        const answer = await ask('GET', 'plan?limit=50');
        expect(answer.status).toBe(200);
        expect(((await answer.json()) as Json).data).toEqual(known);
      },
      { timeout: 60_000, interval: 500 },
    );
  });

  it('answers with the first cards while the rest of a plan is being made', async () => {
    const { pool } = test.database;
    const known = await readPlan();
    const set = (state: string) =>
      pool.query('update zone_plan set state = $1 where zone = 1 and plan is not null', [state]);
    await set('computing');
    try {
      const answer = await ask('GET', 'plan?limit=50', undefined, 1);
      expect(answer.status).toBe(200);
      const { computing, ...shown } = ((await answer.json()) as Json).data;
      expect(computing.generation).toBe(shown.generation);
      const withoutFindings = (all: Json) =>
        all.cards.map(({ accepted: _, accepted_count: __, acceptances: ___, ...card }: Json) => card);
      expect(withoutFindings(shown)).toEqual(withoutFindings(known));
      expect({ ...shown, cards: [], computing: null }).toEqual({ ...known, cards: [] });
    } finally {
      await set('complete');
    }
  });

  it('answers 202 where the store is too slow for a look at the plan', async () => {
    const client = await test.database.pool.connect();
    try {
      await client.query('begin');
      await client.query('lock table zone_plan in access exclusive mode');
      const [{ id }] = (await test.database.pool.query('select max(id) as id from generation')).rows;
      for (const query of ['', '?goal=0.01']) {
        const late = await ask('GET', `plan${query}`, undefined, 1);
        expect([query, late.status]).toEqual([query, 202]);
        expect(((await late.json()) as Json).data.generation).toBe(Number(id));
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await ask('GET', 'plan')).status).toBe(200);
  });

  it('answers 503 with the time of another try where simulations and choke points are not ready in time', async () => {
    const client = await test.database.pool.connect();
    try {
      // Their data cannot be read in the meantime.
      await client.query('begin');
      await client.query('lock table node in access exclusive mode');
      const late = await Promise.all([
        ask('POST', 'plan/simulate', {}, 1),
        ask('GET', 'plan/choke-points', undefined, 1),
      ]);
      for (const answer of late) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(((await answer.json()) as Json).errors[0].message).toMatch(
          /takes longer than the wait time of the request/,
        );
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await ask('POST', 'plan/simulate', {})).status).toBe(200);
    expect((await ask('GET', 'plan/choke-points')).status).toBe(200);
  });
});

describe('an object of no forest or tenant', () => {
  it('has no counts of who can reach it, and says why', async () => {
    await test.upload({ graph: { nodes: [{ id: 'LONELY', kinds: ['Lonely'] }], edges: [] } });
    const asked = 'graphs/reach?object_id=LONELY&include_path=true';
    await vi.waitUntil(async () => (await test.call('GET', asked)).status === 200, { timeout: 100_000 });
    expect(await test.data('GET', asked)).toMatchObject({
      ...{ reaching_count: null, principal_count: null, environments: [], easiest_path: null },
      not_shown: 'Not counted: the object does not belong to a known forest or tenant',
    });
  });
});
