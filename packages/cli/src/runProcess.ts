/** Runs the `clew` command in this process, until it ends or is interrupted. */
import { askSecret } from './askSecret.ts';
import { type Context, systemContext } from './context.ts';
import { runCommandLine } from './program/program.ts';

/** Work is ended after this time, unless `CLEW_STOP_DELAY` is set; the launcher kills a process that does not react. */
const END_MS = 8_500;

/** @param adapt changes the environment of the command, for tests */
export async function runProcess(adapt: (context: Context) => Context = (context) => context): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      interruption.abort(new Error(`interrupted by ${signal}`));
      endLater(signal);
    });
  }
  // When the reader of a pipe ends (`| head`), the program ends quietly.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  }
  const context = systemContext(interruption.signal, (question) => askSecret(question, interruption.signal));
  process.exitCode = await runCommandLine(adapt(context), process.argv.slice(2));
}

function endLater(signal: NodeJS.Signals): void {
  const delay = Number(process.env.CLEW_STOP_DELAY ?? 0) * 1000;
  const timer = setTimeout(
    () => {
      process.stderr.write(
        `clew: not everything ended within ${END_MS / 1000} s after ${signal}: stopping now\n`,
      );
      process.exit(1);
    },
    END_MS + (Number.isFinite(delay) ? delay : 0),
  );
  timer.unref();
}
