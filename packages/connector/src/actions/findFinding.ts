/** Finds a finding by its number. */
import type { UnifiedFindingRow } from '@clew/api';
import type { ClewClient } from '@clew/client';

/** Finds the finding in any status; lists contain only active findings by default. @returns `undefined` if not found */
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
