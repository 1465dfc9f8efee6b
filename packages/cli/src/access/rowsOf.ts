/** Rows of a Cypher query. */
import type { ClewClient } from '@clew/client';

export async function rowsOf(
  client: ClewClient,
  query: string,
  signal: AbortSignal,
): Promise<readonly (readonly unknown[])[]> {
  const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal });
  return data.rows ?? [];
}
