/** Spans and their way to a real receiver of OTLP over HTTP; hostile headers; receivers that fail. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { emptyGeneration } from '@clew/generation';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GenerationThread, plainError } from '../threads/generationThread.ts';
import { openSpanExport } from './otlpExport.ts';
import { parseTraceparent, traceparentOf } from './traceContext.ts';
import { currentTrace, type FinishedSpan, recordSpans, startSpan, traced } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceId: TRACE, spanId: '00f067aa0ba902b7', isSampled: true };
const silent = { warn() {} };
const servers: Server[] = [];
afterEach(() => {
  recordSpans(undefined);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Received {
  readonly path: string | undefined;
  readonly type: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the test reads members of the document one by one
  readonly body: any;
}

/** @param statuses of its answers in turn, then 200 */
async function receiver(statuses: number[] = []): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const status = statuses.shift() ?? 200;
    const body = JSON.parse(await text(request));
    received.push({ path: request.url, type: request.headers['content-type'], body });
    response.writeHead(status).end('{}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, received };
}

const spansOf = ({ body }: Received) => body.resourceSpans[0].scopeSpans[0].spans;
const opened = (url: string, log: typeof silent = silent) =>
  openSpanExport({ url, component: 'test', log, pauseMs: 5 });

describe('the context of a caller', () => {
  it('is read and written as the standard says', () => {
    const header = `00-${TRACE}-00f067aa0ba902b7-01`;
    expect(parseTraceparent(header)).toEqual(CALLER);
    expect(traceparentOf(CALLER)).toBe(header);
    expect(parseTraceparent(header.replace(/01$/, '02'))).toEqual({ ...CALLER, isSampled: false });
    expect(parseTraceparent(`cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-will-be-like`)).toEqual(CALLER);
  });

  it.each([
    undefined,
    '',
    'x'.repeat(100_000),
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    `00-${TRACE}-00f067aa0ba902b7-01\n"forged": "line"`,
  ])('%j is none', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

describe('spans', () => {
  it('are children of the part in which they begin, and say whether it failed', async () => {
    const spans: FinishedSpan[] = [];
    recordSpans((span) => spans.push(span));
    await expect(
      traced('outer', { parent: CALLER, attributes: { job: 7 } }, async () => {
        await traced('inner', {}, async () => {});
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const [inner, outer] = spans;
    expect(outer).toMatchObject({
      traceId: TRACE,
      parentId: CALLER.spanId,
      hasFailed: true,
      attributes: { job: 7 },
    });
    expect(inner).toMatchObject({ traceId: TRACE, parentId: outer.spanId, hasFailed: false });
    expect(outer.endedAt - outer.startedAt).toBeGreaterThanOrEqual(inner.endedAt - inner.startedAt);
    expect(Math.abs(outer.endedAt - Date.now())).toBeLessThan(60_000);
    expect(currentTrace()).toBeUndefined();
  });

  it('are not recorded where the caller records none, nor without a receiver, and the context is passed on', async () => {
    const spans: FinishedSpan[] = [];
    const inside = (parent: typeof CALLER) => traced('one', { parent }, async () => currentTrace());
    recordSpans((span) => spans.push(span));
    const unsampled = { ...CALLER, isSampled: false };
    expect(await inside(unsampled)).toEqual(unsampled);
    recordSpans(undefined);
    expect(await inside(CALLER)).toEqual(CALLER);
    expect(startSpan('one').context).toBeUndefined();
    expect(spans).toEqual([]);
  });
});

describe('a thread', () => {
  it('sends the spans of a question to its parent, as children of the question', async () => {
    const spans: FinishedSpan[] = [];
    const thread = new GenerationThread({
      ...{ name: 'forgetting', workerData: {}, errorOf: plainError },
      script: new URL('../../test/threads/forgettingThread.ts', import.meta.url),
    });
    const ask = (task: string) =>
      thread.ask(emptyGeneration(), task, undefined, new AbortController().signal);
    try {
      await traced('no receiver', { parent: CALLER }, () => ask('first'));
      recordSpans((span) => spans.push(span));
      // Without a caller, it would be a trace of its own.
      await ask('second');
      const unsampled = { ...CALLER, isSampled: false };
      await traced('unsampled', { parent: unsampled }, () => ask('third'));
      await traced('outer', { parent: CALLER }, () => ask('fourth'));
      await vi.waitUntil(() => spans.length === 3);
    } finally {
      await thread.close();
    }
    const outer = spans.find(({ name }) => name === 'outer');
    const asked = spans.find(({ name }) => name === 'thread forgetting');
    expect(asked).toMatchObject({ parentId: outer?.spanId, attributes: { 'clew.task': 'fourth' } });
    expect(spans.find(({ name }) => name === 'fourth')).toMatchObject({
      ...{ traceId: TRACE, parentId: asked?.spanId, hasFailed: false },
    });
  });
});

describe('the export', () => {
  it('sends spans in the form of the specification', async () => {
    const { url, received } = await receiver();
    const { sink, close } = opened(url);
    const attributes = {
      'http.route': '/api/v2/self',
      'http.response.status_code': 500,
      share: 0.5,
      is: true,
    };
    sink({
      ...{ ...CALLER, parentId: undefined, name: 'GET /api/v2/self', kind: 'server', attributes },
      links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }],
      ...{ startedAt: 1_764_460_800_000.25, endedAt: 1_764_460_800_001.5, hasFailed: true },
    });
    await close();
    expect([received[0].path, received[0].type]).toEqual(['/v1/traces', 'application/json']);
    const { resource } = received[0].body.resourceSpans[0];
    expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'clew' } });
    expect(spansOf(received[0])).toEqual([
      {
        ...{ traceId: TRACE, spanId: CALLER.spanId, flags: 1, name: 'GET /api/v2/self', kind: 2 },
        ...{ startTimeUnixNano: '1764460800000250000', endTimeUnixNano: '1764460800001500000' },
        attributes: [
          { key: 'http.route', value: { stringValue: '/api/v2/self' } },
          { key: 'http.response.status_code', value: { intValue: '500' } },
          { key: 'share', value: { doubleValue: 0.5 } },
          { key: 'is', value: { boolValue: true } },
        ],
        links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }],
        status: { code: 2 },
      },
    ]);
  });

  it('sends the same spans again where the receiver is busy, and not where it refuses them', async () => {
    const { url, received } = await receiver([503, 429, 200, 400]);
    const warnings: object[] = [];
    const { sink, close } = opened(url, { warn: (fields: object) => warnings.push(fields) } as never);
    const record = (name: string) => {
      recordSpans(sink);
      startSpan(name).end();
    };
    record('first');
    await vi.waitUntil(() => received.length === 3);
    record('second');
    await vi.waitUntil(() => received.length === 4);
    record('third');
    await vi.waitUntil(() => received.length === 5);
    await close();
    const names = received.map((one) =>
      spansOf(one)
        .map(({ name }: { name: string }) => name)
        .join(),
    );
    expect(names).toEqual(['first', 'first', 'first', 'second', 'third']);
    // Not one for each attempt.
    expect(warnings).toEqual([{ reason: 'the receiver answered 503', lost: 0 }]);
  });

  it('holds a bounded number for a receiver that is busy, and counts the lost ones', async () => {
    const { url, received } = await receiver([503]);
    const warnings: object[] = [];
    const { sink, close } = opened(url, { warn: (fields: object) => warnings.push(fields) } as never);
    recordSpans(sink);
    for (let at = 0; at < 10_000; at++) startSpan(`span ${at}`).end();
    await vi.waitUntil(() => received.length >= 2);
    await close();
    const names = received.slice(1).flatMap((one) => spansOf(one).map(({ name }: { name: string }) => name));
    // The oldest, each once.
    expect(names).toEqual(Array.from({ length: 2_048 }, (_, at) => `span ${at}`));
    expect(warnings).toEqual([{ reason: 'the receiver answered 503', lost: 10_000 - 2_048 }]);
  });

  it('ends in time with a receiver that does not answer', async () => {
    const { url, received } = await receiver();
    servers[0].removeAllListeners('request');
    const { sink, close } = opened(url);
    recordSpans(sink);
    startSpan('one').end();
    const begun = performance.now();
    await close();
    // The time limit of other requests is 10 seconds.
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(received).toEqual([]);
  });
});
