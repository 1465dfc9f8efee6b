/**
 * `clew demo`: runs the service on a temporary store with a synthetic organization: a forest, and platforms whose definitions are installed
 * first. Shows the findings, then serves until interrupted; the store is then deleted.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClewClient } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { counted } from '@clew/model';
import type { Forest, Platforms } from '@clew/synthetic';
import { anonymousClient } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { chosenEnvironments, findingQuery } from '../findings/readFindings.ts';
import { readPosture } from '../findings/readPosture.ts';
import { startConfigured, throwAwayEnvironment, throwAwayPassword } from '../hostService.ts';
import { drawPath } from '../terminal/drawPath.ts';
import { Progress } from '../terminal/progress.ts';
import { formatTable } from '../terminal/table.ts';
import { formatDuration } from '../terminal/text.ts';
import { ingestFiles } from '../upload.ts';
import { formatFindings } from './findings.ts';
import { OBJECTS_PER_USER, PLATFORM_ITEMS_PER_USER, startOfDay } from './generate.ts';
import { succeeded } from './ingest.ts';
import { keyOf } from './path.ts';
import { formatPosture } from './posture.ts';
import { untilAborted } from './serve.ts';
import { formatCounts } from './status.ts';

export interface DemoOptions {
  readonly users: number;
  readonly seed: number;
  readonly exit?: boolean;
}

const USER = 'admin';
/** Kinds of objects whose counts are shown. */
const SHOWN_KINDS = ['User', 'Computer', 'Group', 'OU', 'GPO', 'CertTemplate'];

export async function demo(context: Context, options: DemoOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-demo-'));
  try {
    await runDemo(context, options, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runDemo(context: Context, options: DemoOptions, directory: string): Promise<void> {
  const { out, signal } = context;
  const archive = join(directory, 'forest.zip');
  const { forest, platforms } = await writeArchive(context, options, archive);

  const password = throwAwayPassword();
  const service = await startConfigured(
    context,
    throwAwayEnvironment(context.env, directory, { name: USER, password }),
  );
  try {
    const client = anonymousClient(service.url, undefined, context.env);
    await client.login(USER, password, { signal });
    await installPlatforms(client, platforms, signal);
    const outcome = await ingestFiles(client, [archive], context.err, signal);
    if (!succeeded(outcome)) throw new CommandError('the synthetic organization was not ingested completely');
    out.write(`Ingested in ${formatDuration(outcome.milliseconds)}\n\n`);
    await showEnvironments(context, client);
    await showCounts(context, client);
    await showPath(context, client, forest.route, 'An attack path from an ordinary user to Domain Admins:');
    await showPath(
      context,
      client,
      platforms.route,
      'Another path from an account that is easily phished, through a workflow of a code platform:',
    );
    await showFindings(context, client);
    out.write(`\nThe service is at ${out.style('bold', service.url)}\n`);
    out.write(`  name      ${USER}\n  password  ${password}\n`);
    if (options.exit) return;
    out.write('\nPress Ctrl+C to stop it; no data is kept.\n');
    await untilAborted(signal);
  } finally {
    await service.stop();
  }
}

async function writeArchive(
  { err, signal }: Context,
  options: DemoOptions,
  archive: string,
): Promise<{ readonly forest: Forest; readonly platforms: Platforms }> {
  const { forestFiles, generateForest, generatePlatforms, writeZip } = await import('@clew/synthetic');
  const asked = { users: options.users, seed: options.seed, collectedAt: startOfDay() };
  const forest = generateForest(asked);
  const platforms = generatePlatforms(asked);
  const progress = new Progress(err);
  const expected = options.users * (OBJECTS_PER_USER + PLATFORM_ITEMS_PER_USER);
  await writeZip([...forestFiles(forest), ...platforms.payloads], archive, (objects) => {
    signal.throwIfAborted();
    const fraction = Math.min(1, objects / expected);
    progress.show({
      label: 'Generating a synthetic organization',
      fraction,
      detail: counted(objects, 'object'),
    });
  });
  progress.clear();
  return { forest, platforms };
}

/** Installed before the data, because definitions determine how ids are read. */
async function installPlatforms(
  client: ClewClient,
  { definitions }: Platforms,
  signal: AbortSignal,
): Promise<void> {
  for (const { text } of definitions) {
    const body = JSON.parse([...text(() => {})].join(''));
    await client.call('UpsertOpenGraphExtension', { body }, { signal });
  }
}

async function showEnvironments({ out, signal }: Context, client: ClewClient): Promise<void> {
  const { data } = await client.call('GetAvailableDomains', {}, { signal });
  const columns = [{ title: 'ENVIRONMENT' }, { title: 'TYPE' }, { title: 'COLLECTED' }, { title: 'ID' }];
  const rows = data.map(({ name, type, collected, id }) => [name, type, collected ? 'yes' : 'no', id]);
  out.write(formatTable(out, columns, rows));
}

async function showCounts({ out, signal }: Context, client: ClewClient): Promise<void> {
  const { collected, derived } = (await client.call('GetGraphStatistics', {}, { signal })).data;
  const shown = SHOWN_KINDS.map((kind) => [kind, collected.nodes[kind] ?? 0] as const);
  out.write(formatCounts(out, 'OBJECTS', Object.fromEntries(shown)));
  const edges = [counted(collected.total_edges, 'edge')];
  if (derived.total_edges > 0) edges.push(`${counted(derived.total_edges, 'edge')} derived from them`);
  out.write(`${counted(collected.total_nodes, 'node')}, ${edges.join(', ')}\n`);
}

async function showPath(
  { out, signal }: Context,
  client: ClewClient,
  { from, to }: { readonly from: string; readonly to: string },
  title: string,
): Promise<void> {
  const graph = await client.shortestPath(from, to, { onlyTraversable: true, signal });
  if (graph === undefined) throw new CommandError('the planted attack path was not found');
  out.write(`\n${title}\n\n`);
  const ends = { from: keyOf(graph, { objectid: from }), to: keyOf(graph, { objectid: to }) };
  const kinds = graph.edges.map(({ kind }) => kind);
  out.write(drawPath(out, graph, ends, await phrasesOf(client, kinds, signal)));
}

/** Number of findings that fits on a screen with the other output. */
const SHOWN_FINDINGS = 8;

async function showFindings({ out, signal }: Context, client: ClewClient): Promise<void> {
  const query = { ...(await findingQuery(client, {}, signal)), limit: SHOWN_FINDINGS };
  const { count, data } = await client.call('ListAttackPathFindings', { query }, { signal });
  if (count === 0) return;
  out.write(`\nThe most urgent of ${counted(count, 'finding')}:\n\n`);
  out.write(formatFindings(out, data));
  out.write(`\n"clew finding ${data[0]?.id}" shows the first one. The posture so far:\n\n`);
  const environments = await chosenEnvironments(client, undefined, signal);
  const asked = { days: 1, zone: undefined };
  for (const environment of environments) {
    out.write(formatPosture(out, await readPosture(client, environment, asked, signal)));
  }
}
