/** Reads data of the service for the connector, and classifies each failure. Rule: `docs/integration.md#errors`. */
import { ApiError, type ClewClient } from '@clew/client';
import Type from 'typebox';
import type { Triple } from '../findings/items.ts';

/** Records in a page of details. */
const PAGE = 1000;

export interface Environment {
  readonly id: string;
  readonly name: string;
  /** False if only other environments mention it, as one of a trust. */
  readonly isCollected: boolean;
  /** Unread parts of the environment; empty for servers without this information. */
  readonly notRead: readonly string[];
}

export interface Zone {
  readonly id: number;
  readonly name: string;
}

export interface RecordPage {
  readonly records: readonly unknown[];
  /** Number of records in all pages, if the service counts them. */
  readonly count: number | undefined;
}

export interface FeedPage {
  /** One entry per change, as received. */
  readonly findings: readonly unknown[];
  /** The next position of the feed; absent if the answer has no valid one. */
  readonly next: string | undefined;
  readonly hasMore: boolean;
}

/** The required part of each answer: not all servers of this API return everything in the contract. */
const NEEDS = {
  environments: Type.Object({
    data: Type.Array(
      Type.Object({
        ...{ id: Type.String(), name: Type.String(), collected: Type.Boolean() },
        not_read: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  }),
  zones: Type.Object({
    data: Type.Object({
      tags: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), type: Type.Integer() })),
    }),
  }),
  names: Type.Object({ data: Type.Array(Type.String()) }),
  list: Type.Object({
    data: Type.Array(
      Type.Object({
        finding: Type.String(),
        environment_id: Type.String(),
        asset_group_tag_id: Type.Integer(),
      }),
    ),
  }),
  titles: Type.Object({
    data: Type.Array(Type.Object({ finding: Type.String(), title: Type.String() })),
  }),
  details: Type.Object({ data: Type.Array(Type.Unknown()), count: Type.Optional(Type.Integer()) }),
  figures: Type.Object({
    data: Type.Array(Type.Object({ created_at: Type.String(), updated_at: Type.Optional(Type.String()) })),
  }),
  changes: Type.Object({ data: Type.Array(Type.Unknown()), has_more: Type.Boolean() }),
  summary: Type.Object({
    data: Type.Object({
      not_reported: Type.Optional(
        Type.Array(Type.Object({ environment_id: Type.String(), text: Type.String() })),
      ),
    }),
  }),
};

/** A position in the feed: printable, and short enough for a request. Only the service interprets it. */
const PLACE = /^[!-~]{1,500}$/;

const TIER_ZERO: Zone = { id: 1, name: 'Tier Zero' };
const HYGIENE: Zone = { id: 0, name: 'Hygiene' };

export class FindingSource {
  readonly #client: ClewClient;
  readonly #signal: AbortSignal | undefined;

