/** A finding by its number. */
import type { UnifiedFindingRow } from '@clew/api';
import type { ClewClient } from '@clew/client';

/** Whatever its status: lists hold active ones unless they are asked for others. @returns nothing when there is none */
export async function findFinding(
  client: ClewClient,
  id: number,
  signal?: AbortSignal,
): Promise<UnifiedFindingRow | undefined> {
  for (const status of ['eq:active', 'neq:active']) {
    const query = { id: `eq:${id}`, status, limit: 1 };
    const { data } = await client.call('ListAttackPathFindings', { query } as never, { signal });
    if (data[0] !== undefined) return data[0];
  }
  return undefined;
}
