import { NOT_DELETED } from '@clew/api';
import { type CallOptions, collectControllers, useFindingServer } from '@clew/service/testing';
/** Zones over HTTP: from a selector to members in the next analysis, and refusals. */
import { beforeEach, describe, expect, test } from 'vitest';

const DOMAIN = 'S-1-5-21-1-2-3';
const ADMINS = `${DOMAIN}-512`;
const EVE = `${DOMAIN}-1101`;
const TAGS = '/api/v2/asset-group-tags';
const GROUPS = '/api/v2/asset-groups';

const server = useFindingServer();

beforeEach(async () => {
  await server.empty();
  await collectControllers(server, [], { users: new Map([[1101, 'EVE@CORP.LOCAL']]), properties: {} });
});

async function ask(status: number, target: string, options: CallOptions = {}) {
  const answer = await server.call(target, options);
  expect([target, answer.status, answer.status === status ? '' : answer.text]).toEqual([target, status, '']);
  return answer.json;
}

const post = (body: object): CallOptions => ({ method: 'POST', body });
const patch = (body: object): CallOptions => ({ method: 'PATCH', body });

async function createZone(name: string): Promise<number> {
  const { data } = await ask(201, TAGS, post({ name, type: 1 }));
  return data.id;
}

const seeds = [{ type: 1, value: EVE.toLowerCase() }];

describe('Tier Zero', () => {
  test('is tag 1, with built-in rules and the objects they select', async () => {
    const { tags } = (await ask(200, `${TAGS}?counts=true`)).data;
    expect(tags[0]).toMatchObject({ id: 1, type: 1, name: 'Tier Zero', position: 1, analysis_enabled: true });
    const { counts: tallies } = tags[0];
    expect(tallies.members).toBeGreaterThan(1);
    expect(tallies).toMatchObject({ custom_selectors: 0, disabled_selectors: 0 });
    expect(tallies.default_selectors).toBe(tallies.selectors);
    expect((await ask(200, `${TAGS}?type=eq:3`)).data.tags).toMatchObject([{ id: 2, name: 'Owned' }]);

    const page = await ask(200, `${TAGS}/1/members?primary_kind=Group&name=~eq:domain admins`);
    expect(page).toMatchObject({
      count: 1,
      data: { members: [{ object_id: ADMINS, environment_id: DOMAIN }] },
    });
    const [{ id }] = page.data.members;
    const { member } = (await ask(200, `${TAGS}/1/members/${id}`)).data;
    expect(member.properties.name).toBe('DOMAIN ADMINS@CORP.LOCAL');
    expect(member.selectors[0]).toMatchObject({ is_default: true, asset_group_tag_id: 1 });
    const rule = `${TAGS}/1/selectors/${member.selectors[0].id}`;
    const selected = (await ask(200, `${rule}/members`)).data.members;
    expect(selected.map(({ object_id }: { object_id: string }) => object_id)).toContain(ADMINS);

    const counts = (await ask(200, `${TAGS}/1/members/counts`)).data;
    expect(counts.total_count).toBe((await ask(200, `${TAGS}/1/members?limit=0`)).count);
    expect(counts.counts.Domain).toBe(1);
    expect((await ask(200, `${rule}/members/counts`)).data.total_count).toBe(selected.length);
  });

  test('has rules that are listed by the type of their seeds, and count members by environment', async () => {
    await ask(201, `${TAGS}/1/selectors`, post({ name: 'Eve', seeds }));
    await server.collect();
    const rules = async (query: string) =>
      (await ask(200, `${TAGS}/1/selectors?limit=100&${query}`)).data.selectors;
    const [own, all] = [await rules('type=1'), await rules('')];
    expect(own).toMatchObject([{ name: 'Eve', seeds: [{ type: 1 }] }]);
    expect([await rules('type=eq:1'), await rules('type=neq:2')]).toEqual([own, own]);
    expect(await rules('type=2')).toHaveLength(all.length - 1);
    await ask(400, `${TAGS}/1/selectors?type=query`);
    for (const [environment, members] of [[DOMAIN, 1] as const, ['S-1-5-21-9', 0] as const]) {
      const [rule] = await rules(`type=1&counts=true&environments=${environment.toLowerCase()}`);
      expect(rule.counts).toEqual({ members });
    }
    const { counts } = (await ask(200, `${TAGS}?counts=true`)).data.tags[0];
    expect(counts).toMatchObject({ custom_selectors: 1, selectors: all.length });
  });

  test.each([
    ['deleting it', `${TAGS}/1`, { method: 'DELETE' }, 409],
    ['renaming it', `${TAGS}/1`, patch({ name: 'Crown' }), 409],
    ['a tag that does not exist', `${TAGS}/77/members`, {}, 404],
    ['a rule that does not exist', `${TAGS}/1/selectors/7777`, {}, 404],
    ['a member that does not exist', `${TAGS}/1/members/99999`, {}, 404],
    ['a name with other characters', TAGS, post({ name: 'A<b>', type: 1 }), 400],
    ['a name that is taken', TAGS, post({ name: 'Tier Zero', type: 1 }), 409],
    ['a label with a position', TAGS, post({ name: 'Marked', type: 2, position: 2 }), 400],
    [
      'a label that asks for certification',
      TAGS,
      post({ name: 'Marked', type: 2, require_certify: true }),
      400,
    ],
    ['a zone before Tier Zero', TAGS, post({ name: 'First', type: 1, position: 1 }), 400],
    ['a second mark of owned objects', TAGS, post({ name: 'Mine', type: 3 }), 400],
    ['a rule without seeds', `${TAGS}/1/selectors`, post({ name: 'none', seeds: [] }), 400],
    [
      'a rule that queries',
      `${TAGS}/1/selectors`,
      post({ name: 'q', seeds: [{ type: 2, value: 'match (n return n' }] }),
      400,
    ],
    ['a change by a reader', TAGS, { ...post({ name: 'B', type: 1 }), user: 'reader' }, 403],
  ] as [string, string, CallOptions, number][])('%s is refused', async (_, target, options, status) => {
    await ask(status, target, options);
  });
});

