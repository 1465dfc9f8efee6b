/** Starts all parts, causes faults for a while, waits until all work is done, and counts. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClewClient, type TokenCredentials } from '@clew/client';
import { newRandom } from '@clew/graph/testing';
import type { Log, Report } from '../harness/command.ts';
import { MAX_READY_MS } from '../harness/managedProcess.ts';
import { startReceiver } from '../harness/receiver.ts';
import { residentMb } from '../harness/sampling.ts';
import { runScenario, type Surroundings } from '../harness/scenario.ts';
import { until } from '../harness/serving.ts';
import { type Counts, countAll, faultsOf } from './counts.ts';
import { faultsToBring, missingKills, rounds } from './faultPlan.ts';
import { startFaultyProxy } from './faultyProxy.ts';
import { type Roles, startInstallation } from './installation.ts';
import { Keeper } from './keeper.ts';
import { Collector, ConnectorRuns } from './workload.ts';

export interface ChaosOptions {
  readonly roles: Roles;
  readonly seconds: number;
  readonly seed: number;
  readonly log: Log;
}

export interface ChaosReport extends Counts, Report {
  readonly roles: Roles;
  /** Number of occurrences of each fault. */
  readonly brought: Readonly<Record<string, number>>;
  /** Number of starts of each process. */
  readonly starts: Readonly<Record<string, number>>;
  /** Memory of each process at the end. */
  readonly residentMb: Readonly<Record<string, number>>;
}

/** Webhooks wait two minutes between attempts in the first hour. */
const MAX_DELIVERY_MS = 10 * 60_000;
const MAX_CATCH_UP_MS = 5 * 60_000;

export const runChaos = (options: ChaosOptions): Promise<ChaosReport> =>
  runScenario('chaos', (all) => inSurroundings(options, all));

async function inSurroundings(
  { roles, seconds, seed, log }: ChaosOptions,
  { directory, password, onEnd }: Surroundings,
): Promise<ChaosReport> {
  const proxy = await startFaultyProxy();
  onEnd(() => proxy.close());
  const receiver = await startReceiver();
  onEnd(() => receiver.close());
  const installation = await startInstallation(roles, { directory, proxy, password });
  onEnd(() => installation.stop());
  const connector = new ConnectorRuns(directory);
  onEnd(() => connector.kill());
  const isReady = async () => installation.processes.every((one) => one.isReady);
  await until(MAX_READY_MS, 'the service is ready', isReady);
  const credentials = await prepare(proxy.url, password, receiver.url);
  await writeFile(
    join(directory, 'connector.json'),
    JSON.stringify(ConnectorRuns.settings(proxy.url, credentials)),
  );
  const client = new ClewClient({ url: proxy.url, credentials, timeout: 15_000 });
  const collector = new Collector(proxy.url, credentials);
  const keeper = new Keeper(proxy.url, credentials);
  const over = new AbortController();
  onEnd(() => over.abort());
  const working = [collector.run(over.signal), connector.run(over.signal), keeper.run(over.signal)];
  const brought: Record<string, number> = {};
  const random = newRandom(seed);
  const faults = faultsToBring({ proxy, receiver, installation, connector, random });
  const names = Object.keys(faults);
  const order = rounds(names, random);
  log(`roles ${roles}, ${names.length} kinds of faults for ${seconds} s, seed ${seed}`);
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await sleep(Math.min(end - Date.now(), 2_000 + random() * 8_000));
    const name = order.next().value;
    if (await faults[name]?.()) brought[name] = (brought[name] ?? 0) + 1;
  }
  over.abort();
  proxy.mode = 'open';
  receiver.mode = 'well';
  const endedAt = Date.now();
  log(`the faults are over (${JSON.stringify(brought)}); ${collector.uploads} uploads`);
  await Promise.all(working);
  const problems: string[] = [];
  const orProblem = async (what: string, milliseconds: number, check: () => Promise<boolean>) => {
    const took = await until(milliseconds, what, check).catch(() => undefined);
    if (took === undefined) problems.push(`not within ${milliseconds / 1000} s: ${what}`);
    else log(`${what} after ${Math.round((Date.now() - endedAt) / 1000)} s`);
  };
  await orProblem('the service answers', MAX_READY_MS, async () => {
    await client.call('GetSelf');
    return isReady();
  });
  // The final state: one more upload, which must be accepted.
  let last: number | undefined;
  await orProblem('a new upload is accepted', MAX_READY_MS, async () => {
    last = await collector.upload();
    return last !== undefined;
  });
  await orProblem('all is analyzed', MAX_CATCH_UP_MS, async () => {
    const query = { id: `eq:${last}` };
    const { data } = await client.call('ListFileUploadJobs', { query } as never);
    return (data as unknown as { status: number }[])[0]?.status === 2;
  });
  let said = '';
  await orProblem('a run of the connector is complete', MAX_CATCH_UP_MS, async () => {
    const { code, output } = await connector.once();
    said = output;
    return code === 0 && /^complete/m.test(output);
  });
  if (!/^complete/m.test(said)) log(said);
  const left = Math.max(1_000, MAX_DELIVERY_MS - (Date.now() - endedAt));
  await orProblem('all webhooks are delivered', left, async () => {
    await sleep(1_500);
    const [hook] = (await client.call('ListWebhooks')).data;
    return hook?.waiting === 0 && hook.dead === 0;
  });
  const { data, processes } = installation;
  // All work is done; on a busy machine, the counted answers may take longer.
  const counting = new ClewClient({ url: proxy.url, credentials });
  const counts = await countAll({ client: counting, collector, connector, keeper, receiver, data });
  const starts = Object.fromEntries(processes.map((one) => [one.name, one.starts]));
  const all = [...problems, ...missingKills({ names, brought, starts }), ...faultsOf(counts)];
  if (all.length > 0) for (const { output } of processes) log(output);
  const memory = processes.map(async ({ name, pid }) => [name, await residentMb(pid ?? 0)] as const);
  const resident = Object.fromEntries(await Promise.all(memory));
  return { roles, ...counts, brought, starts, residentMb: resident, faults: all };
}

async function prepare(url: string, password: string, receiver: string): Promise<TokenCredentials> {
  const client = new ClewClient({ url });
  await client.login('admin', password);
  const { id } = (await client.call('GetSelf')).data;
  const body = { user_id: id, token_name: 'chaos' };
  const made = (await client.call('CreateAuthToken', { body })).data as unknown as {
    id: string;
    key: string;
  };
  await client.call('CreateWebhook', {
    body: { name: 'chaos', url: receiver, event_types: ['finding.opened', 'finding.resolved'] },
  } as never);
  return { tokenId: made.id, tokenKey: made.key };
}
