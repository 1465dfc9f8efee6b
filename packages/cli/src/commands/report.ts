/** `clew report --out FILE`: posture, the most urgent findings and their remedies as one HTML page. */

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type DifferenceRecord,
  type PlanRecord,
  type PostureSummary,
  SEVERITIES,
  type UnifiedFindingRow,
} from '@clew/api';
import { type ClewClient, PlanNotReadyError } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { orRefused } from '../findings/orRefused.ts';
import {
  chosenEnvironments,
  chosenZone,
  findingQuery,
  rankedZoneQuery,
  readText,
  type Story,
  tellStory,
} from '../findings/readFindings.ts';
import { readPosture } from '../findings/readPosture.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { anchorOf, reportPage, type TypeTexts } from '../report/page.ts';
import { kindsOf } from './diff.ts';

/** Maximum number of plan repairs on the page. */
const PLANNED = 5;
/** Maximum number of entries per list of changes. */
const CHANGES = 5;

export interface ReportOptions extends ConnectionOptions {
  readonly out: string;
  readonly environment?: string;
  readonly zone?: string;
  readonly top: number;
  readonly days: number;
}

export async function report(context: Context, options: ReportOptions): Promise<void> {
  const { err, signal, directory } = context;
  const client = await connect(context, options);
  const environments = await chosenEnvironments(client, options.environment, signal);
  const query = await findingQuery(client, options, signal);
  const zone = options.zone === undefined ? undefined : await chosenZone(client, options.zone, signal);
  // Read before the findings, because their order depends on it.
  const plan = await readPlan(client, zone?.id, signal);
  const { data: top } = await client.call(
    'ListAttackPathFindings',
    { query: { ...query, limit: Math.max(1, options.top) } },
    { signal },
  );
  const stories: Story[] = [];
  for (const row of top) stories.push(await tellStory(client, row, signal));
  const counts = await Promise.all(
    SEVERITIES.toReversed().map(async (severity) => {
      const counted = { ...query, severity: `eq:${severity}`, limit: 1 };
      const { count } = await client.call('ListAttackPathFindings', { query: counted }, { signal });
      return [severity, count] as const;
    }),
  );
  const difference = await readDifference(client, zone?.id, options.days, signal);
  const kinds = stories.flatMap(({ path }) => path?.graph.edges.map(({ kind }) => kind) ?? []);
  const changed = difference === undefined ? [] : kindsOf(difference);
  const page = reportPage({
    madeAt: new Date(),
    server: client.transport.url,
    days: options.days,
    postures: await Promise.all(
      environments.map((environment) =>
        readPosture(client, environment, { days: options.days, zone }, signal),
      ),
    ),
    summary: await readSummary(client, zone?.id, options.days, signal),
    counts,
    stories,
    texts: await readTexts(client, top, signal),
    plan,
    difference,
    phraseOf: await phrasesOf(client, [...kinds, ...changed], signal),
  });
  const path = resolve(directory, options.out);
  await writeFile(path, page);
  err.write(`Wrote ${path} with ${counted(stories.length, 'finding')}.\n`);
}

/** @returns `undefined` for users who see only some environments, and if no repair is known */
async function readPlan(
  client: ClewClient,
  zone: number | undefined,
  signal: AbortSignal,
): Promise<PlanRecord | undefined> {
  const query = { limit: PLANNED, ...rankedZoneQuery(zone) };
  try {
    return await orRefused(client.plan(query, { signal, wait: WAIT_SECONDS }));
  } catch (error) {
    if (error instanceof PlanNotReadyError) return undefined;
    throw error;
  }
}

/** @returns `undefined` for users who see only some environments */
async function readDifference(
  client: ClewClient,
  zone: number | undefined,
  days: number,
  signal: AbortSignal,
): Promise<DifferenceRecord | undefined> {
  const since = new Date(Date.now() - days * 86_400_000).toISOString();
  const query = {
    since,
    limit: CHANGES,
    ...rankedZoneQuery(zone),
  };
  const found = await orRefused(client.call('GetDifference', { query }, { signal, wait: WAIT_SECONDS }));
  return found?.data;
}

async function readSummary(
  client: ClewClient,
  zone: number | undefined,
  days: number,
  signal: AbortSignal,
): Promise<PostureSummary> {
  const from = new Date(Date.now() - days * 86_400_000).toISOString();
  const query = { from, ...rankedZoneQuery(zone) };
  return (await client.call('GetPostureSummary', { query }, { signal })).data;
}

/** Reads the texts once for each type and zone. */
function readTexts(
  client: ClewClient,
  rows: readonly UnifiedFindingRow[],
  signal: AbortSignal,
): Promise<TypeTexts[]> {
  const byAnchor = new Map(rows.map((row) => [anchorOf(row), row]));
  return Promise.all(
    [...byAnchor].map(async ([anchor, { finding, asset_group_tag_id: zone }]) => ({
      anchor,
      title: await readText(client, finding, zone, 'title', signal),
      description: await readText(client, finding, zone, 'short_description', signal),
      remediation: await readText(client, finding, zone, 'long_remediation', signal),
    })),
  );
}
