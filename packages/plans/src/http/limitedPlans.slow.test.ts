/**
 * Plans of users with limited environments, through the real service: they plan, simulate and save changes of visible objects,
 * and the answers reveal nothing else, not even whether an object exists.
 */

import { sampledCases } from '@clew/common/testing';
import { changeRecords, type EditableFile } from '@clew/planning/testing';
import { HeldRows, PASSWORD, ServiceUnderTest, uploadEdited } from '@clew/service/testing';
import { type CollectionFile, fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;
type Answer = Readonly<{ status: number; json: Json }>;

const forest = generateForest({ users: 30, seed: 11 });
const NOWHERE = 'S-1-5-21-1-2-3-4444';

let test: ServiceUnderTest;
let plan: Json;
/** The environment of the limited user, and objects of it and of others. */
let own: Json;
let ownIds: string[];
let foreign: { readonly id: string; readonly name: string }[];
let foreignIds: ReadonlySet<string>;
/** All answers to the limited user. */
const answers: Answer[] = [];

/** @param end appended to each file, because equal bytes count as one observation */
const upload = (files: readonly CollectionFile[], end = ''): Promise<number> =>
  test.uploadBytes(files.map((file) => [...fileText(file)].join('') + end));

const nodesOf = async (id: string): Promise<Json[]> =>
  (await test.call('GET', `graphs/export?environment=${id}`)).json.graph.nodes;

/** Runs as the limited user, and records the answers. */
async function limited<Result>(work: (ask: typeof test.call) => Promise<Result>): Promise<Result> {
  await test.login('limited');
  try {
    return await work(async (...request) => {
      const answer = await test.call(...request);
      answers.push(answer as Answer);
      return answer;
    });
  } finally {
    await test.login('admin');
  }
}

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  await upload(forest.files);
  await vi.waitUntil(async () => (await test.call('GET', 'plan')).json.data.computing === null, {
    timeout: 120_000,
  });
  plan = await test.data('GET', 'plan?limit=50');
  [own] = plan.before
    .filter((one: Json) => one.exposed_count > 0)
    .sort((a: Json, b: Json) => b.principal_count - a.principal_count);
  ownIds = (await nodesOf(own.environment_id)).map(({ id }) => id);
  foreign = [];
  for (const { environment_id } of plan.before)
    if (environment_id !== own.environment_id)
      for (const { id, properties } of await nodesOf(environment_id))
        foreign.push({ id, name: properties.name ?? '' });
  foreignIds = new Set(foreign.map(({ id }) => id));
  const { roles } = await test.data('GET', 'roles');
  const role = roles.find(({ name }: Json) => name === 'User');
  const made = await test.call('POST', 'bloodhound-users', {
    ...{ principal: 'limited', roles: [role.id], secret: PASSWORD },
    environment_targeted_access_control: { environments: [{ environment_id: own.environment_id }] },
  });
  expect(made.status).toBe(200);
}, 300_000);
afterAll(() => test?.stop());

/** Changes of the plan whose objects are all in the environment. */
const ownChanges = (cards: readonly Json[]): Json[] =>
  cards
    .flatMap(({ packages }) => packages)
    .flatMap(({ references }) => references)
    .filter(({ object_id, principal_id = object_id }: Json) =>
      [object_id, principal_id].every((id) => ownIds.includes(id)),
    );

it('shows the same cost for a change of a card, of a remaining path, of a path in Explore and of evidence', async () => {
  const keyOf = ({ kind, object_id, principal_id, relations }: Json): string =>
    JSON.stringify([kind, object_id, principal_id, relations]);
  const costs = new Map<string, number>();
  for (const { packages } of plan.cards)
    for (const { references, cost, change_count } of packages)
      if (change_count === 1) costs.set(keyOf(references[0]), cost);
  const shown = new Map<string, number>();
  const remaining = await test.data('POST', 'plan/remaining-paths', { limit: 10 });
  for (const { closed_by, nodes } of remaining.paths) {
    if (closed_by?.repairs.length === 1)
      shown.set(`paths ${keyOf(closed_by.repairs[0].repair)}`, closed_by.cost);
    const ids = nodes.map(({ object_id }: Json) => object_id);
    const steps = ids.slice(1).map((target_id: string, at: number) => ({ source_id: ids[at], target_id }));
    const found = await test.data('POST', 'plan/path-repairs', { steps });
    for (const { repairs } of found.steps)
      for (const { repair, cost } of repairs) shown.set(`steps ${keyOf(repair)}`, cost);
  }
  const findings: Json[] = await test.data('GET', 'attack-paths/findings?limit=60&sort_by=urgency');
  for (const { id } of sampledCases(findings, 3))
    for (const { repair, cost } of (await test.data('GET', `attack-paths/findings/${id}/evidence`)).repairs)
      shown.set(`evidence ${keyOf(repair)}`, cost);
  for (const where of ['paths', 'steps', 'evidence']) {
    const same = [...costs].filter(([key]) => shown.has(`${where} ${key}`));
    expect(same.length, where).toBeGreaterThan(0);
    for (const [key, cost] of same) expect(shown.get(`${where} ${key}`), `${where} ${key}`).toBe(cost);
  }
}, 120_000);

