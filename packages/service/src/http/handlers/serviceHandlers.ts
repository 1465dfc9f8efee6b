/** The service about itself: version, description, health, metrics, the state of the data pipe, counts of the graph. */
import { type DatapipeStatus, type Edition, type GraphStatistics, routes, type Version } from '@clew/api';
import { stringify } from 'yaml';
import type { GenerationSource } from '../../generation/generation.ts';
import { apiError } from '../apiError.ts';
import { isLocal } from '../clientAddress.ts';
import type { HandlerTable, RequestContext } from '../handler.ts';
import type { Metrics } from '../metrics.ts';
import { openApiDocument } from '../openapi/document.ts';

export interface ServiceParts {
  readonly version: string;
  readonly edition: Edition;
  readonly generations: GenerationSource;
  readonly metrics: Metrics;
  datapipeStatus(): Promise<DatapipeStatus>;
  /** @returns why the service cannot work now, or nothing. */
  obstacle(): Promise<string | undefined>;
}

export function serviceHandlers(parts: ServiceParts): HandlerTable {
  const { version, edition, generations, metrics } = parts;
  // Always the same, and large: made when first asked for.
  let document: ReturnType<typeof openApiDocument> | undefined;
  let yaml: string | undefined;
  return {
    async GetApiVersion() {
      const data: Version = {
        API: { current_version: 'v2', deprecated_version: 'none' },
        server_version: version,
        product_edition: edition,
      };
      return { status: 200, json: { data } };
    },

    async GetApiSpec({ query }, { headers }) {
      document ??= openApiDocument(routes, { version, edition });
      if (wantsJson(query.format, headers.accept)) return { status: 200, json: document };
      yaml ??= stringify(document, { aliasDuplicateObjects: false });
      return { status: 200, text: yaml, mediaType: 'text/x-yaml' };
    },

    async GetDatapipeStatus() {
      return { status: 200, json: { data: await parts.datapipeStatus() } };
    },

    async GetGraphStatistics(_, { principal }) {
      // Counts over everything would tell of environments the caller may not see (api-behaviour.md 5.4).
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
      return { status: 200, json: { status: 'ok' } };
    },

    async GetMetrics(_, context) {
      requireMetricsReader(context);
      return { status: 200, text: await metrics.text(), mediaType: metrics.contentType };
    },
  };
}

function wantsJson(format: unknown, accept = ''): boolean {
  if (format !== undefined) return format === 'json';
  return accept.includes('application/json');
}

/**
 * Metrics name the kinds and sizes of what was collected. A collector of metrics on the same machine needs no
 * credentials; one elsewhere has to be a user who may read the configuration.
 */
function requireMetricsReader({ principal, peerAddress, headers }: RequestContext): void {
  if (principal.kind === 'anonymous') {
    if (!isLocal({ address: peerAddress, headers })) throw apiError('notAuthenticated');
  } else if (!principal.permissions.has('app/ReadAppConfig')) throw apiError('notAuthorized');
}
