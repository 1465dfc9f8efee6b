/** The service as users run it: `clew serve` in a separate process, with a free port and a test data directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
const QUICK_SIGN_IN = fileURLToPath(new URL('../../cli/test/quickSignIn.ts', import.meta.url));
const START_TIMEOUT = 60_000;

export interface ServeProcess {
  readonly url: string;
  readonly pid: number;
  /** Its output so far. */
  output(): string;
  /** @returns the exit code, or the signal that ended it */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

export interface FinishedProcess {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export const ADMIN_PASSWORD = 'correct horse battery staple';

type Variables = Readonly<Record<string, string>>;

function environment(variables: Variables): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CLEW_') && name !== 'INIT_CWD',
  );
  return { ...Object.fromEntries(inherited), NODE_OPTIONS: '', ...variables };
}

interface ServeOptions {
  /** Sign-ins take as long as for users; tests of other parts would spend a third of their time waiting. */
  readonly slowSignIn?: boolean;
  /** Default: the command of this version. */
  readonly script?: string;
  /** Milliseconds until it must be ready. Default: a minute. */
  readonly startTimeout?: number;
}

/** @throws Error with all output if the service does not start */
export async function startServe(
  dataDirectory: string,
  variables: Variables = {},
  {
    slowSignIn = false,
    script = slowSignIn ? MAIN : QUICK_SIGN_IN,
    startTimeout = START_TIMEOUT,
  }: ServeOptions = {},
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [script, 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment({
      ...{
        CLEW_PORT: '0',
        CLEW_LOG_LEVEL: 'warn',
        CLEW_ADMIN_PASSWORD: ADMIN_PASSWORD,
        CLEW_RATE_LIMIT: '0',
      },
      CLEW_DATA_DIR: dataDirectory,
      ...variables,
    }),
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const url = await Promise.race([addressIn(child, () => text, startTimeout), ended.then(() => undefined)]);
  if (url === undefined) throw new Error(`clew serve ended: ${text}`);
  return {
    url,
    pid: child.pid as number,
    output: () => text,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function addressIn(child: ChildProcess, text: () => string, milliseconds: number): Promise<string> {
  const deadline = AbortSignal.timeout(milliseconds);
  for (;;) {
    const address = /ready at (http:\/\/\S+)/.exec(text())?.[1];
    if (address !== undefined) return address;
    if (deadline.aborted) {
      child.kill('SIGKILL');
      throw new Error(`clew serve does not come up: ${text()}`);
    }
    await new Promise((resolvePause) => setTimeout(resolvePause, 25));
  }
}

interface ClewOptions {
  readonly variables?: Variables;
  readonly input?: string;
  readonly directory?: string;
}

/** Starts `clew` in a separate process. */
export function startClew(
  args: readonly string[],
  options: ClewOptions = {},
): { readonly child: ChildProcess; readonly ended: Promise<FinishedProcess> } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environment(options.variables ?? {}),
    cwd: options.directory ?? import.meta.dirname,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  child.stdin.end(options.input ?? '');
  const ended = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...output }));
  return { child, ended };
}

/** Runs `clew` to its end in a separate process. */
export const runClew = (args: readonly string[], options?: ClewOptions): Promise<FinishedProcess> =>
  startClew(args, options).ended;
