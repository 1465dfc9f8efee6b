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
  readonly hasFailed: boolean;
}

/** Takes spans at once; never throws. */
export type SpanSink = (span: FinishedSpan) => void;

export interface Span {
  /** For the log and outgoing requests; absent without a sink and a caller with a context. */
  readonly context: TraceContext | undefined;
  /** Spans that begin in this part are children. */
  run<T>(part: () => T): T;
  end(attributes?: Attributes, hasFailed?: boolean, name?: string): void;
}

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
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

export const currentTrace = (): TraceContext | undefined => current.getStore();

const now = (): number => performance.timeOrigin + performance.now();
const hexadecimal = (bytes: number): string => randomBytes(bytes).toString('hex');

export function startSpan(name: string, options: SpanOptions = {}): Span {
  const { kind = 'internal', attributes = {}, parent = current.getStore() } = options;
  // A caller that does not record a trace does not want the rest of it, either.
  if (sink === undefined || parent?.isSampled === false) return unrecorded(parent);
  const context = { traceId: parent?.traceId ?? hexadecimal(16), spanId: hexadecimal(8), isSampled: true };
  const startedAt = now();
  return {
    context,
    run: (part) => current.run(context, part),
    end: (more = {}, hasFailed = false, finalName = name) =>
      sink?.({
        ...{ ...context, parentId: parent?.spanId, name: finalName, kind, startedAt, endedAt: now() },
        ...{ attributes: { ...attributes, ...more }, hasFailed },
      }),
  };
}

const unrecorded = (context: TraceContext | undefined): Span => ({
  context,
  run: (part) => (context === undefined ? part() : current.run(context, part)),
  end() {},
});

/** Records the time of a part of the program, and whether it threw. */
export async function traced<T>(name: string, options: SpanOptions, part: () => Promise<T>): Promise<T> {
  const span = startSpan(name, options);
  try {
    const result = await span.run(part);
    span.end();
    return result;
  } catch (error) {
    span.end({}, true);
    throw error;
  }
}

/** Statements outside of a span are of housekeeping that looks for work: they would be traces of their own. */
function startStatement(operation: string): ((hasFailed: boolean) => void) | undefined {
  if (current.getStore() === undefined) return undefined;
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
  const span = startSpan(`postgresql ${operation}`, { kind: 'client', attributes });
  return (hasFailed) => span.end({}, hasFailed);
}
