/** Tests unusual requests of published clients, and the answers with which they continue. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFilledService } from '../test/filledService.ts';
import type { ServiceUnderTest } from '../test/serviceUnderTest.ts';
import type { SimulatedCollector } from '../test/simulatedCollector.ts';

let service: ServiceUnderTest;
let collector: SimulatedCollector;

beforeAll(async () => {
  ({ service, collector } = await startFilledService());
}, 90_000);
afterAll(() => service.stop());

const raw = async (target: string) => {
  const answer = await fetch(service.service.url + target, {
    headers: { authorization: service.authorization },
  });
  return { status: answer.status, text: await answer.text() };
};

describe('a collector', () => {
  test('asks for its orders at every poll, and gets none', async () => {
    expect(await collector.send('GET', '/clients/management/available')).toMatchObject({
      status: 200,
      json: { data: [] },
    });
  });

  test('is the only caller that may do so: users are refused', async () => {
    expect((await service.call('GET', 'clients/management/available')).status).toBe(403);
    await service.addUser('reader', 'Read-Only');
    expect((await service.as('reader', 'GET', 'clients/management/available')).status).toBe(403);
  });

  test('may start its path with two slashes, signed or not', async () => {
    expect((await raw('//api/v2/self')).status).toBe(200);
    expect((await raw('//api/v2/search?q=admin')).status).toBe(200);
    expect((await raw('/api/v2//search?q=admin')).status).toBe(200);
    expect((await raw('/api//v2/self')).status).toBe(200);
    const target = '//api/v2/jobs/available';
    expect(
      (await collector.exchange('GET', target, undefined, collector.headers('GET', target))).status,
    ).toBe(200);
  });
});

describe('the id of a label instead of a zone', () => {
  const OWNED = 2;
  /** The findings, types or records of an answer. */
  const emptiness = ({ data }: { data: unknown }): unknown => {
    if (Array.isArray(data)) return data;
    const { findings, types } = data as { readonly findings: unknown; readonly types?: unknown };
    return types ?? findings;
  };

  let domain: string;
  beforeAll(async () => {
    const environments: readonly { readonly id: string; readonly type: string }[] = await service.data(
      'GET',
      'available-domains',
    );
    domain = environments.find(({ type }) => type === 'active-directory')?.id ?? '';
  });
  /** A finding type with findings in the zone. */
  const typeIn = async (zone: number): Promise<string> =>
    (await service.data('GET', `domains/${domain}/available-types?asset_group_tag_id=${zone}`))[0];

  test.each([
    'domains/DOMAIN/available-types?',
    'domains/DOMAIN/details?finding=RELATIONSHIP',
    'domains/DOMAIN/details?finding=LIST',
    'domains/DOMAIN/sparkline?finding=RELATIONSHIP',
    'domains/DOMAIN/sparkline?finding=LIST',
    'attack-paths/findings?',
    'attack-paths/finding-types?environment_id=DOMAIN',
    'attack-paths/finding-groups?by=type',
    'attack-paths/finding-trends?environments=DOMAIN',
    'posture-stats?',
    'posture/summary?',
    'posture-history/findings?environments=DOMAIN',
  ])('%s is empty, not missing', async (template) => {
    const [relationship, list] = [await typeIn(1), await typeIn(0)];
    const target = template
      .replace('DOMAIN', domain)
      .replace('RELATIONSHIP', relationship)
      .replace('LIST', list);
    const asked = async (tag: number) => {
      const { status, json } = await service.call('GET', `${target}&asset_group_tag_id=${tag}`);
      expect([target, status, json.errors]).toEqual([target, 200, undefined]);
      return emptiness(json);
    };
    expect(await asked(OWNED)).toEqual([]);
    // For the zone, the answer is not empty, which proves that the request is relevant.
    expect(await asked(1)).not.toEqual([]);
  });

  test('an unknown id is missing', async () => {
    expect((await service.call('GET', 'attack-paths/findings?asset_group_tag_id=7777')).status).toBe(404);
  });
});

