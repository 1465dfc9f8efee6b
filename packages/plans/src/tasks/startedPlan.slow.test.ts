/** Compares started plans with collections in which changes were made, undone, or not seen. */

import { sourceFromBytes } from '@clew/collections';
import type { Generation } from '@clew/generation';
import { findNode } from '@clew/graph';
import { effortTable } from '@clew/model';
import { type AnalyzedWorld, wholePlan } from '@clew/planning';
import {
  analyzedWorld,
  COLLECTED_AT,
  changeRecords,
  collectedWorld,
  type EditableFile,
  editableFile,
  type RecordChange,
} from '@clew/planning/testing';
import type { Db } from '@clew/store';
import { generateForest } from '@clew/synthetic';
import { expect, it } from 'vitest';
import type { PlanState } from './planState.ts';
import { referenceOf } from './repairRecords.ts';
import type { ChangeFacts, StartedPlan } from './startedFacts.ts';
import { type FoundChange, followStartedPlan, startedPlanOf } from './startedPlan.ts';

const files = () => generateForest({ users: 60, seed: 3, collectedAt: COLLECTED_AT }).files.map(editableFile);

async function stateOf(edited: readonly EditableFile[], id: number): Promise<PlanState> {
  const collected = await collectedWorld(
    edited.map(({ type, records }, at) => {
      const meta = { type, version: 6, methods: 521_215, count: records.length };
      return sourceFromBytes(`${at}-${type}.json`, Buffer.from(JSON.stringify({ data: records, meta })));
    }),
  );
  const world: AnalyzedWorld = analyzedWorld(collected);
  const { graph } = collected;
  const generation = {
    ...{ id, publishedAt: `2026-06-0${id}T00:00:00.000000Z`, graph, zones: [], environments: [] },
    customNodeKinds: new Map(),
    customEdgeKinds: new Map(),
  } as unknown as Generation;
  const before = () => ({ exposures: [], findings: new Map() });
  // Starting a plan does not use the database.
  const none = { db: undefined as unknown as Db, database: undefined as unknown as PlanState['database'] };
  return { generation, world, costs: {}, efforts: effortTable({}), ...none, before };
}

const exposed = (all: StartedPlan['exposure']): number =>
  all.reduce((sum, { exposed_count }) => sum + exposed_count, 0);

/** The part of a started plan that the test changes in the records. */
const recordsOf = ({ packages }: StartedPlan, count: number): RecordChange => {
  const changes = packages.flatMap((one) => one.changes).slice(0, count);
  return {
    removed: changes.flatMap(({ removed }) => removed),
    properties: changes.flatMap(({ properties }) =>
      properties.map(({ object_id, key, wanted }) => ({ objectId: object_id, key, value: wanted })),
    ),
  };
};

/** Collections looked at all facts of the plan. */
const covering = ({ packages }: StartedPlan): number[][] =>
  packages.flatMap(({ changes }) =>
    changes.map(({ removed, properties }) => [...removed, ...properties].map((_, at) => at)),
  );

it('reports finished and undone changes with their effect, and that unseen sessions prove nothing', async () => {
  const first = await stateOf(files(), 1);
  const plan = wholePlan(first.world, { zone: 1 });
  const packages = (plan?.cards ?? []).flatMap((card) => card.packages);
  const started = startedPlanOf(first, {
    zone: 1,
    packages: packages.map(({ key, repairs }) => ({
      key,
      title: key,
      references: repairs.map((repair) => referenceOf(first.generation, repair)),
    })),
    cards: (plan?.cards ?? []).map((card) => ({
      ...{ key: '', package_count: card.packages.length, before: [], after: [] },
    })),
  });
  const all = started.packages.flatMap(({ changes }) => changes);
  const covered = covering(started);
  expect(all.length).toBeGreaterThan(2);
  const untouched = await followStartedPlan(first, { plan: started, before: [], covered });
  expect(untouched.changes.every(({ state, history }) => state === 'open' && history.length === 0)).toBe(
    true,
  );
  expect(untouched.before).toEqual(untouched.now);

  const done = files();
  changeRecords(done, recordsOf(started, all.length));
  const second = await stateOf(done, 2);
  const followed = await followStartedPlan(second, { plan: started, before: untouched.changes, covered });
  for (const [at, { state, done_count, fact_count }] of followed.changes.entries()) {
    const { removed = [], properties = [] } = all[at] ?? {};
    const isOfSessions = properties.length === 0 && removed.every(({ kind }) => kind === 'HasSession');
    expect([state, done_count]).toEqual([isOfSessions ? 'not-seen' : 'done', fact_count]);
  }
  expect(exposed(followed.now)).toBeLessThan(exposed(followed.before));
  expect(exposed(followed.before)).toBeLessThanOrEqual(exposed(started.exposure));
  expect(exposed(followed.now)).toBe(
    plan?.cards.at(-1)?.exposures.reduce((sum, one) => sum + one.exposed, 0),
  );

  // The same facts are missing, but no collection looked at them.
  const unseen = await followStartedPlan(second, {
    ...{ plan: started, before: untouched.changes, covered: covered.map(() => []) },
  });
  expect(new Set(unseen.changes.map(({ state, done_count }) => `${state} ${done_count}`))).toEqual(
    new Set(['not-seen 0']),
  );
  expect([unseen.package_done_count, unseen.reached]).toEqual([0, []]);

  // Cards that were finished together count in the order of the plan: each one begins where the card before it ends.
  const reached = followed.reached ?? [];
  expect(reached.length).toBeGreaterThan(1);
  expect(exposed(reached.at(-1)?.after ?? [])).toBe(exposed(followed.now));
  for (const [at, { before }] of reached.entries())
    if (at > 0 && reached[at]?.card === (reached[at - 1]?.card ?? 0) + 1)
      expect(before).toEqual(reached[at - 1]?.after);
  const gone = followed.changes.flatMap(({ history }) => history[0]?.moved ?? []);
  expect(gone.filter(({ what }) => what === 'relationship').length).toBeGreaterThan(0);
  for (const { what, old, new: now } of gone)
    expect(what === 'relationship' ? [old, now] : [now]).toEqual(
      what === 'relationship' ? ['exists', 'removed'] : [expect.not.stringMatching(`^${old}$`)],
    );
  const again = await followStartedPlan(second, {
    ...{ plan: started, before: followed.changes, reached: reached.slice(1), covered: [] },
  });
  expect(again.changes.map(({ state }) => state)).toEqual(followed.changes.map(({ state }) => state));
  expect(again.changes.every(({ partial }) => partial?.length === 0)).toBe(true);
  expect(again.reached?.map(({ card }) => card)).toEqual(reached.map(({ card }) => card));

  const third = await followStartedPlan(await stateOf(files(), 3), {
    ...{ plan: started, before: followed.changes, reached, covered },
  });
  expect(third.reached).toEqual([]);
  const states = new Set(third.changes.map(({ state }) => state));
  expect(states.has('undone')).toBe(true);
  expect(states.has('done')).toBe(false);
  const [change] = third.changes.filter(({ state }) => state === 'undone');
  expect(change?.history.map(({ state, generation }) => [state, generation])).toEqual([
    ['done', 2],
    ['undone', 3],
  ]);
}, 60_000);