describe("a zone of one's own", () => {
  test('gets its members with the analysis after a rule, and loses them with the rule', async () => {
    const zone = await createZone('Tier One');
    const preview = (await ask(200, `${TAGS}/preview-selectors`, post({ seeds }))).data;
    expect(preview.members).toMatchObject([
      { object_id: EVE, environment_id: DOMAIN, source: 1, name: 'EVE@CORP.LOCAL' },
    ]);

    const rule = (await ask(201, `${TAGS}/${zone}/selectors`, post({ name: 'Eve', seeds }))).data;
    expect(rule).toMatchObject({
      asset_group_tag_id: zone,
      seeds: [{ type: 1, value: EVE }],
      disabled_at: null,
    });
    await server.collect();
    expect(await ask(200, `${TAGS}/${zone}/members`)).toMatchObject({
      data: { members: [{ object_id: EVE }] },
    });
    const elsewhere = await ask(200, `${TAGS}/${zone}/members`, { user: 'elsewhere' });
    expect(elsewhere).toMatchObject({ count: 0, data: { members: [] } });

    const search = (await ask(200, `${TAGS}/search`, post({ query: 'eve', tag_type: 1 }))).data;
    expect(search).toMatchObject({ selectors: [{ name: 'Eve' }], members: [{ object_id: EVE }] });

    const changed = await ask(200, `${TAGS}/${zone}/selectors/${rule.id}`, patch({ disabled: true }));
    expect(changed.data.disabled_by).toBe('admin');
    await server.collect();
    expect((await ask(200, `${TAGS}/${zone}/members`)).count).toBe(0);

    await ask(204, `${TAGS}/${zone}/selectors/${rule.id}`, { method: 'DELETE' });
    await ask(204, `${TAGS}/${zone}`, { method: 'DELETE' });
    await ask(404, `${TAGS}/${zone}`);
    const { records } = (await ask(200, `${TAGS}-history`)).data;
    const byUsers = records.filter(({ actor }: { actor: string }) => actor !== 'SYSTEM');
    expect(byUsers.map(({ action }: { action: string }) => action)).toEqual([
      'DeleteTag',
      'DeleteSelector',
      'UpdateSelector',
      'CreateSelector',
      'CreateTag',
    ]);
    const found = await ask(200, `${TAGS}-history?action=CreateTag`, post({ query: 'tier one' }));
    expect(found).toMatchObject({ count: 1, data: { records: [{ actor: 'admin', target: 'Tier One' }] } });
  });

  test('is not changed by a change to its present value', async () => {
    const zone = await createZone('Same');
    const before = (await ask(200, `${TAGS}/${zone}`)).data.tag;
    for (const same of [{}, { name: 'Same' }, { name: 'Same', position: before.position, description: '' }])
      expect((await ask(200, `${TAGS}/${zone}`, patch(same))).data).toEqual(before);
    expect((await ask(200, `${TAGS}-history?target=Same`)).count).toBe(1);
  });

  test('asks people to certify its members', async () => {
    const zone = await createZone('Guarded');
    const { data } = await ask(200, `${TAGS}/${zone}`, patch({ require_certify: true, description: 'x' }));
    expect(data).toMatchObject({ id: zone, require_certify: true, description: 'x' });
    await ask(201, `${TAGS}/${zone}/selectors`, post({ name: 'Eve', seeds }));
    await server.collect();
    const queue = `${TAGS}/certifications`;
    const [waiting] = (await ask(200, `${queue}?asset_group_tag_id=${zone}`)).data.members;
    expect(waiting).toMatchObject({ object_id: EVE, certified: 0, certified_by: null });
    await ask(200, queue, post({ member_ids: [waiting.id], action: 2, note: 'known' }));
    await server.collect();
    const [decided] = (await ask(200, `${queue}?certified=2`)).data.members;
    expect(decided).toMatchObject({ object_id: EVE, certified_by: 'admin' });
    expect((await ask(200, `${TAGS}/${zone}/members`)).count).toBe(1);
    await ask(404, queue, post({ member_ids: [999_999], action: 2 }));
  });
});

