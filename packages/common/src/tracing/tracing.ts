/**
 * Spans of this thread. Without a sink (`CLEW_TRACES_URL`) nothing is recorded, and only the context of a caller is passed on. A span holds
 * names from the program, numbers and states; never addresses of users, texts of queries, values or secrets.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { observeStatements } from '@clew/store';
import type { TraceContext } from './traceContext.ts';

export type SpanKind = 'internal' | 'server' | 'client';
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface FinishedSpan extends TraceContext {
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since the epoch, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  /** Spans of other traces that caused this one. */
  readonly links: readonly TraceContext[];
  readonly hasFailed: boolean;
}

/** Takes spans at once; never throws. */
export type SpanSink = (span: FinishedSpan) => void;

export interface Span {
  /** For the log and outgoing requests; absent without a sink and a caller with a context. */
  readonly context: TraceContext | undefined;
  readonly isRecorded: boolean;
  /** Spans that begin in this part are children. */
  run<T>(part: () => T): T;
  end(attributes?: Attributes, hasFailed?: boolean, name?: string): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly links?: readonly TraceContext[];
  /** Context of the caller; by default that of this part of the program. */
  readonly parent?: TraceContext;
}

const current = new AsyncLocalStorage<TraceContext>();
let sink: SpanSink | undefined;

/** @param to `undefined` ends the recording */
export function recordSpans(to: SpanSink | undefined): void {
  sink = to;
  observeStatements(to && startStatement);
}

/** Whether spans of this thread are sent to a receiver. */
export const isRecording = (): boolean => sink !== undefined;

/** Records spans that another thread has ended. */
export function passOn(spans: readonly FinishedSpan[]): void {
  for (const span of spans) sink?.(span);
}

export const currentTrace = (): TraceContext | undefined => current.getStore();

const now = (): number => performance.timeOrigin + performance.now();
const hexadecimal = (bytes: number): string => randomBytes(bytes).toString('hex');

export function startSpan(name: string, options: SpanOptions = {}): Span {
  const { kind = 'internal', attributes = {}, links = [], parent = current.getStore() } = options;
  // A caller that does not record a trace does not want the rest of it, either.
  if (sink === undefined || parent?.isSampled === false) return unrecorded(parent);
  const context = { traceId: parent?.traceId ?? hexadecimal(16), spanId: hexadecimal(8), isSampled: true };
  const startedAt = now();
  return {
    context,
    isRecorded: true,
    run: (part) => current.run(context, part),
    end: (more = {}, hasFailed = false, finalName = name) =>
      sink?.({
        ...{ ...context, parentId: parent?.spanId, name: finalName, kind, startedAt, endedAt: now() },
        ...{ attributes: { ...attributes, ...more }, links, hasFailed },
      }),
  };
}

/** A span only inside of another one: the work of background tasks would be traces of their own. */
export const startChild = (name: string, options: Omit<SpanOptions, 'parent'> = {}): Span =>
  current.getStore() === undefined ? unrecorded(undefined) : startSpan(name, options);

const unrecorded = (context: TraceContext | undefined): Span => ({
  context,
  isRecorded: false,
  run: (part) => (context === undefined ? part() : current.run(context, part)),
  end() {},
});

/** Records the time of a part of the program, and whether it threw. */
export const traced = <T>(name: string, options: SpanOptions, part: () => Promise<T>): Promise<T> =>
  ended(startSpan(name, options), part);

/** The same, only inside of another span. */
export const tracedChild = <T>(
  name: string,
  options: Omit<SpanOptions, 'parent'>,
  part: () => Promise<T>,
): Promise<T> => ended(startChild(name, options), part);

async function ended<T>(span: Span, part: () => Promise<T>): Promise<T> {
  try {
    const result = await span.run(part);
    span.end();
    return result;
  } catch (error) {
    span.end({}, true);
    throw error;
  }
}

function startStatement(operation: string): ((hasFailed: boolean) => void) | undefined {
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
  const span = startChild(`postgresql ${operation}`, { kind: 'client', attributes });
  if (!span.isRecorded) return undefined;
  return (hasFailed) => span.end({}, hasFailed);
}
