/** The findings of a bulk request, from its body and its filters. */
import { UNIFIED_FINDING_COLUMNS } from '@clew/api';
import { type AuditEntry, apiError, parseListQuery, type UserPrincipal } from '@clew/common';
import type { ChosenFindings } from '../chosenFindings.ts';
import { askedFindings, requireOwnerFilters } from './askedFindings.ts';
import { visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';

interface ChosenBody {
  readonly findings?: readonly number[];
  readonly all_matching?: boolean;
  readonly expected?: string;
}

/** @throws ApiError 400 for a request that does not say which findings to change */
export async function askedChange(
  parts: Pick<FindingParts, 'db' | 'generations'>,
  rawQuery: URLSearchParams,
  { findings, all_matching, expected }: ChosenBody,
  user: UserPrincipal,
): Promise<ChosenFindings> {
  if ((findings === undefined) === (all_matching !== true))
    throw apiError('invalidBody', { reason: 'give either `findings` or `all_matching`' });
  if (findings === undefined) {
    // A change of everything requires the state that the caller saw.
    if (rawQuery.size === 0 && expected === undefined) throw apiError('changesEverything');
    return { ...(await filteredChange(parts, rawQuery, user)), expected };
  }
  if (rawQuery.size > 0) throw apiError('invalidBody', { reason: 'filters are only for `all_matching`' });
  return { scope: { visible: visibleEnvironments(user) }, filters: [], ids: findings, expected };
}

/** All findings that match the filters. */
export async function filteredChange(
  parts: Pick<FindingParts, 'db' | 'generations'>,
  rawQuery: URLSearchParams,
  user: UserPrincipal,
): Promise<ChosenFindings> {
  requireFilters(rawQuery);
  const { filters } = parseListQuery(rawQuery, UNIFIED_FINDING_COLUMNS);
  requireOwnerFilters(filters);
  return askedFindings(parts, filters, user);
}

/** Lists ignore unknown and empty parameters; here such a filter would change every finding. @throws ApiError 400 */
function requireFilters(rawQuery: URLSearchParams): void {
  for (const [name, value] of rawQuery) {
    if (!Object.hasOwn(UNIFIED_FINDING_COLUMNS, name))
      throw apiError('malformedQueryParameter', {
        name,
        reason: 'there is no filter of findings with this name',
      });
    if (value === '') throw apiError('malformedQueryParameter', { name, reason: 'the filter has no value' });
  }
}

/** Maximum number of finding ids in an audit log entry; the count covers all. */
const MAX_LOGGED = 100;

export const loggedFindings = (
  ids: readonly number[],
  chosen: ChosenFindings,
  rawQuery: URLSearchParams,
): AuditEntry['fields'] => ({
  finding_ids: ids.slice(0, MAX_LOGGED).join(','),
  ...(chosen.ids === undefined && { filters: rawQuery.toString() }),
});
