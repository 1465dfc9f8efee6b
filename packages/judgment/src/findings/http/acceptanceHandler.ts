/** Accepting the risk of a finding over HTTP. Rule: `docs/reference/api.md#acceptance`. */
import { ZERO_TIME } from '@clew/api';
import { apiError, type Handler, parseTime, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import { acceptFinding } from '../acceptance.ts';
import { propertiesOfEnds } from '../findingQueries.ts';
import { visibleEnvironments } from './askedScope.ts';
import { findingRecord } from './findingRecords.ts';

export function acceptanceHandler(db: Db): Handler<'UpdateAttackPathRisk'> {
  return async ({ params, body }, context) => {
    requireUser(context.principal);
    const { risk_type, accepted, accept_until, reason } = body;
    const visible = visibleEnvironments(context.principal);
    const result = await acceptFinding(db, context, {
      id: params.attack_path_id,
      accepted,
      until: untilOf(accept_until ?? undefined),
      finding: risk_type,
      reason,
      visible,
    });
    switch (result.outcome) {
      case 'unknown':
        throw apiError('resourceNotFound');
      case 'archived':
        throw apiError('findingArchived', { status: result.finding.status });
      case 'past':
        throw apiError('acceptanceInPast');
      case 'done': {
        const properties = await propertiesOfEnds(db, [result.finding]);
        return { status: 200, json: { data: findingRecord(result.finding, properties) } };
      }
    }
  };
}

/** Programs that end an acceptance often send the zero time with it. */
export function untilOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text);
  if (time === undefined) throw apiError('malformedTime', { value: text });
  return time === ZERO_TIME ? undefined : time;
}
