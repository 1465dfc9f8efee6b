/**
 * Requests for analysis. At most one is pending; the next generation whose facts are as new as the request completes it. A pending deletion
 * takes precedence, because a new generation follows it. Rule: `docs/reference/api.md#deleting-data`.
 */
import { type AnalysisRequest, ZERO_TIME } from '@clew/api';
import { apiError } from '@clew/common';
import { waitingDeletion } from '@clew/intake';
import { type Db, factsChanged } from '@clew/store';
import { sql } from 'kysely';

const SETTING = 'analysis.request';

const NOTHING_WAITS: AnalysisRequest = {
  requested_by: '',
  request_type: '',
  requested_at: ZERO_TIME,
  delete_all_graph: false,
  delete_sourceless_graph: false,
  delete_source_kinds: [],
  delete_relationships: [],
};

interface Waiting {
  readonly requested_by: string;
  readonly requested_at: string;
}

/** @returns the pending request, with empty values if there is no request */
export async function waitingRequest(db: Db): Promise<AnalysisRequest> {
  const deletion = await waitingDeletion(db);
  if (deletion !== undefined) {
    return {
      requested_by: deletion.requestedBy,
      request_type: 'deletion',
      requested_at: deletion.requestedAt,
      delete_all_graph: deletion.allGraph,
      delete_sourceless_graph: deletion.sourcelessGraph,
      delete_source_kinds: [...deletion.sourceKinds],
      delete_relationships: [...deletion.relationships],
    };
  }
  const { rows } = await sql<Waiting>`
    select value ->> 'requested_by' as requested_by, value ->> 'requested_at' as requested_at
    from setting
    where key = ${SETTING} and (value ->> 'facts_version')::bigint >
      coalesce((select facts_version from generation order by id desc limit 1), 0)`.execute(db);
  return rows.length === 0 ? NOTHING_WAITS : { ...NOTHING_WAITS, ...rows[0], request_type: 'analysis' };
}

/** Requests a generation even if no fact has changed. Does nothing while a request is pending. */
export async function requestAnalysis(db: Db, userId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${SETTING}))`.execute(transaction);
    if ((await waitingRequest(transaction)).request_type !== '') return;
    await factsChanged(transaction);
    await sql`
      insert into setting (key, value)
      select ${SETTING}, jsonb_build_object(
        'requested_by', ${userId}::text,
        'requested_at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'facts_version', version)
      from facts_state
      on conflict (key) do update set value = excluded.value`.execute(transaction);
  });
}

/** Withdraws the request; a running analysis continues. @throws ApiError 409 if a deletion is pending */
export async function withdrawRequest(db: Db): Promise<void> {
  if ((await waitingDeletion(db)) !== undefined) throw apiError('deletionWaits');
  await db.deleteFrom('setting').where('key', '=', SETTING).execute();
}
