/** Owners of findings over HTTP. Rule: `docs/findings.md#owners`. */
import { type Handlers, recordSuccess, requireUser } from '@clew/common';
import { type Assigned, assignFindings } from '../owners.ts';
import { askedChange, loggedFindings } from './askedChange.ts';
import type { FindingParts } from './findingParts.ts';

export function ownerHandlers(parts: FindingParts): Handlers<'AssignFindings'> {
  const { db } = parts;
  return {
    async AssignFindings({ rawQuery, body }, context) {
      const user = requireUser(context.principal);
      const { owner } = body;
      const chosen = await askedChange(parts, rawQuery, body, user);
      const record = async (transaction: FindingParts['db'], assigned: Assigned) => {
        const fields = {
          owner_id: assigned.owner?.id ?? null,
          owner: assigned.owner?.name ?? null,
          findings: assigned.ids.length,
          changed: assigned.changed,
          bulk_change_id: assigned.change,
          ...loggedFindings(assigned.ids, chosen, rawQuery),
        };
        await recordSuccess(transaction, context, 'AssignFindings', fields);
      };
      const assigned = await assignFindings(
        db,
        {
          owner: owner?.toLowerCase() === 'me' ? user.userId : (owner?.toLowerCase() ?? null),
          chosen,
          by: user,
        },
        record,
      );
      const { owner: now, ids, changed, change } = assigned;
      const data = { owner: now, findings: ids.length, changed, bulk_change_id: change };
      return { status: 200, json: { data } };
    },
  };
}