it('keeps the facts of a change that is done in several steps', async () => {
  const first = await stateOf(files(), 1);
  const packages = (wholePlan(first.world, { zone: 1 })?.cards ?? []).flatMap((card) => card.packages);
  const started = startedPlanOf(first, {
    ...{ zone: 1, cards: [] },
    packages: packages.map(({ key, repairs }) => ({
      ...{ key, title: key },
      references: repairs.map((repair) => referenceOf(first.generation, repair)),
    })),
  });
  const isRemoval = ({ removed, properties }: ChangeFacts): boolean =>
    properties.length === 0 && removed.length === 1 && removed.every(({ kind }) => kind !== 'HasSession');
  const all = started.packages.flatMap(({ changes }) => changes).filter(isRemoval);
  const removed = all.slice(0, 2).flatMap((change) => change.removed);
  expect(removed.length).toBe(2);
  const plan = { ...started, packages: [{ title: '', changes: [{ title: '', removed, properties: [] }] }] };
  const follow = async (id: number, gone: typeof removed, before: FoundChange[]) => {
    const edited = files();
    changeRecords(edited, { removed: gone, properties: [] });
    const { changes } = await followStartedPlan(await stateOf(edited, id), {
      plan,
      before,
      covered: covering(plan),
    });
    return changes;
  };
  const untouched = await follow(1, [], []);
  const some = await follow(2, removed.slice(0, 1), untouched);
  const oneGone = { generation: 2, moved_count: 1, moved: [{ old: 'exists', new: 'removed' }] };
  expect(some).toMatchObject([{ state: 'open', history: [], partial: [oneGone] }]);
  const whole = await follow(3, removed, some);
  expect(whole).toMatchObject([
    { state: 'done', history: [{ ...oneGone, generation: 3 }], partial: [oneGone] },
  ]);
  const [starts] = whole.map(({ history, partial = [] }) =>
    [...partial, ...history].flatMap(({ moved = [] }) => moved.map(({ object_ids }) => object_ids[0])),
  );
  expect(starts).toEqual(removed.map(({ start }) => start));
}, 60_000);

it('takes only the wanted value as proof, and has no effect of a card whose objects were deleted', async () => {
  const state = await stateOf(files(), 1);
  const domain = files().find(({ type }) => type === 'domains')?.records[0] as { ObjectIdentifier: string };
  const [object_id, key] = [domain.ObjectIdentifier, 'machineaccountquota'];
  const plan = (old: number, wanted: number, removed: ChangeFacts['removed'] = []): StartedPlan => ({
    ...{ zone: 1, generation: 1, exposure: [], effort: [] },
    cards: [{ key: '', package_count: 1, before: [], after: [] }],
    packages: [
      { title: '', changes: [{ title: '', removed, properties: [{ object_id, key, old, wanted }] }] },
    ],
  });
  const node = findNode(state.generation.graph, object_id);
  const now = state.world.context.properties.value(key, node) as number;
  expect(now).toBeGreaterThan(0);
  const follow = (started: StartedPlan) =>
    followStartedPlan(state, { plan: started, before: [], covered: covering(started) });
  const worse = await follow(plan(now + 1, 0));
  expect(worse.changes).toMatchObject([
    {
      state: 'open',
      done_count: 0,
      other_values: [{ object_id, text: expect.stringContaining(`now ${now}, not 0`) }],
    },
  ]);
  const right = await follow(plan(now + 1, now));
  expect(right.changes).toMatchObject([{ state: 'done', done_count: 1 }]);
  expect(right.changes[0]).not.toHaveProperty('other_values');
  expect(right.reached).toMatchObject([{ card: 1 }]);
  const deleted = await follow(
    plan(now + 1, now, [{ start: 'GONE', kind: 'GenericAll', end: object_id, flags: 0 }]),
  );
  expect(deleted.changes).toMatchObject([{ state: 'done', done_count: 2 }]);
  expect(deleted.reached).toEqual([
    ...[
      { card: 1, generation: 1, at: state.generation.publishedAt, before: [], after: [], is_unknown: true },
    ],
  ]);
}, 60_000);
