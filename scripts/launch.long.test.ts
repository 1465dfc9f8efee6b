/** Tests stopping processes that npm started: no service may survive the command that a user or a service manager stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const directories: string[] = [];
const running: ChildProcess[] = [];

afterEach(async () => {
  // The complete group, because a failed test leaves a service running.
  for (const { pid } of running.splice(0)) killGroup(pid as number);
  // A database whose service was killed ends by itself, and still writes until then.
  const patiently = { recursive: true, force: true, maxRetries: 40, retryDelay: 250 };
  for (const directory of directories.splice(0)) await rm(directory, patiently);
});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

interface Started {
  readonly url: string;
  /** The process that the command line started. */
  readonly child: ChildProcess;
  /** Its data directory. */
  readonly data: string;
}

/** Starts the service by a command line, in a separate process group. */
async function start(command: readonly [string, ...string[]]): Promise<Started> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-launch-'));
  directories.push(directory);
  const [program, ...args] = command;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_)/.test(name));
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...Object.fromEntries(inherited),
      NODE_OPTIONS: '',
      CLEW_DATA_DIR: join(directory, 'data'),
      CLEW_PORT: '0',
      CLEW_LOG_LEVEL: 'silent',
    },
  });
  running.push(child);
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  const address = () => /ready at (http:\/\/\S+)/.exec(output)?.[1];
  await vi.waitUntil(address, { timeout: 100_000, interval: 50 });
  return { url: address() as string, child, data: join(directory, 'data') };
}

const isThere = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

const LAUNCHER: readonly [string, ...string[]] = [
  'node',
  'scripts/launch.mjs',
  'packages/cli/src/main.ts',
  'serve',
];

const ENDS: readonly (readonly [string, readonly [string, ...string[]], NodeJS.Signals])[] = [
  ['SIGTERM to npm start', ['npm', 'start', '--silent'], 'SIGTERM'],
  ['the end of npm, however it comes', ['npm', 'start', '--silent'], 'SIGKILL'],
  ['SIGTERM to the launcher, as from a service manager', LAUNCHER, 'SIGTERM'],
];

test.each(ENDS)(
  '%s ends the service',
  async (_, command, signal) => {
    const { url, child } = await start(command);
    child.kill(signal);
    await vi.waitUntil(async () => !(await isThere(url)), { timeout: 100_000, interval: 100 });
  },
  90_000,
);

/** Processes of this group or with this data directory, because databases create separate groups. */
function processesOf(group: number, data: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
        const itsGroup = Number(/^\d+ \(.*\) \S \d+ (\d+)/s.exec(stat)?.[1]);
        return itsGroup === group || readlinkSync(`/proc/${name}/cwd`).startsWith(data)
          ? [`${name} ${command}`]
          : [];
      } catch {
        return [];
      }
    });
}

test.skipIf(process.platform !== 'linux').each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm alone: npm ends after the service and its database, and the data can be copied',
  async (signal) => {
    const { url, child, data } = await start(['npm', 'start', '--silent']);
    expect(processesOf(child.pid as number, data).join('\n')).toMatch(/postgres/);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    expect(processesOf(child.pid as number, data)).toEqual([]);
    expect(await isThere(url)).toBe(false);
    const copy = `${data}-copy`;
    await cp(data, copy, { recursive: true });
    expect(existsSync(join(copy, 'postgres', 'postmaster.pid'))).toBe(false);
    const control = readFileSync(join(copy, 'postgres', 'global', 'pg_control'));
    // DBState at byte 16 of ControlFileData: 1 is DB_SHUTDOWNED, a clean end that needs no recovery.
    expect(control.readUInt32LE(16)).toBe(1);
  },
  90_000,
);

test('Ctrl-C in a terminal, which reaches all of them, ends the service', async () => {
  const { url, child } = await start(['npm', 'start', '--silent']);
  process.kill(-(child.pid as number), 'SIGINT');
  await vi.waitUntil(async () => !(await isThere(url)), { timeout: 100_000, interval: 100 });
}, 90_000);

test.skipIf(!existsSync('/bin/bash')).each([[], ['--script-shell=/bin/bash']])(
  'the end of the shell that started npm leaves the service running: npm %s',
  async (...options) => {
    const command = ['npm start --silent', ...options].join(' ');
    const { url, child } = await start(['/bin/bash', '-c', `${command} & wait`]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Longer than the interval at which the launcher checks.
    await sleep(1500);
    expect(await isThere(url)).toBe(true);
  },
  90_000,
);

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'as process 1 of a container, it also obeys SIGTERM',
  async () => {
    const { child } = await start([
      'unshare',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      ...LAUNCHER,
    ]);
    const ended = once(child, 'exit');
    // The child of unshare is process 1 inside; unshare itself does not forward signals.
    const inside = await childOf(child.pid as number);
    process.kill(inside, 'SIGTERM');
    const [code] = await ended;
    expect(code).toBe(0);
  },
  90_000,
);

async function childOf(pid: number): Promise<number> {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}