describe('asset groups', () => {
  test('show Tier Zero and its members as older clients ask for them', async () => {
    const { asset_groups } = (await ask(200, `${GROUPS}?tag=eq%3Aadmin_tier_0`)).data;
    expect(asset_groups).toMatchObject([
      { id: 1, tag: 'admin_tier_0', system_group: true, deleted_at: NOT_DELETED },
    ]);
    const target = `${GROUPS}/1/members?environment_id=eq:${DOMAIN}&primary_kind=Group&custom_member=false`;
    const { count, data } = await ask(200, `${target}&limit=1000`);
    expect(count).toBe(data.members.length);
    const admins = data.members.find(({ object_id }: { object_id: string }) => object_id === ADMINS);
    expect(admins).toMatchObject({ environment_kind: 'Domain', custom_member: false, asset_group_id: 1 });
    expect(admins.kinds).toContain('Group');
    const counts = (await ask(200, `${GROUPS}/1/members/counts?primary_kind=Group`)).data;
    expect(counts).toEqual({ total_count: count, counts: { Group: count } });
  });

  test('are made, changed and deleted', async () => {
    const { data } = await ask(200, GROUPS, post({ name: 'Watched', tag: 'watched' }));
    const group = `${GROUPS}/${data.id}`;
    const add = [{ selector_name: 'eve', sid: EVE, action: 'add' }];
    const changed = await ask(201, `${group}/selectors`, { method: 'PUT', body: add });
    expect(changed.data).toMatchObject({ added_selectors: [{ selector: EVE }], removed_selectors: [] });
    await server.collect();
    expect((await ask(200, `${group}/members`)).data.members).toMatchObject([
      { object_id: EVE, custom_member: true },
    ]);
    expect(await ask(200, `${group}/custom-selectors`)).toEqual({
      custom_member_count: 1,
      data: { custom_member_count: 1 },
    });
    await ask(200, `${group}/selectors/${changed.data.added_selectors[0].id}`, { method: 'DELETE' });
    expect((await ask(200, group, { method: 'PUT', body: { name: 'Seen' } })).data.name).toBe('Seen');
    await ask(200, group, { method: 'DELETE' });
    await ask(404, group);
    await ask(409, `${GROUPS}/1`, { method: 'DELETE' });
    await ask(400, GROUPS, post({ name: ' ', tag: 'x' }));
    await ask(400, GROUPS, post({ name: 'x', tag: 'a b' }));
    const { errors } = await ask(409, GROUPS, post({ name: 'Tier Zero', tag: 'x' }));
    expect(errors[0].message).toBe('asset group name must be unique');
  });
});

