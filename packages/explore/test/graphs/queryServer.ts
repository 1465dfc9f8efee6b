import type { ReadNodeTexts } from '@clew/queries';
/** The read side on the real HTTP server, over a literal graph. `Authorization: test NAME` selects the caller. */

import { routes } from '@clew/api';
import type { Authenticator, HandlerTable } from '@clew/common';
import type { Generation } from '@clew/generation';
import type { TestGraph } from '@clew/graph/testing';
import type { Properties, RulesMode } from '@clew/model';
import type { QueryPoolOptions } from '@clew/queries';
import { SwappableGenerations } from '@clew/queries/testing';
import { startTestServer, userNamed } from '@clew/server/testing';
import { detailsOf, type EdgePropertySource, type NodePropertySource } from '@clew/store';
import { exploreHandlers } from '../../src/graphs/exploreHandlers.ts';
import {
  createQueryServices,
  type EasiestPaths,
  type QueryDatabase,
  type QueryServices,
} from '../../src/graphs/queryServices.ts';
import { appearanceOf } from '../../src/graphs/render/appearance.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export interface QueryServer {
  readonly url: string;
  readonly services: QueryServices;
  readonly generations: SwappableGenerations;
  /** @param path path after `/api/v2/` @param caller `reader` sees everything */
  get(path: string, caller?: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  request(method: string, path: string, body: unknown, caller?: string): Promise<Reply>;
  close(): Promise<void>;
}

export interface QueryServerOptions {
  readonly rules?: RulesMode;
  readonly pool?: QueryPoolOptions;
  /** Default: objects only have names. */
  readonly nodeTexts?: ReadNodeTexts;
  readonly maxWordWaitMs?: number;
  readonly database?: QueryDatabase;
  readonly properties?: NodePropertySource;
  /** Default: fails, because there is no service for it. */
  readonly easiest?: EasiestPaths;
  /** Additional handlers of other parts. */
  readonly more?: (services: QueryServices) => HandlerTable;
  /** Environments of limited callers, by name. */
  readonly limited?: Readonly<Record<string, readonly string[]>>;
}

/** Last-seen time of every node in a literal graph. */
export const SEEN_AT = '2026-01-01T00:00:00.000000Z';

/** @returns properties of a literal graph in the form of the store */
export function literalProperties({ graph, properties }: TestGraph): NodePropertySource {
  return {
    async read(storeIds) {
      const nodes = new Map(Array.from(graph.storeIds, (storeId, node) => [storeId, node]));
      return new Map(
        storeIds.map((id) => [
          id,
          detailsOf(properties.of(nodes.get(id) as number) as Properties, SEEN_AT, null),
        ]),
      );
    },
    async readTexts(storeIds, key) {
      const details = await this.read(storeIds);
      const texts = [...details].map(([id, { properties: all }]) => [id, all[key]] as const);
      return new Map(texts.filter((text): text is [number, string] => typeof text[1] === 'string'));
    },
  };
}

const NO_EDGE_PROPERTIES: EdgePropertySource = { read: async (edges) => edges.map(() => undefined) };

const NO_TEXTS: ReadNodeTexts = async () => ({
  nodes: new Uint32Array(),
  texts: { bytes: new Uint8Array(), offsets: new Uint32Array(1) },
});

const NO_EXTENSIONS = { read: async () => ({ nodeKinds: new Map(), relationshipKinds: new Map() }) };

const NO_EFFORTS: EasiestPaths = () => Promise.reject(new Error('no thread knows attack efforts'));

export async function startQueryServer(
  generation: Generation,
  properties: NodePropertySource,
  options: QueryServerOptions = {},
): Promise<QueryServer> {
  const generations = new SwappableGenerations(generation);
  const services = createQueryServices({
    looks: { read: async () => appearanceOf },
    ...(options.database === undefined && { extensions: NO_EXTENSIONS }),
    generations,
    properties,
    ratings: async () => new Map(),
    unread: async () => new Map(),
    rules: options.rules ?? 'clean',
    pool: options.pool,
    maxWordWaitMs: options.maxWordWaitMs,
    ...(options.database === undefined && {
      edgeProperties: NO_EDGE_PROPERTIES,
      nodeTexts: options.nodeTexts ?? NO_TEXTS,
    }),
    // Only tests of stored data provide a database.
    database: (options.database ?? {}) as QueryDatabase,
  });
  const handlers = {
    ...exploreHandlers(services, options.easiest ?? NO_EFFORTS),
    ...options.more?.(services),
  };
  const contracts = routes.filter(({ operationId }) => operationId in handlers);
  const server = await startTestServer(contracts, handlers, {
    authenticator: authenticator(options.limited),
  });
  const request = async (method: string, path: string, init: RequestInit): Promise<Reply> => {
    const reply = await fetch(`${server.url}/api/v2/${path}`, { method, ...init });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') === true;
    return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    url: server.url,
    services,
    generations,
    get: (path, caller = 'reader', headers = {}) =>
      request('GET', path, { headers: { authorization: `test ${caller}`, ...headers } }),
    request: (method, path, body, caller = 'reader') =>
      request(method, path, {
        headers: { authorization: `test ${caller}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async close() {
      await server.close();
      await services.close();
    },
  };
}

/** `nobody` has no permission, `writer` may write, and all others may read. */
function authenticator(limited: Readonly<Record<string, readonly string[]>> = {}): Authenticator {
  return {
    async begin({ headers }) {
      const name = headers.authorization?.split(' ')[1];
      if (name === undefined) return { principal: { kind: 'anonymous', permissions: new Set<string>() } };
      const permissions =
        name === 'nobody' ? [] : name === 'writer' ? ['graphdb/Read', 'graphdb/Write'] : ['graphdb/Read'];
      const environments = limited[name] === undefined ? null : new Set(limited[name]);
      return { principal: { ...userNamed(name, permissions), environments } };
    },
  };
}
