/** Accepts or reopens findings, with few requests for any number of findings. */
import type { BulkAcceptanceBody, BulkAcceptanceRecord } from '@clew/api';
import { call } from '../../service/client.ts';
import type { Accepted, ClosedFinding } from './accepted.ts';
import { changeNamed, type MadeChanges } from './manyChanges.ts';

type Terms = Omit<BulkAcceptanceBody, 'findings' | 'all_matching' | 'expected' | 'continues'>;

/** Sums of all requests. */
type AcceptanceChange = Pick<BulkAcceptanceRecord, 'findings' | 'remaining' | 'acceptance_request_id'>;

/** @param made receives the changes @param expected the state of all matching findings when the dialog counted them */
export async function changeAcceptance(
  of: Accepted,
  terms: Terms,
  made: MadeChanges,
  expected?: string,
): Promise<AcceptanceChange> {
  if ('matching' in of) {
    const body = { ...terms, all_matching: true, expected, continues: made.last };
    const { data } = await call('AcceptFindings', { query: of.matching, body });
    made.add(data.bulk_change_id);
    return data;
  }
  const ids = 'findings' in of ? of.findings.map(({ id }) => id) : await numbersOf(of.closed);
  return sumOf(
    await changeNamed(
      ids,
      made,
      async (findings) =>
        (await call('AcceptFindings', { body: { ...terms, findings, continues: made.last } })).data,
    ),
  );
}

const sumOf = (answers: readonly BulkAcceptanceRecord[]): AcceptanceChange => ({
  findings: answers.reduce((sum, { findings }) => sum + findings, 0),
  remaining: answers.reduce((sum, { remaining }) => sum + remaining, 0),
  acceptance_request_id: answers[0]?.acceptance_request_id,
});

/** A repair names findings by subject, but acceptance requires their numbers. */
async function numbersOf(closed: readonly ClosedFinding[]): Promise<number[]> {
  const found = await Promise.all(
    closed.map(({ finding, environment_id, asset_group_tag_id, source, target }) =>
      call('ListAttackPathFindings', {
        query: {
          finding: `eq:${finding}`,
          environment_id: `eq:${environment_id}`,
          asset_group_tag_id: `eq:${asset_group_tag_id}`,
          target_principal_id: `eq:${target.object_id}`,
          ...(source && { source_principal_id: `eq:${source.object_id}` }),
          limit: 1,
        },
      }),
    ),
  );
  return found.flatMap(({ data }) => data.slice(0, 1)).map(({ id }) => id);
}
