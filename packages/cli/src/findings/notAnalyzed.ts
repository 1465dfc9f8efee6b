/** An installation without any analysis has no findings and no exposure: that is not the answer "none". */
import type { ClewClient } from '@clew/client';

export const NOT_ANALYZED = 'nothing was analyzed yet: "clew ingest FILE" uploads a collection';

/** Times of what never was are in the year 1. */
const NEVER = /^0001-/;

export async function isNotAnalyzed(client: ClewClient, signal: AbortSignal): Promise<boolean> {
  const { data } = await client.call('GetDatapipeStatus', {}, { signal });
  return NEVER.test(data.last_complete_analysis_at);
}
