/**
 * Measures the connector: all findings of a forest written once to files of JSON lines; a second run with nothing new; and one after an
 * analysis without changes. Runs in a separate process, whose memory is shown.
 */
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, startServe } from '@clew/service/testing';
import { generateForest, writeForestZip } from '@clew/synthetic';

/** Users of the forest, with about as many findings. */
const USERS = { small: 2_000, large: 12_000 } as const;

interface Result {
  readonly name: string;
  readonly figures: Readonly<Record<string, number | string>>;
}

export default {
  name: 'connector',
  async run({ scale }: { readonly scale: keyof typeof USERS }): Promise<Result[]> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-bench-'));
    const service = await startServe(join(directory, 'data'));
    try {
      const client = new ClewClient({ url: service.url });
      await client.login('admin', ADMIN_PASSWORD);
      const archive = join(directory, 'forest.zip');
      await writeForestZip(generateForest({ users: USERS[scale], seed: 1 }), archive);
      const { jobId } = await client.uploadFiles([archive]);
      await client.waitForJob(jobId);
      const self = (await client.call('GetSelf')).data;
      const token = await client.call('CreateAuthToken', { body: { user_id: self.id, token_name: 'bench' } });
      const { id, key } = token.data as { id: string; key: string };
      const config = join(directory, 'connector.json');
      await writeFile(
        config,
        JSON.stringify({
          ...{ server: service.url, tokenId: id, tokenKey: key, selectedZones: 'All' },
          ...{ state: { directory: 'state' }, platform: { type: 'jsonl', directory: 'out' } },
        }),
      );
      const { count: findings } = await client.call('ListAttackPathFindings', { query: { limit: 1 } });
      const first = await runConnector(config);
      await assertDelivered(join(directory, 'out'), findings);
      const second = await runConnector(config);
      if (first.created !== findings || second.created !== 0)
        throw new Error(`${first.created} and ${second.created} of ${findings} findings were new`);
      return [
        { name: `first run, ${findings} findings`, figures: figuresOf(first) },
        { name: 'second run', figures: figuresOf(second) },
      ];
    } finally {
      await service.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

interface Run {
  readonly created: number;
  readonly seconds: number;
  readonly megabytes: number;
}

const MAIN = resolve(import.meta.dirname, '..', 'src', 'main.ts');

async function runConnector(config: string): Promise<Run> {
  // `/usr/bin/time` is not always available, so the process reports its own size.
  const report = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(report)}`],
    ...[MAIN, 'connector', 'run', '--config', config, '--json'],
  ]);
  const { status, created, milliseconds } = JSON.parse(stdout);
  if (status !== 'complete') throw new Error(`the run was ${status}: ${stderr}`);
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  return { created, seconds: milliseconds / 1000, megabytes: Number(kilobytes) / 1024 };
}

async function assertDelivered(out: string, findings: number): Promise<void> {
  const ids = new Set<string>();
  let lines = 0;
  for (const name of await readdir(out)) {
    for await (const line of createInterface({ input: createReadStream(join(out, name)) })) {
      lines++;
      ids.add(JSON.parse(line).attack_id);
    }
  }
  if (lines !== findings || ids.size !== findings)
    throw new Error(`${lines} lines with ${ids.size} findings, not ${findings}`);
}

const figuresOf = ({ seconds, created, megabytes }: Run) => ({
  s: Math.round(seconds * 10) / 10,
  ...(created > 0 && { 'findings (per second)': Math.round(created / seconds) }),
  'peak of the process (MB)': Math.round(megabytes),
});
