/** Information about the service: version, health, metrics, the state of the data pipe, counts of the graph. */
import type { DatapipeStatus, Edition, GraphStatistics, Version } from '@clew/api';
import { apiError, type Handlers, isLocal, type RequestContext } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { Metrics } from './metrics/metrics.ts';

export interface SystemParts {
  readonly version: string;
  readonly edition: Edition;
  readonly generations: GenerationSource;
  readonly metrics: Metrics;
  datapipeStatus(): Promise<DatapipeStatus>;
  /** Whether a proxy is in front of the service: then a local caller may be anyone. */
  readonly isBehindProxy: boolean;
  /** @returns why the service cannot answer now, or `undefined` */
  obstacle(): Promise<string | undefined>;
  /** @returns why ingest, analysis or backups are waiting while requests are answered, or `undefined` */
  delay(): string | undefined;
}

type Operations =
  | 'GetApiVersion'
  | 'GetDatapipeStatus'
  | 'GetAnalysisStatus'
  | 'GetDogTags'
  | 'GetGraphStatistics'
  | 'GetHealth'
  | 'GetReadiness'
  | 'GetMetrics';

export function systemHandlers(parts: SystemParts): Handlers<Operations> {
  const { version, edition, generations, metrics } = parts;
  const datapipeStatus = async (): Promise<DatapipeStatus> => {
    const degraded = parts.delay();
    return { ...(await parts.datapipeStatus()), ...(degraded !== undefined && { degraded }) };
  };
  return {
    async GetApiVersion() {
      const data: Version = {
        API: { current_version: 'v2', deprecated_version: 'none' },
        server_version: version,
        product_edition: edition,
      };
      return { status: 200, json: { data } };
    },

    async GetDatapipeStatus() {
      return { status: 200, json: { data: await datapipeStatus() } };
    },

    async GetAnalysisStatus() {
      return { status: 200, json: { data: await datapipeStatus() } };
    },

    GetDogTags: async () => ({ status: 200, json: { data: {} } }),

    async GetGraphStatistics(_, { principal }) {
      // Total counts would reveal environments that the caller may not see (`docs/reference/api.md#environments`).
      if (principal.kind === 'user' && principal.environments !== null)
        throw apiError('environmentForbidden');
      const { id, publishedAt, collected, derived } = generations.current();
      const data: GraphStatistics = { generation: id, published_at: publishedAt, collected, derived };
      return { status: 200, json: { data } };
    },

    async GetHealth() {
      return { status: 200, json: { status: 'ok' } };
    },

    async GetReadiness() {
      const reason = await parts.obstacle();
      if (reason !== undefined) throw apiError('notReady', { reason });
      const delay = parts.delay();
      return {
        status: 200,
        json: delay === undefined ? { status: 'ok' } : { status: 'degraded', reason: delay },
      };
    },

    async GetMetrics(_, context) {
      requireMetricsReader(context, parts.isBehindProxy);
      return { status: 200, text: await metrics.text(), mediaType: metrics.contentType };
    },
  };
}

/**
 * Metrics contain the kinds and sizes of the collected data. A scraper on the same machine needs no credentials unless the service is
 * behind a proxy; other callers need the metrics token, or a user who may read the configuration.
 */
function requireMetricsReader(
  { principal, peerAddress, headers }: RequestContext,
  isBehindProxy: boolean,
): void {
  if (principal.kind === 'anonymous') {
    if (isBehindProxy || !isLocal({ address: peerAddress, headers })) throw apiError('notAuthenticated');
  } else if (!principal.permissions.has('app/ReadAppConfig')) throw apiError('notAuthorized');
}
