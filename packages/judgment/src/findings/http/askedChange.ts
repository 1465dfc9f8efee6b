/** The findings that a request changes together, as its body and its filters name them. */
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

/** @throws ApiError 400 for a request that does not say which findings it means */
export async function askedChange(
  parts: Pick<FindingParts, 'db' | 'generations'>,
  rawQuery: URLSearchParams,
  { findings, all_matching, expected }: ChosenBody,
  user: UserPrincipal,
): Promise<ChosenFindings> {
  if ((findings === undefined) === (all_matching !== true))
    throw apiError('invalidBody', { reason: 'name `findings`, or set `all_matching`, and not both' });
  if (findings === undefined) {
    // A change of everything is meant by those alone who have looked at what it meets.
    if (rawQuery.size === 0 && expected === undefined) throw apiError('changesEverything');
    return { ...(await filteredChange(parts, rawQuery, user)), expected };
  }
  if (rawQuery.size > 0)
    throw apiError('invalidBody', { reason: 'filters choose findings for `all_matching` only' });
  return { scope: { visible: visibleEnvironments(user) }, filters: [], ids: findings, expected };
}

/** All that match the filters. */
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

/** Lists ignore parameters that they do not know, and empty ones; here such a filter would change every finding. @throws ApiError 400 */
function requireFilters(rawQuery: URLSearchParams): void {
  for (const [name, value] of rawQuery) {
    if (!Object.hasOwn(UNIFIED_FINDING_COLUMNS, name))
      throw apiError('malformedQueryParameter', { name, reason: 'no filter of findings has this name' });
    if (value === '') throw apiError('malformedQueryParameter', { name, reason: 'the filter has no value' });
  }
}

/** Numbers of findings that an entry of the audit log names; it counts all. */
const MAX_LOGGED = 100;

export const loggedFindings = (
  ids: readonly number[],
  chosen: ChosenFindings,
  rawQuery: URLSearchParams,
): AuditEntry['fields'] => ({
  finding_ids: ids.slice(0, MAX_LOGGED).join(','),
  ...(chosen.ids === undefined && { filters: rawQuery.toString() }),
});
