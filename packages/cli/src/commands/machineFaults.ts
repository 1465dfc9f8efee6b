/** Reports errors of commands that work on local data as one line. */
import { CommandError } from '../failure.ts';
import { printable } from '../terminal/text.ts';

/** @throws CommandError for an invalid configuration, a database that cannot be opened, and a missing file */
export async function withMachineFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  const { ConfigError, StartError } = await import('@clew/service');
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartError || error instanceof ConfigError) throw new CommandError(error.message);
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path !== undefined) throw new CommandError(`there is no ${printable(path)}`);
    throw error;
  }
}