describe('a selector of which the caller sees a part', () => {
  const ELSEWHERE = 'S-1-5-21-9-9-9';
  const MALLORY = `${ELSEWHERE}-1101`;
  const limited = (options: CallOptions): CallOptions => ({ ...options, user: 'elsewhere' });
  const stored = async (path: string): Promise<string[]> =>
    (await ask(200, path)).data.selector.seeds.map(({ value }: { value: string }) => value);
  let path: string;

  beforeEach(async () => {
    const zone = await createZone('Crown Jewels');
    const both = [EVE, ELSEWHERE].map((value) => ({ type: 1, value }));
    const { data } = await ask(
      201,
      `${TAGS}/${zone}/selectors`,
      post({ name: 'Eve and others', seeds: both }),
    );
    path = `${TAGS}/${zone}/selectors/${data.id}`;
  });

  test('keeps the seeds that the caller does not see', async () => {
    const { selector } = (await ask(200, path, limited({}))).data;
    expect(selector).toMatchObject({ seeds: [{ type: 1, value: ELSEWHERE }], hidden_seeds: 1 });
    const more = [...selector.seeds, { type: 1, value: MALLORY }];
    const { data } = await ask(200, path, limited(patch({ ...selector, seeds: more })));
    expect(data).toMatchObject({ seeds: [{ type: 1, value: ELSEWHERE }], hidden_seeds: 2 });
    expect(await stored(path)).toEqual([EVE, ELSEWHERE, MALLORY]);
    await ask(200, path, limited(patch({ seeds: [] })));
    expect(await stored(path)).toEqual([EVE, MALLORY]);
  });

  test('keeps a name and a description that the caller did not see', async () => {
    const secret = { name: `Selects ${EVE}`, description: `${EVE} is in charge` };
    await ask(200, path, patch(secret));
    const { selector } = (await ask(200, path, limited({}))).data;
    expect(selector.name).not.toContain(EVE);
    await ask(200, path, limited(patch({ name: selector.name, description: selector.description })));
    expect((await ask(200, path)).data.selector).toMatchObject(secret);
  });

  test('keeps the text of a query that is shown without its texts', async () => {
    const query = `MATCH (n:User) WHERE n.objectid = '${EVE}' RETURN n`;
    const { data } = await ask(
      ...([201, `${path.slice(0, path.lastIndexOf('/'))}`] as const),
      post({ name: 'A query', seeds: [{ type: 2, value: query }] }),
    );
    const ofQuery = `${path.slice(0, path.lastIndexOf('/'))}/${data.id}`;
    const { selector } = (await ask(200, ofQuery, limited({}))).data;
    expect(selector.seeds[0].value).not.toContain(EVE);
    await ask(200, ofQuery, limited(patch({ name: 'Renamed', seeds: selector.seeds })));
    expect(await stored(ofQuery)).toEqual([query]);
  });

  test('is neither switched off nor deleted by that caller', async () => {
    for (const refused of [patch({ disabled: true }), { method: 'DELETE' }]) {
      const { errors } = await ask(409, path, limited(refused));
      expect(errors[0].message).toContain('that you cannot see');
    }
    await ask(200, path, limited(patch({ disabled: false })));
    await ask(204, path, { method: 'DELETE' });
  });

  test('goes with its zone only where the caller sees all of it', async () => {
    const zone = path.slice(0, path.indexOf('/selectors'));
    const { errors } = await ask(409, zone, limited({ method: 'DELETE' }));
    expect(errors[0].message).toContain('that you cannot see');
    expect(await stored(path)).toEqual([EVE, ELSEWHERE]);
    const { data } = await ask(201, TAGS, post({ name: 'Of others', type: 1 }));
    await ask(
      ...([201, `${TAGS}/${data.id}/selectors`] as const),
      post({ name: 'Seen', seeds: [{ type: 1, value: ELSEWHERE }] }),
    );
    await ask(204, `${TAGS}/${data.id}`, limited({ method: 'DELETE' }));
    await ask(204, zone, { method: 'DELETE' });
  });
});

