/**
 * Measures the steps of a user at large size: `clew generate`, `clew ingest`, `clew findings`, with a service in a separate process.
 * Ingests new objects, the same records in a file with other bytes, a collection in which one object in a hundred differs, and the same
 * with other spaces in each record, as after an update of Clew; then requests findings, and sends requests during an ingest. The database
 * can vacuum between these steps. The service itself reports the durations.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, runClew, type ServeProcess, startServe } from '@clew/service/testing';
import { load, percentile, type Token } from './load.ts';
import { MemoryWatch } from './memoryWatch.ts';
import { untilVacuumed } from './processes.ts';

/** Users of the forest: 11,000 and a million objects; and of another one, ingested during requests: 10,000 and 100,000. */
const SIZES = {
  small: { users: 2500, beside: 2200 },
  large: { users: 250_000, beside: 23_000 },
} as const;
const CHANGED_EVERY = 100;
/** Platforms with definitions have their own benchmark. */
const PARTS = ['--only', 'ad', 'entra', 'opengraph'];
const REQUESTS = 1000;
const CONNECTIONS = 4;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

export default {
  name: 'a million objects: from files to findings',
  async run({ scale }: { readonly scale: keyof typeof SIZES }): Promise<Result[]> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const variables = { CLEW_LOG_LEVEL: 'info' };
    const service = await startServe(join(directory, 'data'), variables);
    const memory = new MemoryWatch(service.pid);
    try {
      return await measure({ directory, service, memory, ...SIZES[scale] });
    } finally {
      memory.stop();
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

interface Setting {
  readonly directory: string;
  readonly service: ServeProcess;
  readonly memory: MemoryWatch;
  readonly users: number;
  readonly beside: number;
}

async function measure(setting: Setting): Promise<Result[]> {
  const { directory, service, users, beside } = setting;
  const configuration = join(directory, 'configuration');
  await mkdir(configuration);
  const clew = async (args: readonly string[], input = ''): Promise<string> => {
    const variables = { CLEW_URL: service.url, XDG_CONFIG_HOME: configuration };
    const { code, stdout, stderr } = await runClew(args, { variables, input, directory });
    if (code !== 0) throw new Error(`clew ${args[0]} ended with ${code}: ${stderr.slice(-500)}`);
    return stdout;
  };
  await clew(['login'], `${ADMIN_PASSWORD}\n`);
  const results: Result[] = [];
  const generated = await timed(() => clew(['generate', '--out', 'forest', '--users', `${users}`, ...PARTS]));
  results.push({ name: 'generate', figures: { s: generated.seconds } });

  const fresh = await ingest(setting, () => clew(['ingest', 'forest']), 'everything');
  results.push({ name: 'new', figures: fresh });
  for (const file of await readdir(join(directory, 'forest')))
    await appendFile(join(directory, 'forest', file), '\n');
  const again = await ingest(setting, () => clew(['ingest', 'forest']), 'changes');
  results.push({ name: 'the same records again, in other bytes', figures: again });

  await clew([
    'generate',
    '--out',
    'later',
    '--users',
    `${users}`,
    '--changed-every',
    `${CHANGED_EVERY}`,
    ...PARTS,
  ]);
  const changed = await ingest(setting, () => clew(['ingest', 'later']), 'changes');
  if (!('generation (s)' in changed)) throw new Error('the change made no generation');
  results.push({ name: `one in ${CHANGED_EVERY} changed`, figures: changed });

  for (const file of await readdir(join(directory, 'later'))) await putSpaces(join(directory, 'later', file));
  const compared = await ingest(setting, () => clew(['ingest', 'later']), 'changes');
  if (compared['changed facts'] !== 0) throw new Error('spaces changed facts');
  results.push({ name: 'the same, each record read and compared', figures: compared });

  results.push({ name: 'findings', figures: await askForFindings(clew) });
  await clew(['generate', '--out', 'beside', '--users', `${beside}`, '--seed', '2', '--only', 'ad']);
  results.push(...(await requestsBesideIngest(service, () => clew(['ingest', 'beside']))));
  return results;
}

/** Writes each record with other white space. */
async function putSpaces(file: string): Promise<void> {
  await pipeline(
    createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 }),
    async function* (chunks: AsyncIterable<string>) {
      let rest = '';
      for await (const chunk of chunks) {
        // The searched text contains no closing bracket.
        const end = chunk.lastIndexOf('}') + 1;
        if (end > 0) yield (rest + chunk.slice(0, end)).replaceAll('":{', '": {');
        rest = (end === 0 ? rest : '') + chunk.slice(end);
      }
      yield rest;
    },
    createWriteStream(`${file}.spaces`, { encoding: 'latin1' }),
  );
  await rename(`${file}.spaces`, file);
}

/** Lines of the service's log about an ingest, and about the next generation. */
interface LogLine {
  readonly msg: string;
  readonly objects?: number;
  readonly changes?: number;
  readonly edges?: number;
  readonly worksOn?: string;
  /** One number for an ingest, and one per step for a generation. */
  readonly ms?: number | Readonly<Record<string, number>>;
}

