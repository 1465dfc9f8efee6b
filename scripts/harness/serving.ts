/** Starts the service in a separate process, for scripts that attack or break it, and reports when it is ready. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');

/** The main program of the command line. */
export const MAIN = join(ROOT, 'packages/cli/src/main.ts');

export interface Serving {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Accepts messages. */
  readonly hasChannel?: boolean;
  readonly onOutput?: (text: string) => void;
  readonly onReady: (url: string) => void;
}

/** Settings of Clew and npm in the environment of the script are not passed on. */
export function serve({ args, variables, hasChannel, onOutput, onReady }: Serving): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CLEW_|npm_)/.test(name));
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel === true ? (['ipc'] as const) : [])],
    env: { ...Object.fromEntries(inherited), NODE_OPTIONS: '', ...variables },
  });
  let begin: string | undefined = '';
  const note = (bytes: Buffer): void => {
    const text = bytes.toString();
    onOutput?.(text);
    if (begin === undefined) return;
    begin = `${begin}${text}`.slice(-20_000);
    const url = /ready at (http:\/\/\S+)/.exec(begin)?.[1];
    if (url === undefined) return;
    begin = undefined;
    onReady(url);
  };
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  return child;
}

/** @returns the elapsed time @throws Error if the condition was not met in time */
export async function until(
  milliseconds: number,
  what: string,
  check: () => boolean | Promise<boolean>,
): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < milliseconds) {
    if (await Promise.resolve(check()).catch(() => false)) return performance.now() - begun;
    await sleep(Math.min(500, milliseconds / 100));
  }
  throw new Error(`not within ${milliseconds / 1000} s: ${what}`);
}
