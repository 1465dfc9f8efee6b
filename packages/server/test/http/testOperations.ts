/** One test operation for each path through the pipeline. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RouteContract } from '@clew/api';
import { apiError, type HandlerTable } from '@clew/common';
import Type from 'typebox';

const base = { tag: 'Test', summary: 'A test' } as const;
const Any = Type.Unknown();

const CIRCULAR: { self?: object } = {};
CIRCULAR.self = CIRCULAR;

export const testContracts: readonly RouteContract[] = [
  {
    ...base,
    method: 'GET',
    path: '/open',
    aliases: ['/open-too'],
    operationId: 'Open',
    access: 'none',
    responses: { 200: Any },
  },
  { ...base, method: 'GET', path: '/any', operationId: 'Any', access: 'any', responses: { 200: Any } },
  {
    ...base,
    method: 'GET',
    path: '/guarded',
    operationId: 'Guarded',
    access: ['test/Other', 'test/Do'],
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'GET',
    path: '/enterprise',
    operationId: 'Enterprise',
    access: ['test/Do'],
    editions: ['enterprise'],
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'GET',
    path: '/things/{id}/{name}',
    operationId: 'Things',
    access: 'none',
    params: Type.Object({ id: Type.Integer({ maximum: 1000 }), name: Type.String() }),
    query: Type.Object({
      must: Type.String({ minLength: 1 }),
      skip: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
      flag: Type.Optional(Type.Boolean()),
      type: Type.Optional(Type.Union([Type.Literal('list'), Type.Literal('graph')], { default: 'list' })),
      many: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    }),
    parameterErrors: { type: 'unsupportedResultType' },
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/json',
    operationId: 'Json',
    access: ['test/Do'],
    bodyKind: 'json',
    body: Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) }),
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/small',
    operationId: 'Small',
    access: 'none',
    bodyKind: 'json',
    body: Type.Object({ a: Type.Integer() }),
    maxBodyBytes: 1000,
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/none',
    operationId: 'None',
    access: ['test/Do'],
    responses: { 202: null },
  },
  {
    ...base,
    method: 'PATCH',
    path: '/form',
    operationId: 'Form',
    access: ['test/Do'],
    bodyKind: 'form',
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/stream',
    operationId: 'Stream',
    access: ['test/Do'],
    bodyKind: 'stream',
    query: Type.Object({ late: Type.Optional(Type.Boolean()) }),
    rateClass: 'exempt',
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/give-up',
    operationId: 'GiveUp',
    access: ['test/Do'],
    bodyKind: 'stream',
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/ignore',
    operationId: 'Ignore',
    access: ['test/Do'],
    bodyKind: 'stream',
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'GET',
    path: '/unwritable',
    operationId: 'Unwritable',
    access: 'none',
    responses: { 200: Any },
  },
  {
    ...base,
    method: 'POST',
    path: '/login',
    operationId: 'TestLogin',
    access: 'none',
    rateClass: 'login',
    responses: { 200: Any },
  },
  { ...base, method: 'GET', path: '/slow', operationId: 'Slow', access: 'none', responses: { 200: Any } },
  {
    ...base,
    method: 'GET',
    path: '/stubborn',
    operationId: 'Stubborn',
    access: 'none',
    responses: { 200: Any },
  },
  {
    ...base,
    tag: 'Health',
    method: 'GET',
    path: '/healthy',
    operationId: 'Healthy',
    access: 'none',
    responses: { 200: Any },
  },
  { ...base, method: 'GET', path: '/panic', operationId: 'Panic', access: 'none', responses: { 200: Any } },
  {
    ...base,
    method: 'GET',
    path: '/wrong',
    operationId: 'Wrong',
    access: 'none',
    responses: { 200: Type.Object({ data: Type.Integer() }) },
  },
  { ...base, method: 'GET', path: '/large', operationId: 'Large', access: 'none', responses: { 200: Any } },
  {
    ...base,
    method: 'GET',
    path: '/csv',
    operationId: 'Csv',
    access: 'none',
    responses: { 200: null },
    otherMediaTypes: ['text/csv'],
  },
  { ...base, method: 'GET', path: '/empty', operationId: 'Empty', access: 'none', responses: { 204: null } },
];

/** The values that handlers saw, for the tests to inspect. */
export interface Seen {
  aborted: number;
  /** Bytes of streamed bodies. */
  received: number;
  committed: number;
  stuck: PromiseWithResolvers<void>;
}

export function testHandlers(seen: Seen): HandlerTable {
  return {
    Open: async (_, { requestId, clientAddress, publicUrl }) => ok({ requestId, clientAddress, publicUrl }),
    Healthy: async () => ok('healthy'),
    Any: async (_, { principal }) => ok(principal.kind),
    Guarded: async () => ok('guarded'),
    Enterprise: async () => ok('enterprise'),
    Things: async ({ params, query }) => ok({ params, query }),
    Json: async ({ body }) => ok(body),
    Small: async () => ok('small'),
    None: async () => {
      seen.committed++;
      return { status: 202 };
    },
    Form: async ({ body }) =>
      ok(
        body instanceof FormData
          ? [...body].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])
          : body,
      ),
    Stream: async ({ stream, query }) => {
      if ('late' in query && query.late) await new Promise((resolve) => setTimeout(resolve, 100));
      const hash = createHash('sha256');
      let size = 0;
      for await (const chunk of stream as Readable) {
        hash.update(chunk);
        size += chunk.length;
        seen.received += chunk.length;
      }
      seen.committed++;
      return ok({ size, sha256: hash.digest('hex') });
    },
    GiveUp: async ({ stream }) => {
      for await (const _ of stream as Readable) break;
      throw apiError('jobNotRunningForFiles');
    },
    Ignore: async () => {
      throw apiError('resourceNotFound');
    },
    Unwritable: async () => ok(CIRCULAR),
    TestLogin: async () => ok('in'),
    Slow: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.aborted++;
          seen.stuck.resolve();
          reject(new Error('canceled in the middle of something'));
        });
      }),
    Stubborn: () => new Promise(() => {}),
    Panic: async () => {
      throw new TypeError('the secret is hunter2');
    },
    Wrong: async () => ok('text'),
    Large: async () => ok('x'.repeat(100_000)),
    Csv: async () => ({
      status: 200,
      stream: Readable.from(['a,b\n', '1,2\n'.repeat(1000)]),
      mediaType: 'text/csv',
    }),
    Empty: async () => ({ status: 204 }),
  };
}

const ok = (data: unknown) => ({ status: 200, json: { data } });