  constructor(client: ClewClient, signal?: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** All known environments with an id, including those that were not collected. */
  async environments(): Promise<readonly Environment[]> {
    const { data } = await this.#client.call('GetAvailableDomains', {}, this.#needing('environments'));
    return data.flatMap(({ id, name, collected, not_read }) =>
      id === '' ? [] : [{ id, name, isCollected: collected, notRead: not_read ?? [] }],
    );
  }

  /**
   * Relationships that were not reported again, one sentence for each job and environment; empty for a server without this
   * information.
   */
  async notReported(environmentIds: readonly string[]): Promise<readonly string[]> {
    try {
      const { data } = await this.#client.call('GetPostureSummary', {}, this.#needing('summary'));
      return (data.not_reported ?? [])
        .filter(({ environment_id }) => environmentIds.includes(environment_id))
        .map(({ text }) => text);
    } catch (error) {
      if (isUnknownHere(error)) return [];
      throw error;
    }
  }

  /** Zones in order, Hygiene last. A server without this information has the two initial zones. */
  async zones(): Promise<readonly Zone[]> {
    try {
      const { data } = await this.#client.call('GetAssetGroupTags', {}, this.#needing('zones'));
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
      this.#needing('names'),
    );
    return data;
  }

  /** All types that the service knows, in lower case, by id, and by title for types with findings. */
  async typeNames(): Promise<ReadonlyMap<string, string>> {
    const types = (await this.#client.call('ListAttackPathTypes', {}, this.#needing('names'))).data;
    const names = new Map(types.map((id) => [id.toLowerCase(), id]));
    try {
      const titled = (await this.#client.call('ListAttackPathFindingTypes', {}, this.#needing('titles')))
        .data;
      for (const { finding, title } of titled) {
        names.set(finding.toLowerCase(), finding);
        names.set(title.trim().toLowerCase(), finding);
      }
    } catch (error) {
      if (!isUnknownHere(error)) throw error;
    }
    return names;
  }

  /** The triples of the first findings of the list, in order; empty if the service has no such list. */
  async firstTriples(): Promise<readonly Triple[]> {
    const query = { sort_by: 'urgency', limit: PAGE };
    try {
      const { data } = await this.#client.call(
        'ListAttackPathFindings',
        { query } as never,
        this.#needing('list'),
      );
      return data.map(({ finding, environment_id, asset_group_tag_id }) => ({
        environmentId: environment_id,
        zoneId: asset_group_tag_id,
        findingType: finding,
      }));
    } catch (error) {
      if (isUnknownHere(error) || isRefusal(error)) return [];
      throw error;
    }
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
      this.#needing('details'),
    );
    return { records: data, count };
  }

  /** @returns the time of the latest analysis with its figures; `undefined` if none exists or is reported */
  async lastAnalysis({ environmentId, zoneId, findingType }: Triple): Promise<string | undefined> {
    const query = { finding: findingType, asset_group_tag_id: `eq:${zoneId}` };
    const input = { params: { domain_id: environmentId }, query };
    try {
      const { data } = await this.#client.call(
        'ListAttackPathSparklineValues',
        input as never,
        this.#needing('figures'),
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
   * Reads changes since a position in the feed; without one, reads the present position. @returns `undefined` if the
   * service has no feed @throws FeedPlaceError if the service refuses the position
   */
  async changes(since: string | undefined): Promise<FeedPage | undefined> {
    try {
      const query = since === undefined ? {} : { since, limit: PAGE };
      const answer = await this.#client.call('ListChanges', { query }, this.#needing('changes'));
      const { data, next, has_more } = answer as { data: unknown[]; next: unknown; has_more: boolean };
      const isPlace = typeof next === 'string' && PLACE.test(next) && !(has_more && next === since);
      return {
        findings: data.map((change) => Object(change).finding),
        next: isPlace ? next : undefined,
        hasMore: has_more,
      };
    } catch (error) {
      if (since !== undefined && isRefusal(error)) throw new FeedPlaceError(error.message);
      if (isUnknownHere(error)) return undefined;
      throw error;
    }
  }

  get #options() {
    return { signal: this.#signal };
  }

  #needing(what: keyof typeof NEEDS) {
    return { ...this.#options, needs: NEEDS[what] };
  }
}

/** The service cannot continue from the position in the feed. */
export class FeedPlaceError extends Error {
  override readonly name = 'FeedPlaceError';
}

/** Whether the request itself was refused, not its caller or its rate. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 410, 416, 422].includes(error.status);

/** An operation that this server, or this account, does not have. */
const isUnknownHere = (error: unknown): boolean =>
  error instanceof ApiError && [403, 404, 405, 501].includes(error.status);

export type Fault =
  /** New credentials are needed; the run stops. */
  | 'credentials'
  /** The service limits the rate; the next run does the rest. */
  | 'rate'
  /** This request will fail again, but the next one may succeed. */
  | 'refused'
  /** The service is unavailable; the next run tries again. */
  | 'unavailable';

export function faultOf(error: unknown): Fault {
  if (!(error instanceof ApiError)) return 'unavailable';
  if (error.status === 401) return 'credentials';
  if (error.status === 429) return 'rate';
  return error.status < 500 ? 'refused' : 'unavailable';
}
