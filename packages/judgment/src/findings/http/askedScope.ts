/** The scope of a request for findings: the environments the caller may see, zones, types, times. */

import { apiError, type Filter, type Principal, parseTime } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import { namedObjectId } from '@clew/graph';
import { type Db, HYGIENE, TIER_ZERO, ZoneType } from '@clew/store';
import { DEFAULT_ZONES, type TimeWindow } from '../posture.ts';

/** @returns environments the caller may see; `null` for all */
export function visibleEnvironments(principal: Principal): readonly string[] | null {
  return principal.kind === 'user' && principal.environments !== null ? [...principal.environments] : null;
}

/**
 * @returns the object id of the environment in the path
 * @throws ApiError 404 for an unknown environment, 403 for one the caller may not see
 */
export function askedEnvironment(generations: GenerationSource, text: string, principal: Principal): string {
  const id = namedObjectId(generations.current().graph, text);
  const visible = visibleEnvironments(principal);
  // Checked first, so that callers with limited environments cannot probe for others.
  if (visible !== null && !visible.includes(id)) throw apiError('environmentForbidden');
  if (!generations.current().environments.some((environment) => environment.id === id))
    throw apiError('resourceNotFound');
  return id;
}

/** @returns the finding type: clients send it bare or as `eq:TYPE` @throws ApiError 400 for other predicates */
export function askedFinding({ finding: text }: { readonly finding: string }): string {
  const colon = text.indexOf(':');
  if (colon < 0) return text;
  const predicate = text.slice(0, colon);
  if (predicate === 'eq' && colon + 1 < text.length) return text.slice(colon + 1);
  throw apiError('predicateNotSupported', { column: 'finding', predicate });
}

/** Record ids are 32-bit integers; the store does not accept larger ones. */
const MAX_IDS = 2 ** 31 - 1;

/** A zone of a request. */
export interface AskedZone {
  readonly id: number;
  /** The name used in texts; missing for Tier Zero and for findings without a zone, which the texts describe anyway. */
  readonly wording?: string;
  /** A label, or the mark of owned objects: no finding belongs to one, so its answers are empty. */
  readonly isLabel?: boolean;
}

/**
 * @returns the zone or label in the parameter `asset_group_tag_id`, if any
 * @throws ApiError 400 for a value that is not a number, 404 for an id that never existed; a deleted zone still has a history
 */
export async function askedZone(db: Db, rawQuery: URLSearchParams): Promise<AskedZone | undefined> {
  const name = 'asset_group_tag_id';
  const texts = rawQuery.getAll(name).filter((text) => text !== '');
  if (texts.length === 0) return undefined;
  const [, digits] = /^(?:eq:)?(\d{1,15})$/.exec(texts[0]) ?? [];
  const reason = texts.length > 1 ? 'must be given once' : 'must be the number of a zone';
  if (digits === undefined || texts.length > 1) throw apiError('malformedQueryParameter', { name, reason });
  return zoneOf(db, Number(digits));
}

/** @throws ApiError 404 */
export async function zoneOf(db: Db, id: number): Promise<AskedZone> {
  const zone = await findZone(db, id);
  if (zone === undefined) throw apiError('zoneNotFound', { id: String(id) });
  return zone;
}

async function findZone(db: Db, id: number): Promise<AskedZone | undefined> {
  if (id === HYGIENE || id === TIER_ZERO) return { id };
  if (Math.abs(id) > MAX_IDS) return undefined;
  const zone = await db
    .selectFrom('asset_group_tag')
    .select(['name', 'type'])
    .where('id', '=', id)
    .executeTakeFirst();
  return zone && { id, wording: zone.name, ...(zone.type !== ZoneType.zone && { isLabel: true }) };
}

/** @returns the only zone or label of a list, if it has one @throws ApiError 404 for an id that never existed */
export async function filteredZone(db: Db, filters: readonly Filter[]): Promise<AskedZone | undefined> {
  const [zone, ...others] = filters.filter(({ column }) => column === 'asset_group_tag_id');
  if (zone === undefined || others.length > 0 || zone.predicate !== 'eq' || zone.value === null)
    return undefined;
  return zoneOf(db, Number(zone.value));
}

/** @returns zones of a request for one zone; by default Tier Zero and findings without a zone */
export function tagsOf(zone: AskedZone | undefined): readonly number[] {
  return zone === undefined ? DEFAULT_ZONES : [zone.id];
}

/**
 * Reads the zones of lists of one finding type. A given zone does not hide findings without a zone: the type already selects them, and
 * clients that always name Tier Zero would never see them. A label hides all of them.
 * @throws ApiError 404 for a zone that never existed
 */
export async function takeZones(
  db: Db,
  filters: readonly Filter[],
): Promise<{
  readonly zones: readonly number[] | undefined;
  readonly filters: readonly Filter[];
}> {
  const isZone = ({ column }: Filter) => column === 'asset_group_tag_id';
  const [zones, others] = [filters.filter(isZone), filters.filter((filter) => !isZone(filter))];
  if (zones.length === 0) return { zones: DEFAULT_ZONES, filters };
  const zone = await filteredZone(db, zones);
  if (zone === undefined) return { zones: undefined, filters };
  return { zones: zone.isLabel ? [zone.id] : [HYGIENE, zone.id], filters: others };
}

const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * @param names parameters for start and end; values are bare or have an equivalent predicate
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

/** @returns object ids from a parameter that is repeated or comma-separated */
export function askedEnvironments(
  rawQuery: URLSearchParams,
  name: string,
  generations: GenerationSource,
): readonly string[] {
  const { graph } = generations.current();
  const ids = rawQuery.getAll(name).flatMap((text) => text.split(','));
  return [...new Set(ids.map((id) => namedObjectId(graph, id.trim())).filter((id) => id !== ''))];
}
