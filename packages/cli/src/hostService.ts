/** Starts the service in this process. Only the commands that need it load this file, because the service is large. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningService, StartOptions } from '@clew/service';
import { webDirectory } from '@clew/web';
import type { Context, Environment } from './context.ts';
import { CommandError, EXIT } from './failure.ts';
import { printable } from './terminal/text.ts';

/** @throws CommandError if the configuration is invalid; every error is a line on `context.err` */
export async function startConfigured(
  context: Context,
  env: Environment,
  options: Pick<StartOptions, 'makesPlans'> = {},
): Promise<RunningService> {
  const { ConfigError, StartError, readConfig, startService } = await import('@clew/service');
  try {
    return await startService(readConfig(env), { webDirectory, clock: context.clock, ...options });
  } catch (error) {
    if (error instanceof StartError) throw new CommandError(error.message);
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) context.err.write(`clew: ${printable(fault)}\n`);
    throw new CommandError('the configuration is invalid; see above', EXIT.usage);
  }
}

/** @returns 24 random characters: passwords of 20 characters and more need no special ones */
export const throwAwayPassword = (): string => randomBytes(18).toString('base64url');

/** The user's configuration, except settings that would affect real data. @param directory deleted with the service */
export function throwAwayEnvironment(
  env: Environment,
  directory: string,
  administrator: { readonly name: string; readonly password: string },
): Environment {
  const kept = Object.entries(env).filter(
    ([name]) => !['CLEW_DATABASE_URL', 'CLEW_SECRET_KEY', 'CLEW_ROLE'].includes(name),
  );
  return {
    CLEW_PORT: '0',
    CLEW_LOG_LEVEL: 'error',
    ...Object.fromEntries(kept),
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_ADMIN_NAME: administrator.name,
    CLEW_ADMIN_PASSWORD: administrator.password,
  };
}
