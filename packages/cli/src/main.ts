/** Entry point of the `clew` command. */
import { askSecret } from './askSecret.ts';
import { systemContext } from './context.ts';
import { runCommandLine } from './program/program.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)));
}
// A reader that goes away (`| head`) ends the program quietly, as any other tool.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}

const context = systemContext(interruption.signal, (question) => askSecret(question, interruption.signal));
process.exitCode = await runCommandLine(context, process.argv.slice(2));
