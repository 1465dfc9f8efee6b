/**
 * Measures an uploaded archive until its answers over HTTP, on a running service: ingest end to end, then signed requests for search,
 * controllers and shortest paths. Service and load generator share the machine.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOB_STATUS } from '@clew/api';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from '@clew/service/testing';
import { type Forest, generateForest, writeForestZip } from '@clew/synthetic';
import { type LoadResult, load, type Token } from './load.ts';

/** Sizes of forests, and the users that produce them. */
const FORESTS = {
  small: [{ name: '10k objects', users: 4300 }],
  large: [
    { name: '10k objects', users: 4300 },
    { name: '100k objects', users: 43_500 },
  ],
} as const;

const REQUESTS = 3000;
const CONNECTIONS = 8;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

export default {
  name: 'http: upload to answer',
  async run({ scale }: { readonly scale: 'small' | 'large' }): Promise<Result[]> {
    const results: Result[] = [];
    for (const { name, users } of FORESTS[scale]) {
      for (const result of await measure(users)) results.push({ ...result, name: `${name}: ${result.name}` });
    }
    return results;
  },
};

async function measure(users: number): Promise<Result[]> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
  try {
    const forest = generateForest({ users, seed: 1, collectedAt: Math.floor(Date.now() / 1000) });
    const archive = join(directory, 'forest.zip');
    const objects = (await writeForestZip(forest, archive)).reduce((sum, file) => sum + file.objects, 0);
    const began = performance.now();
    const service = await startServe(join(directory, 'data'));
    const started = performance.now() - began;
    try {
      const client = new ClewClient({ url: service.url });
      await client.login('admin', ADMIN_PASSWORD);
      const { data } = await client.call('CreateAuthToken', { body: { token_name: 'bench' } });
      const token = { id: data.id, key: data.key };
      return [
        { name: 'start on an empty store', figures: { ms: Math.round(started) } },
        ...(await measureIngest(service, client, archive, objects)),
        ...(await measureRequests(service, forest, token)),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Ingests the same archive twice: first all objects are new, then all are known. */
async function measureIngest(
  service: ServeProcess,
  client: ClewClient,
  archive: string,
  objects: number,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const name of ['ingest, new objects', 'ingest, the same again']) {
    const began = performance.now();
    const { jobId } = await client.uploadFiles([archive]);
    let stored = Number.NaN;
    const job = await client.waitForJob(jobId, {
      interval: 50,
      onChange: ({ status }) => {
        if (status !== JOB_STATUS.running && status !== JOB_STATUS.ingesting) stored ||= secondsSince(began);
      },
    });
    if (job.status !== JOB_STATUS.complete) {
      throw new Error(`the job ended with status ${job.status}: ${job.status_message}`);
    }
    const figures = {
      objects,
      'archive (MB)': round((await stat(archive)).size / 1e6),
      'upload to stored facts (s)': round(stored),
      'stored objects/s': Math.round(objects / stored),
      'upload to published graph (s)': round(secondsSince(began)),
      'resident of the service (MB)': residentMb(service.pid),
    };
    results.push({ name, figures });
  }
  return results;
}

async function measureRequests(service: ServeProcess, forest: Forest, token: Token): Promise<Result[]> {
  const people = [...peopleOf(forest)];
  const groups = [...idsOf(forest, 'groups')];
  const { to } = forest.route;
  const scenarios = [
    {
      name: 'search by name',
      targets: cycle(people.map(({ name }) => `/api/v2/search?q=${encodeURIComponent(name)}`)),
      isRight: (status: number, body: string) => status === 200 && body.includes('"objectid"'),
    },
    {
      name: 'search by a part of a name',
      targets: cycle(people.map(({ name }) => `/api/v2/search?q=${encodeURIComponent(name.slice(0, 7))}`)),
      isRight: (status: number, body: string) => status === 200 && body.includes('"objectid"'),
    },
    {
      name: 'controllers of a group',
      targets: cycle(groups.map((id) => `/api/v2/groups/${id}/controllers`)),
      isRight: (status: number, body: string) => status === 200 && body.includes('"count":'),
    },
    {
      name: 'shortest path to Domain Admins',
      targets: cycle(people.map(({ id }) => `/api/v2/graphs/shortest-path?start_node=${id}&end_node=${to}`)),
      isRight: (status: number, body: string) =>
        (status === 200 && body.includes('"edges":[{')) ||
        (status === 404 && body.includes('path not found')),
    },
  ];
  const results: Result[] = [];
  for (const { name, targets, isRight } of scenarios) {
    const check = (status: number, body: string, target: string): void => {
      if (!isRight(status, body)) throw new Error(`${target} answered ${status}: ${body.slice(0, 200)}`);
    };
    await load(service.url, token, targets.slice(0, 200), 2, check);
    const alone = await load(service.url, token, targets.slice(200, 1200), 1, check);
    const together = await load(service.url, token, targets.slice(1200), CONNECTIONS, check);
    results.push({ name, figures: figuresOf(alone, together) });
  }
  return results;
}

function figuresOf(alone: LoadResult, together: LoadResult): Record<string, number> {
  return {
    'one connection, p50 (ms)': round(alone.p50),
    'one connection, p99 (ms)': round(alone.p99),
    [`${CONNECTIONS} connections, p50 (ms)`]: round(together.p50),
    [`${CONNECTIONS} connections, p99 (ms)`]: round(together.p99),
    [`${CONNECTIONS} connections, requests/s`]: Math.round(together.perSecond),
  };
}

function* peopleOf(forest: Forest): Generator<{ id: string; name: string }> {
  const users = forest.files.find((file) => file.type === 'users');
  for (const object of users?.objects() ?? []) {
    const { displayname, name } = object.Properties;
    if (typeof displayname === 'string') yield { id: object.ObjectIdentifier, name: String(name) };
  }
}

function* idsOf(forest: Forest, type: string): Generator<string> {
  const file = forest.files.find((candidate) => candidate.type === type);
  for (const object of file?.objects() ?? []) if (object.Aces.length > 0) yield object.ObjectIdentifier;
}

const cycle = (targets: readonly string[]): string[] =>
  Array.from({ length: REQUESTS }, (_, index) => targets[(index * 37) % targets.length] as string);

/** Resident memory of the service process, without the database. */
function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000;

const round = (value: number): number => Math.round(value * 100) / 100;
