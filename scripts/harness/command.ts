/**
 * The command line of `npm run soak` and `npm run chaos`: `--minutes`, a log on standard error, reports as JSON on standard output, and
 * exit code 1 for a violated requirement, 2 for invalid arguments.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

export type Log = (line: string) => void;

export interface Report {
  /** The violated requirements. */
  readonly faults: readonly string[];
}

/** Values of options by name. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param start begins the runs and returns their reports @throws UsageError from `start` ends the process with 2 */
export async function runCommand(
  name: string,
  options: ParseArgsConfig['options'],
  start: (seconds: number, log: Log, values: Values) => AsyncIterable<Report>,
): Promise<void> {
  try {
    const values = valuesOf(options);
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new UsageError('--minutes must be a number above 0');
    const log: Log = (line) => process.stderr.write(`${name}: ${line}\n`);
    for await (const report of start(minutes * 60, log, values)) {
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      if (report.faults.length > 0) process.exitCode = 1;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 2;
  }
}

/** @throws UsageError for unknown options */
function valuesOf(options: ParseArgsConfig['options']): Values {
  try {
    return parseArgs({ options: { minutes: { type: 'string', default: '10' }, ...options } })
      .values as Values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
