/** The whole service in the test process: silent, strict about its answers, and with quick sign-ins. */

import { type Config, readConfig } from '@clew/common';
import type { Clock } from '@clew/identity/handlers';
import { quickHasher, systemClock } from '@clew/identity/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { pino } from 'pino';
import { type RunningService, type StartOptions, startService } from '../src/main.ts';

const MAX_SLEEP_MS = 5;

/** Each sign-in takes 1.5 to 2 seconds by rule (see `login.test.ts`), which is too long for a test with ten sign-ins. */
const shortSleeps: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds, MAX_SLEEP_MS), signal),
};

export function startTested(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const log = pino({ level: 'silent' });
  return startService(config, {
    log,
    checkAnswers: true,
    clock: shortSleeps,
    hasher: quickHasher(),
    ...options,
  });
}

/** Where the database of a test is, for a service. */
export function databaseVariables({ connection }: Pick<Database, 'connection'>) {
  const { host = '', port, user, password, database } = connection;
  const at = `${encodeURIComponent(host)}:${port ?? 5432}/${database}`;
  return { CLEW_DATABASE_URL: `postgres://${user}:${password}@${at}` };
}

/** On a migrated database of the tests' server: to initialize one of its own takes a service seconds. */
export async function startOnTestDatabase(
  variables: Readonly<Record<string, string>>,
  options: StartOptions = {},
): Promise<RunningService> {
  const database = await startTestDatabase();
  const service = await startTested(readConfig({ ...variables, ...databaseVariables(database) }), options);
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.close();
    },
  };
}

/** A service without automatic plans, whose administrator has the email address in the public examples. */
export const startWithoutPlans = (
  directory: string,
  password: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningService> =>
  startOnTestDatabase(
    {
      CLEW_DATA_DIR: directory,
      CLEW_PORT: '0',
      CLEW_LOG_LEVEL: 'silent',
      CLEW_ADMIN_PASSWORD: password,
      CLEW_ADMIN_EMAIL: 'admin@example.com',
      ...variables,
    },
    { makesPlans: false },
  );
