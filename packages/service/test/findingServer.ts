/** Findings and zones with the real HTTP server and real uploads. Call it at the top of a test file. */

import { randomUUID } from 'node:crypto';
import { routes } from '@clew/api';
import { createExports } from '@clew/common';
import { CypherRunner, type QueryServices } from '@clew/explore';
import { environmentHandlers } from '@clew/explore/testing';
import { emptyGeneration, type Generation } from '@clew/generation';
import { emptyStore, ingestAll, type TestUpload, upload } from '@clew/intake/testing';
import { storedRatings } from '@clew/judgment/handlers';
import { emptyFindings, findingHandlers } from '@clew/judgment/testing';
import { planLeaving } from '@clew/plans/testing';
import { startTestServer, type TestServer, userNamed } from '@clew/server/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { buildContext, buildGeneration } from '@clew/worker/testing';
import { afterAll, beforeAll } from 'vitest';
import { countRows, KeptRows } from './keptRows.ts';

const STEWARD = ['graphdb/Read', 'graphdb/Write', 'risks/ManageRisks', 'risks/GenerateReport'];

/** Callers and their permissions. Ids are random, but equal for all requests. */
const USERS = {
  admin: { userId: randomUUID(), permissions: STEWARD, environments: null },
  planner: { userId: randomUUID(), permissions: [...STEWARD, 'graphdb/Mutate'], environments: null },
  reader: { userId: randomUUID(), permissions: ['graphdb/Read'], environments: null },
  elsewhere: { userId: randomUUID(), permissions: STEWARD, environments: new Set(['S-1-5-21-9-9-9']) },
};
export type TestCaller = keyof typeof USERS;

export interface CallOptions {
  readonly user?: TestCaller;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface FindingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

export interface FindingServer {
  readonly database: Database;
  call(target: string, options?: CallOptions): Promise<FindingAnswer>;
  /**
   * Uploads, ingests, and publishes a generation; without files, only publishes one if there are changes. The same files again, right
   * after the store was emptied, are restored with the generation of the second time.
   */
  collect(...files: readonly TestUpload[]): Promise<void>;
  empty(): Promise<void>;
}

export function useFindingServer(): FindingServer {
  let database: Database;
  let server: TestServer;
  let cypher: CypherRunner;
  let generation = emptyGeneration();
  const listeners = new Set<(generation: Generation) => void>();
  /** Collections into the emptied store, by their files. */
  const first = new Map<string, { readonly generation: Generation; readonly kept?: KeptRows }>();
  let isEmpty = false;
  beforeAll(async () => {
    database = await startTestDatabase();
    cypher = new CypherRunner({ connection: database.connection, logLevel: 'silent' });
    const generations = {
      current: () => generation,
      onSwap: (listener: (generation: Generation) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      beforeSwap: () => () => {},
    };
    const ratings = storedRatings(database.db);
    const unread = async () => new Map();
    const services = { generations, ratings, unread } as unknown as QueryServices;
    const { GetAvailableDomains } = environmentHandlers(services);
    const handlers = {
      GetAvailableDomains,
      ...findingHandlers(database.db, generations, createExports(database), cypher, 'clean', planLeaving),
    };
    const contracts = routes.filter(({ operationId }) => operationId in handlers);
    server = await startTestServer(contracts, handlers, {
      authenticator: {
        async begin({ headers }) {
          const name = (headers.authorization ?? '').replace(/^test /, '') as TestCaller;
          const { permissions, ...user } = USERS[name];
          return { principal: { ...userNamed(name, permissions), ...user } };
        },
      },
    });
  });
  afterAll(async () => {
    await server.close();
    await cypher.close();
    await database.close();
  });
  const swap = (made: Generation): void => {
    generation = made;
    for (const listener of listeners) listener(made);
  };
  return {
    get database() {
      return database;
    },
    async call(target, { user = 'admin', method = 'GET', headers, body } = {}) {
      const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await fetch(server.url + target, {
        method,
        headers: { authorization: `test ${user}`, ...json, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
      const { status } = answer;
      return { status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
    async collect(...files) {
      const key = isEmpty && files.length > 0 ? JSON.stringify(files) : undefined;
      isEmpty = false;
      const known = key === undefined ? undefined : first.get(key);
      if (known?.kept !== undefined) {
        await known.kept.restore();
        return swap(known.generation);
      }
      const before = known && (await countRows(database.pool));
      if (files.length > 0) await upload(database, ...files);
      await ingestAll(database);
      await buildGeneration(buildContext(database, swap));
      if (key === undefined) return;
      // A collection that comes for the second time will come again.
      const kept = before && (await KeptRows.keep(database.pool, before, `kept_${first.size}`));
      first.set(key, { generation, kept });
    },
    async empty() {
      await emptyStore(database);
      await emptyFindings(database);
      isEmpty = true;
    },
  };
}
