/**
 * The command line that `npm run soak` and `npm run chaos` share: `--minutes`, a log on the standard error, reports as JSON on the standard
 * output, and 1 as the exit code when a bound did not hold, 2 for arguments that mean nothing.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

export type Log = (line: string) => void;

export interface Report {
  /** Bounds that did not hold; empty when all did. */
  readonly faults: readonly string[];
}

/** Values of options by their names. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param start begins the runs, each with its report @throws UsageError from `start` ends the process with 2 */
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

/** @throws UsageError for options that the command does not have */
function valuesOf(options: ParseArgsConfig['options']): Values {
  try {
    return parseArgs({ options: { minutes: { type: 'string', default: '10' }, ...options } })
      .values as Values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
