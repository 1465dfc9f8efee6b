/** Traces of upload jobs: their later work continues the trace of the request that ended the upload. */
import { currentTrace, isRecording, parseTraceparent, type TraceContext, traceparentOf } from '@clew/common';
import type pg from 'pg';

/** Further jobs of the same analysis are in it without a link. */
const MAX_LINKS = 32;

/** The value of `upload_job.traceparent` for the current request. */
export function traceOfRequest(): string | null {
  const trace = currentTrace();
  return trace === undefined ? null : traceparentOf(trace);
}

export interface TraceOfJobs {
  /** Absent if no job has a trace that is recorded. */
  readonly parent?: TraceContext;
  readonly links: readonly TraceContext[];
}

/** @returns the trace of the newest job, with links to the others; nothing if this thread records none */
export async function traceOfJobs(
  client: Pick<pg.ClientBase, 'query'>,
  condition: { readonly ids: readonly number[] } | { readonly generation: number },
): Promise<TraceOfJobs> {
  if (!isRecording()) return { links: [] };
  const [where, value] =
    'ids' in condition ? ['id = any ($1)', condition.ids] : ['generation = $1', condition.generation];
  const { rows } = await client.query<{ traceparent: string }>(
    `select traceparent from upload_job where ${where} and traceparent is not null order by id desc limit ${MAX_LINKS + 1}`,
    [value],
  );
  const traces = rows
    .map(({ traceparent }) => parseTraceparent(traceparent))
    .filter((trace) => trace?.isSampled === true);
  const [parent, ...links] = traces;
  return { ...(parent && { parent }), links: links.filter((link) => link !== undefined) };
}
