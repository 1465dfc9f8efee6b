/** Owners of findings over HTTP. Rule: `docs/findings.md#owners`. */
import { UNIFIED_FINDING_COLUMNS } from '@clew/api';
import { apiError, type Handlers, parseListQuery, recordAudit, requireUser } from '@clew/common';
import { type Assigned, assignFindings } from '../owners.ts';
import { askedFindings, requireOwnerFilters } from './askedFindings.ts';
import { visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';

/** Numbers of findings that an entry of the audit log names; it counts all. */
const MAX_LOGGED = 100;

export function ownerHandlers(parts: FindingParts): Handlers<'AssignFindings'> {
  const { db } = parts;
  return {
    async AssignFindings({ rawQuery, body }, context) {
      const user = requireUser(context.principal);
      const { owner, findings, all_matching } = body;
      if ((findings === undefined) === (all_matching !== true))
        throw apiError('invalidBody', { reason: 'name `findings`, or set `all_matching`, and not both' });
      requireFilters(rawQuery);
      const { filters } = parseListQuery(rawQuery, UNIFIED_FINDING_COLUMNS);
      requireOwnerFilters(filters);
      if (findings !== undefined && filters.length > 0)
        throw apiError('invalidBody', { reason: 'filters choose findings for `all_matching` only' });
      const chosen =
        findings === undefined
          ? await askedFindings(parts, filters, context.principal)
          : { scope: { visible: visibleEnvironments(user) }, filters: [] };
      const record = async (transaction: FindingParts['db'], assigned: Assigned) => {
        const fields = {
          owner_id: assigned.owner?.id ?? null,
          owner: assigned.owner?.name ?? null,
          findings: assigned.ids.length,
          changed: assigned.changed,
          finding_ids: assigned.ids.slice(0, MAX_LOGGED).join(','),
          ...(findings === undefined && { filters: rawQuery.toString() }),
        };
        await recordAudit(transaction, context, { action: 'AssignFindings', status: 'success', fields });
      };
      const assigned = await assignFindings(
        db,
        {
          owner: owner?.toLowerCase() === 'me' ? user.userId : (owner?.toLowerCase() ?? null),
          chosen,
          ids: findings,
          by: user.name,
        },
        record,
      );
      const { owner: now, ids, changed } = assigned;
      return { status: 200, json: { data: { owner: now, findings: ids.length, changed } } };
    },
  };
}

/** Lists ignore parameters that they do not know; here a mistyped filter would change every finding. @throws ApiError 400 */
function requireFilters(rawQuery: URLSearchParams): void {
  for (const name of rawQuery.keys())
    if (!Object.hasOwn(UNIFIED_FINDING_COLUMNS, name))
      throw apiError('malformedQueryParameter', { name, reason: 'no filter of findings has this name' });
}
