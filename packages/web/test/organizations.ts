/** Data for tests and pictures: the sample, the organization of the demo, and a forest of 20,000 objects; the last two collected twice. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ClewClient } from '@clew/client';
import {
  driftedForest,
  forestFiles,
  type GeneratedFile,
  generateForest,
  generatePlatforms,
  generateTenant,
  writeZip,
} from '@clew/synthetic';

/** The archive uploaded by "Load sample data", created when the interface is built. */
const SAMPLE = fileURLToPath(new URL('../dist/sample.zip', import.meta.url));
const DAY_SECONDS = 86_400;
const SEED = 1;

export async function loadSample(client: ClewClient): Promise<void> {
  const { jobId } = await client.uploadFiles([SAMPLE]);
  await client.waitForJob(jobId);
}

const changed = new WeakMap<ClewClient, Promise<void>>();

/** A later collection with another group, and another user without preauthentication: once for the tests of a service, which share it. */
export function loadChange(client: ClewClient): Promise<void> {
  const change = changed.get(client) ?? uploadChange(client);
  changed.set(client, change);
  return change;
}

async function uploadChange(client: ClewClient): Promise<void> {
  const { data: environments } = await client.call('GetAvailableDomains', {});
  const { id, name } = environments.find(({ collected, type }) => collected && type === 'active-directory')!;
  const common = { Aces: [], IsDeleted: false, IsACLProtected: false };
  const group = {
    ...{ ...common, ObjectIdentifier: `${id}-98765` },
    Properties: { name: `COMPARED@${name}`, domain: name, domainsid: id },
    Members: [{ ObjectIdentifier: `${id}-513`, ObjectType: 'Group' }],
  };
  const user = {
    ...{ ...common, ObjectIdentifier: `${id}-87654` },
    Properties: { name: `JOURNEY@${name}`, domain: name, domainsid: id, enabled: true, dontreqpreauth: true },
    ...{ PrimaryGroupSID: `${id}-513`, AllowedToDelegate: [], HasSIDHistory: [], SPNTargets: [] },
  };
  const files = [['groups', group] as const, ['users', user] as const].map(([type, object]) => {
    const meta = { type, version: 6, count: 1, methods: 0x7ffff };
    return new File([JSON.stringify({ data: [object], meta })], `${type}.json`);
  });
  const { jobId } = await client.uploadFiles(files);
  await client.waitForJob(jobId);
}

/** The organization of `clew demo`: a forest with platforms. */
export async function loadDemo(client: ClewClient, directory: string): Promise<void> {
  const options = { users: 1000, seed: SEED, collectedAt: today() };
  const { definitions, payloads } = generatePlatforms(options);
  for (const { text } of definitions)
    await client.call('UpsertOpenGraphExtension', { body: JSON.parse([...text(() => {})].join('')) });
  await loadTwice(client, directory, options, payloads);
}

/** A forest of 20,000 objects, with its tenant. */
export async function loadLarge(client: ClewClient, directory: string): Promise<void> {
  const options = { users: 7500, seed: SEED, collectedAt: today() };
  await loadTwice(client, directory, options, [generateTenant(options).file]);
  const { collected } = (await client.call('GetGraphStatistics', {})).data;
  if (collected.total_nodes < 20_000) throw new Error(`only ${collected.total_nodes} objects`);
}

const today = (): number => Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;

interface Options {
  readonly users: number;
  readonly seed: number;
  readonly collectedAt: number;
}

/** The second collection, some days later, has changes. */
async function loadTwice(
  client: ClewClient,
  directory: string,
  options: Options,
  others: readonly GeneratedFile[],
): Promise<void> {
  const forest = generateForest({ ...options, collectedAt: options.collectedAt - 3 * DAY_SECONDS });
  await load(client, join(directory, 'first.zip'), [...forestFiles(forest), ...others]);
  const later = driftedForest(generateForest(options), { every: 40, round: 1 });
  await load(client, join(directory, 'second.zip'), [...forestFiles(later)]);
  while ((await client.plan({ limit: 1 })).computing !== null) await sleep(500);
}

async function load(client: ClewClient, archive: string, files: readonly GeneratedFile[]): Promise<void> {
  await writeZip(files, archive);
  const { jobId } = await client.uploadFiles([archive]);
  await client.waitForJob(jobId);
}
