/** Combined nodes over HTTP, on an uploaded and analyzed forest. */
import type { GraphMapEdge, GraphMapNode } from '@clew/api';
import { type QueryServer, startQueryServer } from '@clew/explore/testing';
import { findEdge, findNode, NO_EDGE } from '@clew/graph';
import { archiveOf, TEST_COLLECTIONS } from '@clew/intake/testing';
import { EdgeKind } from '@clew/model';
import { FindingHarness } from '@clew/service/testing';
import { storedProperties } from '@clew/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANN, BOB, DOMAIN, forest, SERVER } from '../../../../test/findings/forest.ts';
import { combinedHandlers } from './combinedHandlers.ts';

let harness: FindingHarness;
let server: QueryServer;
const zone = { id: 0 };

beforeAll(async () => {
  harness = await FindingHarness.start();
  const { db } = harness.database;
  const { id } = await db
    .insertInto('asset_group_tag')
    .values({ type: 2, kind_id: 5000, name: 'Watched', created_by: 'test', updated_by: 'test' })
    .returning('id')
    .executeTakeFirstOrThrow();
  zone.id = id;
  const generation = await harness.build(...forest());
  server = await startQueryServer(generation, storedProperties(db), {
    database: harness.database,
    more: combinedHandlers,
    limited: { local: [DOMAIN], stranger: ['S-1-5-21-9-9-9'] },
  });
});
afterAll(async () => {
  await server?.close();
  await harness?.close();
});

type Graph = Record<string, GraphMapNode | GraphMapEdge>;

async function graphAt(
  path: string,
  caller?: string,
): Promise<{ nodes: GraphMapNode[]; edges: GraphMapEdge[] }> {
  const { status, body } = await server.get(path, caller);
  expect([path, status, status === 200 ? '' : body]).toEqual([path, 200, '']);
  const all = Object.values(body.data as Graph);
  const isEdge = (one: GraphMapNode | GraphMapEdge): one is GraphMapEdge => 'id1' in one;
  return { nodes: all.filter((one): one is GraphMapNode => !isEdge(one)), edges: all.filter(isEdge) };
}

