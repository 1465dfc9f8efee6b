/** What a question about findings is about: the environments the caller may see, zones, types, times. */

import type { GenerationSource } from '../../generation/generation.ts';
import { apiError } from '../../http/apiError.ts';
import type { RequestInput } from '../../http/handler.ts';
import { type Filter, parseTime } from '../../http/lists/listQuery.ts';
import type { Principal } from '../../identity/principal.ts';
import { HYGIENE } from '../../store/defaultZones.ts';
import { DEFAULT_TAGS, type TimeWindow } from '../posture.ts';

/** @returns environments the caller may see; `null` for all of them. */
export function visibleEnvironments(principal: Principal): readonly string[] | null {
  return principal.kind === 'user' && principal.environments !== null ? [...principal.environments] : null;
}

/**
 * @returns the object id of the environment in the path
 * @throws ApiError 404 for an unknown one, 403 for one the caller may not see
 */
export function askedEnvironment(generations: GenerationSource, text: string, principal: Principal): string {
  const id = text.toUpperCase();
  if (!generations.current().environments.some((environment) => environment.id === id))
    throw apiError('resourceNotFound');
  const visible = visibleEnvironments(principal);
  if (visible !== null && !visible.includes(id)) throw apiError('environmentForbidden');
  return id;
}

/** @returns the finding type: clients send it bare and as `eq:TYPE`. @throws ApiError 400 for other predicates */
export function askedFinding(query: RequestInput['query']): string {
  const text = String(query.finding);
  const colon = text.indexOf(':');
  if (colon < 0) return text;
  const predicate = text.slice(0, colon);
  if (predicate === 'eq' && colon + 1 < text.length) return text.slice(colon + 1);
  throw apiError('predicateNotSupported', { column: 'finding', predicate });
}

/** @returns the zone of the parameter `asset_group_tag_id`; by default Tier Zero and what belongs to no zone. */
export function askedTags(rawQuery: URLSearchParams): readonly number[] {
  const text = rawQuery.get('asset_group_tag_id');
  if (text === null || text === '') return DEFAULT_TAGS;
  const [, digits] = /^(?:eq:)?(\d{1,9})$/.exec(text) ?? [];
  if (digits === undefined) throw apiError('malformedFilter');
  return [Number(digits)];
}

/**
 * Of lists about one finding type. A zone that is named does not hide findings that belong to none: the type already
 * says which of them are meant, and clients that always name Tier Zero would never see them.
 */
export function takeTags(filters: readonly Filter[]): {
  readonly tags: readonly number[] | undefined;
  readonly filters: readonly Filter[];
} {
  const isZone = ({ column }: Filter) => column === 'asset_group_tag_id';
  const [zones, others] = [filters.filter(isZone), filters.filter((filter) => !isZone(filter))];
  if (zones.length === 0) return { tags: DEFAULT_TAGS, filters };
  const [{ predicate, value }] = zones;
  if (zones.length > 1 || predicate !== 'eq') return { tags: undefined, filters };
  return { tags: [HYGIENE, Number(value)], filters: others };
}

const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * @param names of the parameters for begin and end; values bare or with a predicate that says the same
 * @returns the window; by default the last 30 days
 */
export function askedWindow(
  rawQuery: URLSearchParams,
  names: readonly [from: string, to: string],
  now = new Date(),
): TimeWindow {
  const to = timeOf(rawQuery.get(names[1])) ?? (parseTime(now.toISOString()) as string);
  const before = new Date(Date.parse(to) - WINDOW_MS);
  const from = timeOf(rawQuery.get(names[0])) ?? parseTime(before.toISOString()) ?? to;
  if (to < from) throw apiError('reversedWindow');
  return { from, to };
}

function timeOf(text: string | null): string | undefined {
  if (text === null || text === '') return undefined;
  const time = parseTime(text.replace(/^(eq|gte?|lte?):/, ''));
  if (time === undefined) throw apiError('malformedWindow');
  return time;
}

/** @returns object ids of a parameter that is repeated or separated by commas. */
export function askedEnvironments(rawQuery: URLSearchParams, name: string): readonly string[] {
  const ids = rawQuery.getAll(name).flatMap((text) => text.split(','));
  return [...new Set(ids.map((id) => id.trim().toUpperCase()).filter((id) => id !== ''))];
}
