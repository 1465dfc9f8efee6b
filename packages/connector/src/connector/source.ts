/** What the connector reads of the service, and what it makes of each failure. Rule: `docs/integration.md#errors`. */
import type { UnifiedFindingRow } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import type { Triple } from '../findings/items.ts';

/** Records in a page of details. */
const PAGE = 1000;

export interface Environment {
  readonly id: string;
  readonly name: string;
}

export interface Zone {
  readonly id: number;
  readonly name: string;
}

export interface RecordPage {
  readonly records: readonly unknown[];
  /** In all pages, where the service counts them. */
  readonly count: number | undefined;
}

export interface FeedPage {
  readonly findings: readonly UnifiedFindingRow[];
  readonly next: string;
  readonly hasMore: boolean;
}

const TIER_ZERO: Zone = { id: 1, name: 'Tier Zero' };
const HYGIENE: Zone = { id: 0, name: 'Hygiene' };

export class FindingSource {
  readonly #client: ClewClient;
  readonly #signal: AbortSignal | undefined;

  constructor(client: ClewClient, signal?: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Those that were collected. */
  async environments(): Promise<readonly Environment[]> {
    const { data } = await this.#client.call('GetAvailableDomains', {}, this.#options);
    return data.flatMap(({ id, name, collected }) => (collected && id !== '' ? [{ id, name }] : []));
  }

  /** In their order, Hygiene last. A server that does not tell has the two of the beginning. */
  async zones(): Promise<readonly Zone[]> {
    try {
      const { data } = await this.#client.call('GetAssetGroupTags', {}, this.#options);
      const zones = data.tags.filter(({ type }) => type === 1).map(({ id, name }) => ({ id, name }));
      return zones.length === 0 ? [TIER_ZERO, HYGIENE] : [...zones, HYGIENE];
    } catch (error) {
      if (isUnknownHere(error)) return [TIER_ZERO, HYGIENE];
      throw error;
    }
  }

  async availableTypes(environmentId: string, zoneId: number): Promise<readonly string[]> {
    const input = { params: { domain_id: environmentId }, query: { asset_group_tag_id: String(zoneId) } };
    const { data } = await this.#client.call(
      'ListAvailableAttackPathTypesForDomain',
      input as never,
      this.#options,
    );
    return data;
  }

  /** All types that the service knows, in lower case, by id and by the titles of those that occur. */
  async typeNames(): Promise<ReadonlyMap<string, string>> {
    const types = (await this.#client.call('ListAttackPathTypes', {}, this.#options)).data;
    const names = new Map(types.map((id) => [id.toLowerCase(), id]));
    try {
      const titled = (await this.#client.call('ListAttackPathFindingTypes', {}, this.#options)).data;
      for (const { finding, title } of titled) {
        names.set(finding.toLowerCase(), finding);
        names.set(title.trim().toLowerCase(), finding);
      }
    } catch (error) {
      if (!isUnknownHere(error)) throw error;
    }
    return names;
  }

  async text(findingType: string, asset: string, zoneId: number): Promise<string> {
    const type = encodeURIComponent(findingType);
    const target = `/api/v2/assets/findings/${type}/${asset}.md${zoneId > 1 ? `?asset_group_tag_id=${zoneId}` : ''}`;
    const text = await this.#client.transport.send({ method: 'GET', target, ...this.#options }, (answer) =>
      answer.text(),
    );
    return text.trim();
  }

  /** @param since `updated_at` of the oldest record to read */
  async details(triple: Triple, since: string | undefined, skip: number): Promise<RecordPage> {
    const query = {
      finding: triple.findingType,
      asset_group_tag_id: `eq:${triple.zoneId}`,
      ...(since !== undefined && { updated_at: `gte:${since}` }),
      sort_by: 'created_at',
      ...{ skip, limit: PAGE },
    };
    const input = { params: { domain_id: triple.environmentId }, query };
    const { data, count } = await this.#client.call(
      'ListDomainAttackPathsDetails',
      input as never,
      this.#options,
    );
    return { records: data, count };
  }

  /** @returns the instant of the latest analysis that has figures of it; nothing when there is none, or none is told */
  async lastAnalysis({ environmentId, zoneId, findingType }: Triple): Promise<string | undefined> {
    const query = { finding: findingType, asset_group_tag_id: `eq:${zoneId}` };
    const input = { params: { domain_id: environmentId }, query };
    try {
      const { data } = await this.#client.call(
        'ListAttackPathSparklineValues',
        input as never,
        this.#options,
      );
      return data
        .map(({ created_at, updated_at }) => updated_at || created_at)
        .sort()
        .at(-1);
    } catch (error) {
      if (isUnknownHere(error)) return undefined;
      throw error;
    }
  }

  /**
   * What changed since a place in the feed of changes; without one, where the feed is now.
   * @returns nothing when the service has no feed
   */
  async changes(since: string | undefined): Promise<FeedPage | undefined> {
    try {
      const query = since === undefined ? {} : { since, limit: PAGE };
      const { data, next, has_more } = await this.#client.call('ListChanges', { query }, this.#options);
      return { findings: data.map(({ finding }) => finding), next, hasMore: has_more };
    } catch (error) {
      if (isUnknownHere(error)) return undefined;
      throw error;
    }
  }

  get #options() {
    return { signal: this.#signal };
  }
}

/** An operation that this server, or this account, does not have. */
const isUnknownHere = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404, 405, 501].includes(error.status);

export type Fault =
  /** New credentials are needed; the run stops. */
  | 'credentials'
  /** The service wants fewer requests; the rest is left to the next run. */
  | 'rate'
  /** This request will not be answered; the next one may. */
  | 'refused'
  /** The service is in trouble; tried again in the next run. */
  | 'unavailable';

export function faultOf(error: unknown): Fault {
  if (!(error instanceof ApiError)) return 'unavailable';
  if (error.status === 401) return 'credentials';
  if (error.status === 429) return 'rate';
  return error.status < 500 ? 'refused' : 'unavailable';
}
