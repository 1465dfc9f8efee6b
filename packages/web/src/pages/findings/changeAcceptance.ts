/** Accepts findings, or ends their acceptance, with few requests for any number of findings. */
import { type BulkAcceptanceBody, type BulkAcceptanceRecord, MAX_NAMED_FINDINGS } from '@clew/api';
import { call } from '../../service/client.ts';
import type { Accepted, ClosedFinding } from './accepted.ts';

type Terms = Pick<BulkAcceptanceBody, 'accepted' | 'accept_until' | 'reason' | 'leave_out_of_plan'>;

/** @param expected state of all that match, as the dialog counted them */
export async function changeAcceptance(
  of: Accepted,
  terms: Terms,
  expected: string | undefined,
): Promise<BulkAcceptanceRecord> {
  if ('matching' in of) {
    const body = { ...terms, all_matching: true, expected };
    return (await call('AcceptFindings', { query: of.matching, body })).data;
  }
  const ids = 'findings' in of ? of.findings.map(({ id }) => id) : await numbersOf(of.closed);
  const all: BulkAcceptanceRecord = { findings: 0, changed: 0, remaining: 0, bulk_change_id: null };
  for (let at = 0; at < ids.length; at += MAX_NAMED_FINDINGS) {
    const findings = ids.slice(at, at + MAX_NAMED_FINDINGS);
    const { data } = await call('AcceptFindings', { body: { ...terms, findings } });
    all.findings += data.findings;
    all.changed += data.changed;
    all.remaining += data.remaining;
    all.bulk_change_id = data.bulk_change_id ?? all.bulk_change_id;
  }
  return all;
}

/** A repair names findings by subject; acceptance needs their numbers. */
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
