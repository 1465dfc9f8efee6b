/** Tools about paths and the plan, through the official client, with a service of a few records. */
import { ClewClient } from '@clew/client';
import { expect, test } from 'vitest';
import { connectedClient } from '../test/index.ts';
import { createMcpServer } from './index.ts';

const COUNT = 4;

/** Has four choke points. */
const service: typeof fetch = async (target) => {
  const limit = Number(new URL(String(target)).searchParams.get('limit'));
  const objects = Array.from({ length: Math.min(COUNT, limit) }, (_, at) => ({
    object: { object_id: `S-${at}`, name: `N${at}`, kind: 'User', environment_id: null },
    principal_count: 9 - at,
  }));
  const counts = { generation: 1, asset_group_tag_id: 1, exposed_count: 9, uncuttable_count: 0 };
  return Response.json({ data: { ...counts, objects, relations: [], not_shown: [] } });
};

test.each([
  [3, 3, true],
  [4, 4, false],
  [50, 4, false],
])('%d choke points at most are %d, and whether there are more is said', async (limit, shown, has_more) => {
  const sdk = new ClewClient({
    ...{ url: 'http://127.0.0.1:1', fetch: service, retry: { retries: 0 } },
    credentials: { session: 'token' },
  });
  const client = await connectedClient(() => createMcpServer(sdk, '1'), 'auto');
  await client.listTools();
  const { structuredContent, content } = await client.callTool({
    ...{ name: 'list_choke_points', arguments: { limit } },
  });
  await client.close();
  expect(content).toBeDefined();
  expect(structuredContent).toMatchObject({ has_more, objects: { length: shown } });
});
