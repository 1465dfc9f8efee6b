/** `clew report --out FILE`: posture, the most urgent findings and their remedies as one HTML page. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ClewClient } from '@clew/client';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import {
  chosenEnvironments,
  findingQuery,
  readText,
  type Story,
  tellStory,
} from '../findings/readFindings.ts';
import { readPosture } from '../findings/readPosture.ts';
import { reportPage, type TypeTexts } from '../report/page.ts';
import { plural } from '../terminal/text.ts';
import { SEVERITIES } from './findings.ts';

export interface ReportOptions extends ConnectionOptions {
  readonly out: string;
  readonly environment?: string;
  readonly top: number;
  readonly days: number;
}

export async function report(context: Context, options: ReportOptions): Promise<void> {
  const { err, signal, directory } = context;
  const client = await connect(context, options);
  const environments = await chosenEnvironments(client, options.environment, signal);
  const query = await findingQuery(client, options, signal);
  const { data: top } = await client.call(
    'ListAttackPathFindings',
    { query: { ...query, limit: Math.max(1, options.top) } },
    { signal },
  );
  const stories: Story[] = [];
  for (const row of top) stories.push(await tellStory(client, row, signal));
  const counts = await Promise.all(
    SEVERITIES.map(async (severity) => {
      const counted = { ...query, severity: `eq:${severity}`, limit: 1 };
      const { count } = await client.call('ListAttackPathFindings', { query: counted }, { signal });
      return [severity, count] as const;
    }),
  );
  const page = reportPage({
    madeAt: new Date(),
    server: client.transport.url,
    postures: await Promise.all(
      environments.map((environment) => readPosture(client, environment, options.days, signal)),
    ),
    counts,
    stories,
    texts: await readTexts(client, [...new Set(top.map(({ finding }) => finding))], signal),
  });
  const path = resolve(directory, options.out);
  await writeFile(path, page);
  err.write(`Wrote ${path} with ${plural(stories.length, 'finding')}.\n`);
}

function readTexts(client: ClewClient, types: readonly string[], signal: AbortSignal): Promise<TypeTexts[]> {
  return Promise.all(
    types.map(async (type) => ({
      type,
      title: await readText(client, type, 'title', signal),
      description: await readText(client, type, 'short_description', signal),
      remediation: await readText(client, type, 'long_remediation', signal),
    })),
  );
}