describe('an asset group of which the caller sees a part', () => {
  const ELSEWHERE = 'S-1-5-21-9-9-9';
  const limited = (options: CallOptions): CallOptions => ({ ...options, user: 'elsewhere' });
  const put = (body: object): CallOptions => ({ method: 'PUT', body });
  const selectors = async (group: string): Promise<{ id: number; selector: string }[]> =>
    (await ask(200, group)).data.selectors;
  const named = async (group: string): Promise<string[]> =>
    (await selectors(group)).map(({ selector }) => selector);
  let group: string;
  let shared: number;

  /** A label with a selector for an object of each environment, and one for both. */
  beforeEach(async () => {
    const { data } = await ask(200, GROUPS, post({ name: 'Watched', tag: 'watched' }));
    group = `${GROUPS}/${data.id}`;
    const add = [EVE, ELSEWHERE].map((sid) => ({ selector_name: `of ${sid}`, sid, action: 'add' }));
    await ask(201, `${group}/selectors`, put(add));
    const both = [EVE, ELSEWHERE].map((value) => ({ type: 1, value }));
    const made = await ask(201, `${TAGS}/${data.id}/selectors`, post({ name: 'Of both', seeds: both }));
    shared = made.data.id;
  });

  test('keeps its hidden objects, whatever they are asked with', async () => {
    const before = await selectors(group);
    const hidden = before.find(({ id, selector }) => selector === EVE && id !== shared);
    const remove = [EVE, EVE.toLowerCase(), 'EVE@CORP.LOCAL'].map((sid) => ({ sid, action: 'remove' }));
    const { data } = await ask(201, `${group}/selectors`, limited(put(remove)));
    expect(data).toEqual({ added_selectors: [], removed_selectors: [] });
    for (const id of [hidden?.id, shared]) {
      const { errors } = await ask(409, `${group}/selectors/${id}`, limited({ method: 'DELETE' }));
      expect(errors[0].message).toContain('that you cannot see');
    }
    await ask(409, group, limited({ method: 'DELETE' }));
    expect(await selectors(group)).toEqual(before);
  });

  test('loses what the caller sees, and says nothing of the others', async () => {
    const renamed = await ask(200, group, limited(put({ name: 'Renamed' })));
    expect(renamed.data).toMatchObject({ name: 'Renamed', hidden_selectors: 2 });
    expect(JSON.stringify(renamed)).not.toContain(EVE);
    const remove = [{ sid: ELSEWHERE, action: 'remove' }];
    const { data } = await ask(201, `${group}/selectors`, limited(put(remove)));
    expect(data.removed_selectors).toMatchObject([{ selector: ELSEWHERE }]);
    expect((await named(group)).sort()).toEqual([EVE, EVE, ELSEWHERE].sort());
  });

  test('is changed and deleted by a caller who sees all of it', async () => {
    await ask(201, `${group}/selectors`, put([{ sid: EVE, action: 'remove' }]));
    await ask(200, `${group}/selectors/${shared}`, { method: 'DELETE' });
    expect(await named(group)).toEqual([ELSEWHERE]);
    await ask(200, group, limited({ method: 'DELETE' }));
    await ask(404, group);
  });
});
