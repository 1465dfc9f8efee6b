/**
 * The run of a collector: its files, the upload, and the first card of the plan. Uploaded files are in a temporary directory, which is
 * removed afterward, even if the run fails.
 */

import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { NewDirectoryReading } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { counted } from '@clew/model';
import { orFailure } from '../collector/failures.ts';
import { temporaryDirectory } from '../collector/temporaryDirectory.ts';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { describeFailure, EXIT } from '../failure.ts';
import { kindsOfCard, planText } from '../plan/planPages.ts';
import { formatCount, formatDuration, printable } from '../terminal/text.ts';
import { ingestFiles } from '../upload.ts';
import { formatReport, succeeded } from './ingest.ts';
import { readPlan } from './plan.ts';

export interface RunOptions extends ConnectionOptions {
  /** Output directory of the files, which are then not uploaded. */
  readonly out?: string;
}

/** The result for one domain or tenant. */
export interface CollectedPart {
  /** `EXAMPLE.TEST from dc1.example.test`. */
  readonly subject: string;
  readonly counts: Readonly<Partial<Record<string, number>>>;
  readonly notes: readonly { readonly what: string; readonly count: number; readonly first: string }[];
  /** Describes the reading for the service, with the id of the environment. */
  readonly reading: readonly [string, NewDirectoryReading];
}

export interface Collected {
  readonly parts: readonly CollectedPart[];
  readonly files: readonly string[];
  /** Sentences about domains that were not read; the run then fails after uploading the others. */
  readonly unread?: readonly string[];
  /** Called after the files were uploaded. */
  readonly onKept?: () => Promise<void>;
}

/** @param collectInto writes files to a directory @returns the exit code */
export async function runCollector(
  context: Context,
  options: RunOptions,
  collectInto: (directory: string) => Promise<Collected>,
): Promise<number> {
  const { out, err, signal } = context;
  // Checks first whether the service accepts it, because otherwise an hour of reading may be lost.
  const client = options.out === undefined ? await connect(context, options) : undefined;
  await client?.call('GetApiVersion', undefined, { signal });
  const began = performance.now();
  const directory =
    options.out === undefined ? await temporaryDirectory() : resolve(context.directory, options.out);
  try {
    const collected = await orFailure(collectInto(directory));
    const isWhole = (collected.unread ?? []).length === 0;
    out.write(formatCollected(collected, performance.now() - began));
    if (client === undefined) {
      out.write(`Files are in ${directory}\n`);
      return isWhole ? 0 : EXIT.failed;
    }
    const outcome = await ingestFiles(client, collected.files, err, signal);
    out.write(formatReport(out, outcome));
    if (!succeeded(outcome)) return EXIT.failed;
    await collected.onKept?.();
    for (const { reading } of collected.parts) await recordReading(client, reading, context);
    const plan = await readPlan(context, client, { limit: 1 });
    out.write(`\n${planText(out, plan, await phrasesOf(client, plan.cards.flatMap(kindsOfCard), signal))}`);
    return isWhole ? 0 : EXIT.failed;
  } finally {
    if (options.out === undefined) await rm(directory, { recursive: true, force: true });
  }
}

/** A service that refuses this, or is older, still keeps the data. */
async function recordReading(
  client: ClewClient,
  [environment_id, body]: CollectedPart['reading'],
  { err, signal }: Pick<Context, 'err' | 'signal'>,
): Promise<void> {
  try {
    await client.call('RecordDirectoryReading', { params: { environment_id }, body }, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if ([403, 404].includes(error.status)) return;
    err.write(`Reading statistics of ${printable(body.name)} are not shown: ${describeFailure(error)}\n`);
  }
}

function formatCollected({ parts, unread = [] }: Collected, milliseconds: number): string {
  const took = ` in ${formatDuration(milliseconds)}`;
  const lines = parts.flatMap(({ subject, counts, notes }) => {
    const read = Object.entries(counts).map(([type, count = 0]) => `${formatCount(count)} ${type}`);
    return [
      `Read ${subject}${parts.length === 1 ? took : ''}: ${read.join(', ')}`,
      ...notes.map(({ what, count, first }) => `  Note: ${what}: ${formatCount(count)}, first ${first}`),
    ];
  });
  const all = parts.length === 1 ? [] : [`${counted(parts.length, 'domain')}${took}`];
  return [...lines, ...unread, ...all].map((line) => `${printable(line)}\n`).join('');
}