describe('a user who may see one environment', () => {
  it('gets the repairs of visible objects, and a sentence instead of figures', async () => {
    const seen = (await limited((ask) => ask('GET', 'plan?limit=50'))).json.data;
    expect(seen.before).toEqual([]);
    expect(seen.not_shown.map((one: Json) => one.environment_id)).toEqual([own.environment_id]);
    expect(seen.not_shown[0].reason).toMatch(/outside your access/);
    expect(seen.cards.length).toBeGreaterThan(0);
    for (const card of seen.cards) {
      expect([card.exposed_before, card.exposed_after, card.exposure]).toEqual([null, null, []]);
      expect(card.effect.text).not.toMatch(/\d/);
      expect(card.bound).toBeNull();
      expect(card.packages.length).toBeGreaterThan(0);
    }
    const [{ key }] = seen.cards[0].packages;
    const without = await limited((ask) => ask('GET', `plan?exclude=${encodeURIComponent(key)}`));
    expect(without.status).toBe(200);
    const keys = without.json.data.cards.flatMap(({ packages }: Json) =>
      packages.map((one: Json) => one.key),
    );
    expect(keys).not.toContain(key);
  });

  it('gets the plan of a forest that it sees whole, as all who ask for that environment', async () => {
    const { environment_id } = plan.before.find(
      (one: Json) => one.environment_name === 'BOREAL.EXAMPLE' && one.exposed_count > 0,
    );
    const asked = await test.data('GET', `plan?limit=50&environment=${environment_id}`);
    const { roles } = await test.data('GET', 'roles');
    const role = roles.find(({ name }: Json) => name === 'User');
    const user = await test.call('POST', 'bloodhound-users', {
      ...{ principal: 'alone', roles: [role.id], secret: PASSWORD },
      environment_targeted_access_control: { environments: [{ environment_id }] },
    });
    await test.login('alone');
    try {
      const own = async (rest = '') => (await test.call('GET', `plan?limit=50${rest}`)).json.data;
      const seen = await own();
      const shown = ({ before, end, cards }: Json) => ({
        ...{ before, end },
        cards: cards.map(({ title, effect, cost, exposure }: Json) => ({ title, effect, cost, exposure })),
      });
      expect(asked.cards.length).toBeGreaterThan(1);
      expect(shown(seen)).toEqual(shown(asked));
      expect(shown(await own(`&environment=${environment_id}`))).toEqual(shown(asked));
      // Keys of its cards can be excluded from it and started with it.
      const last = seen.cards.at(-1);
      const without = await own(`&exclude=${encodeURIComponent(last.key)}`);
      expect(without.cards.map(({ key }: Json) => key)).not.toContain(last.key);
      const titlesOf = (cards: Json[]): string[] =>
        cards.flatMap(({ packages }: Json) => packages.map(({ title }: Json) => title));
      for (const [cards, body] of [
        [[last], { name: 'of one', cards: [last.key] }],
        [seen.cards, { name: 'of one, whole' }],
      ]) {
        expect((await test.call('POST', 'plans/adopt', body)).status).toBe(201);
        const started = await test.data('GET', 'plans/adopted');
        const { repairs } = started.find(({ name }: Json) => name === body.name);
        expect(repairs.map(({ title }: Json) => title)).toEqual(titlesOf(cards));
      }
      // The stored plan belongs to all users: findings show neither its numbers nor its figures.
      const { data } = (await test.call('GET', 'attack-paths/findings?limit=1000')).json as Json;
      expect(data.length).toBeGreaterThan(10);
      const texts = data.flatMap(({ closed_by }: Json) => closed_by ?? []);
      expect(new Set(texts)).toEqual(new Set(['closed by the plan of all environments']));
      expect((await test.call('GET', 'attack-paths/findings?repair=gt:0')).json).toMatchObject({ count: 0 });
      const groups = (await test.call('GET', 'attack-paths/finding-groups?by=repair&limit=100')).json as Json;
      expect(groups.data.filter(({ key }: Json) => /^repair [1-9]/.test(key))).toEqual([]);
      for (const row of data)
        expect([row.repair, row.exposure_after, row.lowered_repair]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
    } finally {
      await test.login('admin');
    }
    // Other users can exclude cards of that plan by key, but no card of another plan.
    const [{ key }] = asked.cards;
    const path = `plan?limit=50&environment=${environment_id}&exclude=${encodeURIComponent(key)}`;
    const rest = await test.data('GET', path);
    expect(rest.cards.map((card: Json) => card.key)).not.toContain(key);
    expect((await test.call('GET', `${path}&exclude=none`)).status).toBe(400);
    for (const { name, id } of (await test.data('GET', 'plans')) as Json)
      if (name.startsWith('of one')) await test.call('DELETE', `plans/${id}`);
    await test.call('DELETE', `bloodhound-users/${(user.json as Json).data.id}`);
  });

  it('tries changes of visible objects, with the findings and the path that it may see', async () => {
    const [repair] = ownChanges(plan.cards);
    const body = { repairs: [repair] };
    const whole = await test.data('POST', 'plan/simulate', body);
    const answer = await limited((ask) => ask('POST', 'plan/simulate', body));
    expect(answer.status).toBe(200);
    const { before, after, not_shown, closed, remaining_path, closed_count } = answer.json.data;
    expect([before, after]).toEqual([[], []]);
    expect(not_shown.map((one: Json) => one.environment_id)).toEqual([own.environment_id]);
    expect(closed_count).toBeLessThanOrEqual(whole.closed_count);
    for (const finding of closed) expect(finding.environment_id).toBe(own.environment_id);
    for (const { object_id } of remaining_path?.nodes ?? []) expect(ownIds).toContain(object_id);
  });

  it('gets the remaining paths over visible objects, with repairs of visible objects', async () => {
    const [repair] = ownChanges(plan.cards);
    const body = { repairs: [repair], limit: 10 };
    const whole = await test.data('POST', 'plan/remaining-paths', body);
    expect(whole.paths.length).toBeGreaterThan(1);
    expect(whole.is_complete).toBe(whole.end.reason === 'none');
    const answer = await limited((ask) => ask('POST', 'plan/remaining-paths', body));
    expect(answer.status).toBe(200);
    const { paths, end, exposure, is_complete } = answer.json.data;
    expect(exposure).toEqual([]);
    const isHidden = paths.some(({ not_closed }: Json) => not_closed?.reason === 'not-shown');
    expect(/ not shown, /.test(end.text)).toBe(isHidden);
    expect(is_complete).toBe(end.reason === 'none' && !isHidden);
    expect(end.text).not.toMatch(/\d/);
    expect(paths.length).toBeGreaterThan(0);
    for (const { nodes, environment_id, principal_count, after } of paths) {
      for (const { object_id } of nodes) expect(ownIds).toContain(object_id);
      expect([environment_id, principal_count, after]).toEqual([own.environment_id, null, []]);
    }
    for (const { closed_by, not_closed } of paths) expect(closed_by === null).toBe(not_closed !== null);
    const text = JSON.stringify(paths);
    for (const { id } of foreign) expect(text).not.toContain(`"${id}"`);
    const hidden = { disable: [foreign[0].id] };
    expect((await limited((ask) => ask('POST', 'plan/remaining-paths', hidden))).status).toBe(403);
  });

  it('gets the kit of a change that it sees whole, and of no other', async () => {
    const [repair] = ownChanges(plan.cards);
    const kit = await limited((ask) => ask('POST', 'plan/kit', { repairs: [repair] }));
    expect(kit.status).toBe(200);
    expect(kit.json.data.files.map(({ name }: Json) => name)).toContain('SHA256SUMS');
    const all = plan.cards
      .flatMap(({ packages }: Json) => packages)
      .flatMap(({ references }: Json) => references);
    const other = all.find(({ object_id }: Json) => foreignIds.has(object_id));
    expect((await test.call('POST', 'plan/kit', { repairs: [other] })).status).toBe(200);
    expect((await limited((ask) => ask('POST', 'plan/kit', { repairs: [repair, other] }))).status).toBe(403);
    // All sessions of a domain's Tier Zero are also on hosts of other environments. The last test searches all answers for these
    // hosts.
    for (const one of sampledCases(all.slice(0, 60), 6))
      await limited((ask) => ask('POST', 'plan/kit', { repairs: [one] }));
  });

  it('gets the evidence of visible findings, of visible objects', async () => {
    const list = 'attack-paths/findings?limit=200';
    const all = await test.data('GET', list);
    const rows = (await limited((ask) => ask('GET', list))).json.data;
    expect(rows.length).toBeGreaterThan(0);
    let relations = 0;
    for (const { id } of rows.slice(0, 8)) {
      const answer = await limited((ask) => ask('GET', `attack-paths/findings/${id}/evidence`));
      // A finding of the environment may be about an object of another one.
      if (answer.status === 404) continue;
      expect(answer.status).toBe(200);
      const { data } = answer.json;
      relations += data.relations.length;
      const whole = await test.data('GET', `attack-paths/findings/${id}/evidence`);
      expect(whole.relations.length).toBeGreaterThanOrEqual(data.relations.length);
      for (const { source, target } of data.relations)
        for (const { object_id } of [source, target]) expect(foreignIds.has(object_id)).toBe(false);
    }
    expect(relations).toBeGreaterThan(0);
    const hidden = all.find(({ environment_id }: Json) => environment_id !== own.environment_id);
    expect((await limited((ask) => ask('GET', `attack-paths/findings/${hidden.id}/evidence`))).status).toBe(
      404,
    );
  });

  it('gets several paths of a finding over visible objects, without counts of others', async () => {
    const pathsOf = (id: number) => `attack-paths/findings/${id}/paths`;
    const statuses = new Map<number, number>();
    const found = await limited(async (ask) => {
      const rows = (await ask('GET', 'attack-paths/findings?finding_type=relationship&limit=1000'))
        .json as Json;
      const answers = new Map<number, Json>();
      for (const { id } of rows.data) {
        const { status, json } = await ask('GET', pathsOf(id));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200) answers.set(id, (json as Json).data);
        if (answers.size === 5) break;
      }
      return answers;
    });
    expect([...statuses]).toEqual(expect.arrayContaining([[200, expect.any(Number)]]));
    for (const [id, { paths, count, is_complete, principal_count, shortest }] of found) {
      expect([count, is_complete, principal_count]).toEqual([paths.length, false, null]);
      const lengths = paths.map(({ relations }: Json) => relations.length);
      expect(lengths[shortest]).toBe(Math.min(...lengths));
      for (const path of paths) {
        expect(path.principal_count).toBeNull();
        for (const { object_id } of [...path.nodes, ...path.through])
          expect(foreignIds.has(object_id)).toBe(false);
      }
      const whole = await test.data('GET', pathsOf(id));
      expect(whole.count).toBeGreaterThanOrEqual(count);
    }
    const { data } = (await test.call('GET', 'attack-paths/findings?limit=1000')).json as Json;
    const hidden = data.find(({ environment_id }: Json) => environment_id !== own.environment_id);
    expect((await limited((ask) => ask('GET', pathsOf(hidden.id)))).status).toBe(404);
    // A finding about one object is not a step of a path.
    const single = data.find(({ finding_type }: Json) => finding_type === 'list');
    expect((await test.call('GET', pathsOf(single.id))).status).toBe(404);
    expect((await test.call('GET', pathsOf(2_000_000_000))).status).toBe(404);
    expect((await test.call('GET', 'attack-paths/findings/x/paths')).status).toBe(400);
  });

  it('gets other paths over visible objects, and 403 for objects that it may not see', async () => {
    const pathsOf = (from: string, to: string) =>
      `graphs/alternative-paths?start_node=${from}&end_node=${to}`;
    const [card] = plan.cards.filter(({ paths }: Json) =>
      paths.some(({ before }: Json) =>
        before.nodes.every(({ object_id }: Json) => ownIds.includes(object_id)),
      ),
    );
    const { nodes } = card.paths.find(({ before }: Json) =>
      before.nodes.every(({ object_id }: Json) => ownIds.includes(object_id)),
    ).before;
    const [from, to] = [nodes[0].object_id, nodes.at(-1).object_id];
    const answer = await limited((ask) => ask('GET', pathsOf(from, to)));
    expect(answer.status).toBe(200);
    expect(answer.json.data.paths.length).toBeGreaterThan(0);
    for (const path of answer.json.data.paths)
      for (const { object_id } of path.nodes) expect(foreignIds.has(object_id)).toBe(false);
    for (const id of [foreign[0]?.id as string, NOWHERE])
      expect((await limited((ask) => ask('GET', pathsOf(from, id)))).status).toBe(403);
    const reachOf = (id: string) => `graphs/reach?object_id=${id}&include_path=true`;
    for (const id of [foreign[0]?.id as string, NOWHERE])
      expect((await limited((ask) => ask('GET', reachOf(id)))).status).toBe(403);
    const reach = await limited((ask) => ask('GET', reachOf(to)));
    expect(reach.status).toBe(200);
    const whole = await test.data('GET', reachOf(to));
    if (whole.environments.some((one: Json) => one.environment_id !== own.environment_id))
      expect(reach.json.data).toMatchObject({
        ...{ reaching_count: null, principal_count: null, environments: [], easiest_path: null },
        ...{ others: null, others_not_shown: null },
        not_shown: 'Not shown: covers environments outside your access',
      });
    else
      expect(reach.json.data).toMatchObject({
        ...{ reaching_count: whole.reaching_count, not_shown: null },
        ...{ others: [], others_not_shown: 'Environments outside your access are not counted' },
      });
    const [shown] = answer.json.data.paths;
    const steps = shown.relations.map((kind: string, at: number) => ({
      source_id: shown.nodes[at].object_id,
      target_id: shown.nodes[at + 1].object_id,
      kinds: [kind],
    }));
    const cuts = await limited((ask) => ask('POST', 'plan/path-repairs', { steps }));
    expect([cuts.status, cuts.json.data.steps.length]).toEqual([200, steps.length]);
    const asked = (step: object) =>
      limited((ask) => ask('POST', 'plan/path-repairs', { steps: [{ ...steps[0], ...step }] }));
    for (const id of [foreign[0]?.id as string, NOWHERE])
      expect((await asked({ target_id: id })).status).toBe(403);
    expect((await asked({ kinds: ['NoSuchKind'] })).status).toBe(400);
    expect((await asked({ kinds: [] })).status).toBe(400);
  });

  it('gets choke points and differences without figures of a forest that it sees in part', async () => {
    const chokes = await limited((ask) => ask('GET', 'plan/choke-points'));
    expect(chokes.status).toBe(200);
    expect(chokes.json.data).toMatchObject({ exposed_count: 0, objects: [], relations: [] });
    const notShown = [{ environment_id: own.environment_id, reason: expect.stringMatching(/outside your/) }];
    expect(chokes.json.data.not_shown).toMatchObject(notShown);
    const whole = await test.data('GET', 'plan/choke-points');
    expect([whole.exposed_count > 0, whole.not_shown]).toEqual([true, []]);
    const since = 'analysis/difference?since=2020-01-01T00:00:00Z&limit=1000';
    const answer = await limited((ask) => ask('GET', since));
    expect(answer.status).toBe(200);
    const { objects, exposure, moved_by, came_together, not_shown } = answer.json.data;
    expect([exposure, moved_by, came_together]).toEqual([[], [], null]);
    expect(not_shown).toMatchObject(notShown);
    for (const { object_id } of [...objects.came, ...objects.went])
      expect(foreignIds.has(object_id)).toBe(false);
  });

  it('cannot distinguish objects of other environments from missing ones', async () => {
    const [visible] = ownIds as [string];
    const requestsOf = (id: string): object[] => [
      { disable: [id] },
      { remove: [{ source_id: id, kind: 'MemberOf', target_id: visible }] },
      { remove: [{ source_id: visible, kind: 'MemberOf', target_id: id }] },
      { add: [{ source_id: id, kind: 'GenericAll', target_id: visible }] },
      { add: [{ source_id: visible, kind: 'GenericAll', target_id: id.toLowerCase() }] },
      { repairs: [{ kind: 'remove-member', object_id: id, principal_id: visible, relations: ['MemberOf'] }] },
      { repairs: [{ kind: 'remove-member', object_id: visible, principal_id: id, relations: ['MemberOf'] }] },
      { repairs: [{ kind: 'controllers-ldap-signing', object_id: id }] },
    ];
    const ids = plan.before
      .map((one: Json) => one.environment_id)
      .filter((id: string) => id !== own.environment_id);
    const tried = [...ids, foreign[0]?.id as string, foreign.at(-1)?.id as string];
    await limited(async (ask) => {
      const told = async (id: string) => {
        const found: [number, string][] = [];
        const note = ({ status, json }: Answer): number => found.push([status, json.errors[0].message]);
        for (const request of requestsOf(id)) {
          note((await ask('POST', 'plan/simulate', request)) as Answer);
          note((await ask('POST', 'plans', { name: 'probe', ...request })) as Answer);
        }
        for (const name of ['environment', 'within'])
          note((await ask('GET', `plan?${name}=${encodeURIComponent(id)}`)) as Answer);
        return found;
      };
      const unknown = await told(NOWHERE);
      expect(new Set(unknown.map(([status]) => status))).toEqual(new Set([403]));
      for (const id of sampledCases(tried, 3)) expect(await told(id)).toEqual(unknown);
      const keys: string[] = plan.cards.flatMap(({ key, packages }: Json) => [
        key,
        ...packages.map((one: Json) => one.key),
      ]);
      const hidden = keys.filter((key) => foreign.some(({ id }) => key.includes(id)));
      expect(hidden.length).toBeGreaterThan(0);
      // The refusal repeats the request.
      for (const key of sampledCases(hidden, 6))
        expect((await test.call('GET', `plan?exclude=${encodeURIComponent(key)}`)).status).toBe(400);
    });
  }, 60_000);

  it('saves plans of its own, follows them, and has no others but those it may see whole', async () => {
    const [repair] = ownChanges(plan.cards);
    const other = plan.cards
      .flatMap(({ packages }: Json) => packages)
      .flatMap(({ references }: Json) => references)
      .find(({ object_id }: Json) => foreign.some(({ id }) => id === object_id));
    const save = async (body: object): Promise<Json> => (await test.call('POST', 'plans', body)).json.data;
    const shared = await save({ name: 'shared', repairs: [repair] });
    const secret = await save({ name: 'secret', repairs: [repair, other] });
    expect(shared.expected.before).toEqual(plan.before);
    await limited(async (ask) => {
      const made = (await ask('POST', 'plans', { name: 'mine', repairs: [repair] })).json.data;
      expect(made.expected.before).toEqual([]);
      const list = (await ask('GET', 'plans')).json;
      expect([list.count, list.data.map(({ name }: Json) => name)]).toEqual([2, ['mine', 'shared']]);
      const { json } = await ask('GET', `plans/${shared.id}`);
      expect(json.data.expected.before).toEqual([]);
      expect(json.data.simulation.before).toEqual([]);
      expect(json.data.steps).toHaveLength(1);
      const [hidden, missing] = [await ask('GET', `plans/${secret.id}`), await ask('GET', 'plans/999999')];
      expect([hidden.status, hidden.json.errors]).toEqual([404, missing.json.errors]);
      expect((await ask('DELETE', `plans/${secret.id}`)).status).toBe(404);
      expect((await ask('DELETE', `plans/${shared.id}`)).status).toBe(403);
      expect((await ask('DELETE', `plans/${made.id}`)).status).toBe(204);
    });
    expect((await test.data('GET', `plans/${shared.id}`)).expected.before).toEqual(plan.before);
  });

  it('starts the plan of visible objects, and reports changes as done before a collection shows them', async () => {
    const whole = (await test.call('POST', 'plans/adopt', { name: 'of all' })).json.data;
    const [mine] = await limited(async (ask) => {
      const made = await ask('POST', 'plans/adopt', { name: 'of mine' });
      expect(made.status).toBe(201);
      const plans = (await ask('GET', 'plans/adopted')).json.data;
      expect(plans.map(({ name }: Json) => name)).toEqual(['of mine']);
      expect([plans[0].before, plans[0].now, plans[0].effort_now]).toEqual([[], [], []]);
      expect(plans[0].text).not.toMatch(/%/);
      expect((await ask('POST', `plans/${whole.id}/marks`, { changes: [1], done: true })).status).toBe(404);
      const { plan_id } = plans[0];
      const marked = await ask('POST', `plans/${plan_id}/marks`, { changes: [1], done: true, note: 'CHG-7' });
      expect(marked.json.data.marked_count).toBe(1);
      expect(marked.json.data.changes[0].marked).toMatchObject({
        ...{ by: 'limited', note: 'CHG-7', evidence: 'waiting' },
      });
      return plans;
    });
    const read = async () =>
      (await test.data('GET', 'plans/adopted')).find(({ plan_id }: Json) => plan_id === mine.plan_id);
    expect(await read()).toMatchObject({ done_count: 0, marked_count: 1 });
    expect((await read()).text).toMatch(/1 marked as done, but no collection shows it yet/);
    const { status } = await test.call('POST', `plans/${mine.plan_id}/marks`, { changes: [99], done: true });
    expect(status).toBe(400);
    const audit = await test.data('GET', 'audit?action=eq:MarkPlanChanges');
    expect(audit.logs[0]).toMatchObject({ actor_name: 'limited', fields: { done: true, changes: '1' } });
    await test.call('POST', `plans/${mine.plan_id}/marks`, { changes: [1], done: false });
    expect(await read()).toMatchObject({ marked_count: 0 });
    // A new collection shows that the changes reported as done are not done. Settings that it reads from hosts would wait.
    const { rows } = await test.database.pool.query('select adoption from saved_plan where id = $1', [
      mine.plan_id,
    ]);
    const facts: Json[] = rows[0].adoption.packages.flatMap(({ changes }: Json) => changes);
    const at = facts.findIndex(
      ({ removed, properties }) =>
        properties.length === 0 && removed.every(({ kind }: Json) => kind === 'MemberOf'),
    );
    await test.call('POST', `plans/${mine.plan_id}/marks`, { changes: [at + 1], done: true });
    await upload(forest.files, '\n');
    await vi.waitUntil(async () => (await read()).changes[at].marked.evidence !== 'waiting', {
      timeout: 100_000,
    });
    expect(await read()).toMatchObject({ done_count: 0, marked_count: 1 });
    expect((await read()).changes[at].marked.evidence).toBe('contradicted');
    expect((await read()).text).toMatch(/a later collection does not show it/);
  }, 120_000);

  it('assigns repairs of a started plan, until a day and with notes', async () => {
    const started = await test.data('GET', 'plans/adopted');
    const [whole, mine] = ['of all', 'of mine'].map((name) => started.find((one: Json) => one.name === name));
    expect(whole.repairs.map(({ title }: Json) => title)).toEqual(
      plan.cards.flatMap(({ packages }: Json) => packages.map(({ title }: Json) => title)),
    );
    const numbers = whole.repairs.flatMap(({ changes }: Json) => changes);
    expect(numbers).toEqual(whole.changes.map(({ number }: Json) => number));
    const { roles } = await test.data('GET', 'roles');
    const role = roles.find(({ name }: Json) => name === 'User');
    const user = { principal: 'maja', roles: [role.id], secret: PASSWORD };
    const { id: owner_id } = (await test.call('POST', 'bloodhound-users', user)).json.data;
    const users = (await limited((ask) => ask('GET', 'bloodhound-users-assignable'))).json.data;
    expect(users).toContainEqual({ id: owner_id, name: 'maja' });
    expect(users.map(({ name }: Json) => name)).toEqual(['admin', 'limited', 'maja']);
    const path = (one: Json, repair = 1) => `plans/${one.plan_id}/repairs/${repair}`;
    const notes = 'After the move <b>of</b> \u202e files\n"; drop table plan_repair; --';
    await limited(async (ask) => {
      expect((await ask('PATCH', path(whole), { notes })).status).toBe(404);
      const { status, json } = await ask('PATCH', path(mine), { owner_id, due: '2026-12-31', notes });
      expect(status).toBe(200);
      const [first] = json.data.repairs;
      expect(first).toMatchObject({ owner: { id: owner_id, name: 'maja' }, due: '2026-12-31', notes });
      expect([first.key, first.updated.by]).toEqual([null, 'limited']);
    });
    for (const body of [
      ...[{ due: '2026-02-30' }, { due: '0000-01-01' }, { due: 'soon' }, { notes: 'x'.repeat(4001) }],
      ...[{ owner_id: 'maja' }, { owner_id: '00000000-0000-4000-8000-000000000000' }, { notes: '\u0000' }],
    ])
      expect((await test.call('PATCH', path(mine), body)).status, JSON.stringify(body)).toBe(400);
    expect((await test.call('PATCH', path(mine, 99), { notes: '' })).status).toBe(404);
    const self = users.find(({ name }: Json) => name === 'limited').id;
    expect((await test.call('PATCH', path(whole), { owner_id: self })).json.errors[0].message).toMatch(
      /limited cannot see everything that the plan changes/,
    );
    const saved = await test.call('POST', 'plans', { name: 'not started', disable: [ownIds[0]] });
    expect((await test.call('PATCH', `plans/${saved.json.data.id}/repairs/1`, { notes: '' })).status).toBe(
      404,
    );
    // Fields that are not in the body stay unchanged.
    const { json } = await test.call('PATCH', path(mine), { due: null });
    expect(json.data.repairs[0]).toMatchObject({ owner: { name: 'maja' }, due: null, notes });
    const { logs } = await test.data('GET', 'audit?action=eq:UpdatePlanRepair');
    expect(logs[0]).toMatchObject({ actor_name: 'admin', fields: { repair: 1, due: '' } });
    expect(logs[1]).toMatchObject({ actor_name: 'limited', fields: { owner: 'maja', due: '2026-12-31' } });
    // A plan that is being deleted blocks assignments of its repairs.
    const lost = (await test.call('POST', 'plans/adopt', { name: 'lost' })).json.data;
    const ofUser = 'select from user_account where id = $1 for update';
    const held = await HeldRows.hold(test.database.pool, ofUser, [owner_id]);
    const assigned = test.call('PATCH', path({ plan_id: lost.id }), { owner_id });
    await held.untilWaiting(1);
    const deleted = test.call('DELETE', `plans/${lost.id}`);
    await held.untilWaiting(2);
    await held.release();
    expect([(await assigned).status, (await deleted).status]).toEqual([200, 204]);
    expect((await test.call('PATCH', path({ plan_id: lost.id }), { owner_id })).status).toBe(404);
    await test.call('PATCH', `bloodhound-users/${owner_id}`, { is_disabled: true });
    expect((await test.call('PATCH', path(mine), { owner_id })).status).toBe(400);
    await test.call('DELETE', `bloodhound-users/${owner_id}`);
    const after = (await test.data('GET', 'plans/adopted')).find(({ name }: Json) => name === 'of mine');
    expect(after.repairs[0]).toMatchObject({ owner: null, notes });
  });

  it('sees in the history of a change which facts moved, and which upload showed it', async () => {
    const references: Json[] = plan.cards
      .flatMap(({ packages }: Json) => packages)
      .flatMap((one: Json) => one.references);
    const at = references.findIndex(({ kind }) => kind === 'remove-permission' || kind === 'remove-member');
    const { principal_id: start, object_id: end, relations } = references[at];
    const edited = forest.files.map((file): EditableFile => {
      const { data } = JSON.parse([...fileText(file)].join(''));
      return { type: file.type, records: data };
    });
    const removed = relations.map((kind: string) => ({ start, kind, end }));
    changeRecords(edited, { removed, properties: [] });
    await uploadEdited(test, edited);
    const change = async (): Promise<Json> =>
      (await test.data('GET', 'plans/adopted')).find(({ name }: Json) => name === 'of all').changes[at];
    await vi.waitUntil(async () => (await change()).state === 'done', { timeout: 120_000, interval: 200 });
    const [entry] = (await change()).history;
    expect(entry).toMatchObject({ state: 'done', jobs: [{ by: 'admin' }] });
    expect(entry.since < entry.at).toBe(true);
    expect(entry.moved[0]).toMatch(/ was removed$/);
  }, 300_000);

  it('learned nothing about the other environments', () => {
    const text = JSON.stringify(answers.map(({ json }) => json));
    // Scripts and rules have GUIDs in lower case.
    const ids = text.toUpperCase();
    expect(answers.length).toBeGreaterThan(50);
    expect(foreign.length).toBeGreaterThan(50);
    const told = foreign.filter(
      ({ id, name }) => ids.includes(id.toUpperCase()) || (name.length > 8 && text.includes(name)),
    );
    expect(told).toEqual([]);
  });
});
