/** An installation without any analysis has unknown findings and exposure, not "none". */
import type { ClewClient } from '@clew/client';

export const NOT_ANALYZED = 'there is no analysis yet: "clew ingest FILE" uploads a collection';

/** Unset times are in the year 1. */
const NEVER = /^0001-/;

export async function isNotAnalyzed(client: ClewClient, signal: AbortSignal): Promise<boolean> {
  const { data } = await client.call('GetDatapipeStatus', {}, { signal });
  return NEVER.test(data.last_complete_analysis_at);
}
