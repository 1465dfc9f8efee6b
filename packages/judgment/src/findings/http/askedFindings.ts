/** The findings selected by filters of the list over all environments and types. */
import { FINDING_TYPES, isOfNoZone } from '@clew/analysis';
import { apiError, type Filter, type Principal, requireUser } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { namedObjectId } from '@clew/graph';
import { type Db, HYGIENE } from '@clew/store';
import type { FindingScope } from '../findingQueries.ts';
import { filteredZone, visibleEnvironments } from './askedScope.ts';
import { withNamedTypes } from './findingTypeNames.ts';

export interface AskedFindings {
  readonly scope: FindingScope;
  readonly filters: readonly Filter[];
}

/**
 * Accepted and past findings are included only if the request asks for a status or for one finding.
 * @param withParts also findings that another one represents
 */
export async function askedFindings(
  { db, generations }: { readonly db: Db; readonly generations: GenerationSource },
  all: readonly Filter[],
  principal: Principal,
  withParts = false,
): Promise<AskedFindings> {
  const { environments, filters } = takeEnvironments(withNamedTypes(generations.current(), all), generations);
  // An empty list for a missing zone would look as if everything were fixed.
  const zone = await filteredZone(db, filters);
  const asksStatus = filters.some(({ column }) => column === 'status' || column === 'id');
  const visible = visibleEnvironments(principal);
  const named = filters.map((filter) =>
    filter.column === 'owner' ? ownerFilter(filter, principal) : filter,
  );
  // Parts are hidden behind the finding that contains them, unless a request asks for them.
  const asksParts = withParts || named.some(({ column }) => ASKS_PARTS.has(column));
  const scope: FindingScope = {
    ...{ visible, environments, state: asksStatus ? 'all' : 'current' },
    // In the list of one zone, nothing else shows a part whose whole is in another zone.
    ...(!asksParts && { wholesOr: zone === undefined ? [] : typesOutside(zone.id) }),
  };
  return { scope, filters: asksStatus ? named : [...named, ACTIVE] };
}

/** @returns types whose findings are certainly in other zones than this one */
const typesOutside = (zone: number): string[] =>
  FINDING_TYPES.filter((type) => isOfNoZone(type) !== (zone === HYGIENE)).map(({ id }) => id);

/** Does not use `status`, so that findings archived during a walk stay on its pages. */
const ACTIVE: Filter = { column: 'is_accepted', type: 'boolean', predicate: 'eq', value: false };

const ASKS_PARTS: ReadonlySet<string> = new Set(['id', 'finding', 'part_of', 'part_of_id']);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Resolves `me` and `none`; any other text that is not an id matches no user. */
function ownerFilter(filter: Filter, principal: Principal): Filter {
  const { predicate, value } = filter;
  if (predicate === '~eq') return filter;
  const text = String(value ?? 'none').toLowerCase();
  if (text === 'none') return { ...filter, type: 'uuid', value: null };
  if (text === 'me') return { ...filter, type: 'uuid', value: requireUser(principal).userId };
  return UUID.test(text) ? { ...filter, type: 'uuid', value: text } : filter;
}

/** A list is empty for a mistyped owner, but a change must not apply to all other findings. @throws ApiError 400 */
export function requireOwnerFilters(filters: readonly Filter[]): void {
  for (const { column, predicate, value } of filters) {
    if (column !== 'owner') continue;
    const text = String(value ?? 'none').toLowerCase();
    if (predicate !== '~eq' && (text === 'me' || text === 'none' || UUID.test(text))) continue;
    const reason = 'must be `me`, `none`, or the ID of a user; `owner_name` filters by name';
    throw apiError('malformedQueryParameter', { name: column, reason });
  }
}

/** Several environments are combined with OR, while other repeated columns are combined with AND. */
export function takeEnvironments(
  all: readonly Filter[],
  generations: GenerationSource,
): {
  readonly environments: readonly string[] | undefined;
  readonly filters: readonly Filter[];
} {
  const isUnion = ({ column, predicate, value }: Filter) =>
    column === 'environment_id' && predicate === 'eq' && value !== null;
  const { graph } = generations.current();
  const ids = all.filter(isUnion).map(({ value }) => namedObjectId(graph, String(value)));
  const filters = all.filter((filter) => !isUnion(filter));
  return { environments: ids.length === 0 ? undefined : ids, filters };
}
