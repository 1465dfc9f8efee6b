/**
 * A real domain controller for tests: Samba in a network namespace, with planted relationships that a correct collection must find (listed
 * in `lab/populate.py`). Requires root and Debian's packages; without them, its tests are skipped.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A planted relationship or property. */
export interface Planted {
  readonly group: string;
  /** Object id in upper case. */
  readonly source: string;
  readonly kind?: string;
  readonly target?: string;
  readonly props?: Readonly<Record<string, unknown>> | null;
  readonly property?: string;
  readonly value?: unknown;
  /** Whether it must exist, or must not. */
  readonly expect: boolean;
  readonly note: string;
  readonly names: readonly string[];
}

export interface Lab extends AsyncDisposable {
  readonly directory: string;
  /** Network namespace of the controller, where names resolve. */
  readonly namespace: string;
  readonly host: string;
  readonly address: string;
  readonly domain: string;
  /** An ordinary account. */
  readonly user: string;
  readonly password: string;
  readonly authority: string;
  readonly sysvol: string;
  readonly planted: readonly Planted[];
  /** The controller of a second forest, which trusts this one. */
  readonly other: { readonly host: string; readonly address: string; readonly realm: string };
  /** Runs a Samba program on the controller's database. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

const SCRIPT = join(import.meta.dirname, './lab/lab.sh');
/** Filled controllers, which labs copy. */
const TEMPLATES = join(import.meta.dirname, '../../../node_modules/.cache/test-labs');

/** @returns why no controller can be started here; undefined if possible */
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

/** Labs at the same time: each number is a part of an address. */
const MAX_LABS = 250;

export interface LabOptions {
  /** Number of users in addition to the planted ones. */
  readonly bulk?: number;
  /** Whether to start `other` with a trust. */
  readonly trusted?: boolean;
}

/** A killed test leaves its link, whose number another process can have, too. */
function freeNumber(): number {
  const numbers = Array.from({ length: MAX_LABS }, (_, at) => (process.pid + at) % MAX_LABS);
  const found = numbers.find((number) => !existsSync(`/sys/class/net/lab${number}-0`));
  if (found === undefined) throw new Error('all numbers of labs are used: remove links with ip link del');
  return found;
}

export async function startLab({ bulk = 0, trusted = false }: LabOptions = {}): Promise<Lab> {
  // Samba writes its database in many small commits, which take seconds in memory.
  const directory = mkdtempSync(join('/dev/shm', 'clew-lab-'));
  const number = freeNumber();
  const namespace = `clewlab${process.pid}`;
  const args = [directory, namespace, String(number)];
  const stop = async (): Promise<void> => {
    await promisify(execFile)(SCRIPT, ['down', ...args]);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const env = {
      ...{ ...process.env, TMPDIR: tmpdir() },
      ...(bulk > 0 && { BULK: String(bulk) }),
      ...(trusted && { TRUSTED: '1' }),
    };
    await promisify(execFile)(SCRIPT, ['up', ...args, TEMPLATES], { env, maxBuffer: 2 ** 24 });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return {
    ...{ directory, namespace },
    ...{ host: 'dc1.clewlab.test', address: `10.77.${number}.10`, domain: 'clewlab.test' },
    ...{ user: 'clew-reader@clewlab.test', password: 'Read-only-9-Account' },
    authority: join(directory, 'private/tls/ca.pem'),
    sysvol: join(directory, 'state/sysvol'),
    planted: JSON.parse(readFileSync(join(directory, 'planted.json'), 'utf8')).planted,
    other: { host: 'dc2.other.test', address: `10.77.${number}.11`, realm: 'OTHER.TEST' },
    run: async (program, ...rest) => (await promisify(execFile)(program, rest)).stdout,
    [Symbol.asyncDispose]: stop,
  };
}