describe('ids in deletion requests', () => {
  test('asset groups that do not exist are ignored: two published tools send 0', async () => {
    expect((await service.call('POST', 'clear-database', { deleteAssetGroupSelectors: [0] })).status).toBe(
      204,
    );
    const seeds = [{ type: 1, value: 'S-1-5-21-1-2-3-4' }];
    await service.call('POST', 'asset-group-tags/1/selectors', { name: 'own', seeds });
    const own = async () =>
      (await service.data('GET', 'asset-group-tags/1/selectors?name=eq:own')).selectors.length;
    expect(await own()).toBe(1);
    const both = { deleteAssetGroupSelectors: [0, 1, 2_000_000_000] };
    expect((await service.call('POST', 'clear-database', both)).status).toBe(204);
    expect(await own()).toBe(0);
  });

  test('source kinds that do not exist are refused', async () => {
    expect((await service.call('POST', 'clear-database', { deleteSourceKinds: [99_999] })).status).toBe(400);
    expect((await service.call('DELETE', 'graphs/source-kinds/99999')).status).toBe(404);
  });
});

test('figures of trends are numbers', async () => {
  const { findings } = await service.data(
    'GET',
    `attack-paths/finding-trends?environments=${(await service.data('GET', 'available-domains')).map(({ id }: { id: string }) => id).join(',')}`,
  );
  const figures = findings.flatMap((row: Readonly<Record<string, unknown>>) =>
    Object.entries(row).filter(([name]) => /_count|composite_risk/.test(name)),
  );
  expect(figures.length).toBeGreaterThan(20);
  for (const [name, value] of figures) expect([name, typeof value]).toEqual([name, 'number']);
});

test.each(['title', 'title.md', 'type', 'type.md'])(
  'the text %s is one line without a line break',
  async (name) => {
    const { status, text } = await raw(`/api/v2/assets/findings/Kerberoasting/${name}`);
    expect(status).toBe(200);
    expect(text).toMatch(/^[^\n]+$/);
    expect((await raw('/api/v2/assets/findings/Kerberoasting/short_description.md')).text).toMatch(/\n$/);
  },
);

describe('sorting by a value that is not returned', () => {
  const QUERIES = [
    'MATCH p = (u:User)-[:MemberOf]->(g:Group) RETURN p ORDER BY u.name',
    'MATCH (u:User)-[r:MemberOf]->(g:Group) RETURN u ORDER BY g.name DESC',
    'MATCH (u:User) WITH u MATCH (u)-[:MemberOf]->(g) RETURN g ORDER BY u.name, g.name',
  ];

  test.each(QUERIES)('%s', async (query) => {
    const { status, json } = await service.call('POST', 'graphs/cypher', { query });
    expect([status, json.errors]).toEqual([200, undefined]);
    const plain = await service.call('POST', 'graphs/cypher', { query: query.split(' ORDER')[0] });
    expect(json.data).toEqual(plain.json.data);
    const preview = { seeds: [{ type: 2, value: query }] };
    const found = await service.call('POST', 'asset-group-tags/preview-selectors', preview);
    expect(found.status).toBe(200);
    expect(found.json.data.members.length).toBeGreaterThan(0);
    if (query.includes('RETURN p')) return;
    // The first column of a check must name its object.
    const check = {
      name: 'Check_Ordered',
      title: 'Ordered',
      category: 'Own',
      severity: 'low',
      cypher: query,
    };
    const { status: tested, json: result } = await service.call('POST', 'checks/test', check);
    expect([tested, tested === 200 ? '' : result]).toEqual([200, '']);
  });

  test('is refused if its author wrote DISTINCT, or if it names no value', async () => {
    for (const query of [
      'MATCH (u:User)-[:MemberOf]->(g) RETURN DISTINCT u ORDER BY g.name',
      'MATCH (u:User)-[:MemberOf]->(g) RETURN u ORDER BY nothing.name',
    ])
      expect((await service.call('POST', 'graphs/cypher', { query })).status).toBe(400);
  });
});
