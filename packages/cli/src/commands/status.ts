/** `clew status`: the latest jobs, the contents of the graph by kind, and data that was not collected. */

import { setTimeout as delay } from 'node:timers/promises';
import { type FileUploadJob, JOB_STATUS, jobMessage } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { describeFailure } from '../failure.ts';
import { countsText } from '../findings/countsAgree.ts';
import { notReadText } from '../findings/notRead.ts';
import { orRefused } from '../findings/orRefused.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, jsonText, printable } from '../terminal/text.ts';

export interface StatusOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly watch?: boolean;
}

const LATEST_JOBS = 10;

const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [JOB_STATUS.invalid, 'invalid'],
  [JOB_STATUS.ready, 'waiting'],
  [JOB_STATUS.running, 'receiving files'],
  [JOB_STATUS.complete, 'complete'],
  [JOB_STATUS.canceled, 'canceled'],
  [JOB_STATUS.timedOut, 'timed out'],
  [JOB_STATUS.failed, 'failed'],
  [JOB_STATUS.ingesting, 'ingesting'],
  [JOB_STATUS.analyzing, 'analyzing'],
  [JOB_STATUS.partiallyComplete, 'partially complete'],
]);

export const statusName = (status: number): string => STATUS_NAMES.get(status) ?? `status ${status}`;

/** Polling interval of `--watch`. */
const WATCH_MS = 2_000;

/** @throws CommandError if the service cannot be reached; with `--watch`, this is shown and retried */
export async function status(context: Context, options: StatusOptions): Promise<void> {
  const client = await connect(context, options);
  const look = (): Promise<string> =>
    options.json ? statusJson(context, client, options) : statusText(context, client);
  if (!options.watch) return context.out.write(await look());
  await watch(context, options, look);
}

/** Shows each new state: replaces the previous one on an interactive terminal, or else follows it. */
async function watch(
  { out, err, signal }: Context,
  { json }: StatusOptions,
  look: () => Promise<string>,
): Promise<void> {
  let shown = '';
  while (!signal.aborted) {
    const text = await look().catch((error: unknown) => {
      if (signal.aborted) return shown;
      return json ? jsonText({ fault: describeFailure(error) }, 0) : `${printable(describeFailure(error))}\n`;
    });
    if (text !== shown) {
      out.clear();
      out.write(text);
      if (out.isInteractive)
        err.write(`\n${new Date().toISOString().slice(11, 19)} UTC; press Ctrl+C to stop.\n`);
    }
    shown = text;
    await delay(WATCH_MS, undefined, { signal }).catch(() => {});
  }
}

async function statusJson({ signal }: Context, client: ClewClient, options: StatusOptions): Promise<string> {
  const { collected, derived } = (await client.call('GetGraphStatistics', {}, { signal })).data;
  // In watch mode, each state is one line.
  return jsonText({ ...collected, derived }, options.watch ? 0 : undefined);
}

/** Says which parts the user may not see. */
async function statusText({ out, signal }: Context, client: ClewClient): Promise<string> {
  const parts = [await jobsText(out, client, signal), await datapipeText(client, signal)];
  const notRead = (await orRefused(notReadText(client, signal))) ?? '';
  const statistics = await orRefused(client.call('GetGraphStatistics', {}, { signal }));
  if (statistics === undefined)
    return `${parts.join('')}Counts are not shown: they cover environments outside your access.\n${notRead}`;
  const { collected, derived } = statistics.data;
  parts.push(await countsText(client, signal), '\n');
  const sums = [counted(collected.total_nodes, 'node'), counted(collected.total_edges, 'edge')];
  parts.push(`${out.style('bold', sums.join(', '))} collected`);
  parts.push(derived.total_edges > 0 ? `, ${counted(derived.total_edges, 'edge')} derived\n` : '\n');
  parts.push(notRead);
  parts.push(formatCounts(out, 'NODES', collected.nodes));
  parts.push(formatCounts(out, 'EDGES', collected.edges));
  parts.push(formatCounts(out, 'DERIVED EDGES', derived.edges));
  return parts.join('');
}

async function jobsText(screen: Screen, client: ClewClient, signal: AbortSignal): Promise<string> {
  const query = { limit: LATEST_JOBS, sort_by: '-id' };
  const listed = await orRefused(client.call('ListFileUploadJobs', { query }, { signal }));
  if (listed === undefined) return 'Uploads are not shown: your role may not list them.\n';
  const warnings = listed.data.flatMap(({ id, warnings = [] }) =>
    warnings.map((warning) => `Job ${id}: ${printable(warning)}\n`),
  );
  return [listed.data.length === 0 ? 'No uploads yet.\n' : formatJobs(screen, listed.data), ...warnings].join(
    '',
  );
}

async function datapipeText(client: ClewClient, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  const found = await orRefused(client.call('GetDatapipeStatus', {}, { signal }));
  const { waits_for, degraded, contradictions = [] } = found?.data ?? {};
  if (degraded !== undefined) parts.push(`The service is degraded: ${printable(degraded)}.\n`);
  if (waits_for !== undefined) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(waits_for.since)) / 1000));
    const names = `"${printable(waits_for.selector)}" of the zone ${printable(waits_for.zone)}`;
    parts.push(`The analysis has been running the query of the selector ${names} for ${seconds} s.\n`);
  }
  for (const { kind, count } of contradictions)
    parts.push(
      `The analysis contradicts itself (${printable(kind)}: ${formatCount(count)}). Its log lists examples.\n`,
    );
  return parts.join('');
}

function formatJobs(screen: Screen, jobs: readonly FileUploadJob[]): string {
  const columns = [
    { title: 'JOB', align: 'right' },
    { title: 'STATUS' },
    { title: 'STARTED' },
    { title: 'FILES', align: 'right' },
    { title: 'FAILED', align: 'right' },
    { title: 'MESSAGE' },
  ] as const;
  const rows = jobs.map((job) => [
    job.id,
    statusName(job.status),
    job.start_time.slice(0, 19).replace('T', ' '),
    job.total_files,
    job.failed_files,
    job.status === JOB_STATUS.complete ? '' : jobMessage(job),
  ]);
  return formatTable(screen, columns, rows);
}

/** Largest first, equal counts by name. */
export function formatCounts(
  screen: Pick<Screen, 'width' | 'style'>,
  title: string,
  counts: Readonly<Record<string, number>>,
): string {
  const rows = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([kind, count]) => [kind, formatCount(count)]);
  const table = formatTable(screen, [{ title }, { title: 'COUNT', align: 'right' }], rows);
  return table === '' ? '' : `\n${table}`;
}
