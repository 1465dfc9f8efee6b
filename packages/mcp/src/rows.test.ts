/** Pages of tools, through the official client, with a service whose rows have any size. */
import type { FindingChange } from '@clew/api';
import { ClewClient } from '@clew/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectedClient } from '../test/index.ts';
import { MAX_ANSWER } from './boundedAnswer.ts';
import { createMcpServer } from './index.ts';

type Rows = readonly (readonly [number, ...unknown[]])[];

const TIME = '2026-11-03T00:00:00Z';
const CHANGE: FindingChange = {
  ...{ type: 'finding.opened', at: TIME, cause: 'data' },
  finding: {
    ...{ id: 1, severity: 'high', finding: 'T0GenericAll', title: '', finding_type: 'relationship' },
    ...{ platform: 'active-directory', environment_id: 'S-1-5-21-1-2-3', environment_name: 'CORP.EXAMPLE' },
    ...{ asset_group_tag_id: 1, zone_name: 'Tier Zero', status: 'active', group_id: '1', exposure_from: [] },
    ...{ source_principal_id: 'A', source_principal_kind: 'User', source_principal_name: 'ANN' },
    ...{ target_principal_id: 'B', target_principal_kind: 'Group', target_principal_name: 'ADMINS' },
    ...{ exposure_count: 1, exposure_percentage: 1, impact_count: 1, impact_percentage: 1 },
    ...{ first_seen: TIME, last_seen: TIME, began_by: 'data', changed_by: 'data', rules_version: '1' },
    ...{ owner_id: null, owner_name: null },
  },
};

/** Has rows of a query, and a change with each of them; positions in the feed are opaque. */
const serviceOf =
  (rows: Rows): typeof fetch =>
  async (target) => {
    const { pathname, searchParams } = new URL(String(target));
    const table = { nodes: {}, edges: [], literals: [], columns: ['at', 'x'], rows };
    if (pathname === '/api/v2/graphs/cypher') return Response.json({ data: table });
    const since = searchParams.get('since') ?? '';
    const start = since.startsWith('after-') ? Number(since.slice(6)) : 0;
    const end = start + Number(searchParams.get('limit'));
    const data = rows.slice(start, end).map(([id, value]) => ({
      ...CHANGE,
      finding: { ...CHANGE.finding, id, title: JSON.stringify(value) },
    }));
    return Response.json({
      ...{ data, watches: [], next: `after-${Math.min(end, rows.length)}` },
      has_more: end < rows.length,
    });
  };

async function pagesOf(rows: Rows, ask: (page: Answer | undefined) => Call | undefined): Promise<Answer[]> {
  const sdk = new ClewClient({
    ...{ url: 'http://127.0.0.1:1', fetch: serviceOf(rows), retry: { retries: 0 } },
    credentials: { session: 'token' },
  });
  const client = await connectedClient(() => createMcpServer(sdk, '1'), 'auto');
  await client.listTools();
  const pages: Answer[] = [];
  for (let call = ask(undefined); call !== undefined; call = ask(pages.at(-1))) {
    const { structuredContent, content, isError } = await client.callTool(call);
    expect([isError ?? false, content]).toEqual([false, expect.anything()]);
    expect(JSON.stringify(structuredContent).length).toBeLessThanOrEqual(MAX_ANSWER);
    pages.push(structuredContent as unknown as Answer);
  }
  await client.close();
  return pages;
}

interface Answer {
  readonly next: string | number | null;
  readonly has_more?: boolean;
  readonly truncated?: boolean;
  readonly rows?: Rows;
  readonly changes?: readonly { readonly finding: { readonly id: number } }[];
}
type Call = { readonly name: string; readonly arguments: Record<string, unknown> };

/** Rows from a few characters to more than an answer, also with many or nested members. */
const sizes = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 3_000 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 0, max: 600 }).map((length) => Array(length).fill('y'.repeat(40))),
    fc.integer({ min: 1, max: 200 }).map((length) => Array(length).fill('"'.repeat(1_900))),
    fc.integer({ min: 1, max: 40 }).map((length) => Array(length).fill(Array(length).fill('z'.repeat(300)))),
  ),
  { maxLength: 60 },
);

test('following `next` to the end gives every row exactly once, whatever the sizes of rows', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 100 }), async (values, limit) => {
      const rows = values.map((value, at): [number, unknown] => [at, value]);
      const found = await pagesOf(rows, (page) =>
        page?.next === null
          ? undefined
          : { name: 'query_graph', arguments: { query: 'x', limit, ...(page && { next: page.next }) } },
      );
      expect(found.flatMap((page) => (page.rows ?? []).map(([at]) => at))).toEqual(rows.map(([at]) => at));
      const changes = await pagesOf(rows, (page) =>
        page?.has_more === false
          ? undefined
          : { name: 'list_changes', arguments: { since: page?.next ?? '7d', limit } },
      );
      expect(changes.flatMap((page) => (page.changes ?? []).map(({ finding }) => finding.id))).toEqual(
        rows.map(([at]) => at),
      );
    }),
    { numRuns: 15 },
  );
});

test('rows that do not fit start the next page, which the answer says', async () => {
  const rows = Array.from({ length: 200 }, (_, at): [number, string] => [at, 'x'.repeat(1_000)]);
  const ask = { name: 'query_graph', arguments: { query: 'x', limit: 200 } };
  const [first] = await pagesOf(rows, (page) => (page === undefined ? ask : undefined));
  const count = first?.rows?.length ?? 0;
  expect(count).toBeGreaterThan(50);
  expect(first).toEqual({
    ...{ columns: ['at', 'x'], rows: rows.slice(0, count), rows_total: 200 },
    ...{ next: count, truncated: true },
  });
});
