/** Tools about paths and the plan, through the official client, with a service of a few records. */
import { ClewClient } from '@clew/client';
import { expect, test } from 'vitest';
import { connectedClient } from '../test/index.ts';
import { createMcpServer } from './index.ts';

const COUNT = 4;

/** Has four choke points, and four paths from A to B. */
const service: typeof fetch = async (target) => {
  const { pathname, searchParams } = new URL(String(target));
  const limit = Number(searchParams.get('limit'));
  const some = <Row>(rowAt: (at: number) => Row): Row[] =>
    Array.from({ length: Math.min(COUNT, limit) }, (_, at) => rowAt(at));
  if (pathname.endsWith('/search')) {
    const name = String(searchParams.get('q'));
    return Response.json({
      data: [{ objectid: name, name, type: 'User', distinguishedname: '', system_tags: '' }],
    });
  }
  if (pathname.endsWith('/choke-points')) {
    const objects = some((at) => ({
      object: { object_id: `S-${at}`, name: `N${at}`, kind: 'User', environment_id: null },
      principal_count: 9 - at,
    }));
    const counts = { generation: 1, asset_group_tag_id: 1, exposed_count: 9, uncuttable_count: 0 };
    return Response.json({ data: { ...counts, objects, relations: [], not_shown: [] } });
  }
  const nodeOf = (name: string) => ({ object_id: name, name, kind: 'User', environment_id: null });
  const paths = some((at) => ({
    ...{
      nodes: ['A', `M${at}`, 'B'].map(nodeOf),
      relations: ['GenericAll', 'GenericAll'],
      effort: 2,
      efforts: [1, 1],
    },
  }));
  return Response.json({ data: { generation: 1, paths, no_path: null } });
};

async function answerOf(name: string, given: object): Promise<unknown> {
  const sdk = new ClewClient({
    ...{ url: 'http://127.0.0.1:1', fetch: service, retry: { retries: 0 } },
    credentials: { session: 'token' },
  });
  const client = await connectedClient(() => createMcpServer(sdk, '1'), 'auto');
  await client.listTools();
  const { structuredContent, content } = await client.callTool({ name, arguments: { ...given } });
  await client.close();
  expect(structuredContent, JSON.stringify(content)).toBeDefined();
  return structuredContent;
}

test.each([
  [3, 3, true],
  [4, 4, false],
  [50, 4, false],
])('%d choke points at most are %d, and whether there are more is said', async (limit, shown, has_more) => {
  expect(await answerOf('list_choke_points', { limit })).toMatchObject({
    ...{ has_more, objects: { length: shown } },
  });
});

test.each([
  [undefined, 3, true],
  [3, 3, true],
  [4, 4, false],
  [24, 4, false],
])('%s paths at most are %d, and whether there are more is said', async (limit, shown, has_more) => {
  expect(await answerOf('list_alternative_paths', { from: 'A', to: 'B', limit })).toMatchObject({
    ...{ has_more, exists: true, paths: { length: shown } },
  });
});
