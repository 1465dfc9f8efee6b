/**
 * Sends spans to a receiver of OpenTelemetry: OTLP over HTTP, as JSON (opentelemetry.io/docs/specs/otlp). Loaded only with `CLEW_TRACES_URL`. A
 * slow or missing receiver costs spans, and nothing else.
 */
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { VERSION } from '../config/version.ts';
import type { Attributes, FinishedSpan, SpanSink } from './tracing.ts';

const MAX_WAITING = 2048;
const MAX_BATCH = 256;
const PAUSE_MS = 2_000;
const TIME_LIMIT_MS = 10_000;
/** The service ends soon after it was asked to. */
const LAST_LIMIT_MS = 1_000;
const WARN_EVERY_MS = 60_000;
/** Statuses at which the same spans are sent again. */
const TEMPORARY = new Set([429, 502, 503, 504]);
/** Numbers of the specification. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const FAILED = 2;

export interface ExportOptions {
  /** Address of the receiver, with the path. */
  readonly url: string;
  /** The part of the process that makes the spans. */
  readonly component: string;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
  readonly pauseMs?: number;
}

export interface SpanExport {
  readonly sink: SpanSink;
  /** Sends the remaining spans, if the receiver answers within a second. */
  close(): Promise<void>;
}

export function openSpanExport({ url, component, log, pauseMs = PAUSE_MS }: ExportOptions): SpanExport {
  const resource = attributeList({
    ...{ 'service.name': 'clew', 'service.version': VERSION, 'service.instance.id': randomUUID() },
    'clew.component': component,
  });
  const waiting: FinishedSpan[] = [];
  let lost = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;
  const warn = (reason: string): void => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    log.warn({ reason, lost }, 'traces could not be sent');
  };
  /** @returns whether to go on at once */
  const sendBatch = async (limitMs: number): Promise<boolean> => {
    const batch = waiting.slice(0, MAX_BATCH);
    if (batch.length === 0) return false;
    const outcome = await post(url, bodyOf(batch, resource), limitMs).catch((error: Error) => error.message);
    if (typeof outcome === 'string' || TEMPORARY.has(outcome)) {
      warn(typeof outcome === 'string' ? outcome : `the receiver answered ${outcome}`);
      return false;
    }
    waiting.splice(0, batch.length);
    if (outcome >= 300) {
      lost += batch.length;
      warn(`the receiver answered ${outcome}`);
    }
    return waiting.length > 0;
  };
  const send = async (limitMs: number): Promise<void> => {
    while (await sendBatch(limitMs));
  };
  const timer = setInterval(() => {
    sending ??= send(TIME_LIMIT_MS).finally(() => {
      sending = undefined;
    });
  }, pauseMs);
  timer.unref();
  return {
    sink: (span) => {
      if (waiting.length < MAX_WAITING) waiting.push(span);
      else lost++;
    },
    async close() {
      clearInterval(timer);
      const late = AbortSignal.timeout(LAST_LIMIT_MS);
      const end = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()));
      const rest = async (): Promise<void> => {
        await sending;
        await send(LAST_LIMIT_MS);
      };
      await Promise.race([rest(), end]);
    },
  };
}

/** @returns the status of the answer */
function post(url: string, body: string, limitMs: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const make = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(limitMs) };
  const request = make(url, options, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  });
  request.once('error', reject);
  request.end(body);
  return promise;
}

function bodyOf(spans: readonly FinishedSpan[], resource: unknown): string {
  const scope = { name: 'clew', version: VERSION };
  const scopeSpans = [{ scope, spans: spans.map(spanRecord) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] });
}

function spanRecord(span: FinishedSpan) {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, links, hasFailed } = span;
  return {
    ...{ traceId, spanId, ...(parentId !== undefined && { parentSpanId: parentId }), flags: 1 },
    ...{ name, kind: KINDS[kind], startTimeUnixNano: nanoseconds(startedAt) },
    endTimeUnixNano: nanoseconds(endedAt),
    ...(Object.keys(attributes).length > 0 && { attributes: attributeList(attributes) }),
    ...(links.length > 0 && { links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })) }),
    status: hasFailed ? { code: FAILED } : {},
  };
}

/** A text, because the number exceeds the integers that JSON numbers represent exactly. */
const nanoseconds = (milliseconds: number): string =>
  String(BigInt(Math.floor(milliseconds)) * 1_000_000n + BigInt(Math.floor((milliseconds % 1) * 1e6)));

const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: attributeValue(value) }));

function attributeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
