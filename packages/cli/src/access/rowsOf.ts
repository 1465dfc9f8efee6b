/** Rows of a Cypher query. */
import type { ClewClient } from '@clew/client';

export async function rowsOf(
  client: ClewClient,
  query: string,
  signal: AbortSignal,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<readonly (readonly unknown[])[]> {
  const { data } = await client.call(
    'RunCypherQuery',
    { body: { query, parameters, rows: true } },
    { signal },
  );
  return data.rows ?? [];
}
