/** Handlers on a real server and database, for the tests of a file. */
import { routes } from '@clew/api';
import type { HandlerTable } from '@clew/common';
import type { Database, Db } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestServer } from './testServer.ts';

export interface HandlerServer {
  readonly database: Database;
  readonly url: string;
  /** @param who name of the user; '' for none */
  call(method: string, path: string, body: unknown, who: string): Promise<HandlerAnswer>;
}

export interface HandlerAnswer {
  readonly status: number;
  readonly json: { readonly data: never; readonly errors: readonly { readonly message: string }[] };
  readonly messages: readonly string[];
}

/** Call it once at the top of the file; its members are available in tests and later hooks. */
export function useHandlerServer(
  handlersOf: (db: Db) => HandlerTable,
  options: Parameters<typeof startTestServer>[2],
): HandlerServer {
  let database: Database;
  let server: TestServer;
  beforeAll(async () => {
    database = await startTestDatabase();
    const handlers = handlersOf(database.db);
    const contracts = routes.filter(({ operationId }) => operationId in handlers);
    server = await startTestServer(contracts, handlers, options);
  });
  afterAll(async () => {
    await server.close();
    await database.close();
  });
  return {
    get database() {
      return database;
    },
    get url() {
      return server.url;
    },
    async call(method, path, body, who) {
      const answer = await fetch(`${server.url}/api/v2/${path}`, {
        method,
        headers: {
          ...(who === '' ? {} : { authorization: `test ${who}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      const json: HandlerAnswer['json'] = text === '' ? {} : JSON.parse(text);
      return { status: answer.status, json, messages: (json.errors ?? []).map(({ message }) => message) };
    },
  };
}