describe('combined nodes', () => {
  test('show the members of Tier Zero as one node', async () => {
    const { nodes } = await graphAt(`meta-nodes/${DOMAIN.toLowerCase()}`);
    expect(nodes).toMatchObject([
      {
        label: { text: expect.stringMatching(/^Tier Zero \(\d+\)$/) },
        data: { objectid: `META-1-ROOT-${DOMAIN}`, is_root: true, domainsid: DOMAIN, nodetype: 'Meta' },
      },
    ]);
    const { rows } = await harness.database.pool.query(
      'select count(*)::integer as count from zone_member where tag_id = 1 and tagged and environment_id = $1',
      [DOMAIN],
    );
    expect(nodes[0].data.object_count).toBe(rows[0].count);
  });

  test('form a tree in which the attack path of an object can be read', async () => {
    const { nodes, edges } = await graphAt(`meta-trees/${DOMAIN}`);
    expect(edges).toHaveLength(nodes.length - 1);
    const bob = nodes.find(({ data }) => JSON.stringify(data.objects).includes(BOB)) as GraphMapNode;
    expect(bob).toMatchObject({
      label: { text: 'BOB@CORP.LOCAL' },
      data: { kind: 'User', edge_kind: 'WriteDacl', depth: 1, object_count: 1, principal_count: 1 },
    });
    const samples = nodes.flatMap(({ data }) => data.objects as { objectid: string }[]);
    expect(samples.filter(({ objectid }) => objectid === ANN)).toHaveLength(1);
    expect(samples.map(({ objectid }) => objectid)).not.toContain(SERVER);
    const counted = (
      await harness.database.pool.query(
        'select exposure_index, principal_count from posture_stat where tag_id = 1 and environment_id = $1',
        [DOMAIN],
      )
    ).rows[0];
    const root = nodes.find(({ data }) => data.is_root);
    expect(root?.data.upstream_principal_count).toBe(exposedBy(counted));
  });

  test('have ids by which each is found again, alone and with the nodes before it', async () => {
    const { body } = await server.get(`meta-trees/${DOMAIN}`);
    for (const [key, { data }] of Object.entries(body.data as Record<string, GraphMapNode>)) {
      if (key.startsWith('rel_')) continue;
      const one = await server.get(`meta/${data.objectid}`);
      expect(one.body.data.props).toEqual(data);
      expect(one.body.data.kinds[0]).toBe('Meta');
      const { nodes } = await graphAt(`meta-trees/${DOMAIN}?node_id=${key}`);
      const shown = nodes.map((node) => node.data.objectid);
      expect(shown).toContain(data.objectid);
      expect(shown).toContain(`META-1-ROOT-${DOMAIN}`);
    }
  });

  test('of an asset group are those of all environments, or of one', async () => {
    const { nodes } = await graphAt('asset-groups/1/combo-node');
    expect(nodes.find(({ data }) => data.is_root)?.data).toMatchObject({ objectid: 'META-1-ROOT-ALL' });
    expect((await server.get('meta/meta-1-root-all')).status).toBe(200);
    const one = await graphAt(`asset-groups/1/combo-node?domainsid=${DOMAIN}`);
    expect(one).toEqual(await graphAt(`meta-trees/${DOMAIN}`));
    const empty = await graphAt(`asset-groups/${zone.id}/combo-node`);
    expect(empty.nodes).toMatchObject([{ data: { object_count: 0, child_count: 0, objects: [] } }]);
  });

  test.each([
    ['meta/S-1-5-21-1-2-3', 404],
    ['meta/META-1-ROOT-S-1-5-21-7', 404],
    ['meta/META-7777-ROOT-ALL', 404],
    [`meta/META-1-1FFFFFFFFFFFFF-${DOMAIN}`, 404],
    [`meta/META-99999999999999-ROOT-${DOMAIN}`, 404],
    ['meta-nodes/S-1-5-21-7', 404],
    [`meta-nodes/${DOMAIN}?asset_group_tag_id=7777`, 404],
    [`meta-nodes/${DOMAIN}?asset_group_tag_id=0`, 404],
    [`meta-nodes/${DOMAIN}?asset_group_tag_id=x`, 400],
    [`meta-trees/${DOMAIN}?node_id=5`, 404],
    [`meta-trees/${DOMAIN}?node_id=-5`, 400],
    [`meta-trees/${DOMAIN}?node_id=x`, 400],
    ['asset-groups/7777/combo-node', 404],
    ['asset-groups/x/combo-node', 400],
    ['asset-groups/1/combo-node?domainsid=S-1-5-21-7', 404],
    ['asset-groups/1/combo-node?domainsid=a&domainsid=b', 400],
  ])('%s answers %i', async (path, status) => {
    const { status: answered, body } = await server.get(path);
    expect([path, answered, body.errors?.[0].context]).toEqual([path, status, 'clients']);
  });

  test('are for those who may read, and see the environment', async () => {
    for (const path of [`meta-nodes/${DOMAIN}`, `meta-trees/${DOMAIN}`, `meta/META-1-ROOT-${DOMAIN}`]) {
      expect((await server.get(path, 'stranger')).status).toBe(403);
      expect((await server.get(path, 'nobody')).status).toBe(403);
      expect((await server.get(path, 'local')).status).toBe(200);
    }
    const { nodes } = await graphAt('asset-groups/1/combo-node', 'stranger');
    for (const { data } of nodes) expect([data.object_count, data.objects]).toEqual([0, []]);
    expect(JSON.stringify(nodes)).not.toContain('CORP');
  });
});

/** Counts principals of the environment; attackers from other environments are counted separately. */
function exposedBy(counted: { readonly exposure_index: number; readonly principal_count: string }): number {
  return Math.round(counted.exposure_index * Number(counted.principal_count));
}

describe.each(TEST_COLLECTIONS)('in $name', ({ files }) => {
  test('the tree of each domain holds exactly the principals that are exposed', {
    timeout: 60_000,
  }, async () => {
    await harness.empty();
    const generation = await harness.build(await archiveOf(await files()));
    server.generations.swap(generation);
    const { rows } = await harness.database.pool.query(
      'select environment_id, exposure_index, principal_count, tier_zero_count from posture_stat where tag_id = 1',
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    const { graph } = generation;
    const areForest = (one: string, other: string): boolean => {
      const [a, b] = [findNode(graph, one), findNode(graph, other)];
      const trusts = (start: number, end: number) => findEdge(graph, start, EdgeKind.SameForestTrust, end);
      return one === other || trusts(a, b) !== NO_EDGE || trusts(b, a) !== NO_EDGE;
    };
    for (const { environment_id, ...counted } of rows) {
      const members = rows
        .filter((row) => areForest(row.environment_id, environment_id))
        .reduce((sum, row) => sum + Number(row.tier_zero_count), 0);
      const { nodes } = await graphAt(`meta-trees/${environment_id}`);
      const root = nodes.find(({ data }) => data.is_root)?.data;
      expect([environment_id, root?.object_count, root?.upstream_principal_count]).toEqual([
        environment_id,
        members,
        exposedBy(counted),
      ]);
    }
  });
});
