/** Traces of a whole service, as a receiver of OTLP gets them: requests, their statements, jobs and outgoing requests, and no secrets. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PASSWORD, ServiceUnderTest } from '../test/serviceUnderTest.ts';
import { twoDomains } from '../test/twoDomains.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const WAIT = { timeout: 100_000 };

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes?: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

const bodies: string[] = [];
const logged: Record<string, unknown>[] = [];
const headersOfHook: NodeJS.Dict<string | string[]>[] = [];
let receiver: Server;
let test: ServiceUnderTest;

const spans = (): Span[] =>
  bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as Span[]);
const named = (name: string): Span[] => spans().filter((span) => span.name === name);

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/traces') bodies.push(body);
    else headersOfHook.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const variables = { CLEW_TRACES_URL: url, CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' };
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  test = await ServiceUnderTest.start(variables, { log });
  const { json } = await test.call('POST', 'webhooks', {
    ...{ name: 'one', url: `${url}/hook-with-a-secret-path`, event_types: ['finding.opened'] },
  });
  await test.call('POST', `webhooks/${json.data.id}/test`);
  await test.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1101, 1102, 1103]));
  const query = "MATCH (n:User) WHERE n.name <> 'HIDDENWORD' RETURN n LIMIT 2";
  await test.data('POST', 'graphs/cypher', { query });
}, 120_000);
afterAll(async () => {
  await test.stop();
  receiver.closeAllConnections();
  receiver.close();
});

it('a request continues the trace of its caller, with its statements as children, and the log names it', async () => {
  const response = await fetch(`${test.service.url}/api/version?password=${PASSWORD}`, {
    headers: { traceparent: `00-${TRACE}-${CALLER}-01`, authorization: test.authorization },
  });
  expect(response.status).toBe(200);
  const [span] = await vi.waitUntil(() => {
    const found = named('GET /api/version').filter(({ traceId }) => traceId === TRACE);
    return found.length > 0 && found;
  }, WAIT);
  expect(span.parentSpanId).toBe(CALLER);
  const attributes = Object.fromEntries((span.attributes ?? []).map(({ key, value }) => [key, value]));
  expect(attributes).toMatchObject({
    'http.request.method': { stringValue: 'GET' },
    'http.response.status_code': { intValue: '200' },
    'http.route': { stringValue: '/api/version' },
    'clew.operation': { stringValue: 'GetApiVersion' },
  });
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: 'request', path: '/api/version', trace_id: TRACE, span_id: span.spanId }),
  );
  const [login] = named('POST /api/v2/login');
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === login.spanId);
  expect(statements.map(({ name }) => name)).toContain('postgresql select');
  // Nothing of a client is in it but the pattern of the path.
  expect(login.attributes?.map(({ key }) => key).sort()).toEqual([
    ...['clew.operation', 'http.request.method', 'http.response.status_code', 'http.route'],
  ]);
});

it('the trace of an upload continues with its ingest, its analysis and its plans', async () => {
  const complete = () =>
    ['ingest', 'analysis', 'plan', 'zonePlan'].every((name) => named(name).length > 0) && named('plan');
  const [plan] = await vi.waitUntil(complete, WAIT);
  const [end] = named('POST /api/v2/file-upload/{file_upload_job_id}/end');
  const [ingest] = named('ingest');
  const [analysis] = named('analysis');
  for (const part of [ingest, analysis, plan])
    expect([part.traceId, part.parentSpanId]).toEqual([end.traceId, end.spanId]);
  const childrenOf = ({ spanId }: Span) => spans().filter(({ parentSpanId }) => parentSpanId === spanId);
  // The seconds of an ingest are those of its parts.
  expect(childrenOf(ingest).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['read file', 'merge batch', 'merge', 'postgresql copy']),
  );
  const load = childrenOf(analysis).find(({ name }) => name === 'load') as Span;
  expect(childrenOf(load).map(({ name }) => name)).toContain('postgresql copy');
  // The plan is made in a thread, which waits for its turn.
  const asked = childrenOf(plan).filter(({ name }) => name === 'thread make-plans');
  expect(asked.flatMap(childrenOf).map(({ name }) => name)).toContain('zonePlan');
});

it('jobs are traces with their steps and statements', async () => {
  const [ingest] = named('ingest');
  expect(ingest.attributes).toEqual([{ key: 'clew.job', value: { intValue: expect.any(String) } }]);
  expect(spans().some(({ parentSpanId }) => parentSpanId === ingest.spanId)).toBe(true);
  const steps = spans().filter(({ parentSpanId }) => parentSpanId === named('analysis')[0].spanId);
  expect(steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['load', 'derive', 'findings', 'publish']),
  );
});

it('an outgoing request carries the trace on', async () => {
  await vi.waitUntil(() => headersOfHook.length > 0 && named('POST').length > 0, WAIT);
  const [span] = named('POST');
  expect(headersOfHook[0].traceparent).toBe(`00-${span.traceId}-${span.spanId}-01`);
});

it('no span has a secret, a query, or the name of an object', async () => {
  const all = bodies.join('\n');
  expect(spans().length).toBeGreaterThan(100);
  const token = test.authorization.slice('Bearer '.length);
  for (const secret of [PASSWORD, token, 'HIDDENWORD', 'MATCH', 'secret-path', ' from ', 'S-1-5-21', 'NORTH'])
    expect(all).not.toContain(secret);
});
