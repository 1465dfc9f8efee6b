/**
 * A real server with test operations and a test authenticator: `Authorization: test NAME` is the user NAME; `Signature`, if sent, must be
 * the SHA-256 of method, target and body.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteContract } from '@clew/api';
import { type Authenticator, apiError, type HandlerTable, type UserPrincipal } from '@clew/common';
import { type Logger, pino } from 'pino';
import type { HttpLimits, HttpOptions } from '../../src/http/httpOptions.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import type { Metrics } from '../../src/system/metrics/metrics.ts';

export function userNamed(name: string, permissions: readonly string[]): UserPrincipal {
  return {
    kind: 'user',
    userId: uuidOf(name),
    name,
    email: null,
    role: 'User',
    permissions: new Set(permissions),
    environments: null,
  };
}

/** Equal names have equal ids. */
function uuidOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `admin` has all permissions of the test operations, others none. */
const permissionsOf = (name: string) => (name === 'admin' ? ['test/Do'] : []);

export function testSignature(method: string, target: string, body: Uint8Array | string = ''): string {
  return createHash('sha256').update(`${method}${target}\n`).update(body).digest('hex');
}

export const testAuthenticator: Authenticator = {
  async begin({ method, rawTarget, headers }) {
    if (headers.authorization === undefined)
      return { principal: { kind: 'anonymous', permissions: new Set<string>() } };
    const [scheme, name] = headers.authorization.split(' ');
    if (scheme !== 'test' || name === 'nobody') return { refusal: apiError('unauthorized') };
    const principal = userNamed(name, permissionsOf(name));
    if (headers.signature === undefined) return { principal };
    const hash = createHash('sha256').update(`${method}${rawTarget}\n`);
    return {
      principal,
      body: {
        update: (chunk) => void hash.update(chunk),
        finish: async () => (hash.digest('hex') === headers.signature ? undefined : apiError('unauthorized')),
      },
    };
  },
};

export const silentMetrics: Metrics = {
  contentType: 'text/plain',
  observeRequest() {},
  observeRefusal() {},
  bolt: { observeQuery() {}, observeRefusal() {}, countConnections() {} },
  text: async () => '',
};

export interface TestServer {
  readonly url: string;
  readonly logged: Record<string, unknown>[];
  readonly server: HttpServer;
  close(): Promise<void>;
}

const TEST_LIMITS: HttpLimits = {
  uploadBytes: 64 * 1024 * 1024,
  archiveRatio: 300,
  unprovenBytes: 16 * 1024 * 1024,
  freeBytes: 1,
  connections: 1000,
};

/** Shared by the servers of a test file. */
export const unprovenDirectory = join(tmpdir(), `clew-unproven-${process.pid}`);

export type TestServerOptions = Partial<Omit<HttpOptions, 'limits'>> & {
  readonly limits?: Partial<HttpLimits>;
};

export async function startTestServer(
  contracts: readonly RouteContract[],
  handlers: HandlerTable,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const logged: Record<string, unknown>[] = [];
  const log: Logger = pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const server = await createHttpServer({
    handlers,
    contracts,
    authenticator: testAuthenticator,
    log,
    metrics: silentMetrics,
    edition: 'enterprise',
    rateLimit: 0,
    bypassLimits: false,
    corsOrigins: [],
    trustedProxies: { count: 0 },
    checkAnswers: true,
    unprovenDirectory,
    ...options,
    limits: { ...TEST_LIMITS, ...options.limits },
  });
  const url = await server.listen('127.0.0.1', 0);
  return {
    url,
    logged,
    server,
    async close() {
      await server.close(1000);
      await rm(unprovenDirectory, { recursive: true, force: true });
    },
  };
}
