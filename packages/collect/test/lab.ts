/**
 * A real domain controller for tests: Samba in a network namespace, filled with planted relations, each of which a right collection must
 * make true (`lab/populate.py` has the list). Needs root and Debian's packages; without them its tests are skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A relation or a property that was planted. */
export interface Planted {
  readonly group: string;
  /** Object id in upper case. */
  readonly source: string;
  readonly kind?: string;
  readonly target?: string;
  readonly props?: Readonly<Record<string, unknown>> | null;
  readonly property?: string;
  readonly value?: unknown;
  /** Whether it is there; some must not be. */
  readonly expect: boolean;
  readonly note: string;
  readonly names: readonly string[];
}

export interface Lab extends AsyncDisposable {
  readonly directory: string;
  readonly host: string;
  readonly address: string;
  readonly domain: string;
  /** An ordinary account. */
  readonly user: string;
  readonly password: string;
  readonly authority: string;
  readonly sysvol: string;
  readonly planted: readonly Planted[];
  /** Runs a program of Samba on the controller's own database. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

const SCRIPT = join(import.meta.dirname, './lab/lab.sh');

/** @returns why no controller can be started here; undefined where one can */
export function missingForLab(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'root on Linux is needed';
  for (const [program, argument] of [
    ['samba', '--version'],
    ['samba-tool', '--version'],
    ['ldbmodify', '--help'],
    ['ip', '-V'],
  ])
    try {
      execFileSync(program, [argument], { stdio: 'ignore' });
    } catch {
      return `${program} is not installed`;
    }
  return undefined;
}

/** @param bulk users in addition to those that are planted */
export async function startLab(bulk = 0): Promise<Lab> {
  // Samba's database is written with many small commits: in memory that takes seconds.
  const directory = mkdtempSync(join('/dev/shm', 'clew-lab-'));
  const number = process.pid % 250;
  const args = [directory, `clewlab${process.pid}`, String(number)];
  const stop = async (): Promise<void> => {
    await promisify(execFile)(SCRIPT, ['down', ...args]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const env = { ...process.env, TMPDIR: tmpdir(), ...(bulk > 0 && { BULK: String(bulk) }) };
    await promisify(execFile)(SCRIPT, ['up', ...args], { env, maxBuffer: 2 ** 24 });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return {
    directory,
    ...{ host: 'dc1.clewlab.test', address: `10.77.${number}.10`, domain: 'clewlab.test' },
    ...{ user: 'clew-reader@clewlab.test', password: 'Read-only-9-Account' },
    authority: join(directory, 'private/tls/ca.pem'),
    sysvol: join(directory, 'state/sysvol'),
    planted: JSON.parse(readFileSync(join(directory, 'planted.json'), 'utf8')).planted,
    run: async (program, ...rest) => (await promisify(execFile)(program, rest)).stdout,
    [Symbol.asyncDispose]: stop,
  };
}