/** @param worksOn how the generation must be built, if one is built */
async function ingest(
  { service, memory }: Setting,
  run: () => Promise<string>,
  worksOn: string,
): Promise<Record<string, number | string>> {
  await untilVacuumed(service.pid);
  const before = service.output().length;
  memory.take();
  const { seconds } = await timed(run);
  const lines = service
    .output()
    .slice(before)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
  const job = lines.find(({ msg }) => msg === 'ingested an upload job');
  const generation = lines.find(({ msg }) => msg === 'published a generation');
  if (job?.objects === undefined || typeof job.ms !== 'number') throw new Error('nothing was ingested');
  if (generation !== undefined && generation.worksOn !== worksOn)
    throw new Error(`the generation was made of ${generation.worksOn}, not of ${worksOn}`);
  const { service: own, database } = memory.take();
  const steps = Object.entries((generation?.ms ?? {}) as Record<string, number>).filter(
    ([, ms]) => ms >= 100,
  );
  return {
    objects: job.objects,
    'changed facts': job.changes ?? 0,
    'upload to published (s)': seconds,
    'ingest (s)': round(job.ms / 1000),
    'objects/s': Math.round(job.objects / (job.ms / 1000)),
    ...(generation && {
      'generation (s)': round(steps.reduce((sum, [, ms]) => sum + ms, 0) / 1000),
      edges: generation.edges ?? 0,
    }),
    ...Object.fromEntries(steps.map(([step, ms]) => [`${step} (s)`, round(ms / 1000)])),
    'service (MB)': own,
    'service and database (MB)': own + database,
  };
}

async function askForFindings(
  clew: (args: readonly string[]) => Promise<string>,
): Promise<Record<string, number>> {
  const urgent = await timed(() => clew(['findings', '--json']));
  const rows = JSON.parse(urgent.value) as unknown;
  if (JSON.stringify(rows).length < 1000) throw new Error(`the findings are ${urgent.value.slice(0, 200)}`);
  const byCause = await timed(() => clew(['findings', '--by', 'cause']));
  const status = await timed(() => clew(['status']));
  return {
    'the most urgent (s)': urgent.seconds,
    'by cause (s)': byCause.seconds,
    'status (s)': status.seconds,
  };
}

/** Sends the same requests while the service is idle, and repeatedly while another collection is ingested and analyzed. */
async function requestsBesideIngest(service: ServeProcess, run: () => Promise<string>): Promise<Result[]> {
  const client = new ClewClient({ url: service.url });
  await client.login('admin', ADMIN_PASSWORD);
  const { data: token } = await client.call('CreateAuthToken', { body: { token_name: 'bench' } });
  const scenarios = scenariosOf();
  const quiet = new Map<string, number>();
  for (const { name, targets } of scenarios) {
    await ask(service.url, token, targets.slice(0, 100));
    quiet.set(name, (await ask(service.url, token, targets)).p99);
  }
  let isOver = false;
  const ingested = timed(run).finally(() => {
    isOver = true;
  });
  const longest = new Map<string, number>();
  const times = new Map<string, number[]>();
  while (!isOver) {
    for (const { name, targets } of scenarios) {
      const { p99, times: some } = await ask(service.url, token, targets.slice(0, REQUESTS / 4));
      times.set(name, [...(times.get(name) ?? []), ...some]);
      longest.set(name, Math.max(p99, longest.get(name) ?? 0));
    }
  }
  const { seconds } = await ingested;
  return [
    { name: 'another collection, during requests', figures: { 'upload to published (s)': seconds } },
    ...scenarios.map(({ name }) => ({
      name: `${name}, ${CONNECTIONS} connections`,
      figures: {
        'quiet, p99 (ms)': round(quiet.get(name) as number),
        'during the ingest, p99 of all (ms)': round(
          percentile(Float64Array.from(times.get(name) as number[]).sort(), 0.99),
        ),
        'during the ingest, p99 of the worst 250 (ms)': round(longest.get(name) as number),
      },
    })),
  ];
}

function scenariosOf(): { readonly name: string; readonly targets: readonly string[] }[] {
  const letters = 'ABCDEFGHIJKLMNOPRSTUVW';
  const search = (at: number): string =>
    `/api/v2/search?q=${letters[at % letters.length]}${letters[(at * 7) % letters.length]}${letters[(at * 3) % letters.length]}`;
  const page = (at: number): string => `/api/v2/file-upload?limit=${5 + (at % 20)}`;
  const cycle = (target: (at: number) => string): string[] =>
    Array.from({ length: REQUESTS }, (_, at) => target(at));
  return [
    { name: 'search by three characters', targets: cycle(search) },
    { name: 'upload jobs', targets: cycle(page) },
  ];
}

function ask(url: string, token: Token, targets: readonly string[]): ReturnType<typeof load> {
  return load(url, token, targets, CONNECTIONS, (status, body, target) => {
    if (status !== 200 || !body.includes('"data"'))
      throw new Error(`${target} answered ${status}: ${body.slice(0, 200)}`);
  });
}

async function timed<Value>(
  run: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly seconds: number }> {
  const began = performance.now();
  const value = await run();
  return { value, seconds: round((performance.now() - began) / 1000) };
}

const round = (value: number): number => Math.round(value * 100) / 100;
