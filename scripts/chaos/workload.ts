/** The workload of users: a collector that uploads repeatedly, and a connector in a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClewClient, type TokenCredentials } from '@clew/client';
import { repeat } from '../harness/scenario.ts';
import { MAIN } from '../harness/serving.ts';

export const DOMAIN = 'S-1-5-21-7-7-7';
const USERS_PER_ROUND = 4;
/** Maximum number of users with control over the administrators after a round; older ones are removed. */
const MAX_HOLDERS = 60;
const MAX_UPLOAD_MS = 60_000;
const MAX_RUN_MS = 120_000;

/** Uploads users, some of whom have full control over the administrators, which opens findings and resolves older ones. */
export class Collector {
  /** Objects in uploads whose end was acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Principals with control in the last acknowledged upload. */
  holders: readonly string[] = [];
  uploads = 0;
  failures = 0;
  #round = 0;

  readonly #client: ClewClient;

  constructor(url: string, credentials: TokenCredentials) {
    this.#client = new ClewClient({ url, credentials, timeout: 15_000 });
  }

  /** @returns the job, if it was acknowledged */
  async upload(): Promise<number | undefined> {
    const first = 1100 + this.#round++ * USERS_PER_ROUND;
    const users = Array.from({ length: USERS_PER_ROUND }, (_, at) => `${DOMAIN}-${first + at}`);
    const holders = [...this.holders, ...users.slice(0, USERS_PER_ROUND / 2)].slice(-MAX_HOLDERS);
    try {
      const signal = AbortSignal.timeout(MAX_UPLOAD_MS);
      const { jobId, rejected } = await this.#client.uploadFiles(collectionOf(users, holders), { signal });
      if (rejected.length > 0) throw rejected[0]?.error;
      for (const user of users) this.acknowledged.add(user);
      this.holders = holders;
      this.uploads++;
      return jobId;
    } catch {
      // The next round continues from the last acknowledged state; whether this upload arrived is unknown.
      this.failures++;
      return undefined;
    }
  }

  run(signal: AbortSignal): Promise<void> {
    return repeat(signal, 500, () => this.upload());
  }
}

function collectionOf(users: readonly string[], holders: readonly string[]): File[] {
  const object = (id: string, name: string, more: object = {}) => ({
    ...{ ObjectIdentifier: id, Aces: [] },
    Properties: {
      name: `${name}@CHAOS.LOCAL`,
      ...{ domain: 'CHAOS.LOCAL', domainsid: DOMAIN, enabled: true, collected: true },
    },
    ...more,
  });
  const file = (type: string, data: readonly object[]): File => {
    const meta = { type, version: 6, count: data.length, methods: 0 };
    return new File([JSON.stringify({ meta, data })], `${type}.json`);
  };
  const ace = (id: string) => ({
    ...{ PrincipalSID: id, PrincipalType: 'User', RightName: 'GenericAll', IsInherited: false },
  });
  return [
    file('domains', [object(DOMAIN, 'CHAOS', { Trusts: [], Links: [], ChildObjects: [] })]),
    file('groups', [object(`${DOMAIN}-512`, 'DOMAIN ADMINS', { Members: [], Aces: holders.map(ace) })]),
    file(
      'users',
      users.map((id) => object(id, `USER${id.slice(DOMAIN.length)}`)),
    ),
  ];
}

interface EventLine {
  readonly EventId: string;
  readonly FindingKey: string;
  readonly Change: string;
}

/** `clew connector run`, which is killed at random. */
export class ConnectorRuns {
  runs = 0;
  readonly #directory: string;
  #kill: (() => void) | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  static settings(server: string, { tokenId, tokenKey }: TokenCredentials): object {
    const platform = { type: 'jsonl', directory: 'out' };
    return { server, tokenId, tokenKey, selectedZones: 'All', state: { directory: 'state' }, platform };
  }

  kill(): boolean {
    this.#kill?.();
    return this.#kill !== undefined;
  }

  /** @returns its exit code; `null` if it was killed */
  async once(): Promise<{ readonly code: number | null; readonly output: string }> {
    this.runs++;
    const args = [MAIN, 'connector', 'run', '--config', join(this.#directory, 'connector.json')];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: this.#directory },
      timeout: MAX_RUN_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = `${output}${text}`.slice(-4_000);
      });
    this.#kill = () => child.kill('SIGKILL');
    const [code] = (await once(child, 'exit')) as [number | null];
    this.#kill = undefined;
    return { code, output };
  }

  run(signal: AbortSignal): Promise<void> {
    return repeat(signal, 2_000, () => this.once());
  }

  /** The messages to the platform, by line. */
  async lines(): Promise<readonly EventLine[]> {
    const text = await readFile(join(this.#directory, 'out', 'findings.jsonl'), 'utf8').catch(() => '');
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as EventLine];
      } catch {
        // A kill interrupted the writing.
        return [];
      }
    });
  }
}
