/** `clew investigate ALERT.json`: whether an alert is still valid, the zones it reaches, and what to do about it. */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError, investigate as investigateAlert, type Verdict } from '@clew/connector';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { jsonText, printable } from '../terminal/text.ts';

export interface InvestigateOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** Additional output file for the summary. */
  readonly out?: string;
}

/** Playbooks distinguish outcomes by exit code. */
const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  confirmed: 0,
  'partly fixed': 0,
  fixed: 10,
  accepted: 11,
  pending: 12,
  undecided: EXIT.failed,
};

/** @param file `-` reads standard input @returns the exit code */
export async function investigate(
  context: Context,
  file: string,
  options: InvestigateOptions,
): Promise<number> {
  const { out, directory, signal } = context;
  const text = file === '-' ? await context.readInput() : await readFile(resolve(directory, file), 'utf8');
  const client = await connect(context, options);
  try {
    const result = await investigateAlert(client, text, signal);
    if (options.out !== undefined) await writeFile(resolve(directory, options.out), result.summary);
    if (options.json) out.write(jsonText(result));
    else out.write(result.summary.split('\n').map(printable).join('\n'));
    return EXIT_CODES[result.verdict];
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message, EXIT.usage);
    throw error;
  }
}
