/**
 * Measures collectors that poll while others send: 100 clients ask for jobs in a loop, which equals some thousands that ask every five
 * seconds, and ten send batches of 100 entries, each four times, like the public collector.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, SimulatedCollector, startServe } from '@clew/service/testing';

const POLLERS = 100;
const SENDERS = 10;
const ENTRIES = 100;
const SECONDS = { small: 5, large: 20 } as const;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

export default {
  name: 'http: collectors',
  async run({ scale }: { readonly scale: keyof typeof SECONDS }): Promise<Result[]> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const service = await startServe(join(directory, 'data'));
    try {
      const client = new ClewClient({ url: service.url });
      await client.login('admin', ADMIN_PASSWORD);
      const collectors = await Promise.all(
        Array.from({ length: POLLERS + SENDERS }, (_, at) => register(client, service.url, `bench ${at}`)),
      );
      const [pollers, senders] = [collectors.slice(SENDERS), collectors.slice(0, SENDERS)];
      return [await measure(client, pollers, senders, SECONDS[scale])];
    } finally {
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

interface Registered {
  readonly id: string;
  readonly collector: SimulatedCollector;
}

async function register(client: ClewClient, url: string, name: string): Promise<Registered> {
  const { data } = await client.call('CreateClient', { body: { name, type: 'azurehound' } });
  return { id: data.id, collector: new SimulatedCollector(url, data.token) };
}

async function measure(
  client: ClewClient,
  pollers: readonly Registered[],
  senders: readonly Registered[],
  seconds: number,
): Promise<Result> {
  for (const { id, collector } of senders) {
    await client.call('CreateClientScheduledJob', { params: { client_id: id }, body: {} });
    if ((await collector.pick()) === undefined) throw new Error('a job was not given out');
  }
  const until = performance.now() + seconds * 1_000;
  const times: number[] = [];
  let batches = 0;
  const poll = async ({ collector }: Registered): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      const { status } = await collector.send('GET', '/jobs/available');
      if (status !== 200) throw new Error(`a poll was answered ${status}`);
      times.push(performance.now() - began);
    }
  };
  const send = async ({ collector }: Registered, at: number): Promise<void> => {
    for (let number = 0; performance.now() < until; number++) {
      const statuses = await collector.ingest(entries(at * 1_000_000 + number * ENTRIES));
      if (statuses.some((status) => status !== 202)) throw new Error(`a batch was answered ${statuses}`);
      batches++;
    }
    const { status } = await collector.end('COMPLETE', '');
    if (status !== 200) throw new Error(`the end of a job was answered ${status}`);
  };
  await Promise.all([...pollers.map(poll), ...senders.map(send)]);
  await untilAllAreComplete(client, senders.length);
  const { data } = await client.call('GetGraphStatistics');
  const users = data.collected.nodes.AZUser ?? 0;
  if (users !== batches * ENTRIES) throw new Error(`${users} of ${batches * ENTRIES} users are there`);
  times.sort((a, b) => a - b);
  return {
    name: `${POLLERS} poll, ${SENDERS} send`,
    figures: {
      'polls (per second)': Math.round(times.length / seconds),
      'poll, p50 (ms)': round(times[times.length >> 1]),
      'poll, p99 (ms)': round(times[Math.floor(times.length * 0.99)]),
      'batches, each sent 4 times (per second)': round(batches / seconds),
    },
  };
}

const round = (value: number | undefined): number => Math.round((value ?? Number.NaN) * 10) / 10;

const entries = (from: number) =>
  Array.from({ length: ENTRIES }, (_, at) => ({
    kind: 'AZUser',
    data: {
      id: `00000000-0000-0000-0000-${String(from + at).padStart(12, '0')}`,
      displayName: `User ${from + at}`,
      tenantId: '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145',
      tenantName: 'Bench',
    },
  }));

async function untilAllAreComplete(client: ClewClient, count: number): Promise<void> {
  for (;;) {
    const done = await client.call('ListClientFinishedJobs', { query: { status: 'eq:2', limit: 1 } });
    if (done.count === count) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
